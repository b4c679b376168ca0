//! The status of a CronJob, and the request that writes it.
//!
//! Docs: CronJob (C-27; §8 of the specification). A sync writes it at most once, at its end.

use api::request::Request;
use api::{CronJob, CronJobStatus, Kind, ObjectMeta};
use serde::Serialize;

use super::decision::{Decision, StatusUpdate};
use super::plan::{Intent, Plan, Stage};

/// A CronJob whose status is written: the API server keeps the spec that it has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    api_version: &'static str,
    kind: &'static str,
    metadata: &'a ObjectMeta,
    status: &'a CronJobStatus,
}

/// Writes the status if it has changed.
pub(super) fn write(cron_job: &CronJob, plan: &mut Plan) {
    plan.sync.stage = Stage::End;
    let status = &plan.sync.status;
    if *status == plan.sync.found {
        return;
    }
    let metadata = &cron_job.metadata;
    let body = Body { api_version: Kind::CronJob.api_version(), kind: Kind::CronJob.name(), metadata, status };
    let body = serde_json::to_string(&body).expect("a CronJob has text keys only");
    let active = status.active.len();
    plan.decide(Decision::StatusUpdate(StatusUpdate::WritesCronJobStatus { active, last_schedule_at: status.last_schedule_time }));
    plan.then(vec![Intent::WriteStatus.command(Request::write_status(Kind::CronJob, &metadata.namespace, &metadata.name, body))]);
}
