//! Every number that the controllers go by, with its source.
//!
//! Docs: spec/job.md §0. All of them are configuration; the defaults are upstream's.

use api::Duration;
use serde::{Deserialize, Deserializer};

/// Limits and delays. As JSON, lengths of time are texts as Go writes them: `100ms`, `1s`, `10m0s`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Limits {
    /// How long pod events and status changes are collected before a Job is looked at (J-04).
    #[serde(deserialize_with = "length")]
    pub sync_batch_period: Duration,
    /// The first delay after a refused request; it doubles with each further one (J-03).
    #[serde(deserialize_with = "length")]
    pub api_back_off: Duration,
    /// The longest delay after refused requests (J-03).
    #[serde(deserialize_with = "length")]
    pub api_back_off_max: Duration,
    /// The delay before a failed pod is replaced; it doubles with each further failure (J-94).
    #[serde(deserialize_with = "length")]
    pub pod_failure_back_off: Duration,
    /// The longest delay before a failed pod is replaced (J-94).
    #[serde(deserialize_with = "length")]
    pub pod_failure_back_off_max: Duration,
    /// How many ended pods one status write carries (J-125).
    pub max_uncounted_pods: usize,
    /// How many pods are created, or deleted as surplus, at a time (J-81a, J-86).
    pub max_pods_per_sync: usize,
    /// How many pods are created in the first batch; each further batch is twice as large (J-87).
    pub slow_start_batch: usize,
    /// After how long creations and deletions that no watch shows are no longer expected (J-31).
    #[serde(deserialize_with = "length")]
    pub expectation_timeout: Duration,
    /// How long the watch is given to show a pod whose creation nobody answered, before it is created once more.
    #[serde(deserialize_with = "length")]
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
pub(crate) const SYNC_DURATION_BUCKETS: [Duration; 15] = {
    let mut bounds = [Duration::ZERO; 15];
    let mut doublings = 0;
    while doublings < bounds.len() {
        bounds[doublings] = Duration::from_millis(4 << doublings);
        doublings += 1;
    }
    bounds
};

/// `first · 2^doublings`, at most `longest`.
#[must_use]
pub(crate) fn doubled(first: Duration, doublings: u32, longest: Duration) -> Duration {
    let factor = 2_i32.checked_pow(doublings).unwrap_or(i32::MAX);
    first.saturating_mul(factor).min(longest)
}

/// Reads a length of time as Go writes it: `100ms`, `1.5s`, `10m0s`.
fn length<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text)
        .ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no length of time: write it as \"100ms\", \"1.5s\" or \"10m0s\"")))
}

fn parse(text: &str) -> Option<Duration> {
    let (mut rest, mut sum) = (text, Duration::ZERO);
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, unit) = rest.split_at(digits);
        let (unit, nanoseconds) = [("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000)]
            .into_iter()
            .find(|(name, _)| unit.starts_with(name))?;
        rest = &rest[digits + unit.len()..];
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let whole = if whole.is_empty() && !fraction.is_empty() { 0 } else { whole.parse::<i64>().ok()? };
        let part = fraction.bytes().take(9).rev().fold(0, |sum, digit| (sum + i64::from(digit.wrapping_sub(b'0')) * nanoseconds) / 10);
        let part = fraction.bytes().all(|byte| byte.is_ascii_digit()).then_some(part)?;
        sum = sum.checked_add(Duration::from_nanos(whole.checked_mul(nanoseconds)?.checked_add(part)?))?;
    }
    (!text.is_empty()).then_some(sum)
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

    #[test]
    fn lengths_of_time_are_read_as_go_writes_them() {
        let check = |text: &str, expected: Option<i128>| assert_eq!(parse(text).map(|length| length.as_millis()), expected, "{text}");
        for (text, milliseconds) in
            [("100ms", 100), ("1s", 1_000), ("1.5s", 1_500), ("10m0s", 600_000), ("1m30s", 90_000), ("2h", 7_200_000), (".25s", 250)]
        {
            check(text, Some(milliseconds));
        }
        for text in ["", "1", "s", "-1s", "1d", "1.s.s", "99999999999999h", "1 s"] {
            check(text, None);
        }
    }
}
