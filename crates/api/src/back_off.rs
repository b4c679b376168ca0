//! Back-off: delays that double with each failure, and how long the Job controller waits by default.
//!
//! Docs: Jobs, "Pod backoff failure policy" (J-03, J-04, J-94). Who waits for what is decided in `controllers`; what a kubelet waits is in `cluster`.

use crate::Duration;

/// How long the Job controller collects changes of pods before it acts on them (J-04).
pub const SYNC_BATCH_PERIOD: Duration = Duration::from_secs(1);
/// How many pods the Job controller creates, or deletes as surplus, at a time (J-81a, J-86).
pub const PODS_PER_SYNC: usize = 500;
/// How long a Job waits before it replaces a failed pod (J-94).
pub const POD_FAILURES: BackOff = BackOff { first: Duration::from_secs(10), longest: Duration::from_secs(600) };

/// A delay that doubles with each failure: that after the first one, and the longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    /// After the first failure.
    pub first: Duration,
    /// At most.
    pub longest: Duration,
}

impl BackOff {
    /// The delay after so many failures: `first · 2^(failures - 1)`, at most `longest`; none without a failure.
    #[must_use]
    pub fn after(self, failures: u32) -> Duration {
        let Some(doublings) = failures.checked_sub(1) else { return Duration::ZERO };
        let factor = 2_i32.checked_pow(doublings).unwrap_or(i32::MAX);
        self.first.saturating_mul(factor).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let delays: Vec<i64> = (0..9).map(|failures| POD_FAILURES.after(failures).as_secs()).collect();
        assert_eq!(delays, [0, 10, 20, 40, 80, 160, 320, 600, 600]);
        let seconds = BackOff { first: Duration::from_secs(1), longest: Duration::from_secs(60) };
        assert_eq!([4_000_000, u32::MAX].map(|failures| seconds.after(failures).as_secs()), [60, 60]);
    }
}
