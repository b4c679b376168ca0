//! Reconcile: what to do about a Job now. The table of contents of the Job controller.
//!
//! Docs: Jobs (J-40…J-53).

use api::job::{INDEXED, NON_INDEXED};
use api::{Duration, Timestamp, time};

use super::conditions::Ending;
use super::deadline::Deadline;
use super::decision::{EndingProgress, Guard, JobDecision, StatusUpdate, Waiting};
use super::memory::Blockable;
use super::ownership::{Claims, claim};
use super::parallelism::{Numbers, blocked, manage};
use super::plan::{JobPlan, SyncAction, because};
use super::tally::{Tally, number};
use super::tracking::{StatusDraft, record};
use super::verdict::{Verdict, completed, verdict};
use super::view::JobView;
use super::{deletion, extensions, suspend};

/// The plan for one Job. It cannot fail: a malformed object was refused when it came in.
pub(crate) fn reconcile(view: &JobView<'_>, now: Timestamp) -> JobPlan {
    if let Some(guard) = guard(view) {
        return because(JobDecision::Guard(guard));
    }
    let (pods, mut plan) = match claim(view) {
        Claims::Settled(pods, plan) => (pods, plan),
        Claims::Unsettled(plan) => return plan,
    };
    plan.sync.action = Some(SyncAction::Reconciling);
    extensions::report_invalid(view, &mut plan);
    let tally = Tally::of(view, &pods, now);
    let mut draft = start(view, &mut plan, now);
    let backoff = view.memory.backoff.with(view, &tally);
    let deadline = Deadline::of(view.job, draft.status.start_time, now);
    let manageable = manageable(view, &mut plan, now);

    // The start time of a Job that is being deleted is not written for its own sake.
    let ahead = deadline.filter(|_| view.job.status.start_time.is_some() || !view.job.metadata.deleting());

    let (numbers, ending) = match verdict(view, &tally, deadline, now) {
        Some(verdict) => {
            await_deadline(ahead.filter(|_| verdict.by_indexes()), &mut plan, now);
            end(view, &tally, verdict, manageable != Err(Unmanageable::Unseen), &mut plan)
        }
        None => {
            let waiting = ahead.map(|Deadline { length, until, .. }| Waiting::DeadlineAhead { deadline: length, until });
            plan.decisions.extend(waiting.map(JobDecision::Waiting));
            await_deadline(ahead, &mut plan, now);
            let numbers = if manageable.is_ok() {
                manage(view, &tally, backoff.with_kept(view, &tally), &mut plan, now)
            } else {
                Numbers::of(view, &tally)
            };
            let ending = completed(view, tally.succeeded, numbers.active).map(|verdict| pronounce(verdict, &mut plan));
            if ending.is_none() && manageable.is_ok() {
                draft.changed |= suspend::mark(view, &mut draft.status, &mut plan, now);
                // A start time that is not written begins again with each sync, and the deadline never comes.
                draft.changed |= deadline.is_some() && view.job.status.start_time.is_none();
            }
            (numbers, ending)
        }
    };
    write_numbers(numbers, ending.as_ref(), &mut draft, &mut plan);
    record(view, &tally, ending, draft, backoff, &mut plan, now);
    plan
}

/// Why the Job is not synced, if so (J-42…J-44).
fn guard(view: &JobView<'_>) -> Option<Guard> {
    let job = view.job;
    if let Some(manager) = view.config.other_manager(job) {
        return Some(Guard::ManagedByOther { manager: manager.into() });
    }
    if job.finished() {
        let failed = job.condition(api::job::conditions::FAILED).is_some();
        return Some(Guard::AlreadyFinished { condition: if failed { "Failed" } else { "Complete" }.into() });
    }
    let known = |mode: &str| [INDEXED, NON_INDEXED].contains(&mode);
    let unknown = !job.spec.completion_mode.as_deref().is_none_or(known);
    unknown.then(|| Guard::UnknownCompletionMode { mode: job.spec.completion_mode.clone().unwrap_or_default() })
}

