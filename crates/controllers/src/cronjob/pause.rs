//! Whether so many runs failed in a row that no more are started.
//!
//! Docs: README, "Beyond Kubernetes". The Jobs that the history keeps and the status are all that is known of earlier runs, so that each controller
//! that reads them decides alike.

use std::cmp::Reverse;

use api::annotation::CronJobExtensions;
use api::{Job, Timestamp};

use super::active::listed;
use super::decision::{CronJobDecision, Guard};
use super::events::CronJobEvent;
use super::plan::{CronJobPlan, Sync};
use super::view::View;
use crate::runtime::order;

/// That no runs are started.
#[derive(Debug)]
pub(super) struct Pause<'a> {
    /// The Jobs that failed in a row, the latest first.
    failed: Vec<&'a Job>,
    /// When it ends, if that is known.
    until: Option<Timestamp>,
}

/// Whether no runs are started at a time, since so many Jobs failed after one succeeded for the last time.
pub(super) fn pause<'a>(
    view: &View<'a>,
    extensions: &CronJobExtensions,
    last_success: Option<Timestamp>,
    at: Timestamp,
) -> Option<Pause<'a>> {
    let most = usize::try_from(extensions.pause_after_failures?).ok()?;
    let resumed_at = extensions.resumed_at.filter(|resumed_at| *resumed_at <= at);
    let finished: Vec<&Job> = view.jobs.iter().copied().filter(|job| ended_at(job).is_some_and(|ended_at| ended_at <= at)).collect();
    let order = |job: &Job| Reverse(job.scheduled_at().or(job.metadata.creation_timestamp));
    let latest = order::sorted(&finished, |one, other| order(one).cmp(&order(other)));
    let counts = |job: &&Job| ended_at(job) > last_success.max(resumed_at);
    let failed: Vec<&Job> = latest.into_iter().take_while(|job| !completed(job)).filter(counts).collect();
    (failed.len() >= most).then(|| Pause { failed, until: extensions.resumed_at.filter(|resumed_at| *resumed_at > at) })
}

impl Pause<'_> {
    /// Starts nothing, and reports that once: when a sync has seen one of the runs fail.
    pub(super) fn decide(&self, view: &View<'_>, plan: &mut CronJobPlan) {
        let (failures, job) = (self.failed.len(), self.failed[0].metadata.name.clone());
        if self.begins(&plan.sync) {
            plan.notices.push(view.event(&CronJobEvent::PausedAfterFailures { failures, job: &job }));
        }
        if let Some(until) = self.until {
            plan.requeue(until, "the CronJob is resumed");
        }
        plan.decide(CronJobDecision::Guard(Guard::PausedAfterFailures { failures, job, until: self.until }));
    }

    /// Whether a sync takes one of the failed Jobs out of the active ones, which happens once.
    fn begins(&self, sync: &Sync) -> bool {
        let [found, left] = [&sync.found, &sync.status].map(listed);
        self.failed.iter().any(|job| found.contains(&job.metadata.uid) && !left.contains(&job.metadata.uid))
    }
}

fn ended_at(job: &Job) -> Option<Timestamp> {
    job.finished_by()?.last_transition_time
}

fn completed(job: &Job) -> bool {
    job.finished_by().is_some_and(|end| end.complete())
}
