//! Metrics: what the controllers count.
//!
//! Docs: Kubernetes Metrics Reference, `job_controller_*` (J-150…J-161), `workqueue_depth`. Names, labels and meaning are upstream's, but for J-160: creations that failed do not count as succeeded.

use api::{Duration, Job, Kind, Pod, Text};
use contract::metrics::{Family, Measure, Sample};

use crate::limits::SYNC_DURATION_BUCKETS;
use crate::plan::{Action, End, StatusWrite};

/// All that was counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// In order of metrics and of their labels' values.
    counts: Vec<Count>,
}

/// One count; only of durations there is more than a number.
#[derive(Debug, Default)]
struct Count {
    /// The place of the metric in [`METRICS`].
    metric: usize,
    /// The values of its labels.
    labels: Vec<Text>,
    number: u64,
    sum: Duration,
    /// How many were at most as long as each of [`SYNC_DURATION_BUCKETS`].
    buckets: [u64; SYNC_DURATION_BUCKETS.len()],
}

/// A metric: its name without prefix, what it counts, its labels.
struct Metric {
    name: &'static str,
    help: &'static str,
    labels: &'static [&'static str],
}

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

/// All metrics, by name.
const METRICS: [Metric; 10] = [
    Metric { name: "job_finished_indexes_total", help: "Indexes that finished", labels: &["status", "backoffLimit"] },
    Metric {
        name: "job_pods_creation_total",
        help: "Pods that were to be created, by why and with what success",
        labels: &["reason", "status"],
    },
    Metric { name: "job_pods_finished_total", help: "Pods that were counted as finished", labels: &["completion_mode", "result"] },
    Metric {
        name: "job_sync_duration_seconds",
        help: "Time that it took to work on a Job",
        labels: &["completion_mode", "result", "action"],
    },
    Metric { name: "job_syncs_total", help: "How often a Job was worked on", labels: &["completion_mode", "result", "action"] },
    Metric { name: "jobs_by_external_controller_total", help: "Jobs that another controller manages", labels: &["controller_name"] },
    Metric { name: "jobs_finished_total", help: "Jobs that finished", labels: &["completion_mode", "result", "reason"] },
    Metric {
        name: "pod_failures_handled_by_failure_policy_total",
        help: "Failed pods that a rule of a pod failure policy matched",
        labels: &["action"],
    },
    Metric {
        name: "stale_sync_skips_total",
        help: "Jobs that were not worked on, because the watch had not shown a write",
        labels: &["group", "resource"],
    },
    Metric {
        name: "terminated_pods_tracking_finalizer_total",
        help: "Ended pods that got or lost the tracking finalizer",
        labels: &["event"],
    },
];

impl Metrics {
    /// A sync is over (J-150, J-151).
    pub(crate) fn synced(&mut self, job: &Job, succeeded: bool, action: Action, took: Duration) {
        let action = match action {
            Action::Reconciling => "reconciling",
            Action::Tracking => "tracking",
            Action::PodsCreated => "pods_created",
            Action::PodsDeleted => "pods_deleted",
        };
        let labels = [mode(job), if succeeded { "success" } else { "error" }, action];
        self.add(SYNCS, &labels, 1);
        let duration = self.add(SYNC_DURATION, &labels, 1);
        duration.sum = duration.sum.saturating_add(took);
        for (count, bound) in duration.buckets.iter_mut().zip(SYNC_DURATION_BUCKETS) {
            *count += u64::from(took <= bound);
        }
    }

    /// The status was written (J-152…J-154).
    pub(crate) fn status_written(&mut self, job: &Job, write: &StatusWrite) {
        self.grow(PODS_FINISHED, &[mode(job), "succeeded"], write.succeeded);
        self.grow(PODS_FINISHED, &[mode(job), "failed"], write.failed);
        if job.indexed() {
            let limit = if job.spec.backoff_limit_per_index.is_some() { "perIndex" } else { "global" };
            self.grow(INDEXES_FINISHED, &["succeeded", limit], write.succeeded);
            self.grow(INDEXES_FINISHED, &["failed", limit], write.failed_indexes);
        }
        if let Some(End { complete, reason, .. }) = &write.end {
            self.add(JOBS_FINISHED, &[mode(job), if *complete { "succeeded" } else { "failed" }, reason], 1);
        }
    }

    /// The pod failure policy was applied (J-155).
    pub(crate) fn judged(&mut self, action: &'static str) {
        self.add(JUDGED, &[action], 1);
    }

