//! The active Jobs: those that were started and were not seen to finish.
//!
//! Docs: CronJob, "CronJob limitations" (C-12…C-15). What they mean for the next run is decided in `start.rs`.

use std::collections::BTreeSet;

use api::request::Request;
use api::{CronJobStatus, Job, Kind, Text};

use super::decision::{ActiveJobs, CronJobDecision};
use super::events::CronJobEvent;
use super::plan::{CronJobCommand, CronJobPlan, Intent};
use super::view::View;

/// The UIDs of the Jobs that a status lists.
pub(super) fn listed(status: &CronJobStatus) -> BTreeSet<Text> {
    status.active.iter().map(|active| active.uid.clone()).collect()
}

/// Whether no more Jobs may be active beside so many.
pub(super) fn limit_reached(jobs: usize, limit: u32) -> bool {
    u32::try_from(jobs).unwrap_or(u32::MAX) >= limit
}

/// Reads the CronJob if a Job runs that its status does not list: a write that was not answered may have listed it (C-12).
pub(super) fn confirm(view: &View<'_>, plan: &mut CronJobPlan) {
    let listed = listed(&plan.sync.status);
    let unlisted = |job: &&&Job| !job.finished() && !listed.contains(&job.metadata.uid);
    if let Some(job) = view.jobs.iter().find(unlisted) {
        let metadata = &view.cron_job.metadata;
        plan.decide(CronJobDecision::ActiveJobs(ActiveJobs::ConfirmsCronJob { job: job.metadata.name.clone() }));
        plan.then(vec![Intent::Confirm.command(Request::read(Kind::CronJob, &metadata.namespace, &metadata.name))]);
    }
}

/// Brings the active Jobs up to date; returns the requests that look for missing ones. Jobs that are to be `deleted` stay until they are.
pub(super) fn update(view: &View<'_>, deleted: &[(&Job, &str)], plan: &mut CronJobPlan) -> Vec<CronJobCommand> {
    let all_listed = listed(&plan.sync.status);
    for job in &view.jobs {
        let uid = &job.metadata.uid;
        let listed = all_listed.contains(uid);
        match job.finished_by() {
            None if !listed => unexpected(view, job, plan),
            Some(condition) if listed && deleted.iter().all(|(deleted, _)| deleted.metadata.uid != *uid) => {
                let (name, condition) = (job.metadata.name.clone(), condition.kind.clone());
                plan.notices.push(view.event(&CronJobEvent::SawCompletedJob { job: &name, condition: &condition }));
                plan.sync.remove_active(uid);
                plan.decide(CronJobDecision::ActiveJobs(ActiveJobs::ActiveJobFinished { job: name, condition }));
            }
            None | Some(_) => {}
        }
        note_success(job, plan);
    }
    find_missing(view, plan)
}

/// A Job that the status does not list: somebody else created it, or the status was never written (C-12).
fn unexpected(view: &View<'_>, job: &Job, plan: &mut CronJobPlan) {
    let job = job.metadata.name.clone();
    plan.notices.push(view.event(&CronJobEvent::UnexpectedJob { job: &job }));
    plan.decide(CronJobDecision::ActiveJobs(ActiveJobs::UnexpectedJob { job }));
}

/// The last success is that of the Job that completed last (C-14).
fn note_success(job: &Job, plan: &mut CronJobPlan) {
    let Some(completed_at) = job.status.completion_time.filter(|_| job.condition(api::job::conditions::COMPLETE).is_some()) else { return };
    let last = &mut plan.sync.status.last_successful_time;
    if last.is_none_or(|last| last < completed_at) {
        *last = Some(completed_at);
    }
}

/// Looks for active Jobs that the watch does not show (C-15).
fn find_missing(view: &View<'_>, plan: &mut CronJobPlan) -> Vec<CronJobCommand> {
    let there: BTreeSet<&Text> = view.jobs.iter().map(|job| &job.metadata.uid).collect();
    let missing = plan.sync.status.active.iter().filter(|active| !there.contains(&active.uid));
    let commands: Vec<CronJobCommand> = missing
        .map(|active| {
            let request = Request::read(Kind::Job, &active.namespace, &active.name);
            Intent::Find { job: active.name.clone(), uid: active.uid.clone() }.command(request)
        })
        .collect();
    if !commands.is_empty() {
        plan.decide(CronJobDecision::ActiveJobs(ActiveJobs::LooksForJobs { jobs: commands.len() }));
    }
    commands
}
