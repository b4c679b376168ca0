//! Orphans: finalizers that no Job takes away any more. A controller of its own, with a queue of its own, as upstream has it.
//!
//! Docs: Jobs, "Job tracking with finalizers" (J-135…J-137). Pods that still have their Job are in `tracking.rs`.

use api::request::Outcome;
use api::selector::LabelSelector;
use api::{Job, Kind, Object, Pod, Text, Timestamp};
use contract::metrics::Family;
use contract::{Explanation, Forecast, ObjectRef};

use super::config::Config;
use super::decision::{Decision, Leftover};
use super::deletion::free_request;
use super::triggers::owner;
use crate::runtime::decision::Shared;
use crate::runtime::draft::NOT_FOUND;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{self, Context, Controller, Draft, Finished, ObjectKey, Sent, Store, StoreChange, Turn, decided};

/// Takes finalizers away that are left over.
#[derive(Debug)]
pub(crate) struct Orphans {
    pub(crate) config: Config,
}

/// Pods that may hold a finalizer that nobody else takes away (J-135).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Orphan {
    /// One pod.
    Pod(ObjectKey),
    /// All pods that the selector of a Job selects that is finished or gone.
    Selected { job: ObjectKey, selector: LabelSelector },
}

impl Controller for Orphans {
    type Key = Orphan;
    type Intent = ();
    type Sync = ();
    type Rest = std::convert::Infallible;
    type Decision = Decision;

    const NAME: &'static str = "job_orphan_pod";
    const KINDS: &'static [Kind] = &[Kind::Job, Kind::Pod];

    fn key(object: &ObjectRef) -> Option<Orphan> {
        let key = || ObjectKey { namespace: object.namespace.clone(), name: object.name.clone() };
        (*object.kind == *Kind::Pod.name()).then(|| Orphan::Pod(key()))
    }

    fn namespace(key: &Orphan) -> &Text {
        match key {
            Orphan::Pod(key) | Orphan::Selected { job: key, .. } => &key.namespace,
        }
    }

    fn object(&self, key: &Orphan, _: &Store) -> ObjectRef {
        let (kind, key) = match key {
            Orphan::Pod(pod) => (Kind::Pod, pod),
            Orphan::Selected { job, .. } => (Kind::Job, job),
        };
        ObjectRef { kind: kind.name().into(), namespace: key.namespace.clone(), name: key.name.clone(), uid: Text::default() }
    }

    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue<Orphan>, context: &Context<'_>) -> Option<Orphan> {
        let now = context.now;
        match (change.before, change.after) {
            (Some(Object::Job(_)), Some(Object::Job(job))) if job.finished() => free_selected(job, queue, now),
            (Some(Object::Job(job)), None) => free_selected(job, queue, now),
            (Some(Object::Pod(pod)), None) => self.free_unless_owned(pod, context.store, queue, now),
            (before, Some(Object::Pod(pod))) => {
                let same = |before: &Object| before.metadata().resource_version == pod.metadata.resource_version;
                if before.is_some_and(same) {
                    return None;
                }
                if pod.metadata.deleting() {
                    self.free_unless_owned(pod, context.store, queue, now);
                } else if pod.metadata.controller().is_none() {
                    self.free(pod, queue, now);
                }
            }
            (_, Some(Object::Job(_))) | (None, None) => {}
        }
        None
    }

    fn plan(&mut self, key: &Orphan, _: Option<Self::Rest>, _: &mut WorkQueue<Orphan>, context: &Context<'_>) -> Turn<Self> {
        Turn::Planned(reconcile(context.store, &self.config, key))
    }

    fn finished(
        &mut self,
        key: &Orphan,
        (): (),
        sent: &[Sent<'_, ()>],
        queue: &mut WorkQueue<Orphan>,
        context: &Context<'_>,
    ) -> Finished<Self> {
        let error = sent.iter().find_map(|one| match one.outcome {
            Outcome::Failed(error) if one.failed => Some(error),
            Outcome::Failed(_) | Outcome::Done(_) | Outcome::Skipped => None,
        });
        let Some(error) = error else {
            queue.forget(key);
            return Finished::default();
        };
        let (at, _) = queue.back_off(key, self.config.limits.api_back_off(), context.now);
        let decision = Shared::RequestFailed { what: "removing a leftover finalizer", error: error.message.clone(), at };
        Finished { decisions: vec![Decision::Shared(decision)], ..Finished::default() }
    }

    fn stale(&mut self, _: Kind) {}

    fn explain(&self, object: &ObjectRef, context: &Context<'_>) -> Option<Explanation> {
        let Some(Orphan::Pod(key)) = Self::key(object) else { return None };
        let pod = context.store.pod(&key)?;
        let uid = &pod.metadata.uid;
        if !object.uid.is_empty() && object.uid != *uid {
            return None;
        }
        let draft = reconcile(context.store, &self.config, &Orphan::Pod(key));
        let decisions = decided(&draft.decisions, &object.namespace);
        let now = Forecast { decisions, batches: draft.into_commands() };
        Some(Explanation { controllers: vec![Self::NAME.to_owned()], now, requeue_at: None, next: None, related: Vec::new() })
    }

    fn metrics(&self) -> Vec<Family> {
        Vec::new()
    }
}

