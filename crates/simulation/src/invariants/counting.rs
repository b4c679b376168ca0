//! W1 and W2: each pod that ended is counted exactly once, and does not lose its finalizer before.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-73…J-76, J-100, J-108, J-118, J-124, J-136).

use std::collections::BTreeSet;

use api::job::conditions::{FAILURE_TARGET, SUCCESS_CRITERIA_MET};
use api::meta::names;
use api::{Job, Text};
use cluster::apiserver::Write;
use cluster::stored::Stored;

use super::{Checked, CheckedWrite, hold};
use crate::ledger::{JobRecord, Ledger, PodRecord, SentRequest, indexes, listed};
use crate::page;

/// W1: a pod is listed once, as what it is, and the counters move by exactly the pods that leave the lists.
pub(super) fn counted_once(write: &CheckedWrite<'_>) -> Checked {
    let (before, after): (BTreeSet<_>, BTreeSet<_>) = (listed(&write.before.status).collect(), listed(&write.after.status).collect());
    for (uid, succeeded) in after.difference(&before) {
        let moved = before.contains(&(*uid, !succeeded));
        hold(!moved, "W1", || format!("job {} takes pod {uid} from one list to the other", write.name()))?;
        may_be_listed(write, uid, *succeeded)?;
    }
    // The limit is checked after each pod, and the lists may have held as many before (J-125).
    let limit = write.settings.uncounted_pods.max(before.len() + 1);
    hold(after.len() <= limit, "W13", || {
        format!("job {} has {} pods on their way into the counters, and {limit} may be", write.name(), after.len())
    })?;
    let (mut succeeded, mut failed) = (0, 0);
    for (uid, well) in before.difference(&after) {
        *if *well { &mut succeeded } else { &mut failed } += 1;
        let held = write.ledger.pods.get(*uid).is_some_and(|pod| pod.tracked() && pod.job == write.after.metadata.uid && !pod.touched);
        hold(!held, "W1", || format!("job {} counts pod {uid} for good while it holds its finalizer", write.name()))?;
    }
    let (old, new) = (&write.before.status, &write.after.status);
    hold(new.failed - old.failed == failed, "W1", || {
        format!("job {}: failed goes from {} to {} as {failed} pods leave the list", write.name(), old.failed, new.failed)
    })?;
    let expected = if write.after.indexed() {
        indexes(&new.completed_indexes).len().try_into().unwrap_or(i32::MAX)
    } else {
        old.succeeded + succeeded
    };
    hold(new.succeeded == expected, "W1", || {
        format!("job {}: succeeded goes from {} to {} instead of {expected}", write.name(), old.succeeded, new.succeeded)
    })
}

fn may_be_listed(write: &CheckedWrite<'_>, uid: &Text, succeeded: bool) -> Checked {
    let (job, name) = (write.after, write.name());
    let Some(pod) = write.ledger.pods.get(uid) else {
        return hold(false, "W1", || format!("job {name} lists pod {uid}, which never was"));
    };
    // One that people took from its Job and gave back, while that is being deleted and lets no pod go, may count twice (J-62).
    hold(!pod.foreign, "W1", || format!("job {name} lists pod {uid}, which another controller made"))?;
    let first = !write.record.listed.contains(uid) || write.record.struck.contains(uid) || pod.touched;
    hold(first, "W1", || format!("job {name} lists pod {uid} for the second time"))?;
    hold(pod.job == job.metadata.uid || pod.touched, "W1", || format!("job {name} lists pod {uid}, which is not its own"))?;
    let is_so = if succeeded { pod.succeeded() && !job.indexed() } else { counts_as_failed(write, pod) };
    hold(is_so, "W1", || {
        let word = if succeeded { "succeeded" } else { "failed" };
        format!("job {name} lists pod {uid} as {word}, but it is {}", pod.phase())
    })?;
    let index_fits =
        !job.indexed() || pod.touched || pod.index().is_some_and(|index| i64::from(index) < i64::from(job.spec.completions.unwrap_or(0)));
    hold(index_fits, "W1", || format!("job {name} lists pod {uid}, whose index {:?} it does not have (J-108)", pod.index()))
}

