//! Holds: Jobs that are not planned again before the watch has shown what was written for them.
//!
//! Docs: spec/job.md J-35. How far the watches have come is in `freshness.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Duration, Kind, Text, Timestamp, time};

use crate::freshness::{Freshness, Unseen};
use crate::key::JobKey;

/// Jobs that wait for the watch.
#[derive(Debug, Default)]
pub(crate) struct Holds {
    held: BTreeMap<JobKey, Hold>,
    /// The versions that are waited for, by kind and namespace.
    versions: BTreeMap<(Kind, Text), BTreeSet<(u64, JobKey)>>,
    expiries: BTreeSet<(Timestamp, JobKey)>,
}

#[derive(Debug)]
struct Hold {
    unseen: Unseen,
    /// The first of them that is not seen: its entry in `versions`.
    waits_for: (Kind, u64),
    expires_at: Timestamp,
    told: bool,
}

impl Holds {
    /// Holds the Job until the writes are seen, at most for `timeout`. Tells whether there is anything to wait for.
    pub(crate) fn hold(&mut self, key: &JobKey, unseen: Unseen, freshness: &Freshness, timeout: Duration, now: Timestamp) -> bool {
        let Some(waits_for) = unseen.first(freshness, &key.namespace) else { return false };
        let expires_at = time::after(now, timeout);
        self.wait(key, waits_for);
        self.expiries.insert((expires_at, key.clone()));
        self.held.insert(key.clone(), Hold { unseen, waits_for, expires_at, told: false });
        true
    }

    /// The Jobs for which all is seen, now that the watch of this kind has come further in this namespace.
    pub(crate) fn shown(&mut self, kind: Kind, namespace: &Text, freshness: &Freshness) -> Vec<JobKey> {
        let mut released = Vec::new();
        let place = (kind, namespace.clone());
        while let Some((_, key)) =
            self.versions.get(&place).and_then(BTreeSet::first).filter(|first| freshness.has_shown(kind, namespace, first.0))
        {
            let key = key.clone();
            let Some(mut hold) = self.take(&key) else { break };
            match hold.unseen.first(freshness, namespace) {
                Some(waits_for) => {
                    hold.waits_for = waits_for;
                    self.wait(&key, waits_for);
                    self.held.insert(key, hold);
                }
                None => {
                    self.expiries.remove(&(hold.expires_at, key.clone()));
                    released.push(key);
                }
            }
        }
        released
    }

    fn wait(&mut self, key: &JobKey, (kind, version): (Kind, u64)) {
        self.versions.entry((kind, key.namespace.clone())).or_default().insert((version, key.clone()));
    }

    fn take(&mut self, key: &JobKey) -> Option<Hold> {
        let hold = self.held.remove(key)?;
        let place = (hold.waits_for.0, key.namespace.clone());
        if let Some(waiting) = self.versions.get_mut(&place) {
            waiting.remove(&(hold.waits_for.1, key.clone()));
            if waiting.is_empty() {
                self.versions.remove(&place);
            }
        }
        Some(hold)
    }

    /// As [`shown`](Self::shown), in all namespaces.
    pub(crate) fn shown_everywhere(&mut self, kind: Kind, freshness: &Freshness) -> Vec<JobKey> {
        let namespaces: Vec<Text> = self.versions.keys().filter(|place| place.0 == kind).map(|place| place.1.clone()).collect();
        namespaces.iter().flat_map(|namespace| self.shown(kind, namespace, freshness)).collect()
    }

    /// The Jobs that have waited for too long (J-31).
    pub(crate) fn expired(&mut self, now: Timestamp) -> Vec<JobKey> {
        let mut expired = Vec::new();
        while let Some((_, key)) = self.expiries.first().filter(|(at, _)| *at <= now).cloned() {
            self.drop(&key);
            expired.push(key);
        }
        expired
    }

    /// Forgets that a Job is held. Tells whether it was.
    pub(crate) fn drop(&mut self, key: &JobKey) -> bool {
        let Some(hold) = self.take(key) else { return false };
        self.expiries.remove(&(hold.expires_at, key.clone()))
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

    /// When the first Job has waited for too long.
    pub(crate) fn first_expiry(&self) -> Option<&(Timestamp, JobKey)> {
        self.expiries.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_held_until_all_is_seen_or_it_took_too_long() {
        let (mut holds, mut freshness, timeout, now) =
            (Holds::default(), Freshness::default(), Duration::from_secs(300), Timestamp::UNIX_EPOCH);
        let key = JobKey { namespace: "default".into(), name: "pi".into() };
        let mut unseen = Unseen::default();
        assert!(!holds.hold(&key, unseen, &freshness, timeout, now));
        unseen.wrote(Kind::Job, "4");
        unseen.wrote(Kind::Pod, "5");
        assert!(holds.hold(&key, unseen, &freshness, timeout, now));
        freshness.observe(Kind::Job, &key.namespace, "4");
        assert_eq!(holds.shown(Kind::Job, &key.namespace, &freshness), []);
        assert_eq!(holds.tell(&key, &freshness), Some((Kind::Pod, 5)));
        assert_eq!(holds.tell(&key, &freshness), None);
        freshness.observe(Kind::Pod, &key.namespace, "6");
        assert_eq!(holds.shown(Kind::Pod, &key.namespace, &freshness), std::slice::from_ref(&key));
        assert!(holds.versions.is_empty() && holds.expiries.is_empty());

        unseen.wrote(Kind::Pod, "9");
        holds.hold(&key, unseen, &freshness, timeout, now);
        assert_eq!(holds.expired(now), []);
        assert_eq!(holds.expired(time::after(now, timeout)), [key]);
        assert!(holds.versions.is_empty() && holds.held.is_empty());
    }
}
