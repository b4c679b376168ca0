//! L1, first half: a Job is on its way to an end only for a reason that holds, by the ledger's numbers.
//!
//! Docs: Jobs, "Job termination and cleanup", "Success policy" (J-46c…J-46h, J-47, J-49, J-82, J-85). The order of the conditions is in `ending.rs`.

use api::annotation::{FailureAction, PendingAction};
use api::job::conditions::{FAILURE_TARGET, SUCCESS_CRITERIA_MET};
use api::{Duration, JobCondition, time};

use super::running::is_waited_for;
use super::{Checked, CheckedWrite, hold};
use crate::ledger::{self, PodRecord, indexes, read};
use crate::page;
use crate::rules;

/// The reason of an interim condition that was just set holds.
pub(super) fn holds(write: &CheckedWrite<'_>) -> Checked {
    for interim in [SUCCESS_CRITERIA_MET, FAILURE_TARGET] {
        let Some(condition) = write.after.condition(interim).filter(|_| write.before.condition(interim).is_none()) else { continue };
        let (holds, numbers) = judge(write, condition);
        hold(holds, "L1", || format!("job {} is {interim} because of {}, but {numbers}", write.name(), condition.reason))?;
        if &*condition.reason != "CompletionsReached" {
            nothing_is_unseen(write, interim)?;
        }
    }
    Ok(())
}

/// L1: a Job that does not end of itself is not on its way to its end while a pod may still show that the manager created for it (J-47).
fn nothing_is_unseen(write: &CheckedWrite<'_>, interim: &str) -> Checked {
    let planned = write.planned;
    let shown = |pod: &PodRecord| write.ledger.view.pod(&pod.metadata().uid).is_some_and(|seen| seen.first < planned.step);
    let mut waiting = own(write).filter(|pod| pod.birth.is_some() && !pod.gone && !pod.touched && !shown(pod));
    let unseen = waiting.find(|pod| is_waited_for(write.ledger, pod, planned, write.settings));
    hold(unseen.is_none() || write.record.disturbed, "L1", || {
        format!(
            "job {} is {interim} before the manager was shown its pod {}",
            write.name(),
            unseen.map(PodRecord::name).unwrap_or_default()
        )
    })
}

/// Whether the reason holds, and the numbers that it rests on.
fn judge(write: &CheckedWrite<'_>, condition: &JobCondition) -> (bool, String) {
    let spec = &write.after.spec;
    let failed_indexes = indexes(write.after.status.failed_indexes.as_deref().unwrap_or_default()).len();
    let completions = usize::try_from(spec.completions.unwrap_or(0)).unwrap_or(0);
    match &*condition.reason {
        "CompletionsReached" => {
            let succeeded = succeeded(write);
            let enough = spec.completions.map_or(succeeded > 0, |completions| succeeded >= usize::try_from(completions).unwrap_or(0));
            (enough, format!("{succeeded} of {:?} succeeded", spec.completions))
        }
        "SuccessPolicy" => {
            let succeeded = page::succeeded_indexes(write.ledger, write.record);
            let rules = spec.success_policy.as_ref().map(|policy| &*policy.rules).unwrap_or_default();
            let named: Option<usize> = condition.message.strip_prefix("Matched rules at index ").and_then(|rule| rule.parse().ok());
            let met = named.and_then(|rule| rules.get(rule)).is_some_and(|rule| page::met(rule, &succeeded));
            (met, format!("{:?} with {succeeded:?}", condition.message))
        }
        "BackoffLimitExceeded" => backoff_limit_exceeded(write),
        "DeadlineExceeded" => {
            let started = write.before.status.start_time.zip(spec.active_deadline_seconds);
            let passed = started.is_some_and(|(start, seconds)| write.planned.at.duration_since(start) >= Duration::from_secs(seconds));
            (passed && !write.after.suspended(), format!("it started and may take {started:?}, and it is {}", write.planned.at))
        }
        "PodFailurePolicy" => {
            let message =
                |pod: &PodRecord| page::failure_message(write.after, pod.facts()).is_some_and(|message| *message == *condition.message);
            let failed = own(write).filter(|pod| pod.failed());
            (failed.into_iter().any(message), format!("of no failed pod holds {:?}", condition.message))
        }
        "MaxFailedIndexesExceeded" => {
            let exceeded = spec.max_failed_indexes.is_some_and(|limit| failed_indexes > usize::try_from(limit).unwrap_or(0));
            (exceeded, format!("{failed_indexes} indexes failed, and {:?} may", spec.max_failed_indexes))
        }
        "FailedIndexes" => {
            let succeeded = page::succeeded_indexes(write.ledger, write.record).len();
            (
                failed_indexes > 0 && failed_indexes + succeeded >= completions,
                format!("{failed_indexes} indexes failed and {succeeded} succeeded"),
            )
        }
        "FailedByRule" => {
            let message = |pod: &PodRecord| {
                let fails = rules::may_have_decided(write.after, pod).any(|decided| decided.rule.action == FailureAction::FailJob);
                fails && condition.message.contains(pod.name())
            };
            (own(write).any(message), format!("no rule fails the Job for a pod of {:?}", condition.message))
        }
        "PodPendingDeadline" => {
            let asked = rules::asked(write.after).and_then(|asked| asked.on_pending);
            let rules = asked.iter().flat_map(|rules| &rules.0).filter(|rule| rule.action == PendingAction::FailJob);
            let deadline = rules.map(|rule| rule.deadline).min();
            let since = |pod: &PodRecord| pod.metadata().creation_timestamp.filter(|_| condition.message.contains(pod.name()));
            let waited =
                own(write).filter_map(since).any(|since| deadline.is_some_and(|length| time::after(since, length) <= write.planned.at));
            (waited, format!("no pod has waited for {deadline:?} at {}", write.planned.at))
        }
        "RetryTimeExceeded" => {
            let within = rules::asked(write.before).and_then(|asked| asked.retry_within);
            let late = own(write).any(|pod| rules::late(write.before, pod, within));
            (late, format!("no pod failed more than {within:?} after {:?}", write.before.status.start_time))
        }
        other => (false, format!("{other} is no reason")),
    }
}

