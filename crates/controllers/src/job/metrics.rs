//! Metrics: what the Job controller counts.
//!
//! Docs: Kubernetes Metrics Reference, `job_controller_*` (J-150…J-161). Names, labels and meaning are upstream's, but for J-160: creations that failed
//! do not count as succeeded.

use api::{Duration, Job, Kind, Pod};
use contract::metrics::Family;

use super::limits::SYNC_DURATION_BUCKETS;
use super::plan::{End, StatusWrite, SyncAction};
use crate::runtime::metrics::{Counters, Metric};

/// All that was counted.
#[derive(Debug)]
pub(crate) struct Metrics(Counters);

const INDEXES_FINISHED: usize = 0;
const PODS_CREATED: usize = 1;
const PODS_FINISHED: usize = 2;
const SYNC_DURATION: usize = 3;
const SYNCS: usize = 4;
const EXTERNAL: usize = 5;
const JOBS_FINISHED: usize = 6;
const JUDGED: usize = 7;
const STALE: usize = 8;
const FINALIZERS: usize = 9;

const fn counter(name: &'static str, help: &'static str, labels: &'static [&'static str]) -> Metric {
    Metric { name, help, labels, buckets: &[] }
}

/// All metrics, by name.
const METRICS: [Metric; 10] = [
    counter("job_controller_job_finished_indexes_total", "Indexes that finished", &["status", "backoffLimit"]),
    counter("job_controller_job_pods_creation_total", "Pod creations, by reason and status", &["reason", "status"]),
    counter("job_controller_job_pods_finished_total", "Pods that were counted as finished", &["completion_mode", "result"]),
    Metric {
        name: "job_controller_job_sync_duration_seconds",
        help: "How long syncs of a Job took",
        labels: &["completion_mode", "result", "action"],
        buckets: &SYNC_DURATION_BUCKETS,
    },
    counter("job_controller_job_syncs_total", "Syncs of a Job", &["completion_mode", "result", "action"]),
    counter("job_controller_jobs_by_external_controller_total", "Jobs that another controller manages", &["controller_name"]),
    counter("job_controller_jobs_finished_total", "Jobs that finished", &["completion_mode", "result", "reason"]),
    counter(
        "job_controller_pod_failures_handled_by_failure_policy_total",
        "Failed pods that a rule of a pod failure policy matched",
        &["action"],
    ),
    counter(
        "job_controller_stale_sync_skips_total",
        "Syncs that were skipped because the watch had not shown a write",
        &["group", "resource"],
    ),
    counter("job_controller_terminated_pods_tracking_finalizer_total", "Ended pods that got or lost the tracking finalizer", &["event"]),
];

impl Default for Metrics {
    fn default() -> Self {
        Self(Counters::new(&METRICS))
    }
}

impl Metrics {
    /// A sync is over (J-150, J-151).
    pub(crate) fn synced(&mut self, job: &Job, succeeded: bool, action: SyncAction, took: Duration) {
        let action = match action {
            SyncAction::Reconciling => "reconciling",
            SyncAction::Tracking => "tracking",
            SyncAction::PodsCreated => "pods_created",
            SyncAction::PodsDeleted => "pods_deleted",
        };
        let labels = [mode(job), if succeeded { "success" } else { "error" }, action];
        self.0.add(SYNCS, &labels, 1);
        self.0.observe(SYNC_DURATION, &labels, took);
    }

    /// The status was written (J-152…J-154).
    pub(crate) fn status_written(&mut self, job: &Job, write: &StatusWrite) {
        self.0.add(PODS_FINISHED, &[mode(job), "succeeded"], write.succeeded);
        self.0.add(PODS_FINISHED, &[mode(job), "failed"], write.failed);
        if job.indexed() {
            let limit = if job.spec.backoff_limit_per_index.is_some() { "perIndex" } else { "global" };
            self.0.add(INDEXES_FINISHED, &["succeeded", limit], write.succeeded);
            self.0.add(INDEXES_FINISHED, &["failed", limit], write.failed_indexes);
        }
        if let Some(End { complete, reason, .. }) = &write.end {
            self.0.add(JOBS_FINISHED, &[mode(job), if *complete { "succeeded" } else { "failed" }, reason], 1);
        }
    }

    /// The pod failure policy was applied (J-155).
    pub(crate) fn judged(&mut self, action: &'static str) {
        self.0.add(JUDGED, &[action], 1);
    }

    /// Counts finalizers that a change of a pod added or removed (J-156).
    pub(crate) fn pod_changed(&mut self, finalizer: &str, before: Option<&Pod>, after: Option<&Pod>) {
        let held = |pod: Option<&Pod>| pod.is_some_and(|pod| pod.phase.ended() && pod.metadata.has_finalizer(finalizer));
        match (held(before), held(after)) {
            (false, true) => self.0.add(FINALIZERS, &["add"], 1),
            (true, false) => self.0.add(FINALIZERS, &["delete"], 1),
            (true, true) | (false, false) => {}
        }
    }

    /// A pod was to be created (J-157, J-160).
    pub(crate) fn pod_created(&mut self, reason: &'static str, succeeded: bool) {
        self.0.add(PODS_CREATED, &[reason, if succeeded { "succeeded" } else { "failed" }], 1);
    }

    /// A Job of another controller was seen for the first time (J-158).
    pub(crate) fn managed_by_other(&mut self, manager: &str) {
        self.0.add(EXTERNAL, &[manager], 1);
    }

    /// A Job was not synced, because the watch had not shown a write (J-159).
    pub(crate) fn stale(&mut self, kind: Kind) {
        self.0.add(STALE, &[kind.group(), kind.resource()], 1);
    }

    /// All of it, by name.
    pub(crate) fn families(&self) -> Vec<Family> {
        self.0.families()
    }
}

fn mode(job: &Job) -> &'static str {
    if job.indexed() { api::job::INDEXED } else { api::job::NON_INDEXED }
}

#[cfg(test)]
mod tests {
    use contract::metrics::{Histogram, Measure};

    use super::*;

    #[test]
    fn metrics_are_in_order_and_durations_fall_into_ranges() {
        assert!(METRICS.is_sorted_by_key(|metric| metric.name));
        let (mut metrics, job) = (Metrics::default(), serde_json::from_str::<Job>("{}").unwrap());
        metrics.synced(&job, true, SyncAction::Tracking, Duration::from_millis(5));
        metrics.synced(&job, true, SyncAction::Tracking, Duration::from_millis(8));
        metrics.synced(&job, true, SyncAction::Tracking, Duration::from_secs(100));
        let Measure::Histogram(Histogram { buckets, sum, count }) = metrics.families().remove(SYNC_DURATION).samples.remove(0).value else {
            panic!("durations are ranges")
        };
        assert_eq!((buckets[0], buckets[1], buckets[14], count), ((0.004, 0), (0.008, 2), (65.536, 2), 3));
        assert!((sum - 100.013).abs() < 1e-9);
    }
}
