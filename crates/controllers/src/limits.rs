//! Every number that the controllers go by, with its source.
//!
//! Docs: spec/job.md §0. All of them are configuration; the defaults are upstream's.

use api::Duration;
use serde::{Deserialize, Deserializer};

/// Limits and delays. As JSON, lengths of time are numbers of seconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Limits {
    /// How long pod events and status changes are collected before a Job is looked at (J-04).
    #[serde(deserialize_with = "seconds")]
    pub sync_batch_period: Duration,
    /// The first delay after a refused request; it doubles with each further one (J-03).
    #[serde(deserialize_with = "seconds")]
    pub api_back_off: Duration,
    /// The longest delay after refused requests (J-03).
    #[serde(deserialize_with = "seconds")]
    pub api_back_off_max: Duration,
    /// The delay before a failed pod is replaced; it doubles with each further failure (J-94).
    #[serde(deserialize_with = "seconds")]
    pub pod_failure_back_off: Duration,
    /// The longest delay before a failed pod is replaced (J-94).
    #[serde(deserialize_with = "seconds")]
    pub pod_failure_back_off_max: Duration,
    /// How many ended pods one status write carries (J-125).
    pub max_uncounted_pods: usize,
    /// How many pods are created, or deleted as surplus, at a time (J-81a, J-86).
    pub max_pods_per_sync: usize,
    /// How many pods are created in the first batch; each further batch is twice as large (J-87).
    pub slow_start_batch: usize,
    /// After how long a write that no watch shows is no longer waited for (J-31).
    #[serde(deserialize_with = "seconds")]
    pub expectation_timeout: Duration,
    /// How long the watch is given to show a pod whose creation nobody answered, before it is created once more.
    #[serde(deserialize_with = "seconds")]
    pub unanswered_creation_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sync_batch_period: Duration::from_secs(1),
            api_back_off: Duration::from_secs(1),
            api_back_off_max: Duration::from_secs(60),
            pod_failure_back_off: Duration::from_secs(10),
            pod_failure_back_off_max: Duration::from_secs(600),
            max_uncounted_pods: 500,
            max_pods_per_sync: 500,
            slow_start_batch: 1,
            expectation_timeout: Duration::from_secs(300),
            unanswered_creation_timeout: Duration::from_secs(30),
        }
    }
}

/// What is left of the longest generated name for the part before the random characters.
pub(crate) const GENERATED_NAME_BASE: usize = 58;

/// Upper bounds of the ranges of `job_controller_job_sync_duration_seconds`: 4 ms, doubling (J-150).
pub(crate) const SYNC_DURATION_BUCKETS: [f64; 15] =
    [0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192, 16.384, 32.768, 65.536];

/// `first · 2^doublings`, at most `longest`.
#[must_use]
pub(crate) fn doubled(first: Duration, doublings: u32, longest: Duration) -> Duration {
    let factor = 2_i32.checked_pow(doublings).unwrap_or(i32::MAX);
    first.saturating_mul(factor).min(longest)
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    if !(0.0..=1e9).contains(&seconds) {
        return Err(serde::de::Error::custom(format_args!("{seconds} is no number of seconds from 0 to 1000000000")));
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let delays: Vec<i64> = (0..8).map(|n| doubled(Duration::from_secs(10), n, Duration::from_secs(600)).as_secs()).collect();
        assert_eq!(delays, [10, 20, 40, 80, 160, 320, 600, 600]);
        assert_eq!(doubled(Duration::from_secs(1), 4_000_000, Duration::from_secs(60)).as_secs(), 60);
    }
}
