//! Tally: what each pod of a Job is at this moment.
//!
//! Docs: Jobs, "Controlling parallelism", "Job tracking with finalizers" (J-70…J-76, J-104). What an ended pod counts as is in `tracking.rs`.

use api::indexes::IndexSet;
use api::pod::Phase;
use api::{Pod, Text, Timestamp};

use super::backoff_per_index::{self, Held};
use super::failures::Failures;
use super::indexes::indexed_completions;
use super::view::JobView;
use crate::runtime::order;

/// A pod that is the Job's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claimed<'a> {
    pub(crate) pod: &'a Pod,
    /// Whether the pod is known to hold the tracking finalizer (J-33, J-65).
    pub(crate) tracked: bool,
    /// The pod's completion index, if it is one of this Job's.
    pub(crate) index: Option<u32>,
    /// The pod's phase, copied here because every pod's is read: with 100,000 pods, memory access takes most of the time.
    phase: Phase,
    deleting: bool,
    ready: bool,
}

impl<'a> Claimed<'a> {
    pub(crate) fn new(pod: &'a Pod, tracked: bool, index: Option<u32>) -> Self {
        Self { pod, tracked, index, phase: pod.phase, deleting: pod.metadata.deleting(), ready: pod.ready }
    }

    /// Whether the pod has not ended and is not being deleted (J-70).
    pub(crate) fn active(&self) -> bool {
        !self.phase.ended() && !self.deleting
    }

    /// Whether the pod has not ended and is being deleted (J-70).
    pub(crate) fn terminating(&self) -> bool {
        !self.phase.ended() && self.deleting
    }

    /// Whether the pod's condition Ready holds.
    pub(crate) fn ready(&self) -> bool {
        self.ready
    }

    /// Whether the pod counts as failed; one that is being deleted does at once, unless the Job replaces failed pods only (J-71).
    pub(crate) fn failed(&self, only_replace_failed: bool) -> bool {
        self.phase == Phase::Failed || !only_replace_failed && self.deleting && self.phase != Phase::Succeeded
    }

    pub(crate) fn succeeded(&self) -> bool {
        self.phase == Phase::Succeeded
    }

    pub(crate) fn uid(&self) -> &Text {
        &self.pod.metadata.uid
    }
}

/// The pods of a Job, counted.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    pub(crate) pods: &'a [Claimed<'a>],
    pub(crate) active: Vec<&'a Claimed<'a>>,
    pub(crate) ready: usize,
    pub(crate) terminating: Vec<&'a Claimed<'a>>,
    /// Pods that ended and are in no counter and on no list (J-74).
    pub(crate) new_succeeded: Vec<&'a Claimed<'a>>,
    /// Likewise; those that a policy ignores are among them.
    pub(crate) new_failed: Vec<&'a Claimed<'a>>,
    /// Pods that succeeded, counted or not; for an Indexed Job see `indexes` (J-75).
    pub(crate) succeeded: i32,
    /// Pods that failed, counted or not (J-75).
    pub(crate) failed: i32,
    /// What is known of the indexes of an Indexed Job.
    pub(crate) indexes: Option<Indexes<'a>>,
    /// The UIDs of failed pods that stay until others carry what follows from them, sorted.
    kept: Vec<&'a str>,
    /// Whether a pod that is being deleted is neither failed nor replaced before it has ended (J-72).
    pub(crate) only_replace_failed: bool,
}

/// The indexes of an Indexed Job.
#[derive(Debug)]
pub(crate) struct Indexes<'a> {
    pub(crate) completions: u32,
    /// Indexes that succeeded, counted or not (J-104).
    pub(crate) succeeded: IndexSet,
    /// Indexes that failed, with `backoffLimitPerIndex` only (J-113).
    pub(crate) failed: Option<IndexSet>,
    /// Failed pods that are kept until their index has a next pod (J-111).
    pub(crate) held: Held<'a>,
}

