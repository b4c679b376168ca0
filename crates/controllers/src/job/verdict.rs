//! Verdict: whether the Job ends, and why.
//!
//! Docs: Jobs, "Job termination and cleanup", "Terminal Job conditions" (J-46a…J-46h, J-49). What follows is in `tracking.rs` and `settle.rs`.

use api::Timestamp;
use api::annotation::FailureAction;
use api::job::conditions::{FAILURE_TARGET, SUCCESS_CRITERIA_MET};

use super::backoff;
use super::conditions::{Ending, EndingKind};
use super::deadline::Deadline;
use super::decision::{EndingProgress, EndingReason, JobDecision};
use super::pod_template::restart_policy;
use super::tally::{Claimed, Tally};
use super::view::JobView;
use super::{pending, success_policy};

/// How the Job ends, and the reason for people.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) ending: Ending,
    pub(crate) decision: JobDecision,
    /// What was also met, but too late to count.
    pub(crate) overruled: Option<JobDecision>,
}

impl Verdict {
    /// Whether indexes decided it; such a Job still wakes up at its deadline (J-46f…J-46h).
    pub(crate) fn by_indexes(&self) -> bool {
        use EndingReason::{FailedIndexes, MaxFailedIndexesExceeded, SuccessPolicyMet};
        matches!(self.decision, JobDecision::Ending(MaxFailedIndexesExceeded { .. } | FailedIndexes { .. } | SuccessPolicyMet { .. }))
    }
}

/// The first reason for which the Job ends.
pub(crate) fn verdict(view: &JobView<'_>, tally: &Tally<'_>, deadline: Option<Deadline>, now: Timestamp) -> Option<Verdict> {
    success_stands(view)
        .or_else(|| failure_stands(view))
        .or_else(|| failed(view, tally, deadline, now).map(|failure| overrule_success(failure, view, tally)))
        .or_else(|| success_policy_met(view, tally))
}

/// The first reason for which the Job fails.
fn failed(view: &JobView<'_>, tally: &Tally<'_>, deadline: Option<Deadline>, now: Timestamp) -> Option<Verdict> {
    pod_fails_job(view, tally)
        .or_else(|| line_fails_job(view, tally))
        .or_else(|| backoff_limit_exceeded(view, tally))
        .or_else(|| retry_time_exceeded(view, tally))
        .or_else(|| pending::fails_job(view, tally, now))
        .or_else(|| restart_limit_reached(view, tally))
        .or_else(|| deadline_exceeded(deadline))
        .or_else(|| too_many_indexes_failed(view, tally))
        .or_else(|| all_indexes_ended(tally))
}

/// Adds to a failure that the success policy is met too, if it is (J-46).
fn overrule_success(failure: Verdict, view: &JobView<'_>, tally: &Tally<'_>) -> Verdict {
    let met = tally.indexes.as_ref().and_then(|indexes| success_policy::met_rule(view.job, indexes));
    let lost = |rule| JobDecision::Ending(EndingReason::SuccessPolicyLost { rule, reason: failure.ending.reason.clone() });
    Verdict { overruled: met.map(lost), ..failure }
}

/// Whether enough pods succeeded (J-49); `active` counts the pods after creations and deletions.
pub(crate) fn completed(view: &JobView<'_>, succeeded: i32, active: usize) -> Option<Verdict> {
    let completions = view.job.spec.completions;
    let reached = completions.map_or(succeeded > 0, |completions| succeeded >= completions);
    let decision = EndingReason::CompletionsReached { succeeded, completions };
    (reached && active == 0).then(|| success("CompletionsReached", "Reached expected number of succeeded pods", decision))
}

fn success_stands(view: &JobView<'_>) -> Option<Verdict> {
    stands(view, SUCCESS_CRITERIA_MET, EndingKind::Success)
}

fn failure_stands(view: &JobView<'_>) -> Option<Verdict> {
    stands(view, FAILURE_TARGET, EndingKind::KnownFailure)
}

fn stands(view: &JobView<'_>, condition: &str, kind: EndingKind) -> Option<Verdict> {
    let found = view.job.condition(condition)?;
    let decision = EndingProgress::StaysOnItsWay { condition: found.kind.clone(), reason: found.reason.clone() };
    Some(Verdict {
        ending: Ending { kind, reason: found.reason.clone(), message: found.message.clone() },
        decision: JobDecision::EndingProgress(decision),
        overruled: None,
    })
}

