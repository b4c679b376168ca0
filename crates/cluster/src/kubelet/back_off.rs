//! How long a container waits before it is started again in place.
//!
//! Docs: Pod Lifecycle, "How Pods handle problems with containers", "Container restarts". Jobs that start further pods wait by rules of
//! their own (J-94).

use api::Duration;

/// The wait before the second restart; each further one is twice as long.
const FIRST: Duration = Duration::from_secs(10);
/// The longest wait.
pub(super) const LONGEST: Duration = Duration::from_mins(5);
/// A container that ran longer than this is started again as if it had never been.
const FORGIVEN: Duration = Duration::from_mins(10);

/// The wait before the next restart of one container.
#[derive(Debug, Clone, Copy)]
pub struct RestartBackOff(Duration);

impl RestartBackOff {
    /// That of a container that was not restarted: there is none.
    pub const NONE: Self = Self(Duration::ZERO);

    /// That of a container that was restarted so often, the last time after a run of this length; all that is known of the others is their number.
    pub(super) fn after(restarts: u32, ran: Duration) -> Self {
        let mut back_off = Self::NONE;
        // It does not grow any further then.
        let restarts = restarts.min(10);
        (1..=restarts).for_each(|number| _ = back_off.next(if number == restarts { ran } else { Duration::ZERO }));
        back_off
    }

    /// The wait after a run of this length; the next one will be longer.
    pub fn next(&mut self, ran: Duration) -> Duration {
        if ran > FORGIVEN {
            *self = Self::NONE;
        }
        let wait = self.0;
        self.0 = if wait.is_zero() { FIRST } else { (wait * 2).min(LONGEST) };
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_minutes_until_a_long_run() {
        let mut back_off = RestartBackOff::NONE;
        let mut after = |seconds| back_off.next(Duration::from_secs(seconds)).as_secs();
        assert_eq!([0; 8].map(&mut after), [0, 10, 20, 40, 80, 160, 300, 300]);
        assert_eq!([600, 601, 0, 0].map(&mut after), [300, 0, 10, 20]);
    }
}
