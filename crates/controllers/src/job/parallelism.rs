//! Parallelism and completions: how many pods there are to be, and what to do about it.
//!
//! Docs: Jobs, "Parallel execution for Jobs", "Controlling parallelism" (J-80…J-89). Which pods go first is in `deletion.rs`, which indexes come first in `indexes.rs`.

use api::indexes::IndexSet;
use api::request::Request;
use api::{Kind, Timestamp, listed, time};

use super::attempts::NextAttempts;
use super::backoff::{Backoff, BackoffDelay};
use super::decision::{JobDecision, PodControl, Waiting, Wanted};
use super::expectations::Expected;
use super::failures::{Failures, RuleDelays};
use super::memory::Blockable;
use super::plan::{Intent, JobCommand, JobPlan, SyncAction};
use super::pod_template::{NextOfIndex, PodTemplate};
use super::tally::{Claimed, Indexes, Tally};
use super::view::JobView;
use super::{backoff_per_index, deletion, extensions, indexes, pending, replacement};

/// The numbers of pods as they are once a plan has succeeded (J-134a…c).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) active: usize,
    pub(crate) ready: usize,
    pub(crate) terminating: usize,
}

impl Numbers {
    pub(crate) fn of(view: &JobView<'_>, tally: &Tally<'_>) -> Self {
        // A pod that could not be deleted stays active, but does not count as ready until the next sync.
        let undeleted = |pod: &&&Claimed<'_>| pod.ready() && view.deletions.refused.contains(&pod.pod.metadata.name);
        Self {
            active: tally.active.len(),
            ready: tally.ready - tally.active.iter().filter(undeleted).count(),
            terminating: tally.terminating.len() + view.deletions.done.len(),
        }
    }

    /// These active pods are deleted.
    pub(crate) fn delete(&mut self, pods: &[&Claimed<'_>]) {
        self.active -= pods.len();
        self.terminating += pods.len();
        self.ready -= pods.iter().filter(|pod| pod.ready()).count();
    }
}

/// Creates and deletes pods so that as many are active as are wanted.
pub(crate) fn manage(view: &JobView<'_>, tally: &Tally<'_>, backoff: Backoff, plan: &mut JobPlan, now: Timestamp) -> Numbers {
    let mut numbers = Numbers::of(view, tally);
    let active = tally.active.len();
    if view.job.suspended() {
        let decision = if active > 0 { PodControl::SuspendsPods { pods: active } } else { PodControl::StaysSuspended };
        delete(view, &tally.active, vec![decision], plan, &mut numbers);
        return numbers;
    }
    let wanted = wanted(view, tally);
    let surplus = deletion::surplus(tally, wanted.wanted, view.config.limits.max_pods_per_sync);
    if !surplus.pods.is_empty() {
        delete(view, &surplus.pods, surplus.decisions(wanted), plan, &mut numbers);
        return numbers;
    }
    if !view.deletions.done.is_empty() {
        // No pods are created in a sync that deleted some (J-81a).
        return numbers;
    }
    if pending::act(view, tally, &mut numbers, plan, now) {
        return numbers;
    }
    let missing = wanted.wanted.saturating_sub(active);
    let terminating = if tally.only_replace_failed { tally.terminating.len() } else { 0 };
    if missing <= terminating {
        plan.sync.action = Some(SyncAction::Tracking);
        plan.decide(JobDecision::PodControl(nothing_missing(wanted, terminating)));
        return numbers;
    }
    plan.sync.action = Some(SyncAction::PodsCreated);
    numbers.active += create(view, tally, backoff, missing - terminating, wanted, plan, now);
    numbers
}

/// How many pods are to be active (J-81).
fn wanted(view: &JobView<'_>, tally: &Tally<'_>) -> Wanted {
    let (active, succeeded, completions) = (tally.active.len(), tally.succeeded, view.job.spec.completions);
    let wanted = match completions {
        None if succeeded > 0 => active,
        None => view.parallelism(),
        Some(completions) => usize::try_from(completions - succeeded).unwrap_or(0).min(view.parallelism()),
    };
    Wanted { active, wanted, parallelism: view.job.spec.parallelism.unwrap_or(1), completions, succeeded }
}

fn nothing_missing(numbers: Wanted, terminating: usize) -> PodControl {
    let Wanted { active, wanted, completions, succeeded, .. } = numbers;
    if wanted > active {
        return PodControl::WaitsForTerminating { terminating, missing: wanted - active };
    }
    if completions.is_none() && succeeded > 0 {
        return PodControl::DrainsWorkQueue { succeeded, active };
    }
    PodControl::HasEnough(numbers)
}

fn delete(view: &JobView<'_>, pods: &[&Claimed<'_>], decisions: Vec<PodControl>, plan: &mut JobPlan, numbers: &mut Numbers) {
    plan.sync.action = Some(SyncAction::PodsDeleted);
    if blocked(view, Blockable::Deletions, plan) {
        return;
    }
    plan.decisions.extend(decisions.into_iter().map(JobDecision::PodControl));
    deletion::delete_uncounted(view, pods, plan);
    numbers.delete(pods);
}

