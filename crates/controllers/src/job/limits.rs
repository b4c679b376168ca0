//! Every number that the Job controller goes by, with its source.
//!
//! Docs: Jobs. All of them are configuration; the defaults are upstream's.

use api::Duration;
use api::back_off::{self, BackOff};
use api::json::Read;

use crate::runtime::metrics::doubling;

/// Limits and delays. As JSON, durations are texts as Go writes them: `100ms`, `1s`, `10m0s`.
#[derive(Debug, Clone, PartialEq, Eq, Read)]
#[read(strict)]
pub struct Limits {
    /// How long pod events and status changes are collected before a Job is synced (J-04).
    pub sync_batch_period: Duration,
    /// The first delay after a refused request; it doubles with each further one (J-03).
    pub api_back_off: Duration,
    /// The longest delay after refused requests (J-03).
    pub api_back_off_max: Duration,
    /// The delay before a failed pod is replaced; it doubles with each further failure (J-94).
    pub pod_failure_back_off: Duration,
    /// The longest delay before a failed pod is replaced (J-94).
    pub pod_failure_back_off_max: Duration,
    /// How many ended pods one status write carries (J-125).
    pub max_uncounted_pods: usize,
    /// How many pods are created, or deleted as surplus, at a time (J-81a, J-86).
    pub max_pods_per_sync: usize,
    /// How many pods are created in the first batch; each further batch is twice as large (J-87).
    pub slow_start_batch: usize,
    /// After how long creations and deletions that no watch shows are no longer expected (J-31).
    pub expectation_timeout: Duration,
    /// How long to wait for the watch to show a pod whose creation had no response, before it is created once more.
    pub unanswered_creation_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sync_batch_period: back_off::SYNC_BATCH_PERIOD,
            api_back_off: Duration::from_secs(1),
            api_back_off_max: Duration::from_secs(60),
            pod_failure_back_off: back_off::POD_FAILURES.first,
            pod_failure_back_off_max: back_off::POD_FAILURES.longest,
            max_uncounted_pods: 500,
            max_pods_per_sync: back_off::PODS_PER_SYNC,
            slow_start_batch: 1,
            expectation_timeout: Duration::from_secs(300),
            unanswered_creation_timeout: Duration::from_secs(30),
        }
    }
}

/// How long the part of a generated name before the random characters may be.
pub(crate) const GENERATED_NAME_BASE: usize = 58;

/// Upper bounds of the ranges of `job_controller_job_sync_duration_seconds`: 4 ms, doubling (J-150).
pub(crate) const SYNC_DURATION_BUCKETS: [Duration; 15] = doubling(4);

impl Limits {
    /// With a limit of 0, Jobs would wait forever.
    pub(crate) fn check(&self) -> Result<(), String> {
        let limits = [
            ("maxUncountedPods", self.max_uncounted_pods),
            ("maxPodsPerSync", self.max_pods_per_sync),
            ("slowStartBatch", self.slow_start_batch),
        ];
        match limits.into_iter().find(|(_, limit)| *limit == 0) {
            None => Ok(()),
            Some((name, _)) => Err(format!("{name}: must be at least 1")),
        }
    }

    /// How long a Job waits after refused requests (J-03).
    pub(crate) fn api_back_off(&self) -> BackOff {
        BackOff { first: self.api_back_off, longest: self.api_back_off_max }
    }
}
