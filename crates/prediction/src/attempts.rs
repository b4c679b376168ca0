//! Attempts one after another with waits between them: when each begins, and how many have begun at a time. No attempt is gone through.
//!
//! Docs: Jobs, "Pod backoff failure policy" (J-94); Pod Lifecycle, "Container restarts". How long the waits are is decided in `api` and `cluster`.

use api::{Duration, time};

/// Milliseconds. A Job may fail two billion times in each of 100,000 indexes: a shorter number would not do.
pub(crate) type Milliseconds = u128;

/// Attempts that take equally long, with the waits between them, which grow up to the longest.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    runs_for: Milliseconds,
    /// The first waits.
    first: Vec<Milliseconds>,
    /// Each further one.
    longest: Milliseconds,
}

impl Attempts {
    /// Attempts of this length, with a back-off after each that is the longest once it does not grow; `wait` is what is left of it.
    pub(crate) fn new(
        runs_for: Milliseconds,
        back_offs: impl Iterator<Item = Duration>,
        wait: impl Fn(Milliseconds) -> Milliseconds,
    ) -> Self {
        let (mut first, mut longest) = (Vec::new(), None);
        for back_off in back_offs.map(milliseconds) {
            if longest == Some(back_off) {
                break;
            }
            first.push(wait(back_off));
            longest = Some(back_off);
        }
        Self { runs_for, first, longest: longest.map_or(0, wait) }
    }

    /// The wait before an attempt, counted from 1.
    pub(crate) fn wait_before(&self, attempt: u64) -> Milliseconds {
        let Some(place) = attempt.checked_sub(2) else { return 0 };
        usize::try_from(place).ok().and_then(|place| self.first.get(place)).copied().unwrap_or(self.longest)
    }

    /// All waits before an attempt.
    pub(crate) fn waited(&self, attempt: u64) -> Milliseconds {
        let waits = attempt.saturating_sub(1);
        let first = usize::try_from(waits).unwrap_or(usize::MAX).min(self.first.len());
        self.first[..first].iter().sum::<Milliseconds>() + Milliseconds::from(waits - first as u64) * self.longest
    }

    /// When an attempt begins, counted from the beginning of the first.
    pub(crate) fn begins(&self, attempt: u64) -> Milliseconds {
        Milliseconds::from(attempt.saturating_sub(1)) * self.runs_for + self.waited(attempt)
    }

    /// When an attempt ends.
    pub(crate) fn ends(&self, attempt: u64) -> Milliseconds {
        self.begins(attempt) + self.runs_for
    }

    /// How many attempts have begun before a time.
    pub(crate) fn begun_before(&self, at: Milliseconds) -> u64 {
        let growing = self.first.len() as u64 + 1;
        let begun = (1..=growing).take_while(|attempt| self.begins(*attempt) < at).count() as u64;
        if begun < growing {
            return begun;
        }
        let further = (at - 1 - self.begins(growing)) / (self.runs_for + self.longest).max(1);
        growing.saturating_add(u64::try_from(further).unwrap_or(u64::MAX))
    }

    /// How long an attempt takes.
    pub(crate) fn runs_for(&self) -> Milliseconds {
        self.runs_for
    }
}

/// A length of time as a number; nothing lasts less than no time.
pub(crate) fn milliseconds(length: Duration) -> Milliseconds {
    time::milliseconds(length).try_into().unwrap_or(0)
}

/// The same as a length of time, at most the longest.
pub(crate) fn duration(length: Milliseconds) -> Duration {
    i64::try_from(length).map_or(Duration::MAX, Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use api::back_off::POD_FAILURES;

    use super::*;

    #[test]
    fn attempts_are_counted_as_if_each_were_gone_through() {
        for runs_for in [0, 1, 5, 700] {
            let waits = || (1..).map(|failures| POD_FAILURES.after(failures));
            let attempts = Attempts::new(milliseconds(Duration::from_secs(runs_for)), waits(), |back_off| back_off);
            let (mut begins, mut waited) = (0, 0);
            for (attempt, wait) in (1..40).zip(waits()) {
                assert_eq!((attempts.begins(attempt), attempts.waited(attempt)), (begins, waited), "{attempt}");
                assert_eq!([begins, begins + 1].map(|at| attempts.begun_before(at)), [attempt - 1, attempt], "{attempt}");
                waited += milliseconds(wait);
                begins += milliseconds(wait) + milliseconds(Duration::from_secs(runs_for));
                assert_eq!(attempts.wait_before(attempt + 1), milliseconds(wait));
            }
        }
    }
}
