//! Holds: Jobs that are not planned again before the watch has shown what was written for them.
//!
//! Docs: spec/job.md J-35. How far the watches have come is in `freshness.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Kind, Text};

use crate::freshness::{Freshness, Unseen};
use crate::key::JobKey;

/// Jobs that wait for the watch.
#[derive(Debug, Default)]
pub(crate) struct Holds {
    held: BTreeMap<JobKey, Box<Hold>>,
    /// The first version that each of them waits for.
    versions: BTreeSet<(Kind, u64, JobKey)>,
}

#[derive(Debug)]
struct Hold {
    unseen: Unseen,
    /// The first version that is not seen: its entry in `versions`.
    waits_for: (Kind, u64),
    /// Whether it was told that the Job waits.
    told: bool,
}

impl Holds {
    /// Holds the Job until the writes are seen, however long that takes, if there is anything to wait for.
    pub(crate) fn hold(&mut self, key: &JobKey, unseen: Unseen, freshness: &Freshness) {
        let Some(waits_for) = unseen.first(freshness, &key.namespace) else { return };
        self.versions.insert((waits_for.0, waits_for.1, key.clone()));
        self.held.insert(key.clone(), Box::new(Hold { unseen, waits_for, told: false }));
    }

    /// The Jobs for which all is seen, now that the watch of this kind has come further in a namespace, or in all of them.
    pub(crate) fn shown(&mut self, kind: Kind, namespace: Option<&Text>, freshness: &Freshness) -> Vec<JobKey> {
        let first = (kind, 0, JobKey { namespace: Text::default(), name: Text::default() });
        let newest = namespace.map_or(u64::MAX, |namespace| freshness.seen(kind, namespace));
        let of_kind = self.versions.range(first..).take_while(|(of, version, _)| *of == kind && *version <= newest);
        let in_scope = of_kind.filter(|(.., key)| namespace.is_none_or(|namespace| *namespace == key.namespace));
        let shown = in_scope.filter(|(_, version, key)| freshness.has_shown(kind, &key.namespace, *version));
        let shown: Vec<JobKey> = shown.map(|(.., key)| key.clone()).collect();
        shown.into_iter().filter(|key| self.go_on(key, freshness)).collect()
    }

    /// Looks for the next version that a Job waits for. Tells whether there is none, so that the Job is held no longer.
    fn go_on(&mut self, key: &JobKey, freshness: &Freshness) -> bool {
        let Some(mut hold) = self.take(key) else { return false };
        let Some(waits_for) = hold.unseen.first(freshness, &key.namespace) else { return true };
        self.versions.insert((waits_for.0, waits_for.1, key.clone()));
        hold.waits_for = waits_for;
        self.held.insert(key.clone(), hold);
        false
    }

    /// Forgets that a Job is held. Tells whether it was.
    pub(crate) fn drop(&mut self, key: &JobKey) -> bool {
        self.take(key).is_some()
    }

    fn take(&mut self, key: &JobKey) -> Option<Box<Hold>> {
        let hold = self.held.remove(key)?;
        self.versions.remove(&(hold.waits_for.0, hold.waits_for.1, key.clone()));
        Some(hold)
    }

    /// Whether the Job is held.
    pub(crate) fn holds(&self, key: &JobKey) -> bool {
        self.held.contains_key(key)
    }

    /// What the Job waits for, told once.
    pub(crate) fn tell(&mut self, key: &JobKey, freshness: &Freshness) -> Option<(Kind, u64)> {
        let hold = self.held.get_mut(key).filter(|hold| !hold.told)?;
        hold.told = true;
        hold.unseen.first(freshness, &key.namespace)
    }

    /// The held Jobs whose waiting was not told.
    pub(crate) fn untold(&self) -> impl Iterator<Item = &JobKey> {
        self.held.iter().filter(|(_, hold)| !hold.told).map(|(key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_held_until_all_is_seen() {
        let (mut holds, mut freshness) = (Holds::default(), Freshness::default());
        let key = JobKey { namespace: "default".into(), name: "pi".into() };
        let mut unseen = Unseen::default();
        holds.hold(&key, unseen, &freshness);
        assert!(!holds.holds(&key));
        unseen.wrote(Kind::Job, "4");
        unseen.wrote(Kind::Pod, "5");
        holds.hold(&key, unseen, &freshness);
        freshness.observe(Kind::Job, &key.namespace, "4");
        assert_eq!(holds.shown(Kind::Job, Some(&key.namespace), &freshness), []);
        assert_eq!(holds.tell(&key, &freshness), Some((Kind::Pod, 5)));
        assert_eq!(holds.tell(&key, &freshness), None);
        freshness.observe(Kind::Pod, &key.namespace, "6");
        assert_eq!(holds.shown(Kind::Pod, None, &freshness), std::slice::from_ref(&key));
        assert!(holds.versions.is_empty() && holds.held.is_empty());
    }
}
