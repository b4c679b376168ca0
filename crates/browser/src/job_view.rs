//! A Job as the page shows it.
//!
//! Docs: Jobs, "Terminal Job conditions"; Job API, "JobStatus". What a step changed of it is in `change_view.rs`, whole objects are in
//! `history.rs`.

use api::job::UncountedTerminatedPods;
use api::{Job, JobCondition, Kind, Text, Timestamp, time};
use cluster::stored::Stored;
use play::step::Touched;
use play::trace::Entry;
use serde::Serialize;
use story::removal::removal;

use crate::change_view::{ChangeView, changes};
use crate::entry_view::PartView;

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
    /// Pods that have ended, and that the next write of the status counts.
    counting: CountingView,
    terminating: Option<i32>,
    conditions: Vec<ConditionView>,
    /// How it has finished; null while it has not.
    finished: Option<FinishView>,
    /// If its deletion begins in this step by a decision of the controllers: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    removed: Option<RemovalView>,
    /// Whether it is deleted some time after it has finished.
    expires: bool,
    deleting: bool,
    gone: bool,
    /// What the step changed of its spec and status, leaf by leaf.
    changes: Vec<ChangeView>,
}

/// Pods on their way into the counters.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Counting"))]
pub(crate) struct CountingView {
    succeeded: usize,
    failed: usize,
}

/// How a Job has finished.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Finish"))]
pub(crate) struct FinishView {
    /// Whether it is Complete; else it is Failed.
    succeeded: bool,
    reason: Text,
    /// In words: `Complete`, `Failed (BackoffLimitExceeded)`.
    words: String,
}

/// Why the controllers deleted a Job.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Removal"))]
pub(crate) struct RemovalView {
    /// The field of the API that had it deleted.
    field: &'static str,
    /// The decision.
    reason: Vec<PartView>,
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
    /// The object that was written, if it is a Job, in a step with these entries, in a session that began then.
    pub(crate) fn of(touched: &Touched, entries: &[Entry], start: Timestamp) -> Option<Self> {
        let job = touched.after.job()?;
        let (spec, status) = (&job.spec, &job.status);
        let condition = |condition: &JobCondition| ConditionView {
            kind: condition.kind.clone(),
            status: condition.status.clone(),
            reason: condition.reason.clone(),
        };
        let goes = |job: &Job, gone| gone || job.metadata.deleting();
        let before = touched.before.as_deref().and_then(Stored::job);
        let leaves = goes(job, touched.gone) && !before.is_some_and(|before| goes(before, false));
        let removed = if leaves { removal(job, entries.iter()) } else { None };
        let owner = job.metadata.controller().filter(|owner| *owner.kind == *Kind::CronJob.name());
        Some(Self {
            name: job.metadata.name.clone(),
            namespace: job.metadata.namespace.clone(),
            cron_job: owner.map(|owner| owner.name.clone()).unwrap_or_default(),
            scheduled_at: job.scheduled_at().map(|at| time::since(start, at)),
            completion_mode: spec.completion_mode.clone().unwrap_or_default(),
            completions: spec.completions,
            suspend: job.suspended(),
            active: status.active,
            succeeded: status.succeeded,
            failed: status.failed,
            counting: status.uncounted_terminated_pods.as_ref().map(CountingView::of).unwrap_or_default(),
            terminating: status.terminating,
            conditions: status.conditions.iter().map(condition).collect(),
            finished: job.finished_by().map(FinishView::of),
            removed: removed.map(|(field, decision)| RemovalView { field, reason: PartView::all(&decision.sentence, start) }),
            expires: spec.ttl_seconds_after_finished.is_some(),
            deleting: job.metadata.deleting(),
            gone: touched.gone,
            changes: before.map(|before| changes([&before.spec, spec], [&before.status, status])).unwrap_or_default(),
        })
    }
}

impl CountingView {
    fn of(pods: &UncountedTerminatedPods) -> Self {
        Self { succeeded: pods.succeeded.len(), failed: pods.failed.len() }
    }
}

impl FinishView {
    fn of(condition: &JobCondition) -> Self {
        let (kind, reason) = (&condition.kind, &condition.reason);
        let succeeded = condition.complete();
        let words = if succeeded || reason.is_empty() { kind.to_string() } else { format!("{kind} ({reason})") };
        Self { succeeded, reason: reason.clone(), words }
    }
}
