//! What a Job's last plans must still show before its pods are managed again.
//!
//! Docs: rules J-30…J-33. Waiting for one's own writes by their version is in `runtime/watch_progress.rs`.

use std::collections::BTreeSet;

use api::{Text, Timestamp};

/// Creations and deletions that a plan requested and no event has shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expectations {
    pods: Option<Unmet>,
    /// UIDs of pods whose finalizer is being removed; they are treated as if it were gone (J-33).
    removals: BTreeSet<Text>,
}

/// What a plan expects the watch to show (J-30).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Creations(usize),
    Deletions(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Unmet {
    creations: i64,
    deletions: i64,
    /// When to stop waiting for it.
    expires_at: Timestamp,
}

impl Expectations {
    /// Replaces what was expected by what a plan requests (J-30), until a time (J-31).
    pub(crate) fn expect(&mut self, expected: Expected, expires_at: Timestamp) {
        let number = |count: usize| count.try_into().unwrap_or(i64::MAX);
        self.pods = Some(match expected {
            Expected::Creations(count) => Unmet { creations: number(count), deletions: 0, expires_at },
            Expected::Deletions(count) => Unmet { creations: 0, deletions: number(count), expires_at },
        });
    }

    /// Expects the finalizer of a pod to go (J-33).
    pub(crate) fn expect_removal(&mut self, uid: &Text) {
        self.removals.insert(uid.clone());
    }

    /// Whether the finalizer of a pod is expected to go.
    pub(crate) fn expects_removal(&self, uid: &str) -> bool {
        self.removals.contains(uid)
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

    /// A finalizer was seen to be gone, or is not taken away after all.
    pub(crate) fn removal_observed(&mut self, uid: &str) {
        self.removals.remove(uid);
    }

    /// A creation got no response: it is still expected, but for a shorter time.
    pub(crate) fn creation_unanswered(&mut self, expires_at: Timestamp) {
        if let Some(expected) = &mut self.pods {
            expected.expires_at = expires_at.min(expected.expires_at);
        }
    }

    /// Creations and deletions still expected, and until when, if there are any (J-31).
    pub(crate) fn unmet(&self, now: Timestamp) -> Option<(i64, i64, Timestamp)> {
        let expected = self.pods.as_ref().filter(|expected| expected.creations > 0 || expected.deletions > 0)?;
        (now <= expected.expires_at).then_some((expected.creations.max(0), expected.deletions.max(0), expected.expires_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_met_when_seen_or_too_old() {
        let start = Timestamp::UNIX_EPOCH;
        let later = |seconds| api::time::after(start, api::Duration::from_secs(seconds));
        let mut expectations = Expectations::default();
        assert_eq!(expectations.unmet(start), None);
        expectations.expect(Expected::Creations(2), later(300));
        expectations.creation_observed();
        assert_eq!(expectations.unmet(later(300)), Some((1, 0, later(300))));
        assert_eq!(expectations.unmet(later(301)), None);
        expectations.creation_unanswered(later(30));
        assert_eq!((expectations.unmet(later(30)).is_some(), expectations.unmet(later(31))), (true, None));
        expectations.expect(Expected::Deletions(1), later(300));
        expectations.deletion_observed();
        expectations.deletion_observed();
        assert_eq!(expectations.unmet(start), None);
    }
}
