//! The TTL-after-finished controller: what makes a Job due, and how its turn goes.
//!
//! Docs: Automatic Cleanup for Finished Jobs. What is decided about a Job is in `reconcile.rs`.

use api::request::Outcome;
use api::{Duration, Kind, Object, Timestamp};
use contract::Explanation;
use contract::metrics::Family;

use super::config::Config;
use super::decision::{Cleanup, Decision};
use super::reconcile::{judge, plan};
use crate::runtime::decision::Shared;
use crate::runtime::metrics::{Counters, Metric, doubling};
use crate::runtime::workqueue::{BackOff, WorkQueue};
use crate::runtime::{Context, Controller, Finished, ObjectKey, Sent, StoreChange, Turn};

/// Upper bounds of the ranges of `ttl_after_finished_controller_job_deletion_duration_seconds`: 100 ms, doubling (T-14).
const DELETION_BUCKETS: [Duration; 14] = doubling(100);

const METRICS: [Metric; 1] = [Metric {
    name: "ttl_after_finished_controller_job_deletion_duration_seconds",
    help: "How long after the end of their TTL Jobs were deleted",
    labels: &[],
    buckets: &DELETION_BUCKETS,
}];

/// The TTL-after-finished controller.
#[derive(Debug)]
pub(crate) struct TtlController {
    back_off: BackOff,
    metrics: Counters,
}

impl Controller for TtlController {
    /// When the TTL of the Job that is deleted ended.
    type Intent = Timestamp;
    type Sync = ();
    type Rest = std::convert::Infallible;
    type Decision = Decision;

    const NAME: &'static str = "ttl";
    const QUEUE: &'static str = "ttl_jobs_to_delete";
    const KIND: Kind = Kind::Job;
    const KINDS: &'static [Kind] = &[Kind::Job];

    /// A Job that needs to be cleaned up is due at once (T-02).
    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue, context: &Context<'_>) -> Option<ObjectKey> {
        match (change.before.and_then(Object::job), change.after.and_then(Object::job)) {
            (_, Some(job)) => {
                if judge(job, context.now).is_some() {
                    queue.add(ObjectKey::of(&job.metadata), "the Job has finished and has a TTL", context.now);
                }
                None
            }
            (Some(job), None) => Some(ObjectKey::of(&job.metadata)),
            (None, None) => None,
        }
    }

    fn plan(&mut self, key: &ObjectKey, _: Option<Self::Rest>, queue: &mut WorkQueue, context: &Context<'_>) -> Turn<Self> {
        let Some((job, mut cleanup)) = context.store.job(key).and_then(|job| Some((job, judge(job, context.now)?))) else {
            queue.forget(key);
            return Turn::Over;
        };
        if let Cleanup::FinishTimeMissing { at } = &mut cleanup {
            (*at, _) = queue.back_off(key, self.back_off, context.now);
        }
        Turn::Planned(plan(job, cleanup))
    }

    fn finished(
        &mut self,
        key: &ObjectKey,
        (): (),
        sent: &[Sent<'_, Timestamp>],
        queue: &mut WorkQueue,
        context: &Context<'_>,
    ) -> Finished<Self> {
        let Some(Sent { intent: due, outcome, .. }) = sent.first() else { return Finished::default() };
        let decision = match outcome {
            Outcome::Failed(error) => {
                let (at, _) = queue.back_off(key, self.back_off, context.now);
                Decision::Shared(Shared::RequestFailed { what: "deleting the Job", error: error.message.clone(), at })
            }
            Outcome::Done(_) | Outcome::Skipped => {
                queue.forget(key);
                self.metrics.observe(0, &[], context.now.duration_since(**due));
                Decision::Cleanup(Cleanup::JobDeleted)
            }
        };
        Finished { decisions: vec![decision], ..Finished::default() }
    }

    fn stale(&mut self, _: Kind) {}

    fn explain(&self, key: &ObjectKey, context: &Context<'_>) -> Option<Explanation> {
        let job = context.store.job(key)?;
        let plan = plan(job, judge(job, context.now)?);
        let requeue_at = plan.requeue_for_host();
        let next =
            requeue_at.as_ref().and_then(|requeue| judge(job, requeue.at)).map(|next| self::plan(job, next).forecast(&key.namespace));
        Some(Explanation {
            controllers: vec![Self::NAME.to_owned()],
            now: plan.forecast(&key.namespace),
            requeue_at,
            next,
            related: Vec::new(),
        })
    }

    fn metrics(&self) -> Vec<Family> {
        self.metrics.families()
    }
}

impl TtlController {
    /// A controller that has seen no Job yet.
    pub(crate) fn new(config: &Config) -> Self {
        Self { back_off: config.api_back_off(), metrics: Counters::new(&METRICS) }
    }
}
