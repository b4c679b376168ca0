//! Triggers: which change makes which Job due, and when.
//!
//! Docs: spec/job.md §2 (J-10…J-21). What is done when it is due is in `job/`.

use api::{Duration, Job, OwnerReference, Pod, Timestamp, time};

use crate::key::{Item, JobKey};
use crate::manager::ControllerManager;

impl ControllerManager {
    /// A Job was not there before (J-15).
    pub(crate) fn job_added(&mut self, key: JobKey, now: Timestamp) {
        if let Some(manager) = self.store.job(&key).and_then(|job| self.config.other_manager(job)) {
            self.metrics.managed_by_other(manager);
        }
        self.enqueue(key, "the Job appeared", now);
    }

    /// A Job is another one than before (J-16, J-17).
    pub(crate) fn job_updated(&mut self, before: &Job, key: JobKey, now: Timestamp) {
        let Some(job) = self.store.job(&key) else { return };
        if job.finished() {
            self.free_selected(&job.clone(), now);
            return;
        }
        let deadline = new_deadline(before, job);
        let changed = before.metadata.generation != job.metadata.generation;
        let at = if changed { now } else { self.batched(now) };
        self.enqueue(key.clone(), if changed { "the Job's spec changed" } else { "the Job's status or metadata changed" }, at);
        if let Some(deadline) = deadline {
            self.enqueue(key, "the deadline is reached", deadline.max(now));
        }
    }

    /// A Job is gone (J-18).
    pub(crate) fn job_deleted(&mut self, job: &Job, now: Timestamp) {
        let key = JobKey::of(&job.metadata);
        if let Some(memory) = self.memories.get_mut(&key) {
            let expectations = std::mem::take(&mut memory.expectations);
            **memory = crate::job::memory::Memory { expectations, ..Default::default() };
        }
        if self.holds.drop(&key) {
            self.done(&key);
        }
        self.enqueue(key, "the Job is gone", now);
        self.free_selected(job, now);
    }

    /// A pod was not there before (J-10…J-12).
    pub(crate) fn pod_added(&mut self, pod: &Pod, now: Timestamp) {
        if pod.metadata.deleting() {
            return self.pod_deleted(pod, false, now);
        }
        let Some(controller) = pod.metadata.controller() else {
            self.free(pod, now);
            return self.enqueue_selecting(pod, now);
        };
        if let Some(key) = self.resolve(pod, controller) {
            self.memories.entry(key.clone()).or_default().expectations.creation_observed();
            self.enqueue_for_pod(key, now);
        }
    }

    /// A pod is another one than before (J-13).
    pub(crate) fn pod_updated(&mut self, before: &Pod, pod: &Pod, now: Timestamp) {
        if before.metadata.resource_version == pod.metadata.resource_version {
            return;
        }
        if pod.metadata.deleting() {
            return self.pod_deleted(pod, false, now);
        }
        let (old, new) = (before.metadata.controller(), pod.metadata.controller());
        let free = !pod.metadata.has_finalizer(&self.config.tracking_finalizer);
        if let Some(key) = old.filter(|_| old != new).and_then(|old| self.resolve(before, old)) {
            self.observe_removal(&key, pod, free);
            self.enqueue_for_pod(key, now);
        }
        let Some(new) = new else {
            self.free(pod, now);
            if old.is_some() || before.metadata.labels != pod.metadata.labels {
                self.enqueue_selecting(pod, now);
            }
            return;
        };
        if let Some(key) = self.resolve(pod, new) {
            self.observe_removal(&key, pod, free);
            self.enqueue_for_pod(key, now);
        }
    }

    /// A pod is gone (`last`), or is being deleted (J-14).
    pub(crate) fn pod_deleted(&mut self, pod: &Pod, last: bool, now: Timestamp) {
        let resolved = pod.metadata.controller().and_then(|controller| self.resolve(pod, controller));
        let Some(key) = resolved.filter(|key| self.store.job(key).is_some_and(|job| !job.finished())) else {
            return self.free(pod, now);
        };
        let free = last || !pod.metadata.has_finalizer(&self.config.tracking_finalizer);
        self.memories.entry(key.clone()).or_default().expectations.deletion_observed();
        self.observe_removal(&key, pod, free);
        self.enqueue_for_pod(key, now);
    }

    /// The Job that a controller reference means, if it is there (spec/job.md §2).
    fn resolve(&self, pod: &Pod, controller: &OwnerReference) -> Option<JobKey> {
        let key = JobKey { namespace: pod.metadata.namespace.clone(), name: controller.name.clone() };
        let found = &*controller.kind == api::Kind::Job.name() && self.store.job(&key)?.metadata.uid == controller.uid;
        found.then_some(key)
    }

    fn observe_removal(&mut self, key: &JobKey, pod: &Pod, removed: bool) {
        if let Some(memory) = self.memories.get_mut(key).filter(|_| removed) {
            memory.expectations.removal_observed(&pod.metadata.uid);
        }
    }

    fn enqueue_for_pod(&mut self, key: JobKey, now: Timestamp) {
        let at = self.batched(now);
        self.enqueue(key, "a pod changed", at);
    }

    /// Makes every Job due whose selector selects the pod; a pod without labels is selected by none (J-12).
    fn enqueue_selecting(&mut self, pod: &Pod, now: Timestamp) {
        if pod.metadata.labels.is_empty() {
            return;
        }
        let selects = |job: &&Job| job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.metadata.labels));
        let keys: Vec<JobKey> = self.store.jobs_in(&pod.metadata.namespace).filter(selects).map(|job| JobKey::of(&job.metadata)).collect();
        for key in keys {
            let at = self.batched(now);
            self.enqueue(key, "a pod without controller appeared or changed", at);
        }
    }

    /// Makes a pod due for a look at its finalizer, if it has it.
    fn free(&mut self, pod: &Pod, now: Timestamp) {
        if pod.metadata.has_finalizer(&self.config.tracking_finalizer) {
            let item = Item::Pod { namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() };
            self.orphans.add(item, "a pod may hold a finalizer that is left over", now);
        }
    }

    fn free_selected(&mut self, job: &Job, now: Timestamp) {
        let Some(selector) = job.spec.selector.clone() else { return };
        let item = Item::Selected { job: JobKey::of(&job.metadata), selector };
        self.orphans.add(item, "pods of a Job that ended may hold a finalizer that is left over", now);
    }

    fn batched(&self, now: Timestamp) -> Timestamp {
        time::after(now, self.config.limits.sync_batch_period)
    }
}

/// When the Job's deadline is reached, if the deadline is another one than before (J-17).
fn new_deadline(before: &Job, job: &Job) -> Option<Timestamp> {
    let seconds = job.spec.active_deadline_seconds.filter(|_| before.spec.active_deadline_seconds != job.spec.active_deadline_seconds)?;
    Some(time::after(job.status.start_time?, Duration::from_secs(seconds)))
}
