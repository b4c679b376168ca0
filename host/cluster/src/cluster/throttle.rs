//! How many requests a second may be sent: a bucket that fills steadily and lets a burst through.
//!
//! Docs: `--qps`, `--burst`, as client-go has them. Without them nothing is held back: API Priority and Fairness is the server's business.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// A limit on requests.
#[derive(Debug)]
pub struct Throttle {
    /// How long the bucket takes to refill by one request.
    interval: Duration,
    /// How many requests may be sent at once after a pause.
    burst: u32,
    /// When the bucket is full again.
    full_at: Mutex<Instant>,
}

impl Throttle {
    /// Lets `qps` requests a second through on average, and `burst` at once. Both are positive.
    #[must_use]
    pub fn new(qps: f64, burst: u32) -> Self {
        Self { interval: Duration::from_secs_f64(qps.recip()), burst, full_at: Mutex::new(Instant::now()) }
    }

    /// Waits until the next request may be sent.
    pub(crate) async fn pass(&self) {
        sleep_until(self.turn(Instant::now())).await;
    }

    /// When a request made at this time has its turn.
    fn turn(&self, now: Instant) -> Instant {
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        *full_at = (*full_at).max(now) + self.interval;
        now.max(*full_at - self.interval * self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_at_once_and_then_one_after_the_other() {
        let throttle = Throttle::new(10.0, 3);
        let begin = Instant::now();
        let waits: Vec<u128> = (0..6).map(|_| (throttle.turn(begin) - begin).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200, 300]);
        let later = begin + Duration::from_secs(1);
        assert_eq!(throttle.turn(later), later);
    }
}
