//! Explain: what is decided about a CronJob now and at its next run, and the outcomes of its last runs.
//!
//! Docs: CronJob; `jobsmith explain`. Nothing is carried out or remembered.

use api::WarningEvent;
use contract::{Explanation, Requeue};

use super::controller::CronJobController;
use super::last_runs::last_runs;
use super::obstacles::{headline, obstacles};
use super::plan::{Stage, Sync};
use super::reconcile::reconcile;
use super::view::View;
use crate::runtime::{Context, Controller, ObjectKey};

/// What is decided about a CronJob; `None` if it does not exist.
pub(super) fn explain(
    controller: &CronJobController,
    key: &ObjectKey,
    warnings: &[WarningEvent],
    context: &Context<'_>,
) -> Option<Explanation> {
    let cron_job = context.store.cron_job(key)?;
    let view = View::of(cron_job, context.store, controller);
    let foreseen = |at| reconcile(&view, Sync { confirmed: true, ..Sync::new(cron_job, at) });
    let plan = foreseen(context.now);
    let (requeue_at, idle) = (plan.requeue_for_host(), plan.batches.is_empty());
    let next = requeue_at.as_ref().filter(|_| idle).map(|Requeue { at, .. }| foreseen(*at));
    // What keeps it from its next run is decided after the requests that come first.
    let start = (plan.sync.stage == Stage::Start).then(|| reconcile(&view, plan.sync.clone()));
    let decisions = plan.decisions.iter().chain(start.iter().flat_map(|start| &start.decisions));
    let obstacles = obstacles(&view, decisions, warnings, context.now);
    let controllers = vec![CronJobController::NAME.to_owned()];
    Some(Explanation {
        controllers,
        headline: headline(&view, &obstacles),
        obstacles,
        now: plan.forecast(&key.namespace),
        requeue_at,
        next: next.map(|plan| plan.forecast(&key.namespace)),
        related: last_runs(&view, context.now),
    })
}
