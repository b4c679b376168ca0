//! Explain: what a Job is stuck on, what is decided about it now, what it waits for, what comes next, and what each failed pod counts as.
//!
//! Docs: Jobs; `jobsmith explain`. Nothing is carried out or remembered. What a controller that has just started does not remember is rebuilt from
//! the pods that are there; one that has decided about the Job decides by what it remembers.

use api::{Kind, Pod, Timestamp, WarningEvent};
use contract::{Explanation, ObjectRef, Related, Requeue};

use super::backoff::Backoff;
use super::controller::{JobController, turn};
use super::memory::Memory;
use super::obstacles::{Situation, headline, obstacles};
use super::tally::Claimed;
use super::view::{JobView, by_name, notable, pods};
use super::{ownership, tracking};
use crate::runtime::decision::decision;
use crate::runtime::{Context, Controller, ObjectKey};

/// What is decided about a Job; `None` if the Job does not exist.
pub(super) fn explain(
    controller: &JobController,
    key: &ObjectKey,
    warnings: &[WarningEvent],
    context: &Context<'_>,
) -> Option<Explanation> {
    let job = context.store.job(key)?;
    let mut memory = controller.memories.get(key).map(|memory| (**memory).clone()).unwrap_or_default();
    let has_decided = memory.notable.is_some();
    memory.notable.get_or_insert_with(|| notable(job, context.store));
    let pods = by_name(&pods(job, context.store).collect::<Vec<_>>());
    if !has_decided && memory.backoff == Backoff::default() {
        let view = JobView::of(job, context.store, &memory, None, &controller.config);
        let finalizer = &controller.config.tracking_finalizer;
        memory.backoff = Backoff::rebuilt(job, &view.extensions, pods.iter().copied(), finalizer);
    }
    let decide = |memory: &mut Memory, now: Timestamp| {
        memory.blocked = memory.blocked.filter(|blocked| blocked.until > now);
        turn(&JobView::of(job, context.store, memory, None, &controller.config), now)
    };
    let plan = decide(&mut memory, context.now);
    let (requeue_at, idle) = (plan.requeue_for_host(), plan.batches.is_empty());
    let next = requeue_at.as_ref().filter(|_| idle).map(|Requeue { at, .. }| decide(&mut memory, (*at).max(context.now)));
    let view = JobView::of(job, context.store, &memory, None, &controller.config);
    let situation = Situation {
        job,
        pods: &pods,
        plan: &plan,
        warnings,
        config: &controller.config,
        only_replace_failed: view.only_replace_failed(),
        unjudged: view.invalid.is_some(),
        now: context.now,
    };
    let obstacles = obstacles(&situation);
    let headline = headline(&situation, &obstacles);
    Some(Explanation {
        controllers: vec![JobController::NAME.to_owned()],
        headline,
        obstacles,
        now: plan.forecast(&key.namespace),
        requeue_at,
        next: next.map(|plan| plan.forecast(&key.namespace)),
        related: pods.into_iter().filter_map(|pod| related(&view, pod)).collect(),
    })
}

/// What a pod that failed counts as, or counted as.
fn related(view: &JobView<'_>, pod: &Pod) -> Option<Related> {
    let only_replace_failed = view.only_replace_failed();
    let claimed = Claimed::new(pod, true, ownership::index(view.job, pod));
    if !claimed.failed(only_replace_failed) {
        return None;
    }
    let counting = tracking::failure(view, &claimed, only_replace_failed);
    let decision = decision(&counting, &pod.metadata.namespace);
    Some(Related { object: ObjectRef::of(Kind::Pod.name(), &pod.metadata), decision })
}
