//! The TTL-after-finished controller: what makes a Job due, and how its turn goes.
//!
//! Docs: Automatic Cleanup for Finished Jobs. What is decided about a Job is in `reconcile.rs`.

use api::annotation::InvalidAnnotation;
use api::request::Outcome;
use api::{Duration, Job, Kind, Object, Timestamp, WarningEvent};
use contract::Explanation;
use contract::decision::Sentence;
use contract::metrics::Family;

use super::config::Config;
use super::decision::{Cleanup, TtlDecision};
use super::reconcile::{judge, plan};
use crate::runtime::decision::RuntimeDecision;
use crate::runtime::metrics::{Counters, Metric, doubling};
use crate::runtime::workqueue::WorkQueue;
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
    config: Config,
    metrics: Counters,
}

impl Controller for TtlController {
    /// When the TTL of the Job that is deleted ended.
    type Intent = Timestamp;
    type Sync = ();
    type Rest = std::convert::Infallible;
    type Decision = TtlDecision;

    const NAME: &'static str = "ttl";
    const QUEUE: &'static str = "ttl_jobs_to_delete";
    const KIND: Kind = Kind::Job;
    const KINDS: &'static [Kind] = &[Kind::Job];

    /// A Job that needs to be cleaned up is due at once (T-02).
    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue, context: &Context<'_>) -> Option<ObjectKey> {
        match (change.before.and_then(Object::job), change.after.and_then(Object::job)) {
            (_, Some(job)) => {
                if !matches!(judge(job, &self.config, context.now), Ok(None)) {
                    queue.add(ObjectKey::of(&job.metadata), "the Job has finished and has a TTL", context.now);
                }
                None
            }
            (Some(job), None) => Some(ObjectKey::of(&job.metadata)),
            (None, None) => None,
        }
    }

    fn plan(&mut self, key: &ObjectKey, _: Option<Self::Rest>, queue: &mut WorkQueue, context: &Context<'_>) -> Turn<Self> {
        let Some((job, mut judged)) = self.judged(key, context.now, context) else {
            queue.forget(key);
            return Turn::Over;
        };
        if let Ok(Cleanup::FinishTimeMissing { at }) = &mut judged {
            *at = queue.back_off(key, self.config.api_back_off(), context.now);
        }
        Turn::Planned(plan(job, judged))
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
                let at = queue.back_off(key, self.config.api_back_off(), context.now);
                TtlDecision::Shared(RuntimeDecision::RequestFailed { what: "deleting the Job", error: error.message.clone(), at })
            }
            Outcome::Done(_) => {
                queue.forget(key);
                self.metrics.observe(0, &[], context.now.duration_since(**due));
                TtlDecision::Cleanup(Cleanup::JobDeleted)
            }
            Outcome::Skipped => panic!("the deletion of a Job waits for no other command"),
        };
        Finished { decisions: vec![decision], ..Finished::default() }
    }

    fn stale(&mut self, _: Kind) {}

    fn explain(&self, key: &ObjectKey, _: &[WarningEvent], context: &Context<'_>) -> Option<Explanation> {
        let planned = |now| self.judged(key, now, context).map(|(job, judged)| plan(job, judged));
        let plan = planned(context.now)?;
        let requeue_at = plan.requeue_for_host();
        let next = requeue_at.as_ref().and_then(|requeue| planned(requeue.at)).map(|next| next.forecast(&key.namespace));
        Some(Explanation {
            controllers: vec![Self::NAME.to_owned()],
            headline: Sentence::default(),
            obstacles: Vec::new(),
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
        Self { config: config.clone(), metrics: Counters::new(&METRICS) }
    }

    /// A Job, and what happens to it; `None` if it is not there, or is left alone.
    fn judged<'a>(&self, key: &ObjectKey, now: Timestamp, context: &Context<'a>) -> Option<(&'a Job, Result<Cleanup, InvalidAnnotation>)> {
        let job = context.store.job(key)?;
        Some((job, judge(job, &self.config, now).transpose()?))
    }
}
