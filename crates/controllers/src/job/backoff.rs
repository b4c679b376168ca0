//! Back-off: how many failures a Job tolerates, and how long it waits after each.
//!
//! Docs: Jobs, "Pod backoff failure policy" (J-46d, J-82, J-84, J-91…J-95). Limits of single indexes are in `backoff_per_index.rs`.

use api::annotation::{FailureRules, JobExtensions};
use api::back_off::BackOff;
use api::pod::{ConditionStatus, ContainerStatus, Phase};
use api::{Duration, Job, Pod, Text, Timestamp};

use super::decision::FailureMatch;
use super::pod_failure_policy;
use super::tally::{Claimed, Tally};
use super::view::JobView;

/// Failures of a Job's pods since one last succeeded (J-91).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Backoff {
    pub(crate) failures: u32,
    pub(crate) last_failure_at: Option<Timestamp>,
    /// When a pod last succeeded that was counted since the record began.
    pub(crate) last_success_at: Option<Timestamp>,
}

/// A delay that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackoffDelay {
    pub(crate) failures: u32,
    pub(crate) delay: Duration,
    /// How much longer the Job wants it to be.
    pub(crate) jitter: Option<Duration>,
    pub(crate) since: Timestamp,
    pub(crate) left: Duration,
    /// The failed pod and the rule that asks for the delay, if one does.
    pub(crate) by: Option<Box<FailureMatch>>,
}

impl Backoff {
    /// The record with the pods that ended since (J-92), but for those after which a rule has a delay of its own, and those that are kept.
    pub(crate) fn with(self, view: &JobView<'_>, tally: &Tally<'_>) -> Self {
        let last_success = tally.new_succeeded.iter().map(|pod| view.failed_at(pod.pod)).max();
        let failures = failures(view, tally.new_failed.iter().filter(|pod| !tally.is_kept(pod)).copied());
        match last_success {
            None if failures.is_empty() => self,
            // A pod that was kept is recorded after others that failed later.
            None if view.failure_rules().is_some() => self.plus(failures),
            None => Self { last_failure_at: None, ..self }.plus(failures),
            Some(success) => {
                let reset = Self { failures: 0, last_failure_at: None, last_success_at: self.last_success_at.max(last_success) };
                reset.plus(failures.into_iter().filter(|at| *at > success).collect())
            }
        }
    }

    /// The record with the failed pods that are kept, too: each sync adds them again until they are let go.
    pub(crate) fn with_kept(self, view: &JobView<'_>, tally: &Tally<'_>) -> Self {
        let kept = failures(view, tally.new_failed.iter().filter(|pod| tally.is_kept(pod)).copied());
        self.plus(kept.into_iter().filter(|at| self.last_success_at.is_none_or(|success| *at > success)).collect())
    }

    fn plus(self, failures: Vec<Timestamp>) -> Self {
        Self {
            failures: self.failures.saturating_add(failures.len().try_into().unwrap_or(u32::MAX)),
            last_failure_at: failures.into_iter().max().max(self.last_failure_at),
            ..self
        }
    }

    /// The record as the Job's pods make it that were counted: failures since the last success. A pod that is being deleted and was counted without a
    /// trace of its own is one of those that the Job's status counts as failed.
    pub(crate) fn rebuilt<'a>(job: &Job, asked: &JobExtensions, pods: impl Iterator<Item = &'a Pod>, finalizer: &str) -> Self {
        let listed = |pod: &Pod| {
            let uncounted = job.status.uncounted_terminated_pods.as_ref();
            uncounted.is_some_and(|uncounted| uncounted.failed.iter().chain(&uncounted.succeeded).any(|uid| *uid == pod.metadata.uid))
        };
        let ended_at = |pod: &Pod| ended_at(asked, pod);
        let counted: Vec<&Pod> = pods.filter(|pod| !pod.metadata.has_finalizer(finalizer) || listed(pod)).collect();
        let of_phase = |phase: Phase| counted.iter().copied().filter(move |pod| pod.phase == phase);
        let failed = of_phase(Phase::Failed).count();
        let others = usize::try_from(job.status.failed).unwrap_or_default().saturating_sub(failed);
        let stopping = counted.iter().copied().filter(|pod| pod.metadata.deleting() && !pod.phase.ended()).take(others);
        let last_success = of_phase(Phase::Succeeded).map(ended_at).max();
        let rules = asked.on_failure.as_ref();
        let failures = of_phase(Phase::Failed).chain(stopping).filter(|pod| !delayed_by_rule(job, rules, pod)).map(ended_at);
        let failures: Vec<Timestamp> = failures.filter(|at| last_success.is_none_or(|success| *at > success)).collect();
        Self { last_success_at: last_success, ..Self::default() }.plus(failures)
    }

    /// The delay that follows, if it is not over (J-94).
    pub(crate) fn delay(self, view: &JobView<'_>, now: Timestamp) -> Option<BackoffDelay> {
        self.delay_after(view.failed_last(self.last_failure_at?), view, now)
    }

    /// The delay that follows, if it is not over; its jitter is drawn from the UID of the pod that failed last (J-94, X-9).
    pub(crate) fn delay_after(self, uid: &Text, view: &JobView<'_>, now: Timestamp) -> Option<BackoffDelay> {
        let since = self.last_failure_at.filter(|_| self.failures > 0)?;
        let delay = usual_delay(view, self.failures);
        let jitter = view.retry_jitter().map(|jitter| jitter.of(delay, uid));
        let left = delay + jitter.unwrap_or_default() - now.duration_since(since);
        left.is_positive().then_some(BackoffDelay { failures: self.failures, delay, jitter, since, left, by: None })
    }
}