/// How many succeeded, counted or not; of an Indexed Job, indexes. One that was listed as failed while it was being deleted counts too (J-74).
fn succeeded(write: &CheckedWrite<'_>) -> usize {
    if write.after.indexed() {
        return page::succeeded_indexes(write.ledger, write.record).len();
    }
    let failed_before = |pod: &PodRecord| ledger::listed(&write.before.status).any(|listed| listed == (&pod.metadata().uid, false));
    let unlisted = own(write).filter(|pod| pod.succeeded() && (counts(write, pod) || failed_before(pod))).count();
    recorded(write.before.status.succeeded, write, true) + unlisted
}

/// More pods failed than the limit allows, or were restarted in place as often (J-46d, J-82).
fn backoff_limit_exceeded(write: &CheckedWrite<'_>) -> (bool, String) {
    let limit = i64::from(write.after.spec.backoff_limit.unwrap_or(6));
    let replaced_at_once = !page::only_replaces_failed(write.after) || write.record.other_replacement;
    let failed = |pod: &&PodRecord| pod.failed() || replaced_at_once && pod.metadata().deleting();
    let unlisted = own(write).filter(failed).filter(|pod| counts(write, pod) && !page::ignored(write.after, pod)).count();
    let failed = recorded(write.before.status.failed, write, false) + unlisted;
    let known_to_have_ended =
        |pod: &&PodRecord| write.ledger.view.pod(&pod.metadata().uid).is_some_and(|seen| seen.had_ended(write.planned.step));
    let restarts: i64 = own(write).filter(|pod| !known_to_have_ended(pod)).map(restarts).sum();
    let in_place = write.after.spec.template.json().contains("OnFailure") && restarts > 0 && restarts >= limit;
    let exceeded = i64::try_from(failed).is_ok_and(|failed| failed > limit);
    (exceeded || in_place, format!("{failed} pods failed and {restarts} restarts are to be borne of {limit}"))
}

/// The restarts of a pod's containers, also if it has ended meanwhile and the manager was not shown that.
fn restarts(pod: &PodRecord) -> i64 {
    let facts = read(&pod.stored);
    page::restarts(&api::Pod { phase: api::pod::Phase::Running, ..facts })
}

fn own<'a>(write: &'a CheckedWrite<'_>) -> impl Iterator<Item = &'a PodRecord> {
    write.ledger.pods_of(&write.after.metadata.uid)
}

/// Whether a pod counts that is on no list and was on none.
fn counts(write: &CheckedWrite<'_>, pod: &PodRecord) -> bool {
    let uid = &pod.metadata().uid;
    let listed = write.record.listed.contains(uid) && !write.record.struck.contains(uid) && !pod.turned;
    (pod.tracked() || pod.countable || pod.touched) && !listed
}

/// Pods in a counter or on the way into it.
fn recorded(counter: i32, write: &CheckedWrite<'_>, succeeded: bool) -> usize {
    let listed = ledger::listed(&write.before.status).filter(|(_, well)| *well == succeeded).count();
    usize::try_from(counter).unwrap_or(0) + listed
}
