//! Orphans: finalizers that no Job takes away any more. A controller of its own, with a queue of its own, as upstream has it.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-135…J-137). Pods that still have their Job are in `tracking.rs`.

use api::request::Outcome;
use api::selector::LabelSelector;
use api::{Job, Kind, Object, Pod, Text, Timestamp, WarningEvent};
use contract::Explanation;
use contract::decision::Sentence;
use contract::metrics::Family;

use super::config::Config;
use super::decision::{JobDecision, Leftover};
use super::deletion::free_request;
use super::triggers::owner;
use crate::runtime::decision::RuntimeDecision;
use crate::runtime::draft::NOT_FOUND;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{self, Context, Controller, Draft, Finished, ObjectKey, Sent, Store, StoreChange, Turn};

/// Takes finalizers away that are left over.
#[derive(Debug)]
pub(crate) struct Orphans {
    config: Config,
    ended: EndedJobs,
}

/// The namespaces and selectors of the Jobs that finished or went at one moment: pods that are shown at that moment too are theirs, whichever comes
/// first (J-135).
#[derive(Debug, Default)]
struct EndedJobs {
    at: Timestamp,
    selectors: Vec<(Text, LabelSelector)>,
}

impl EndedJobs {
    fn add(&mut self, job: &Job, selector: &LabelSelector, now: Timestamp) {
        if self.at != now {
            (self.at, self.selectors) = (now, Vec::new());
        }
        self.selectors.push((job.metadata.namespace.clone(), selector.clone()));
    }

    fn select(&self, pod: &Pod, now: Timestamp) -> bool {
        let selects =
            |(namespace, selector): &(Text, LabelSelector)| *namespace == pod.metadata.namespace && selector.matches(&pod.metadata.labels);
        self.at == now && self.selectors.iter().any(selects)
    }
}

impl Controller for Orphans {
    type Intent = ();
    type Sync = ();
    type Rest = std::convert::Infallible;
    type Decision = JobDecision;

    const NAME: &'static str = "job_orphan_pod";
    const KIND: Kind = Kind::Pod;
    const KINDS: &'static [Kind] = &[Kind::Job, Kind::Pod];

    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue, context: &Context<'_>) -> Option<ObjectKey> {
        let now = context.now;
        match (change.before, change.after) {
            (Some(Object::Job(_)), Some(Object::Job(job))) if job.finished() => self.free_selected(job, context.store, queue, now),
            (Some(Object::Job(job)), None) => self.free_selected(job, context.store, queue, now),
            (Some(Object::Pod(pod)), None) => self.free_unless_owned(pod, context.store, queue, now),
            (before, Some(Object::Pod(pod))) => {
                let same = |before: &Object| before.metadata().resource_version == pod.metadata.resource_version;
                if before.is_some_and(same) {
                    return None;
                }
                if pod.metadata.deleting() {
                    self.free_unless_owned(pod, context.store, queue, now);
                } else if pod.metadata.controller().is_none() || self.ended.select(pod, now) {
                    self.free(pod, queue, now);
                }
            }
            (_, Some(Object::Job(_) | Object::CronJob(_))) | (Some(Object::CronJob(_)), None) | (None, None) => {}
        }
        None
    }

    fn plan(&mut self, key: &ObjectKey, _: Option<Self::Rest>, _: &mut WorkQueue, context: &Context<'_>) -> Turn<Self> {
        reconcile(context.store, &self.config, key).map_or(Turn::Over, Turn::Planned)
    }

    fn finished(&mut self, key: &ObjectKey, (): (), sent: &[Sent<'_, ()>], queue: &mut WorkQueue, context: &Context<'_>) -> Finished<Self> {
        let error = sent.iter().find_map(|one| match one.outcome {
            Outcome::Failed(error) if one.failed => Some(error),
            Outcome::Failed(_) | Outcome::Done(_) | Outcome::Skipped => None,
        });
        let Some(error) = error else {
            queue.forget(key);
            return Finished::default();
        };
        let at = queue.back_off(key, self.config.limits.api_back_off(), context.now);
        let decision = RuntimeDecision::RequestFailed { what: "removing a leftover finalizer", error: error.message.clone(), at };
        Finished { decisions: vec![JobDecision::Shared(decision)], ..Finished::default() }
    }

    fn stale(&mut self, _: Kind) {}

    fn explain(&self, key: &ObjectKey, _: &[WarningEvent], context: &Context<'_>) -> Option<Explanation> {
        let now = reconcile(context.store, &self.config, key)?.forecast(&key.namespace);
        Some(Explanation {
            controllers: vec![Self::NAME.to_owned()],
            headline: Sentence::default(),
            obstacles: Vec::new(),
            now,
            requeue_at: None,
            next: None,
            related: Vec::new(),
        })
    }

    fn metrics(&self) -> Vec<Family> {
        Vec::new()
    }
}

