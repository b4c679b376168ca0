//! Suspending a Job: the condition, its events and the clock.
//!
//! Docs: Jobs, "Suspending a Job" (J-120…J-123). The pods of a suspended Job are deleted in `parallelism.rs`.

use api::job::conditions::SUSPENDED;
use api::{JobStatus, Timestamp};

use super::conditions::holding;
use super::decision::{JobDecision, StatusUpdate};
use super::plan::JobPlan;
use super::view::JobView;

/// Brings the condition `Suspended` up to date. Returns whether it changed.
pub(crate) fn mark(view: &JobView<'_>, status: &mut JobStatus, plan: &mut JobPlan, now: Timestamp) -> bool {
    let suspended = view.job.suspended();
    let (truth, reason, message) =
        if suspended { ("True", "JobSuspended", "Job suspended") } else { ("False", "JobResumed", "Job resumed") };
    let found = status.conditions.iter_mut().find(|condition| &*condition.kind == SUSPENDED);
    let mut condition = holding(SUSPENDED, &reason.into(), &message.into(), now);
    condition.status = truth.into();
    match found {
        Some(found) if (&*found.status, &*found.reason, &*found.message) == (truth, reason, message) => return false,
        Some(found) => *found = condition,
        None if suspended => status.conditions.push(condition),
        None => return false,
    }
    status.start_time = (!suspended).then_some(now);
    plan.sync.announces = Some(view.notice(false, if suspended { "Suspended" } else { "Resumed" }, message));
    plan.decide(JobDecision::StatusUpdate(if suspended { StatusUpdate::MarksSuspended } else { StatusUpdate::MarksResumed }));
    true
}