/// Whether something is left alone for now because it failed; adds the decision.
pub(crate) fn blocked(view: &JobView<'_>, what: Blockable, plan: &mut JobPlan) -> bool {
    let Some(blocked) = view.memory.blocked.filter(|blocked| blocked.what == what) else { return false };
    let waiting = Waiting::RetryAhead { what: what.name(), failures: blocked.failures, until: blocked.until };
    plan.decide(JobDecision::Waiting(waiting));
    plan.requeue(blocked.until, "the failed request is due again");
    true
}

/// Creates missing pods, as many as can start now. Returns how many.
fn create(
    view: &JobView<'_>,
    tally: &Tally<'_>,
    backoff: Backoff,
    missing: usize,
    wanted: Wanted,
    plan: &mut JobPlan,
    now: Timestamp,
) -> usize {
    let limits = &view.config.limits;
    if blocked(view, Blockable::Creations, plan) {
        return 0;
    }
    let failures = Failures::of(view);
    let Some(allowed) = extensions::allowed(view, &failures, plan, now) else { return 0 };
    let delays = failures.delays(now);
    let usual = if view.job.spec.backoff_limit_per_index.is_none() { backoff.delay(view, now) } else { None };
    if let Some(delay) = delays.get(None).cloned().into_iter().chain(usual).max_by_key(|delay| delay.left) {
        wait(view, None, delay, plan, now);
        return 0;
    }
    let count = missing.min(limits.max_pods_per_sync);
    if count < missing && allowed > count {
        plan.decide(JobDecision::PodControl(PodControl::LimitsCreation { missing, limit: count }));
    }
    let Some(mut next) = next_pods(view, tally, &delays, count, plan, now) else { return 0 };
    next.truncate(allowed);
    if next.is_empty() {
        plan.decide(JobDecision::PodControl(PodControl::NoIndexLeft(wanted)));
        return 0;
    }
    let Some(mut template) = PodTemplate::read(view) else {
        plan.decide(JobDecision::PodControl(PodControl::HasNoLabels));
        plan.sync.falls_short = true;
        return 0;
    };
    let reason = replacement::creation_reason(view.job, tally.failed, tally.terminating.len());
    let mut commands = creations(&failures, &mut template, &next, reason, plan).into_iter();
    let sizes: Vec<usize> = slow_start(next.len(), limits.slow_start_batch).collect();
    sizes.iter().for_each(|size| plan.then(commands.by_ref().take(*size).collect()));
    plan.sync.expected = Some(Expected::Creations(next.len()));
    let (pods, batches) = (next.len(), batches_in_words(&sizes));
    plan.decide(JobDecision::PodControl(if view.job.indexed() {
        let indexes = IndexSet::default().with(next.iter().flatten().map(|next| next.index)).to_string();
        PodControl::CreatesIndexes { pods, indexes, batches, numbers: wanted }
    } else {
        PodControl::Creates { pods, batches, numbers: wanted }
    }));
    next.len()
}