impl<'a> Tally<'a> {
    /// Counts the pods.
    pub(crate) fn of(view: &JobView<'_>, pods: &'a [Claimed<'a>], now: Timestamp) -> Self {
        let only_replace_failed = view.only_replace_failed();
        let counted = Counted::of(view);
        let countable = |pod: &&Claimed<'_>| pod.tracked && (!view.job.indexed() || pod.index.is_some());
        let active: Vec<_> = pods.iter().filter(|pod| pod.active()).collect();
        let new_succeeded: Vec<_> = pods
            .iter()
            .filter(countable)
            .filter(|pod| pod.succeeded() && counted.succeeded.binary_search(&&**pod.uid()).is_err())
            .collect();
        let new_failed: Vec<_> = pods
            .iter()
            .filter(countable)
            .filter(|pod| pod.failed(only_replace_failed) && counted.failed.binary_search(&&**pod.uid()).is_err())
            .filter(|_| view.invalid.is_none())
            .collect();
        let counts = |pod: &&&Claimed<'_>| view.judge(pod.pod).counts;
        let status = &view.job.status;
        let mut tally = Self {
            pods,
            ready: active.iter().filter(|pod| pod.ready()).count(),
            active,
            terminating: pods.iter().filter(|pod| pod.terminating()).collect(),
            succeeded: status.succeeded.saturating_add(number(new_succeeded.len() + counted.succeeded.len())),
            failed: status.failed.saturating_add(number(new_failed.iter().filter(counts).count() + counted.failed.len())),
            new_succeeded,
            new_failed,
            indexes: None,
            kept: Vec::new(),
            only_replace_failed,
        };
        tally.indexes = indexed_completions(view.job).map(|completions| Indexes::of(view, &tally, completions, now));
        if let Some(indexes) = &tally.indexes {
            tally.succeeded = indexes.succeeded.len().try_into().unwrap_or(i32::MAX);
        }
        tally.kept = tally.pods_to_keep(view, now);
        tally
    }

    /// The failed pods that stay although they are being deleted: what follows from them would be gone with them. A pod that is kept for its index anyway
    /// is not among them (J-111).
    fn pods_to_keep(&self, view: &JobView<'_>, now: Timestamp) -> Vec<&'a str> {
        let drains = view.job.spec.completions.is_none() && self.succeeded > 0;
        if view.failure_rules().is_none() || drains || view.job.spec.backoff_limit_per_index.is_some() {
            return Vec::new();
        }
        let done = |index: u32| self.indexes.as_ref().is_some_and(|indexes| indexes.succeeded.contains(index));
        let mut deleted = self.new_failed.iter().filter(|pod| pod.deleting && !pod.index.is_some_and(done)).peekable();
        if deleted.peek().is_none() {
            return Vec::new();
        }
        let failures = Failures::of(view);
        sorted(deleted.filter(|pod| failures.needs(pod.pod, now)).map(|pod| pod.uid()))
    }

    /// Whether a failed pod stays until others carry what follows from it.
    pub(crate) fn is_kept(&self, pod: &Claimed<'_>) -> bool {
        self.kept.binary_search(&&**pod.uid()).is_ok()
    }

    /// Whether an index has failed: then no pod of it succeeds any more.
    pub(crate) fn index_failed(&self, index: u32) -> bool {
        self.indexes.as_ref().and_then(|indexes| indexes.failed.as_ref()).is_some_and(|failed| failed.contains(index))
    }
}

impl<'a> Indexes<'a> {
    fn of(view: &JobView<'_>, tally: &Tally<'a>, completions: u32, now: Timestamp) -> Self {
        let recorded = backoff_per_index::recorded(view.job, completions);
        let succeeded = tally.pods.iter().filter(|pod| pod.tracked && pod.succeeded()).filter_map(|pod| pod.index);
        let newly = ascending(succeeded.filter(|index| !recorded.contains(*index)));
        let succeeded = IndexSet::parse_leniently(&view.job.status.completed_indexes, completions).with(newly);
        let failed = backoff_per_index::failed_indexes(view, tally, &recorded, &succeeded, now);
        let held = failed.as_ref().map(|failed| backoff_per_index::held(view, tally, &succeeded, failed)).unwrap_or_default();
        Self { completions, succeeded, failed, held }
    }
}

/// UIDs on the lists of the status, sorted.
struct Counted<'a> {
    succeeded: Vec<&'a str>,
    failed: Vec<&'a str>,
}

impl<'a> Counted<'a> {
    fn of(view: &JobView<'a>) -> Self {
        match &view.job.status.uncounted_terminated_pods {
            Some(uncounted) => Self { succeeded: sorted(uncounted.succeeded.iter()), failed: sorted(uncounted.failed.iter()) },
            None => Self { succeeded: Vec::new(), failed: Vec::new() },
        }
    }
}

/// Texts in order.
pub(crate) fn sorted<'a>(texts: impl Iterator<Item = &'a Text>) -> Vec<&'a str> {
    let texts: Vec<&str> = texts.map(|text| &**text).collect();
    order::sorted(&texts, |one, other| one.cmp(other))
}

/// Indexes in ascending order, each once.
pub(crate) fn ascending(indexes: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut indexes: Vec<u32> = indexes.collect();
    indexes.sort_unstable();
    indexes.dedup();
    indexes
}

/// A number of pods as the API writes it.
pub(crate) fn number(pods: usize) -> i32 {
    pods.try_into().unwrap_or(i32::MAX)
}
