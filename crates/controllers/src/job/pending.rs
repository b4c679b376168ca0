//! Pods that do not start: which rule of a Job's annotation each meets, and what follows when its deadline has passed.
//!
//! Docs: README, "Beyond Kubernetes". How the rules are written is in `api::annotation`; what a stuck pod waits for in words, in `obstacles/`.

use api::annotation::{PendingAction, PendingClass, PendingRule, PendingRules};
use api::pod::{ConditionStatus, ContainerProgress, Phase, StatusDetail};
use api::{Pod, Timestamp, time};

use super::conditions::{Ending, EndingKind};
use super::decision::{EndingReason, IndexFailure, JobDecision, PendingMatch, PodControl, Waiting};
use super::memory::Blockable;
use super::parallelism::{Numbers, blocked};
use super::plan::{JobPlan, SyncAction};
use super::tally::{Claimed, Tally};
use super::verdict::Verdict;
use super::view::JobView;
use super::{backoff_per_index, deletion};

/// Reasons of containers that wait for an image.
const IMAGE: [&str; 5] = ["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable"];
/// Reasons of containers that cannot be created or started as they are configured.
const CONFIG: [&str; 3] = ["CreateContainerConfigError", "CreateContainerError", "RunContainerError"];

/// What a pod waits for that does not start.
struct Pending<'a> {
    /// `None` if it waits for a node, and nothing says that it does not fit.
    class: Option<PendingClass>,
    since: Timestamp,
    detail: Option<&'a StatusDetail>,
}

impl<'a> Pending<'a> {
    /// What a pod waits for; `None` if it has started, if one of its init containers is at work, or if it is kept from being scheduled on purpose.
    fn of(pod: &'a Pod) -> Option<Self> {
        let gated = pod.trouble.as_ref().is_some_and(|trouble| !trouble.gates.is_empty());
        let created_at = pod.metadata.creation_timestamp.filter(|_| pod.phase == Phase::Pending && !gated)?;
        let scheduled = pod.condition("PodScheduled");
        if !pod.assigned {
            let refused = scheduled.filter(|scheduled| scheduled.status == ConditionStatus::False && scheduled.reason() == "Unschedulable");
            let class = refused.map(|_| PendingClass::Unschedulable);
            return Some(Self { class, since: created_at, detail: refused.and_then(|refused| refused.detail.as_deref()) });
        }
        let working = pod.init_containers.iter().filter(|container| !container.sidecar);
        if working.clone().any(|container| matches!(container.state, ContainerProgress::Running { .. })) {
            return None;
        }
        let bound_at = scheduled.and_then(|scheduled| scheduled.last_transition_time).unwrap_or(created_at);
        let since = working.filter_map(|container| container.terminated()?.finished_at).fold(bound_at, Timestamp::max);
        let waiting = |reasons: &[&str]| {
            let mut containers = pod.init_containers.iter().chain(&pod.containers);
            containers.find_map(|container| match &container.state {
                ContainerProgress::Waiting(Some(detail)) if reasons.contains(&&*detail.reason) => Some(&**detail),
                ContainerProgress::Waiting(_) | ContainerProgress::Running { .. } | ContainerProgress::Terminated(_) => None,
            })
        };
        let of_class = |class, reasons| waiting(reasons).map(|detail| Self { class: Some(class), since, detail: Some(detail) });
        of_class(PendingClass::Image, &IMAGE).or_else(|| of_class(PendingClass::Config, &CONFIG)).or(Some(Self {
            class: Some(PendingClass::Starting),
            since,
            detail: None,
        }))
    }

    /// The first rule that it meets.
    fn rule(&self, rules: &'a PendingRules) -> Option<&'a PendingRule> {
        let message = self.detail.map_or("", |detail| &detail.message);
        rules.0.iter().find(|rule| {
            rule.class.is_none_or(|class| self.class == Some(class)) && rule.message.as_ref().is_none_or(|glob| glob.matches(message))
        })
    }
}

/// A pod that meets a rule.
struct Met<'a, 'p> {
    pod: &'p Claimed<'a>,
    pending: Pending<'p>,
    rule: &'p PendingRule,
}

impl<'a, 'p> Met<'a, 'p> {
    fn of(view: &'p JobView<'_>, pod: &'p Claimed<'a>) -> Option<Self> {
        let rules = view.extensions.on_pending.as_ref().filter(|_| view.invalid.is_none())?;
        let pending = Pending::of(pod.pod)?;
        let rule = pending.rule(rules)?;
        Some(Self { pod, pending, rule })
    }

    fn until(&self) -> Timestamp {
        time::after(self.pending.since, self.rule.deadline)
    }

