//! The view of a Job: all that a plan for it depends on, besides the time.
//!
//! Docs: Jobs, "Pod selector" (J-60). What is decided from it is in `reconcile.rs`; what the cluster stores, in `runtime/store.rs`.

use std::collections::BTreeSet;

use api::annotation::{FailureRules, InvalidAnnotation, JobExtensions, RetryDelay, RetryJitter};
use api::pod::Phase;
use api::{Duration, Job, Kind, Pod, Text, Timestamp};
use contract::{Notice, ObjectRef};

use super::backoff::ended_at;
use super::config::Config;
use super::memory::{Confirmed, Deletions, Memory};
use super::pod_failure_policy::{self, Judgement};
use super::{extensions, ownership, replacement};
use crate::runtime::order;
use crate::runtime::{ObjectKey, Store};

/// All that a plan for a Job depends on, besides the time.
#[derive(Debug)]
pub(crate) struct JobView<'a> {
    /// The Job.
    pub(crate) job: &'a Job,
    /// The pods whose controller has the Job's UID, by name (J-60); of those that have ended and were counted, only the notable ones.
    pub(crate) owned: Vec<&'a Pod>,
    /// The pods of the namespace without a controller, by name (J-60).
    pub(crate) loose: Vec<&'a Pod>,
    /// What the controller remembers of the Job.
    pub(crate) memory: &'a Memory,
    /// The Job as the API server has it, if it was read to adopt pods (J-63).
    pub(crate) confirmed: Option<&'a Confirmed>,
    /// What this sync has deleted already, if it goes on after a failure; those pods are not among the others.
    pub(crate) deletions: Deletions,
    /// How the controller is set up.
    pub(crate) config: &'a Config,
    /// What the Job asks for beyond its spec.
    pub(crate) extensions: JobExtensions,
    /// The annotation that means nothing, if there is one. Until it is corrected, no pod is created, and those that fail are not judged.
    pub(crate) invalid: Option<InvalidAnnotation>,
    /// When its pods were created, those that are gone too, ascending; nothing unless the Job asks for a start rate.
    pub(crate) creations: Vec<Timestamp>,
    /// Its pods, those that have ended and were counted too; nothing unless they carry their attempt (X-6…X-11).
    pub(crate) attempts: Vec<&'a Pod>,
}

impl<'a> JobView<'a> {
    /// The view of a Job.
    pub(crate) fn of(job: &'a Job, store: &'a Store, memory: &'a Memory, confirmed: Option<&'a Confirmed>, config: &'a Config) -> Self {
        let metadata = &job.metadata;
        let named = |name: &Text| store.pod(&ObjectKey { namespace: metadata.namespace.clone(), name: name.clone() });
        let open = store.open_pods(&metadata.namespace, &metadata.uid);
        let notable = memory.notable.iter().flatten().filter_map(named);
        let mut owned: Vec<&Pod> = open.chain(notable).filter(|pod| controlled(job, pod)).collect();
        if memory.notable.as_ref().is_some_and(|notable| !notable.is_empty()) {
            owned = by_name(&owned);
        }
        let nobody = Text::default();
        let loose = store.open_pods(&metadata.namespace, &nobody).chain(store.closed_pods(&metadata.namespace, &nobody));
        let loose: Vec<&Pod> = loose.collect();
        let (extensions, invalid) = extensions::read(job, config);
        let rated = extensions.start_rate.is_some();
        let mut creations: Vec<Timestamp> = if rated {
            pods(job, store).filter_map(|pod| pod.metadata.creation_timestamp).chain(memory.gone.iter().copied()).collect()
        } else {
            Vec::new()
        };
        creations.sort_unstable();
        let own = |pod: &&Pod| controlled(job, pod) && ownership::selects(job, pod);
        let attempts: Vec<&Pod> = if extensions.numbers_attempts() { pods(job, store).filter(own).collect() } else { Vec::new() };
        let (loose, deletions) = (by_name(&loose), Deletions::default());
        Self { job, owned, loose, memory, confirmed, deletions, config, extensions, invalid, creations, attempts }
    }

    /// The view of a sync that goes on after a failure. The pods that it has deleted count as terminating until the next sync, and as nothing else
    /// (J-134c).
    pub(crate) fn after_deleting(mut self, deletions: Deletions) -> Self {
        self.owned.retain(|pod| !deletions.done.contains_key(&pod.metadata.name));
        Self { deletions, ..self }
    }

