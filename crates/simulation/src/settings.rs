//! The settings of the manager under test that invariants depend on.
//!
//! Docs: Jobs. The manager's own numbers are its business; they are set here.

use api::Duration;

/// Limits and delays that a manager was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How many pods one plan creates at most (J-86).
    pub pods_per_plan: usize,
    /// How many pods may be on their way into the counters (J-125).
    pub uncounted_pods: usize,
    /// The first delay before a failed pod is replaced; it doubles with each further failure (J-94).
    pub back_off: Duration,
    /// The longest such delay.
    pub back_off_max: Duration,
    /// How long to wait for a pod whose creation had no response.
    pub patience_unanswered: Duration,
    /// The first delay after a refused request; it doubles with each further one (J-03).
    pub api_back_off: Duration,
    /// The longest such delay.
    pub api_back_off_max: Duration,
    /// How long pods are waited for that no watch shows (J-31).
    pub expectation_timeout: Duration,
    /// Whether long lists come in parts, and some break off.
    pub lists_in_parts: bool,
    /// Whether there are CronJobs, and Jobs with a TTL.
    pub cron_jobs: bool,
    /// Whether pods are held back: by scheduling gates, a quota, images that are not there.
    pub standstills: bool,
    /// Whether Jobs ask for more than Kubernetes has, in annotations.
    pub rules: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pods_per_plan: 500,
            uncounted_pods: 500,
            back_off: Duration::from_secs(10),
            back_off_max: Duration::from_mins(10),
            patience_unanswered: Duration::from_secs(30),
            api_back_off: Duration::from_secs(1),
            api_back_off_max: Duration::from_mins(1),
            expectation_timeout: Duration::from_mins(5),
            lists_in_parts: false,
            cron_jobs: false,
            standstills: false,
            rules: false,
        }
    }
}

impl Settings {
    /// The delay after this many failures in a row (J-94).
    pub(crate) fn delay(&self, failures: u32) -> Duration {
        doubled(self.back_off, failures, self.back_off_max)
    }

    /// The delay after this many refusals in a row (J-03).
    pub(crate) fn api_delay(&self, refusals: u32) -> Duration {
        doubled(self.api_back_off, refusals, self.api_back_off_max)
    }
}

/// A delay that begins with the first one and doubles each time; none after no time at all.
fn doubled(first: Duration, times: u32, longest: Duration) -> Duration {
    (1..times).fold(if times == 0 { Duration::ZERO } else { first }, |delay, _| (delay + delay).min(longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let delays: Vec<i64> = (0..9).map(|failures| Settings::default().delay(failures).as_secs()).collect();
        assert_eq!(delays, [0, 10, 20, 40, 80, 160, 320, 600, 600]);
    }
}
