//! Triggers: which change makes which Job due, and when.
//!
//! Docs: rules J-10…J-21. What is done when it is due is in `reconcile.rs`; what makes pods due whose finalizer is left over, in `orphans.rs`.

use api::{Job, Object, Pod, Timestamp, time};

use super::controller::JobController;
use super::extensions;
use super::view::is_notable;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{ObjectKey, Store, StoreChange};

/// The Job controller while it handles a change.
#[derive(Debug)]
pub(super) struct Triggers<'a> {
    pub(super) controller: &'a mut JobController,
    pub(super) queue: &'a mut WorkQueue,
    /// What the cluster stores after the change.
    pub(super) store: &'a Store,
    pub(super) now: Timestamp,
}

impl Triggers<'_> {
    /// Handles a change. Returns the key of a Job that it removed.
    pub(super) fn changed(mut self, change: &StoreChange<'_>) -> Option<ObjectKey> {
        match (change.before, change.after) {
            (None, Some(Object::Job(job))) => self.job_added(job),
            (Some(Object::Job(before)), Some(Object::Job(job))) => self.job_updated(before, job),
            (Some(Object::Job(job)), None) => return Some(self.job_deleted(job)),
            (before, after) => self.pod_changed(before.and_then(Object::pod), after.and_then(Object::pod)),
        }
        None
    }

    /// A Job was not there before (J-15).
    fn job_added(&mut self, job: &Job) {
        if let Some(manager) = self.controller.config.other_manager(job) {
            self.controller.metrics.managed_by_other(manager);
        }
        self.queue.add(ObjectKey::of(&job.metadata), "the Job appeared", self.now);
    }

    /// A Job is another one than before (J-16). A new deadline is a new spec: the sync that follows sets the wake-up for it (J-17).
    fn job_updated(&mut self, before: &Job, job: &Job) {
        if job.finished() {
            return;
        }
        let key = ObjectKey::of(&job.metadata);
        let changed = before.metadata.generation != job.metadata.generation;
        if let Some(memory) = self.controller.memories.get_mut(&key).filter(|_| changed) {
            memory.notable = None;
        }
        let at = if changed { self.now } else { self.batched() };
        self.queue.add(key, if changed { "the Job's spec changed" } else { "the Job's status or metadata changed" }, at);
    }

    /// A Job is gone (J-18), and with it all that was remembered of it: a later Job of the same name starts from scratch.
    fn job_deleted(&mut self, job: &Job) -> ObjectKey {
        let key = ObjectKey::of(&job.metadata);
        self.controller.memories.remove(&key);
        self.queue.forget(&key);
        self.queue.add(key.clone(), "the Job is gone", self.now);
        key
    }

    fn pod_changed(&mut self, before: Option<&Pod>, after: Option<&Pod>) {
        self.controller.metrics.pod_changed(&self.controller.config.tracking_finalizer, before, after);
        match (before, after) {
            (None, Some(pod)) => self.pod_added(pod),
            (Some(before), Some(pod)) => self.pod_updated(before, pod),
            (Some(pod), None) => self.pod_deleted(pod, true),
            (None, None) => {}
        }
    }

    /// A pod was not there before (J-10…J-12).
    fn pod_added(&mut self, pod: &Pod) {
        if pod.metadata.deleting() {
            return self.pod_deleted(pod, false);
        }
        if pod.metadata.controller().is_none() {
            return self.enqueue_selecting(pod);
        }
        if let Some(job) = owner(self.store, pod) {
            let key = self.note(job, pod);
            self.controller.memories.entry(key.clone()).or_default().expectations.creation_observed();
            self.enqueue_for_pod(key);
        }
    }

    /// A pod is another one than before (J-13).
    fn pod_updated(&mut self, before: &Pod, pod: &Pod) {
        if before.metadata.resource_version == pod.metadata.resource_version {
            return;
        }
        if pod.metadata.deleting() {
            return self.pod_deleted(pod, false);
        }
        let (old, new) = (before.metadata.controller(), pod.metadata.controller());
        if let Some(job) = owner(self.store, before).filter(|_| old != new) {
            self.pod_of_job_changed(job, pod);
        }
        if let Some(job) = owner(self.store, pod) {
            self.pod_of_job_changed(job, pod);
        } else if new.is_none() && (old.is_some() || before.metadata.labels != pod.metadata.labels) {
            self.enqueue_selecting(pod);
        }
    }

    fn pod_of_job_changed(&mut self, job: &Job, pod: &Pod) {
        let key = self.note(job, pod);
        self.observe_removal(&key, pod, !pod.metadata.has_finalizer(&self.controller.config.tracking_finalizer));
        self.enqueue_for_pod(key);
    }

    /// A pod is gone (`last`), or is being deleted (J-14).
    fn pod_deleted(&mut self, pod: &Pod, last: bool) {
        let Some(job) = owner(self.store, pod).filter(|job| !job.finished()) else { return };
        let key = self.note(job, pod);
        let free = last || !pod.metadata.has_finalizer(&self.controller.config.tracking_finalizer);
        let rate = if last { extensions::start_rate(job, &self.controller.config) } else { None };
        let memory = self.controller.memories.entry(key.clone()).or_default();
        memory.expectations.deletion_observed();
        if let Some(rate) = rate {
            memory.gone.retain(|created_at| rate.counts(*created_at, self.now));
            memory.gone.extend(pod.metadata.creation_timestamp.filter(|created_at| rate.counts(*created_at, self.now)));
        }
        self.observe_removal(&key, pod, free);
        self.enqueue_for_pod(key);
    }

    /// Keeps what is known of the Job's notable pods up to date. Returns the Job's key.
    fn note(&mut self, job: &Job, pod: &Pod) -> ObjectKey {
        let key = ObjectKey::of(&job.metadata);
        let known = self.controller.memories.get_mut(&key).and_then(|memory| memory.notable.as_mut());
        if let Some(notable) = known {
            let ended = pod.phase.ended() && pod.metadata.finalizers.is_empty();
            let stored = || self.store.pod(&ObjectKey::of(&pod.metadata)).is_some_and(|stored| stored.metadata.uid == pod.metadata.uid);
            if ended && stored() && is_notable(job, pod) {
                notable.insert(pod.metadata.name.clone());
            } else if !notable.is_empty() {
                notable.remove(&pod.metadata.name);
            }
        }
        key
    }

    fn observe_removal(&mut self, key: &ObjectKey, pod: &Pod, removed: bool) {
        if let Some(memory) = self.controller.memories.get_mut(key).filter(|_| removed) {
            memory.expectations.removal_observed(&pod.metadata.uid);
        }
    }

    fn enqueue_for_pod(&mut self, key: ObjectKey) {
        let at = self.batched();
        self.queue.add(key, "a pod changed", at);
    }

    /// Makes every Job due whose selector selects the pod; a pod without labels is selected by none (J-12).
    fn enqueue_selecting(&mut self, pod: &Pod) {
        if pod.metadata.labels.is_empty() {
            return;
        }
        let selects = |job: &&Job| job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata.labels));
        for job in self.store.jobs_in(&pod.metadata.namespace).filter(selects) {
            let at = self.batched();
            self.queue.add(ObjectKey::of(&job.metadata), "a pod without a controller appeared or changed", at);
        }
    }

    fn batched(&self) -> Timestamp {
        time::after(self.now, self.controller.config.limits.sync_batch_period)
    }
}

/// The Job that a pod's controller reference means, if it is there.
pub(super) fn owner<'a>(store: &'a Store, pod: &Pod) -> Option<&'a Job> {
    let controller = pod.metadata.controller().filter(|controller| &*controller.kind == api::Kind::Job.name())?;
    let key = ObjectKey { namespace: pod.metadata.namespace.clone(), name: controller.name.clone() };
    store.job(&key).filter(|job| job.metadata.uid == controller.uid)
}