impl Orphans {
    /// A controller that has seen no pod yet.
    pub(crate) fn new(config: Config) -> Self {
        Self { config, ended: EndedJobs::default() }
    }

    /// Makes a pod that is gone or being deleted due, unless its Job takes care of it (J-14).
    fn free_unless_owned(&self, pod: &Pod, store: &Store, queue: &mut WorkQueue, now: Timestamp) {
        if owner(store, pod).is_none_or(Job::finished) {
            self.free(pod, queue, now);
        }
    }

    /// Makes a pod due, if it holds the finalizer.
    fn free(&self, pod: &Pod, queue: &mut WorkQueue, now: Timestamp) {
        if pod.metadata.has_finalizer(&self.config.tracking_finalizer) {
            queue.add(ObjectKey::of(&pod.metadata), "a pod may hold a leftover finalizer", now);
        }
    }

    /// Makes the pods due that the selector of a Job selects that is finished or gone.
    fn free_selected(&mut self, job: &Job, store: &Store, queue: &mut WorkQueue, now: Timestamp) {
        let Some(selector) = &job.spec.selector else { return };
        self.ended.add(job, selector, now);
        let held = store.open_pods_in(&job.metadata.namespace).filter(|pod| pod.metadata.has_finalizer(&self.config.tracking_finalizer));
        for pod in held.filter(|pod| selector.matches(&pod.metadata.labels)) {
            self.free(pod, queue, now);
        }
    }
}

/// Takes the finalizer from a pod, unless somebody else does; `None` if it holds none.
fn reconcile(store: &Store, config: &Config, key: &ObjectKey) -> Option<Draft<(), (), JobDecision>> {
    let pod = store.pod(key).filter(|pod| pod.metadata.has_finalizer(&config.tracking_finalizer))?;
    let (mut plan, name) = (Draft::new(()), pod.metadata.name.clone());
    match judge(store, config, pod) {
        Ok(because) => {
            plan.decide(JobDecision::Leftover(Leftover::FreesPod { pod: name, because }));
            let request = free_request(&config.tracking_finalizer, pod);
            plan.then(vec![runtime::DraftCommand { request, tolerates: &[NOT_FOUND], after: None, intent: (), writes: Some(Kind::Pod) }]);
        }
        Err(because) => plan.decide(JobDecision::Leftover(Leftover::LeavesPod { pod: name, because })),
    }
    Some(plan)
}

/// Why the pod is freed, or why it is left alone (J-136).
fn judge(store: &Store, config: &Config, pod: &Pod) -> Result<&'static str, &'static str> {
    let Some(controller) = pod.metadata.controller() else { return Ok("it has no controller") };
    if &*controller.kind != Kind::Job.name() || &*controller.api_version != Kind::Job.api_version() {
        return Err("its controller is not a Job");
    }
    match owner(store, pod) {
        None => Ok("its Job is gone"),
        Some(job) if config.other_manager(job).is_some() => Err("its Job is managed by another controller"),
        Some(job) if job.finished() => Ok("its Job has finished"),
        Some(_) => Err("its Job still tracks it"),
    }
}
