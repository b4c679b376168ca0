//! How the manager under test is set up, as far as invariants depend on it.
//!
//! Docs: spec/job.md §0. The manager's own numbers are its business: whoever starts it says here which they are.

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
    /// How long a pod is waited for whose creation nobody answered.
    pub patience_unanswered: Duration,
    /// Whether whoever lists tells long lists in parts, and breaks some off.
    pub lists_in_parts: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            pods_per_plan: 500,
            uncounted_pods: 500,
            back_off: Duration::from_secs(10),
            back_off_max: Duration::from_mins(10),
            patience_unanswered: Duration::from_secs(30),
            lists_in_parts: false,
        }
    }
}

impl Settings {
    /// The delay after this many failures in a row (J-94).
    pub(crate) fn delay(&self, failures: u32) -> Duration {
        (1..failures).fold(if failures == 0 { Duration::ZERO } else { self.back_off }, |delay, _| (delay + delay).min(self.back_off_max))
    }
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
