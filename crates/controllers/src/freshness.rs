//! Read-your-writes: how far the watches have come, and whether they have shown what was written.
//!
//! Docs: spec/job.md J-35; Kubernetes API Concepts, "Resource versions". A version that is no number counts as shown.

use std::collections::{BTreeMap, BTreeSet};

use api::{Kind, Text};

/// The newest version that was seen of each kind in each namespace.
#[derive(Debug, Default)]
pub(crate) struct Freshness {
    seen: BTreeMap<(Kind, Text), u64>,
    listed: BTreeMap<Kind, u64>,
    /// As `seen`, when a plan was last asked for. Changes that came since then are in no order among each other.
    settled: BTreeMap<(Kind, Text), u64>,
    /// Where `seen` is ahead of `settled`.
    ahead: BTreeSet<(Kind, Text)>,
}

impl Freshness {
    /// A watch showed this version.
    pub(crate) fn observe(&mut self, kind: Kind, namespace: &Text, version: &str) {
        if let Ok(version) = version.parse::<u64>() {
            let seen = self.seen.entry((kind, namespace.clone())).or_default();
            *seen = version.max(*seen);
            self.ahead.insert((kind, namespace.clone()));
        }
    }

    /// A complete list of this version was seen; watches go on from it.
    pub(crate) fn observe_list(&mut self, kind: Kind, version: &str) {
        if let Ok(version) = version.parse() {
            self.listed.insert(kind, version);
        }
    }

    /// From here on, what is not newer than what was seen is old.
    pub(crate) fn settle(&mut self) {
        while let Some(place) = self.ahead.pop_first() {
            self.settled.insert(place.clone(), self.seen[&place]);
        }
    }

    /// Whether a change of this version repeats what was seen before.
    pub(crate) fn is_old(&self, kind: Kind, namespace: &Text, version: &str) -> bool {
        let settled = self.settled.get(&(kind, namespace.clone())).max(self.listed.get(&kind));
        version.parse().is_ok_and(|version: u64| settled.is_some_and(|settled| version <= *settled))
    }

    /// Whether the watches have come to this version.
    pub(crate) fn has_shown(&self, kind: Kind, namespace: &Text, version: u64) -> bool {
        self.seen(kind, namespace).is_some_and(|seen| version <= seen)
    }

    /// The newest version seen of a kind in a namespace.
    pub(crate) fn seen(&self, kind: Kind, namespace: &Text) -> Option<u64> {
        self.seen.get(&(kind, namespace.clone())).max(self.listed.get(&kind)).copied()
    }
}

/// The newest versions that were written for one key and must be seen before it is planned again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unseen {
    jobs: Option<u64>,
    pods: Option<u64>,
}

impl Unseen {
    /// An object of this version was written.
    pub(crate) fn wrote(&mut self, kind: Kind, version: &str) {
        let newest = match kind {
            Kind::Job => &mut self.jobs,
            Kind::Pod => &mut self.pods,
        };
        *newest = version.parse().ok().max(*newest);
    }

    /// The first kind of which a version is not shown, and that version.
    pub(crate) fn first(self, freshness: &Freshness, namespace: &Text) -> Option<(Kind, u64)> {
        let of = [(Kind::Job, self.jobs), (Kind::Pod, self.pods)];
        of.into_iter().find_map(|(kind, version)| {
            let version = version?;
            (!freshness.has_shown(kind, namespace, version)).then_some((kind, version))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_unseen_until_a_watch_or_a_list_comes_to_them() {
        let (mut freshness, mut unseen, namespace) = (Freshness::default(), Unseen::default(), Text::from("default"));
        unseen.wrote(Kind::Job, "7");
        unseen.wrote(Kind::Job, "5");
        unseen.wrote(Kind::Pod, "not a number");
        freshness.observe(Kind::Job, &namespace, "6");
        assert_eq!(unseen.first(&freshness, &namespace), Some((Kind::Job, 7)));
        freshness.observe_list(Kind::Job, "9");
        assert_eq!(unseen.first(&freshness, &namespace), None);
    }

    #[test]
    fn what_was_seen_before_the_last_plan_is_old() {
        let (mut freshness, namespace) = (Freshness::default(), Text::from("default"));
        freshness.observe(Kind::Pod, &namespace, "6");
        assert!(!freshness.is_old(Kind::Pod, &namespace, "5"));
        freshness.settle();
        assert!(freshness.is_old(Kind::Pod, &namespace, "6") && !freshness.is_old(Kind::Pod, &namespace, "7"));
        assert!(!freshness.is_old(Kind::Job, &namespace, "5"));
    }
}