/// Whether a pod may be on the list of failed ones: it failed, is being deleted, or its Job fails (J-71, J-124).
fn counts_as_failed(write: &CheckedWrite<'_>, pod: &PodRecord) -> bool {
    let replaced_at_once = !page::only_replaces_failed(write.after) || write.record.other_replacement;
    pod.failed() || replaced_at_once && pod.metadata().deleting() || write.after.condition(FAILURE_TARGET).is_some()
}

/// W1: an index is completed only by a pod of that index that succeeded, each time by another one, unless people changed completions or pods in between; it is
/// forgotten only by fewer completions (J-106).
pub(super) fn indexes_are_earned(write: &CheckedWrite<'_>) -> Checked {
    let (before, after) = (indexes(&write.before.status.completed_indexes), indexes(&write.after.status.completed_indexes));
    let completions = i64::from(write.after.spec.completions.unwrap_or(0));
    for index in after.difference(&before) {
        let earning = |pod: &&PodRecord| pod.succeeded() && pod.indexes.contains(index);
        let earned = write.ledger.pods_of(&write.after.metadata.uid).filter(earning).count();
        let used = write.record.completed.get(index).copied().unwrap_or(0);
        let again = write.record.elastic || write.record.disturbed;
        hold(earned > 0 && (used < earned || again), "W1", || {
            format!(
                "job {} completes index {index} again or without a pod: {earned} of its pods succeeded, and it was completed {used} times",
                write.name()
            )
        })?;
    }
    let lost = before.difference(&after).find(|index| i64::from(**index) < completions);
    hold(lost.is_none(), "W1", || format!("job {} forgets that index {lost:?} is completed", write.name()))
}

/// W2: the controllers take the finalizer from no pod that counts before it is recorded.
pub(super) fn recorded_before_freed(ledger: &Ledger, before: &Stored, write: &Write, sent: SentRequest<'_>) -> Checked {
    let held = |pod: &Stored| pod.metadata().has_finalizer(names::JOB_TRACKING);
    // A pod that goes as it loses its last finalizer is shown with it.
    let freed = held(before) && (write.gone || !held(&write.after));
    let Some(pod) = ledger.pods.get(&before.metadata().uid).filter(|_| freed) else { return Ok(()) };
    let Some(record) = ledger.job(&pod.job).filter(|record| !record.gone && !pod.touched) else { return Ok(()) };
    let job = record.job();
    if job.metadata.deleting() || job.finished() || is_accounted_for(record, pod) {
        return Ok(());
    }
    let known_to_have_ended = ledger.view.pod(&pod.metadata().uid).is_some_and(|seen| seen.had_ended(sent.flight.planned.step));
    let unwanted = sent.flight.deletes(before) || job.condition(SUCCESS_CRITERIA_MET).is_some() || page::ignored_while_it_runs(job, pod);
    hold(unwanted && !known_to_have_ended, "W2", || {
        format!("pod {} of job {} is {} and loses its finalizer uncounted", pod.name(), job.metadata.name, pod.phase())
    })
}

/// Whether a pod that ended is recorded in the status of its Job, or is not to be.
pub(super) fn is_accounted_for(record: &JobRecord, pod: &PodRecord) -> bool {
    let job = record.job();
    let recorded = record.listed.contains(&pod.metadata().uid);
    recorded || pod.states().any(|state| page::ignored(job, state)) || job.indexed() && index_is_enough(job, record, pod)
}

/// Whether a pod of an Indexed Job is of no index of the Job (J-108), or succeeded in one that is completed anyway (J-124) or has failed.
fn index_is_enough(job: &Job, record: &JobRecord, pod: &PodRecord) -> bool {
    let completions = i64::from(job.spec.completions.unwrap_or(0));
    match pod.index().filter(|index| i64::from(*index) < completions) {
        None => true,
        // Between two changes of the completions it may have had none.
        Some(_) if record.elastic => true,
        Some(index) => {
            let failed = || indexes(job.status.failed_indexes.as_deref().unwrap_or_default());
            pod.phase() == "Succeeded" && (record.completed.contains_key(&index) || failed().contains(&index))
        }
    }
}