    /// A pod was another one before (J-156).
    pub(crate) fn pod_changed(&mut self, finalizer: &str, before: Option<&Pod>, after: Option<&Pod>) {
        let held = |pod: Option<&Pod>| pod.is_some_and(|pod| pod.phase.ended() && pod.metadata.has_finalizer(finalizer));
        match (held(before), held(after)) {
            (false, true) => _ = self.add(FINALIZERS, &["add"], 1),
            (true, false) => _ = self.add(FINALIZERS, &["delete"], 1),
            (true, true) | (false, false) => {}
        }
    }

    /// A pod was to be created (J-157, J-160).
    pub(crate) fn pod_created(&mut self, reason: &'static str, succeeded: bool) {
        self.add(PODS_CREATED, &[reason, if succeeded { "succeeded" } else { "failed" }], 1);
    }

    /// A Job of another controller was seen for the first time (J-158).
    pub(crate) fn managed_by_other(&mut self, manager: &str) {
        self.add(EXTERNAL, &[manager], 1);
    }

    /// A Job was not looked at, because the watch had not shown a write (J-159).
    pub(crate) fn stale(&mut self, kind: Kind) {
        self.add(STALE, &[kind.group(), kind.resource()], 1);
    }

    /// All of it, by name.
    pub(crate) fn families(&self) -> Vec<Family> {
        let family = |(at, metric): (usize, &Metric)| {
            let samples = self.counts.iter().filter(|count| count.metric == at).map(|count| Sample {
                labels: metric.labels.iter().zip(&count.labels).map(|(label, value)| ((*label).to_owned(), value.to_string())).collect(),
                value: if at == SYNC_DURATION { count.histogram() } else { Measure::Counter(count.number) },
            });
            Family { name: format!("job_controller_{}", metric.name), help: metric.help.to_owned(), samples: samples.collect() }
        };
        METRICS.iter().enumerate().map(family).collect()
    }

    /// Adds a number, unless it is 0: what never occurred has no sample.
    fn grow(&mut self, metric: usize, labels: &[&str], number: u32) {
        if number > 0 {
            self.add(metric, labels, number);
        }
    }

    fn add(&mut self, metric: usize, labels: &[&str], number: u32) -> &mut Count {
        let values = |count: &Count| count.labels.iter().map(|value| &**value).cmp(labels.iter().copied());
        let found = self.counts.binary_search_by(|count| count.metric.cmp(&metric).then_with(|| values(count)));
        let at = found.unwrap_or_else(|at| {
            let labels = labels.iter().map(|&label| label.into()).collect();
            self.counts.insert(at, Count { metric, labels, ..Count::default() });
            at
        });
        self.counts[at].number += u64::from(number);
        &mut self.counts[at]
    }
}

/// How long each queue is, by its name.
pub(crate) fn depths(queues: [(&str, usize); 2]) -> Family {
    let sample = |(name, depth): (&str, usize)| Sample {
        labels: vec![("name".to_owned(), name.to_owned())],
        value: Measure::Gauge(depth.try_into().unwrap_or(i64::MAX)),
    };
    let help = "Jobs and pods that are due and were not taken up";
    Family { name: "workqueue_depth".to_owned(), help: help.to_owned(), samples: queues.map(sample).into() }
}

impl Count {
    fn histogram(&self) -> Measure {
        let buckets = SYNC_DURATION_BUCKETS.iter().map(Duration::as_secs_f64).zip(self.buckets).collect();
        Measure::Histogram { buckets, sum: self.sum.as_secs_f64(), count: self.number }
    }
}

fn mode(job: &Job) -> &'static str {
    if job.indexed() { api::job::INDEXED } else { api::job::NON_INDEXED }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_in_order_and_durations_fall_into_ranges() {
        assert!(METRICS.is_sorted_by_key(|metric| metric.name));
        let (mut metrics, job) = (Metrics::default(), serde_json::from_str::<Job>("{}").unwrap());
        metrics.synced(&job, true, Action::Tracking, Duration::from_millis(5));
        metrics.synced(&job, true, Action::Tracking, Duration::from_secs(100));
        let Measure::Histogram { buckets, sum, count } = metrics.families().remove(SYNC_DURATION).samples.remove(0).value else {
            panic!("durations are ranges")
        };
        assert_eq!((buckets[0], buckets[1], buckets[14], count), ((0.004, 0), (0.008, 1), (65.536, 1), 2));
        assert!((sum - 100.005).abs() < 1e-9);
    }
}
