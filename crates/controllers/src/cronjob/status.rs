//! The status of a CronJob, and the request that writes it.
//!
//! Docs: CronJob (C-27; §8 of the specification). A sync writes it at most once, at its end.

use api::request::Request;
use api::{CronJob, Kind};

use super::decision::{CronJobDecision, StatusUpdate};
use super::plan::{CronJobPlan, Intent, Stage};

/// Writes the status if it has changed.
pub(super) fn write(cron_job: &CronJob, plan: &mut CronJobPlan) {
    plan.sync.stage = Stage::End;
    let status = &plan.sync.status;
    if *status == plan.sync.found {
        return;
    }
    let request = Request::write_status(Kind::CronJob, &cron_job.metadata, status);
    let active = status.active.len();
    plan.decide(CronJobDecision::StatusUpdate(StatusUpdate::WritesCronJobStatus { active, last_schedule_at: status.last_schedule_time }));
    plan.then(vec![Intent::WriteStatus.command(request)]);
}
