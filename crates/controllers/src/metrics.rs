//! Metrics: what the controllers count.
//!
//! Docs: Kubernetes Metrics Reference, `job_controller_*` (J-150…J-161). Names, labels and meaning are upstream's, but for J-160: creations that failed do not count as succeeded.

use std::collections::BTreeMap;

use api::{Duration, Job, Kind, Pod};
use contract::metrics::{Family, Measure, Sample};

use crate::limits::SYNC_DURATION_BUCKETS;
use crate::plan::{Action, End, StatusWrite};

/// All counters, by their labels' values.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    syncs: BTreeMap<[&'static str; 3], Syncs>,
    finished: BTreeMap<[String; 3], u64>,
    pods_finished: BTreeMap<[&'static str; 2], u64>,
    indexes_finished: BTreeMap<[&'static str; 2], u64>,
    judged: BTreeMap<&'static str, u64>,
    finalizers: BTreeMap<&'static str, u64>,
    creations: BTreeMap<[&'static str; 2], u64>,
    external: BTreeMap<String, u64>,
    stale: BTreeMap<Kind, u64>,
}

#[derive(Debug, Default)]
struct Syncs {
    buckets: [u64; SYNC_DURATION_BUCKETS.len()],
    seconds: f64,
    count: u64,
}

impl Metrics {
    /// A sync is over (J-150, J-151).
    pub(crate) fn synced(&mut self, job: &Job, succeeded: bool, action: Action, took: Duration) {
        let action = match action {
            Action::Reconciling => "reconciling",
            Action::Tracking => "tracking",
            Action::PodsCreated => "pods_created",
            Action::PodsDeleted => "pods_deleted",
        };
        let syncs = self.syncs.entry([mode(job), if succeeded { "success" } else { "error" }, action]).or_default();
        let seconds = took.as_secs_f64();
        for (count, bound) in syncs.buckets.iter_mut().zip(SYNC_DURATION_BUCKETS) {
            *count += u64::from(seconds <= bound);
        }
        syncs.seconds += seconds;
        syncs.count += 1;
    }

    /// The status was written (J-152…J-154).
    pub(crate) fn status_written(&mut self, job: &Job, write: &StatusWrite) {
        for (result, pods) in [("succeeded", write.succeeded), ("failed", write.failed)] {
            add(&mut self.pods_finished, [mode(job), result], pods);
        }
        if job.indexed() {
            let limit = if job.spec.backoff_limit_per_index.is_some() { "perIndex" } else { "global" };
            add(&mut self.indexes_finished, ["succeeded", limit], write.succeeded);
            add(&mut self.indexes_finished, ["failed", limit], write.failed_indexes);
        }
        if let Some(End { complete, reason, .. }) = &write.end {
            let result = if *complete { "succeeded" } else { "failed" };
            add(&mut self.finished, [mode(job).to_owned(), result.to_owned(), reason.to_string()], 1);
        }
    }

    /// The pod failure policy was applied (J-155).
    pub(crate) fn judged(&mut self, action: &'static str) {
        add(&mut self.judged, action, 1);
    }

    /// A pod was another one before (J-156).
    pub(crate) fn pod_changed(&mut self, finalizer: &str, before: Option<&Pod>, after: Option<&Pod>) {
        let held = |pod: Option<&Pod>| pod.is_some_and(|pod| pod.phase.ended() && pod.metadata.has_finalizer(finalizer));
        match (held(before), held(after)) {
            (false, true) => add(&mut self.finalizers, "add", 1),
            (true, false) => add(&mut self.finalizers, "delete", 1),
            (true, true) | (false, false) => {}
        }
    }

    /// A pod was to be created (J-157, J-160).
    pub(crate) fn pod_created(&mut self, reason: &'static str, succeeded: bool) {
        add(&mut self.creations, [reason, if succeeded { "succeeded" } else { "failed" }], 1);
    }

    /// A Job of another controller was seen for the first time (J-158).
    pub(crate) fn managed_by_other(&mut self, manager: &str) {
        add(&mut self.external, manager.to_owned(), 1);
    }

    /// A Job was not looked at, because the watch had not shown a write (J-159).
    pub(crate) fn stale(&mut self, kind: Kind) {
        add(&mut self.stale, kind, 1);
    }

    /// All of it, by name.
    pub(crate) fn families(&self) -> Vec<Family> {
        let syncs = |measure: fn(&Syncs) -> Measure| {
            self.syncs.iter().map(|(labels, syncs)| sample(&["completion_mode", "result", "action"], labels, measure(syncs))).collect()
        };
        vec![
            counters("job_finished_indexes_total", "Indexes that finished", &["status", "backoffLimit"], &self.indexes_finished),
            counters(
                "job_pods_creation_total",
                "Pods that were to be created, by why and with what success",
                &["reason", "status"],
                &self.creations,
            ),
            counters("job_pods_finished_total", "Pods that were counted as finished", &["completion_mode", "result"], &self.pods_finished),
            family("job_sync_duration_seconds", "Time that it took to work on a Job", syncs(Syncs::histogram)),
            family("job_syncs_total", "How often a Job was worked on", syncs(|syncs| Measure::Counter(syncs.count))),
            single(
                "jobs_by_external_controller_total",
                "Jobs that another controller manages",
                "controller_name",
                &self.external,
                String::as_str,
            ),
            counters("jobs_finished_total", "Jobs that finished", &["completion_mode", "result", "reason"], &self.finished),
            single(
                "pod_failures_handled_by_failure_policy_total",
                "Failed pods that a rule of a pod failure policy matched",
                "action",
                &self.judged,
                |action| action,
            ),
            family("stale_sync_skips_total", "Jobs that were not worked on, because the watch had not shown a write", self.stale_samples()),
            single(
                "terminated_pods_tracking_finalizer_total",
                "Ended pods that got or lost the tracking finalizer",
                "event",
                &self.finalizers,
                |event| event,
            ),
        ]
    }

    fn stale_samples(&self) -> Vec<Sample> {
        self.stale
            .iter()
            .map(|(kind, count)| sample(&["group", "resource"], &[kind.group(), kind.resource()], Measure::Counter(*count)))
            .collect()
    }
}

impl Syncs {
    fn histogram(&self) -> Measure {
        let buckets = SYNC_DURATION_BUCKETS.into_iter().zip(self.buckets).collect();
        Measure::Histogram { buckets, sum: self.seconds, count: self.count }
    }
}

fn mode(job: &Job) -> &'static str {
    if job.indexed() { api::job::INDEXED } else { api::job::NON_INDEXED }
}

fn add<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, number: u32) {
    if number > 0 {
        *counts.entry(key).or_default() += u64::from(number);
    }
}

fn counters<V: AsRef<str>, const N: usize>(name: &str, help: &str, labels: &[&str; N], counts: &BTreeMap<[V; N], u64>) -> Family {
    family(name, help, counts.iter().map(|(values, count)| sample(labels, values, Measure::Counter(*count))).collect())
}

fn single<K>(name: &str, help: &str, label: &str, counts: &BTreeMap<K, u64>, value: fn(&K) -> &str) -> Family {
    family(name, help, counts.iter().map(|(key, count)| sample(&[label], &[value(key)], Measure::Counter(*count))).collect())
}

fn family(name: &str, help: &str, samples: Vec<Sample>) -> Family {
    Family { name: format!("job_controller_{name}"), help: help.to_owned(), samples }
}

fn sample<V: AsRef<str>>(labels: &[&str], values: &[V], value: Measure) -> Sample {
    let labels = labels.iter().zip(values).map(|(label, value)| ((*label).to_owned(), value.as_ref().to_owned())).collect();
    Sample { labels, value }
}
