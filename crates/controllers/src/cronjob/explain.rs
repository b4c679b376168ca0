//! Explain: what is decided about a CronJob now, and at its next run.
//!
//! Docs: CronJob; `jobsmith explain`. Nothing is carried out or remembered.

use contract::{Explanation, Forecast, Requeue};

use super::controller::CronJobController;
use super::plan::{Plan, Sync};
use super::reconcile::reconcile;
use crate::runtime::{Context, Controller, ObjectKey, decided};

/// What is decided about a CronJob; `None` if there is no such CronJob.
pub(super) fn explain(controller: &CronJobController, key: &ObjectKey, context: &Context<'_>) -> Option<Explanation> {
    let cron_job = context.store.cron_job(key)?;
    let view = controller.view(cron_job, context);
    let plan = reconcile(&view, Sync::new(cron_job, context.now));
    let (requeue_at, idle) = (plan.requeue_for_host(), plan.batches.is_empty());
    let next = requeue_at.as_ref().filter(|_| idle).map(|Requeue { at, .. }| reconcile(&view, Sync::new(cron_job, *at)));
    let forecast = |plan: Plan| Forecast { decisions: decided(&plan.decisions, &key.namespace), batches: plan.into_commands() };
    let controllers = vec![CronJobController::NAME.to_owned()];
    Some(Explanation { controllers, now: forecast(plan), requeue_at, next: next.map(forecast), related: Vec::new() })
}