    /// In words.
    fn matched(&self) -> PendingMatch {
        let detail = self.pending.detail.cloned().unwrap_or_default();
        let StatusDetail { reason, message } = detail;
        PendingMatch { pod: self.pod.pod.metadata.name.clone(), class: self.pending.class, reason, message, line: self.rule.line }
    }
}

/// The active pods that meet a rule.
fn met<'a, 'p>(view: &'p JobView<'_>, tally: &'p Tally<'a>) -> Vec<Met<'a, 'p>> {
    if view.extensions.on_pending.is_none() {
        return Vec::new();
    }
    tally.active.iter().filter_map(|pod| Met::of(view, pod)).collect()
}

/// The verdict on a Job that fails because a pod has not started in time.
pub(crate) fn fails_job(view: &JobView<'_>, tally: &Tally<'_>, now: Timestamp) -> Option<Verdict> {
    let met = met(view, tally);
    let due = met.iter().find(|met| met.rule.action == PendingAction::FailJob && met.until() <= now)?;
    let matched = due.matched();
    let message = matched.message(&view.job.metadata.namespace, due.rule.deadline);
    Some(Verdict {
        ending: Ending::new(EndingKind::Failure, REASON, message.as_str()),
        decision: JobDecision::Ending(EndingReason::PendingDeadlinePassed { matched, deadline: due.rule.deadline }),
        overruled: None,
    })
}

/// The reason of the condition and of the Event.
const REASON: &str = "PodPendingDeadline";

/// Deletes the pods whose deadline has passed, and looks again when the next one passes; whether any is deleted.
pub(crate) fn act(view: &JobView<'_>, tally: &Tally<'_>, numbers: &mut Numbers, plan: &mut JobPlan, now: Timestamp) -> bool {
    let met = met(view, tally);
    let (mut due, ahead): (Vec<&Met<'_, '_>>, Vec<&Met<'_, '_>>) = met.iter().partition(|met| met.until() <= now);
    // Once the pod has gone, nothing shows what it waited for: the status has its index first.
    due.retain(|met| met.rule.action != PendingAction::FailIndex || index_recorded(view, tally, met.pod));
    if let Some(next) = ahead.iter().min_by_key(|met| met.until()) {
        let until = next.until();
        plan.requeue(until, "the deadline of a pod that has not started passes");
        plan.decide(JobDecision::Waiting(Waiting::PendingDeadlineAhead {
            matched: next.matched(),
            since: next.pending.since,
            until,
            deadline: next.rule.deadline,
        }));
    }
    if due.is_empty() || blocked(view, Blockable::Deletions, plan) {
        return false;
    }
    plan.sync.action = Some(SyncAction::PodsDeleted);
    let (replaced, failed): (Vec<&Met<'_, '_>>, Vec<&Met<'_, '_>>) =
        due.into_iter().partition(|met| met.rule.action == PendingAction::Replace);
    for met in failed.iter().chain(&replaced) {
        let (matched, deadline) = (met.matched(), met.rule.deadline);
        let message = matched.message(&view.job.metadata.namespace, deadline);
        plan.notices.push(view.notice(true, REASON, &message));
        let replaced = met.rule.action == PendingAction::Replace;
        plan.decide(JobDecision::PodControl(PodControl::DeletesPending { matched, deadline, replaced }));
    }
    let failed: Vec<&Claimed<'_>> = failed.iter().map(|met| met.pod).collect();
    let replaced: Vec<&Claimed<'_>> = replaced.iter().map(|met| met.pod).collect();
    if !failed.is_empty() {
        deletion::delete_counted(&failed, plan);
    }
    if !replaced.is_empty() {
        deletion::delete_uncounted(view, &replaced, plan);
    }
    numbers.delete(&failed);
    numbers.delete(&replaced);
    true
}

/// Whether the status has the index of a pod as failed, if indexes can fail.
fn index_recorded(view: &JobView<'_>, tally: &Tally<'_>, pod: &Claimed<'_>) -> bool {
    let (Some(indexes), Some(index), Some(_)) = (&tally.indexes, pod.index, view.job.spec.backoff_limit_per_index) else { return true };
    backoff_per_index::recorded(view.job, indexes.completions).contains(index)
}

/// Why the index of a pod fails that has not started in time, or was deleted because of that.
pub(crate) fn fails_index(view: &JobView<'_>, pod: &Claimed<'_>, index: u32, now: Timestamp) -> Option<IndexFailure> {
    let at = pod.pod.metadata.deletion_requested_at().or(Some(now).filter(|_| !view.job.suspended()))?;
    let met = Met::of(view, pod).filter(|met| met.rule.action == PendingAction::FailIndex && met.until() <= at)?;
    Some(IndexFailure::FailsIndexByPending { index, matched: met.matched(), deadline: met.rule.deadline })
}