/// When pods failed, but for those after which a rule has a delay of its own.
fn failures<'a>(view: &JobView<'_>, failed: impl Iterator<Item = &'a Claimed<'a>>) -> Vec<Timestamp> {
    failed.filter(|pod| !delayed_by_rule(view.job, view.failure_rules(), pod.pod)).map(|pod| view.failed_at(pod.pod)).collect()
}

/// The delay after so many failures without a rule on them (J-94, X-8).
pub(crate) fn usual_delay(view: &JobView<'_>, failures: u32) -> Duration {
    let limits = &view.config.limits;
    let back_off = BackOff { first: limits.pod_failure_back_off, longest: limits.pod_failure_back_off_max };
    view.retry_delay().map_or_else(|| back_off.after(failures), |asked| asked.after(failures))
}

/// Whether a rule has a delay of its own after a failed pod.
pub(crate) fn delayed_by_rule(job: &Job, rules: Option<&FailureRules>, pod: &Pod) -> bool {
    let line = rules.and_then(|rules| pod_failure_policy::judge(job, Some(rules), pod).line());
    line.is_some_and(|line| line.delay(|_| Duration::ZERO).is_some())
}

/// How often containers were restarted in place, if that reaches the Job's limit (J-82).
pub(crate) fn restart_limit_reached(job: &Job, pods: &[Claimed<'_>], restart_policy: Option<&str>) -> Option<i32> {
    if restart_policy != Some("OnFailure") {
        return None;
    }
    let (limit, restarts) = (limit(job), restarts(pods.iter().map(|claimed| claimed.pod)));
    let reached = if limit == 0 { restarts > 0 } else { restarts >= limit };
    reached.then_some(restarts)
}

/// How often the containers of these pods were restarted in place; those of pods that ended do not count (J-82).
pub(crate) fn restarts<'a>(pods: impl Iterator<Item = &'a Pod>) -> i32 {
    pods.filter(|pod| matches!(pod.phase, Phase::Running | Phase::Pending))
        .flat_map(|pod| pod.containers.iter().chain(&pod.init_containers))
        .fold(0, |sum, container| sum.saturating_add(container.restart_count))
}

/// How many failed pods the Job tolerates.
pub(crate) fn limit(job: &Job) -> i32 {
    job.spec.backoff_limit.unwrap_or(if job.spec.backoff_limit_per_index.is_some() { i32::MAX } else { 6 })
}

/// When a pod ended, if that is known (J-95).
pub(crate) fn finished_at(pod: &Pod) -> Timestamp {
    let not_ready =
        || pod.condition("Ready").filter(|ready| ready.status == ConditionStatus::False).and_then(|ready| ready.last_transition_time);
    containers_finished_at(pod)
        .or_else(not_ready)
        .or_else(|| pod.metadata.deletion_requested_at())
        .or(pod.metadata.creation_timestamp)
        .unwrap_or(Timestamp::UNIX_EPOCH)
}

/// When a pod ended. Kubernetes dates the end of one whose containers never ran to its beginning (J-95); delays that a Job asks for count from its failure
///
pub(crate) fn ended_at(asked: &JobExtensions, pod: &Pod) -> Timestamp {
    if asked.numbers_attempts() { failed_at(pod) } else { finished_at(pod) }
}

/// When a pod failed, by what it shows of that: when its containers ended; of one whose containers never ran, or have not ended, the last of its init
/// containers' ends, of the conditions that end it, and of the request to delete it.
fn failed_at(pod: &Pod) -> Timestamp {
    let changed = |kind: &str, status: ConditionStatus| pod.condition(kind).filter(|found| found.status == status)?.last_transition_time;
    let inits = pod.init_containers.iter().filter_map(|container| container.terminated()?.finished_at);
    let conditions = [changed("Ready", ConditionStatus::False), changed("DisruptionTarget", ConditionStatus::True)];
    let times = inits.chain(conditions.into_iter().flatten()).chain(pod.metadata.deletion_requested_at());
    containers_finished_at(pod).or_else(|| times.chain(pod.metadata.creation_timestamp).max()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// When a pod last changed, by what it shows of that.
pub(crate) fn changed_at(pod: &Pod) -> Timestamp {
    let conditions = ["PodScheduled", "Ready", "DisruptionTarget"].into_iter().filter_map(|kind| pod.condition(kind)?.last_transition_time);
    let ended = pod.phase.ended().then(|| finished_at(pod));
    let times = conditions.chain(ended).chain(pod.metadata.deletion_requested_at()).chain(pod.metadata.creation_timestamp);
    times.max().unwrap_or(Timestamp::UNIX_EPOCH)
}

/// When the last container ended. Where regular containers still run but all sidecars have ended, that is the sidecars' end (J-95).
pub(crate) fn containers_finished_at(pod: &Pod) -> Option<Timestamp> {
    let regular = last_end(pod.containers.iter());
    let sidecars = pod.init_containers.iter().filter(|container| container.sidecar);
    if sidecars.clone().next().is_none() {
        return regular;
    }
    last_end(sidecars).map(|end| regular.map_or(end, |regular| regular.max(end)))
}

/// When the last of these containers ended; `None` if one has not, or there is none.
fn last_end<'a>(mut statuses: impl Iterator<Item = &'a ContainerStatus>) -> Option<Timestamp> {
    let end = |container: &ContainerStatus| container.terminated()?.finished_at;
    let first = end(statuses.next()?)?;
    statuses.try_fold(first, |latest, container| Some(latest.max(end(container)?)))
}