impl Orphans {
    /// Makes a pod that is gone or being deleted due, unless its Job takes care of it (J-14).
    fn free_unless_owned(&self, pod: &Pod, store: &Store, queue: &mut WorkQueue<Orphan>, now: Timestamp) {
        if owner(store, pod).is_none_or(Job::finished) {
            self.free(pod, queue, now);
        }
    }

    /// Makes a pod due, if it holds the finalizer.
    fn free(&self, pod: &Pod, queue: &mut WorkQueue<Orphan>, now: Timestamp) {
        if pod.metadata.has_finalizer(&self.config.tracking_finalizer) {
            queue.add(Orphan::Pod(ObjectKey::of(&pod.metadata)), "a pod may hold a leftover finalizer", now);
        }
    }
}

/// Makes the pods due that the selector of a Job selects that is finished or gone.
fn free_selected(job: &Job, queue: &mut WorkQueue<Orphan>, now: Timestamp) {
    let Some(selector) = job.spec.selector.clone() else { return };
    let key = Orphan::Selected { job: ObjectKey::of(&job.metadata), selector };
    queue.add(key, "pods of a Job that finished may hold a leftover finalizer", now);
}

/// Takes the finalizer from each pod of the key that nobody else frees.
fn reconcile(store: &Store, config: &Config, key: &Orphan) -> Draft<(), (), Decision> {
    let mut plan = Draft::new(());
    let mut commands = Vec::new();
    let pods: Vec<&Pod> = match key {
        Orphan::Pod(key) => store.pod(key).into_iter().collect(),
        Orphan::Selected { job, selector } => store.pods_in(&job.namespace).filter(|pod| selector.matches(&pod.metadata.labels)).collect(),
    };
    for pod in pods.into_iter().filter(|pod| pod.metadata.has_finalizer(&config.tracking_finalizer)) {
        let name = pod.metadata.name.clone();
        match judge(store, config, pod) {
            Ok(because) => {
                plan.decide(Decision::Leftover(Leftover::FreesPod { pod: name, because }));
                let request = free_request(&config.tracking_finalizer, pod);
                commands.push(runtime::Command { request, tolerates: &[NOT_FOUND], intent: (), writes: Some(Kind::Pod) });
            }
            Err(because) => plan.decide(Decision::Leftover(Leftover::LeavesPod { pod: name, because })),
        }
    }
    if plan.decisions.is_empty() {
        plan.decide(Decision::Leftover(Leftover::NothingLeftOver));
    }
    plan.then(commands);
    plan
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