fn pod_fails_job(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    view.job.spec.pod_failure_policy.as_ref()?;
    tally.pods.iter().filter(|pod| pod.failed(tally.only_replace_failed)).find_map(|pod| {
        let judgement = view.judge(pod.pod);
        let matched = judgement.rule()?;
        let message = matched.message(pod.pod)?;
        let (pod, by) = (pod.pod.metadata.name.clone(), matched.by.clone());
        Some(failure("PodFailurePolicy", &message, EndingReason::PodFailurePolicyMatched { pod, rule: matched.number, by }))
    })
}

/// A pod that is not counted yet matches a line of the annotation that fails the Job.
fn line_fails_job(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    view.failure_rules()?;
    let mut lines = tally.new_failed.iter().filter_map(|pod| view.judge(pod.pod).line());
    let matched = lines.find(|line| line.rule.action == FailureAction::FailJob)?.in_words();
    let message = matched.message(&view.job.metadata.namespace);
    Some(failure("FailedByRule", &message, EndingReason::FailedByRule { matched }))
}

const BACKOFF_LIMIT: &str = "Job has reached the specified backoff limit";

fn backoff_limit_exceeded(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    let limit = backoff::limit(view.job);
    let decision = EndingReason::BackoffLimitExceeded { failed: tally.failed, limit };
    (tally.failed > limit).then(|| failure("BackoffLimitExceeded", BACKOFF_LIMIT, decision))
}

/// A pod failed after failed pods are replaced no longer; of an index that has its own limit, only the index fails.
fn retry_time_exceeded(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    let (within, end) = view.retries_end().filter(|_| view.job.spec.backoff_limit_per_index.is_none())?;
    let late = |pod: &&Claimed<'_>| pod.failed(tally.only_replace_failed) && view.failed_at(pod.pod) > end;
    let pod = tally.new_failed.iter().copied().find(late)?.pod.metadata.name.clone();
    let decision = EndingReason::RetryTimeExceeded { pod, within };
    Some(failure("RetryTimeExceeded", "A pod failed after the time in which the Job replaces failed pods", decision))
}

fn restart_limit_reached(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    let policy = restart_policy(&view.job.spec.template);
    let restarts = backoff::restart_limit_reached(view.job, tally.pods, policy.as_deref())?;
    Some(failure("BackoffLimitExceeded", BACKOFF_LIMIT, EndingReason::RestartLimitReached { restarts, limit: backoff::limit(view.job) }))
}

fn deadline_exceeded(deadline: Option<Deadline>) -> Option<Verdict> {
    let Deadline { active, length, .. } = deadline.filter(Deadline::passed)?;
    Some(failure(
        "DeadlineExceeded",
        "Job was active longer than specified deadline",
        EndingReason::DeadlineExceeded { active, deadline: length },
    ))
}

fn too_many_indexes_failed(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    let failed = tally.indexes.as_ref()?.failed.as_ref()?.len();
    let limit = view.job.spec.max_failed_indexes?;
    let message = "Job has exceeded the specified maximal number of failed indexes";
    let decision = EndingReason::MaxFailedIndexesExceeded { failed, limit };
    (i64::from(failed) > i64::from(limit)).then(|| failure("MaxFailedIndexesExceeded", message, decision))
}

fn all_indexes_ended(tally: &Tally<'_>) -> Option<Verdict> {
    let indexes = tally.indexes.as_ref()?;
    let (failed, succeeded) = (indexes.failed.as_ref()?.len(), indexes.succeeded.len());
    let ended = failed > 0 && failed.saturating_add(succeeded) >= indexes.completions;
    ended.then(|| failure("FailedIndexes", "Job has failed indexes", EndingReason::FailedIndexes { failed, succeeded }))
}

fn success_policy_met(view: &JobView<'_>, tally: &Tally<'_>) -> Option<Verdict> {
    let indexes = tally.indexes.as_ref()?;
    let rule = success_policy::met_rule(view.job, indexes)?;
    let decision = EndingReason::SuccessPolicyMet { rule, succeeded: indexes.succeeded.len() };
    Some(success("SuccessPolicy", &format!("Matched rules at index {rule}"), decision))
}

fn failure(reason: &str, message: &str, decision: EndingReason) -> Verdict {
    Verdict { ending: Ending::new(EndingKind::Failure, reason, message), decision: JobDecision::Ending(decision), overruled: None }
}

fn success(reason: &str, message: &str, decision: EndingReason) -> Verdict {
    Verdict { ending: Ending::new(EndingKind::Success, reason, message), decision: JobDecision::Ending(decision), overruled: None }
}