/// The requests that create pods. What the pods of a Job without indexes have that the template does not say is the same for all of them.
fn creations(
    failures: &Failures<'_>,
    template: &mut PodTemplate<'_>,
    next: &[Option<NextOfIndex>],
    reason: &'static str,
    plan: &mut JobPlan,
) -> Vec<JobCommand> {
    let attempts = NextAttempts::of(failures);
    let common = if failures.view.job.indexed() { None } else { attempts.of_index(None) };
    let mut commands: Vec<JobCommand> = Vec::with_capacity(next.len());
    for next in next {
        let index = next.map(|next| next.index);
        let own = index.and_then(|_| attempts.of_index(index));
        let attempt = own.as_ref().or(common.as_ref());
        let (body, grown) = template.body(*next, attempt);
        let announced = attempt.filter(|_| index.is_some() || commands.is_empty());
        let memory = announced.map(|attempt| attempt.announce(index, grown, plan)).unwrap_or_default();
        let request = Request::create(Kind::Pod, &failures.view.job.metadata.namespace, body);
        commands.push(Intent::Create { index, reason, memory }.command(request, &[]));
    }
    commands
}

/// The pods to create: for an Indexed Job the indexes that can start; `None`, and a decision, if none can.
fn next_pods(
    view: &JobView<'_>,
    tally: &Tally<'_>,
    delays: &RuleDelays,
    count: usize,
    plan: &mut JobPlan,
    now: Timestamp,
) -> Option<Vec<Option<NextOfIndex>>> {
    let Some(indexes) = &tally.indexes else { return Some(vec![None; count]) };
    let chosen = indexes::missing(tally, indexes, delays, count);
    let may_wait = view.job.spec.backoff_limit_per_index.is_some() || !delays.is_empty();
    let ready = if may_wait { indexes::ready(chosen, indexes, delays, view, now) } else { Ok(chosen) };
    match ready {
        Ok(ready) => Some(ready.into_iter().map(|index| Some(next_of(view, indexes, index))).collect()),
        Err((index, delay)) => {
            wait(view, Some(index), delay, plan, now);
            None
        }
    }
}

fn next_of(view: &JobView<'_>, indexes: &Indexes<'_>, index: u32) -> NextOfIndex {
    let counts = || backoff_per_index::next_failure_counts(view, indexes.held.get(index));
    NextOfIndex { index, failures: view.job.spec.backoff_limit_per_index.map(|_| counts()) }
}

/// Waits until a delay is over, that of an index or of the whole Job.
fn wait(view: &JobView<'_>, index: Option<u32>, delay: BackoffDelay, plan: &mut JobPlan, now: Timestamp) {
    let BackoffDelay { failures, delay, jitter, since, left, by } = delay;
    let until = time::after(now, left);
    plan.decide(JobDecision::Waiting(match (by, index) {
        (Some(matched), _) => Waiting::DelaysRetryByRule { matched: *matched, failures, delay, jitter, since, until },
        (None, _) if view.retry_delay().is_some() => Waiting::DelaysRetry { index, failures, delay, jitter, since, until },
        (None, Some(index)) => Waiting::BacksOffIndex { index, failures, delay, jitter, since, until },
        (None, None) => Waiting::BacksOff { failures, delay, jitter, since, until },
    }));
    plan.requeue(time::after(now, view.config.limits.sync_batch_period.max(left)), "the back-off ends");
}

/// Sizes of batches that grow twofold, so that a refusal costs few requests (J-87).
fn slow_start(count: usize, first: usize) -> impl Iterator<Item = usize> {
    let mut left = count;
    std::iter::successors(Some(first.max(1)), |size| Some(size * 2)).map_while(move |size| {
        let batch = size.min(left);
        left -= batch;
        (batch > 0).then_some(batch)
    })
}

/// Sizes of batches in words, as in `1, 2 and 4`; none where pods are created one by one, or all at once.
fn batches_in_words(sizes: &[usize]) -> Option<String> {
    (sizes.len() > 1 && sizes.iter().any(|size| *size != 1)).then(|| listed(sizes, "and"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_double_until_the_rest() {
        assert_eq!(slow_start(10, 1).collect::<Vec<_>>(), [1, 2, 4, 3]);
        assert_eq!(slow_start(0, 1).count(), 0);
    }

    #[test]
    fn batches_are_listed_if_they_are_not_all_alike() {
        let listed = |count, first| batches_in_words(&slow_start(count, first).collect::<Vec<_>>());
        assert_eq!(listed(20, 1).as_deref(), Some("1, 2, 4, 8 and 5"));
        assert_eq!(listed(3, 1).as_deref(), Some("1 and 2"));
        assert_eq!([listed(0, 1), listed(1, 1), listed(2, 1), listed(20, 50)], [const { None }; 4]);
    }
}
