//! What a Job's last plans must still show before its pods are managed again.
//!
//! Docs: spec/job.md §3 (J-30…J-33). Waiting for one's own writes by their version is in `freshness.rs`.

use std::collections::BTreeSet;

use api::{Duration, Text, Timestamp};

use crate::outcomes::Asked;
use crate::plan::{Expected, Intent};

/// Creations and deletions that a plan asked for and no event has shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expectations {
    pods: Option<Unmet>,
    /// UIDs of pods whose finalizer is being taken away and that are treated as if it were gone (J-33).
    pub(crate) removals: BTreeSet<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Unmet {
    creations: i64,
    deletions: i64,
    since: Timestamp,
}

impl Expectations {
    /// Replaces what was expected by what a plan asks for (J-30); finalizers that it takes are expected to go (J-33).
    pub(crate) fn expect(&mut self, expected: Option<Expected>, commands: &[Asked], now: Timestamp) {
        let number = |count: usize| count.try_into().unwrap_or(i64::MAX);
        match expected {
            Some(Expected::Creations(count)) => self.pods = Some(Unmet { creations: number(count), deletions: 0, since: now }),
            Some(Expected::Deletions(count)) => self.pods = Some(Unmet { creations: 0, deletions: number(count), since: now }),
            None => {}
        }
        for asked in commands {
            if let Intent::RemoveFinalizer { uid } = &asked.intent {
                self.removals.insert(uid.clone());
            }
        }
    }

    /// One creation was seen, or does not happen (J-11, J-32).
    pub(crate) fn creation_observed(&mut self) {
        if let Some(expected) = &mut self.pods {
            expected.creations -= 1;
        }
    }

    /// One deletion was seen, or does not happen; it may be another's (J-20, J-32).
    pub(crate) fn deletion_observed(&mut self) {
        if let Some(expected) = &mut self.pods {
            expected.deletions -= 1;
        }
    }

    /// Creations and deletions still expected, if any and if they are not too old to wait for (J-31).
    pub(crate) fn unmet(&self, timeout: Duration, now: Timestamp) -> Option<(i64, i64)> {
        let expected = self.pods.as_ref()?;
        let met = expected.creations <= 0 && expected.deletions <= 0 || now.duration_since(expected.since) > timeout;
        (!met).then_some((expected.creations.max(0), expected.deletions.max(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_met_when_seen_or_too_old() {
        let (start, timeout) = (Timestamp::UNIX_EPOCH, Duration::from_secs(300));
        let later = |seconds| api::time::after(start, Duration::from_secs(seconds));
        let mut expectations = Expectations::default();
        assert_eq!(expectations.unmet(timeout, start), None);
        expectations.expect(Some(Expected::Creations(2)), &[], start);
        expectations.creation_observed();
        assert_eq!(expectations.unmet(timeout, later(300)), Some((1, 0)));
        assert_eq!(expectations.unmet(timeout, later(301)), None);
        expectations.expect(Some(Expected::Deletions(1)), &[], start);
        expectations.deletion_observed();
        expectations.deletion_observed();
        assert_eq!(expectations.unmet(timeout, start), None);
    }
}
