//! The sync of a CronJob: its stages, in the order of the Kubernetes page.
//!
//! Docs: CronJob, all headings (C-10…C-33). What each stage decides is in the file of its name.

use super::plan::{CronJobCommand, CronJobPlan, Stage, Sync};
use super::view::View;
use super::{active, history, managed_by, start, status};

/// The plan for a CronJob from a stage on: that of the first stage with requests, or of all of them.
pub(super) fn reconcile(view: &View<'_>, sync: Sync) -> CronJobPlan {
    let mut plan = CronJobPlan::new(sync);
    if managed_by::leave_alone(view, &mut plan) {
        return plan;
    }
    if plan.sync.stage == Stage::Jobs && !plan.sync.confirmed {
        plan.sync.confirmed = true;
        active::confirm(view, &mut plan);
    }
    if plan.batches.is_empty() && plan.sync.stage == Stage::Jobs {
        plan.sync.stage = Stage::Start;
        let surplus = history::surplus(view, &mut plan);
        let mut batch: Vec<CronJobCommand> = surplus.iter().map(|(job, condition)| history::clean_up(job, condition)).collect();
        batch.extend(active::update(view, &surplus, &mut plan));
        plan.then(batch);
    }
    if plan.batches.is_empty() && plan.sync.stage == Stage::Start {
        plan.sync.stage = Stage::Status;
        start::start(view, &mut plan);
    }
    if plan.batches.is_empty() && plan.sync.stage == Stage::Status {
        status::write(view.cron_job, &mut plan);
    }
    plan
}