/// The status to begin with: the Job's time runs unless it is suspended (J-46).
fn start(view: &JobView<'_>, plan: &mut JobPlan, now: Timestamp) -> StatusDraft {
    let mut draft = StatusDraft { status: view.job.status.clone(), changed: false };
    if draft.status.start_time.is_none() && !view.job.suspended() {
        draft.status.start_time = Some(now);
        plan.decide(JobDecision::StatusUpdate(StatusUpdate::StartsClock));
    }
    draft
}

/// Why pods are neither created nor deleted.
#[derive(Debug, PartialEq, Eq)]
enum Unmanageable {
    Unseen,
    Deleting,
}

/// Whether pods may be managed (J-48); adds the decision if not.
fn manageable(view: &JobView<'_>, plan: &mut JobPlan, now: Timestamp) -> Result<(), Unmanageable> {
    // The rest of a sync does not wait for what its first part deleted (J-45).
    let unmet = view.memory.expectations.unmet(now).filter(|_| view.deletions.done.is_empty());
    if let Some((creations, deletions, until)) = unmet {
        plan.requeue(time::after(until, Duration::from_millis(1)), "the wait for the watch ends");
        plan.decide(JobDecision::Guard(Guard::WaitsForExpectations { creations, deletions, until }));
        return Err(Unmanageable::Unseen);
    }
    if view.job.metadata.deleting() {
        plan.decide(JobDecision::Guard(Guard::BeingDeleted));
        return Err(Unmanageable::Deleting);
    }
    Ok(())
}

/// Deletes the active pods of a Job that ends (J-47). The end itself waits until all that was written before is seen.
fn end(view: &JobView<'_>, tally: &Tally<'_>, verdict: Verdict, seen: bool, plan: &mut JobPlan) -> (Numbers, Option<Ending>) {
    let mut numbers = Numbers::of(view, tally);
    let ending = pronounce(verdict, plan);
    if tally.active.is_empty() {
        return (numbers, Some(ending).filter(|_| seen));
    }
    if blocked(view, Blockable::Deletions, plan) {
        return (numbers, None);
    }
    plan.decide(JobDecision::EndingProgress(EndingProgress::EndsPods { pods: tally.active.len() }));
    deletion::delete_counted(&tally.active, plan);
    numbers.delete(&tally.active);
    (numbers, Some(ending).filter(|_| seen))
}

/// Adds a verdict's reasons to the plan.
fn pronounce(verdict: Verdict, plan: &mut JobPlan) -> Ending {
    plan.decide(verdict.decision);
    plan.decisions.extend(verdict.overruled);
    verdict.ending
}

fn await_deadline(deadline: Option<Deadline>, plan: &mut JobPlan, now: Timestamp) {
    if let Some(Deadline { until, .. }) = deadline {
        plan.requeue(until.max(now), "the deadline is reached");
    }
}

/// Writes how many pods there are (J-50).
fn write_numbers(numbers: Numbers, ending: Option<&Ending>, draft: &mut StatusDraft, plan: &mut JobPlan) {
    let (active, ready, terminating) = (number(numbers.active), number(numbers.ready), number(numbers.terminating));
    let status = &mut draft.status;
    let changed = status.active != active || status.ready != Some(ready) || status.terminating != Some(terminating);
    (status.active, status.ready, status.terminating) = (active, Some(ready), Some(terminating));
    draft.changed |= changed;
    plan.decide(JobDecision::StatusUpdate(if changed {
        StatusUpdate::WritesStatus { active, ready, terminating }
    } else {
        StatusUpdate::StatusIsCurrent { active, ready, terminating }
    }));
    if let Some(ending) = ending.filter(|_| terminating > 0) {
        let condition = ending.condition();
        plan.decide(JobDecision::EndingProgress(EndingProgress::WaitsForPodsToEnd { condition, terminating, uncounted: 0 }));
    }
}
