//! Which controller acts for a CronJob, and whether it is suspended for that one.
//!
//! Docs: CronJob, "Schedule suspension"; README, "Beyond Kubernetes" (C-18, X-1, X-2). A CronJob has no `managedBy`, so an annotation takes its place.

use api::CronJob;
use api::annotation::InvalidAnnotation;

use super::config::Config;
use super::decision::{CronJobDecision, Guard};
use super::events::CronJobEvent;
use super::plan::{CronJobPlan, Stage};
use super::view::View;

/// Leaves a CronJob alone if another controller manages it; returns whether it does.
pub(super) fn leave_alone(view: &View<'_>, plan: &mut CronJobPlan) -> bool {
    let Some(guard) = other_manager(view.config, view.cron_job) else { return false };
    if matches!(guard, Guard::NotSuspendedForBuiltIn) {
        plan.notices.push(view.event(&CronJobEvent::NotSuspended));
    }
    plan.decide(CronJobDecision::Guard(guard));
    plan.sync.stage = Stage::End;
    true
}

/// Why a CronJob is not this controller's, if so.
fn other_manager(config: &Config, cron_job: &CronJob) -> Option<Guard> {
    match cron_job.managed_by() {
        _ if config.built_in() => None,
        None => Some(Guard::CronJobManagedByOther { manager: "the built-in controller".into() }),
        Some(name) if *name != config.name => Some(Guard::CronJobManagedByOther { manager: name.clone() }),
        Some(_) => (!cron_job.suspended()).then_some(Guard::NotSuspendedForBuiltIn),
    }
}

/// Whether no Jobs are started (C-18): beside the built-in controller, for which all of ours are suspended, an annotation says it.
pub(super) fn suspended(config: &Config, cron_job: &CronJob) -> Result<Option<Guard>, InvalidAnnotation> {
    if config.built_in() {
        return Ok(cron_job.suspended().then_some(Guard::CronJobSuspended));
    }
    Ok(cron_job.suspended_by_annotation()?.then_some(Guard::SuspendedByAnnotation))
}