    /// How many pods may run at a time.
    pub(crate) fn parallelism(&self) -> usize {
        self.job.spec.parallelism.unwrap_or(1).try_into().unwrap_or(0)
    }

    /// What a failed pod means.
    pub(crate) fn judge<'p>(&'p self, pod: &'p Pod) -> Judgement<'p> {
        pod_failure_policy::judge(self.job, self.failure_rules(), pod)
    }

    /// Whether a pod is replaced only once it has failed, and counts as failed only then (J-72): rules on failed pods require that too, as what a pod
    /// matches is known when it has ended.
    pub(crate) fn only_replace_failed(&self) -> bool {
        replacement::only_replace_failed(self.job) || self.failure_rules().is_some()
    }

    /// The rules on failed pods.
    pub(crate) fn failure_rules(&self) -> Option<&FailureRules> {
        self.extensions.on_failure.as_ref()
    }

    /// The delays that the Job asks for.
    pub(crate) fn retry_delay(&self) -> Option<&RetryDelay> {
        self.extensions.retry_delay.as_ref()
    }

    /// How much longer they are.
    pub(crate) fn retry_jitter(&self) -> Option<RetryJitter> {
        self.extensions.retry_jitter
    }

    /// The UID of the pod that failed last, at this time; that of the Job if the pod is gone, or nothing is drawn from it.
    pub(crate) fn failed_last(&self, at: Timestamp) -> &'a Text {
        let failed = |pod: &&&Pod| (pod.phase == Phase::Failed || pod.metadata.deleting()) && self.failed_at(pod) == at;
        let uids = self.attempts.iter().filter(failed).map(|pod| &pod.metadata.uid);
        uids.max().unwrap_or(&self.job.metadata.uid)
    }

    /// When a pod ended, as the Job's delays count it.
    pub(crate) fn failed_at(&self, pod: &Pod) -> Timestamp {
        ended_at(&self.extensions, pod)
    }

    /// For how long failed pods are replaced, and until when.
    pub(crate) fn retries_end(&self) -> Option<(Duration, Timestamp)> {
        Some((self.extensions.retry_within?, self.extensions.retries_end(self.job.status.start_time)?))
    }

    /// A Kubernetes Event about the Job.
    pub(crate) fn notice(&self, warning: bool, reason: &str, message: &str) -> Notice {
        notice(self.job, self.config, warning, reason, message)
    }
}

/// A Kubernetes Event about a Job.
pub(crate) fn notice(job: &Job, config: &Config, warning: bool, reason: &str, message: &str) -> Notice {
    Notice {
        regarding: ObjectRef::of(Kind::Job.name(), &job.metadata),
        reporting_controller: config.reporting_controller(),
        warning,
        reason: reason.to_owned(),
        message: message.to_owned(),
    }
}

/// All pods that the Job's UID controls, those that have ended and were counted too.
pub(super) fn pods<'a>(job: &Job, store: &'a Store) -> impl Iterator<Item = &'a Pod> {
    let (namespace, uid) = (&job.metadata.namespace, &job.metadata.uid);
    store.open_pods(namespace, uid).chain(store.closed_pods(namespace, uid))
}

/// Pods by name.
pub(super) fn by_name<'a>(pods: &[&'a Pod]) -> Vec<&'a Pod> {
    order::sorted(pods, |one, other| one.metadata.name.cmp(&other.metadata.name))
}

/// The names of the Job's pods that have ended and were counted, and that still matter to what is decided.
pub(super) fn notable(job: &Job, store: &Store) -> BTreeSet<Text> {
    let closed = store.closed_pods(&job.metadata.namespace, &job.metadata.uid);
    let mut names = BTreeSet::new();
    names.extend(closed.filter(|pod| is_notable(job, pod)).map(|pod| pod.metadata.name.clone()));
    names
}

/// Whether a pod that has ended and was counted still matters: it is to be released (J-62), or fails the Job (J-98).
pub(super) fn is_notable(job: &Job, pod: &Pod) -> bool {
    !ownership::selects(job, pod) || job.spec.pod_failure_policy.is_some() && pod_failure_policy::fails_job(job, pod)
}

fn controlled(job: &Job, pod: &Pod) -> bool {
    pod.metadata.controller().is_some_and(|owner| &*owner.kind == Kind::Job.name() && owner.name == job.metadata.name)
}
