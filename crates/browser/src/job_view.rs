//! A Job as the page shows it.
//!
//! Docs: Jobs, "Terminal Job conditions"; Job API, "JobStatus". What a step changed of it is in `change_view.rs`, whole objects are in
//! `history.rs`.

use api::meta::names;
use api::{Kind, Text, Timestamp, time};
use cluster::stored::Stored;
use play::step::Touched;
use serde::Serialize;

use crate::change_view::{ChangeView, changes};

/// A Job after a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "JobView"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobStepView {
    name: Text,
    namespace: Text,
    /// The CronJob that controls it; empty if none.
    cron_job: Text,
    /// When the run was scheduled that it is, in milliseconds since the beginning.
    scheduled_at: Option<i64>,
    completion_mode: Text,
    completions: Option<i32>,
    suspend: bool,
    active: i32,
    succeeded: i32,
    failed: i32,
    terminating: Option<i32>,
    conditions: Vec<ConditionView>,
    /// Whether it is deleted some time after it has finished.
    expires: bool,
    deleting: bool,
    gone: bool,
    /// What the step changed of its spec and status, leaf by leaf.
    changes: Vec<ChangeView>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Condition"))]
pub(crate) struct ConditionView {
    #[serde(rename = "type")]
    kind: Text,
    status: Text,
    reason: Text,
}

impl JobStepView {
    /// The object that was written, if it is a Job, in a session that began then.
    pub(crate) fn of(touched: &Touched, start: Timestamp) -> Option<Self> {
        let job = touched.after.job()?;
        let (spec, status) = (&job.spec, &job.status);
        let condition = |condition: &api::JobCondition| ConditionView {
            kind: condition.kind.clone(),
            status: condition.status.clone(),
            reason: condition.reason.clone(),
        };
        let owner = job.metadata.controller().filter(|owner| *owner.kind == *Kind::CronJob.name());
        let scheduled_at = job.metadata.annotations.get(names::SCHEDULED_TIMESTAMP).and_then(|text| text.parse().ok());
        Some(Self {
            name: job.metadata.name.clone(),
            namespace: job.metadata.namespace.clone(),
            cron_job: owner.map(|owner| owner.name.clone()).unwrap_or_default(),
            scheduled_at: scheduled_at.map(|at| time::since(start, at)),
            completion_mode: spec.completion_mode.clone().unwrap_or_default(),
            completions: spec.completions,
            suspend: job.suspended(),
            active: status.active,
            succeeded: status.succeeded,
            failed: status.failed,
            terminating: status.terminating,
            conditions: status.conditions.iter().map(condition).collect(),
            expires: spec.ttl_seconds_after_finished.is_some(),
            deleting: job.metadata.deleting(),
            gone: touched.gone,
            changes: touched
                .before
                .as_deref()
                .and_then(Stored::job)
                .map(|before| changes([&before.spec, spec], [&before.status, status]))
                .unwrap_or_default(),
        })
    }
}
