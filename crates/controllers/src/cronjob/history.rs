//! History limits: which finished Jobs are deleted.
//!
//! Docs: CronJob, "Jobs history limits" (C-70…C-73).

use api::Job;
use api::job::conditions;

use super::decision::{CronJobDecision, History};
use super::plan::{CronJobCommand, CronJobPlan, Intent, delete};
use super::view::View;
use crate::runtime::order;

/// The finished Jobs beyond the limits, each with the condition by which it finished.
pub(super) fn surplus<'a>(view: &View<'a>, plan: &mut CronJobPlan) -> Vec<(&'a Job, &'static str)> {
    let spec = &view.cron_job.spec;
    let mut surplus = Vec::new();
    for (condition, limit) in
        [(conditions::COMPLETE, spec.successful_jobs_history_limit), (conditions::FAILED, spec.failed_jobs_history_limit)]
    {
        let Some(limit) = limit else { continue };
        let oldest = oldest_beyond(view, condition, usize::try_from(limit).unwrap_or(0));
        if !oldest.is_empty() {
            plan.decide(CronJobDecision::History(match condition {
                conditions::COMPLETE => History::DeletesSuccessfulJobs { jobs: oldest.len(), limit },
                _ => History::DeletesFailedJobs { jobs: oldest.len(), limit },
            }));
        }
        surplus.extend(oldest.into_iter().map(|job| (job, condition)));
    }
    surplus
}

/// The Jobs with a condition beyond the limit: those that started first (C-71).
fn oldest_beyond<'a>(view: &View<'a>, condition: &str, limit: usize) -> Vec<&'a Job> {
    let finished: Vec<&Job> = view.jobs.iter().copied().filter(|job| job.condition(condition).is_some()).collect();
    let surplus = finished.len().saturating_sub(limit);
    let begin = |job: &Job| (job.status.start_time.is_none(), job.status.start_time, job.metadata.name.clone());
    let mut oldest = order::sorted(&finished, |one, other| begin(one).cmp(&begin(other)));
    oldest.truncate(surplus);
    oldest
}

/// The command that deletes one of them.
pub(super) fn clean_up(job: &Job, condition: &str) -> CronJobCommand {
    let (name, uid) = (job.metadata.name.clone(), job.metadata.uid.clone());
    let request = delete(&job.metadata.namespace, &name, &uid);
    Intent::CleanUp { job: name, uid, condition: condition.into() }.command(request)
}
