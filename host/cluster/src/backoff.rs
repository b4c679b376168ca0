//! Pauses between attempts at something that keeps failing.
//!
//! Docs: Pod Lifecycle, "Container restarts", describes the same for containers. Used by `controller.rs` and `cluster/reflector.rs`.

use std::time::Duration;

/// Pauses, each twice as long as the one before, up to a longest.
#[derive(Debug, Clone)]
pub(crate) struct RetryBackoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl RetryBackoff {
    /// Begins with the first pause.
    pub(crate) fn new(first: Duration, longest: Duration) -> Self {
        Self { first, longest, next: first }
    }

    /// How long to pause this time.
    pub(crate) fn pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.longest);
        pause
    }

    /// How long to pause after something that failed after this time; beyond the longest pause, it counts as having succeeded first.
    pub(crate) fn pause_after(&mut self, lasted: Duration) -> Duration {
        if lasted > self.longest {
            self.reset();
        }
        self.pause()
    }

    /// Begins again with the first pause, after something has succeeded.
    pub(crate) fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let mut backoff = RetryBackoff::new(Duration::from_secs(1), Duration::from_secs(5));
        let mut seconds = || [(); 5].map(|()| backoff.pause().as_secs());
        assert_eq!(seconds(), [1, 2, 4, 5, 5]);
        backoff.reset();
        assert_eq!(backoff.pause().as_secs(), 1);
    }

    #[test]
    fn failures_that_are_far_apart_do_not_add_up() {
        let mut backoff = RetryBackoff::new(Duration::from_secs(1), Duration::from_secs(5));
        assert_eq!([0, 5, 3, 6, 0].map(|lasted| backoff.pause_after(Duration::from_secs(lasted)).as_secs()), [1, 2, 4, 1, 2]);
    }
}
