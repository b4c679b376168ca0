//! A work queue: what is to be looked at, when, and never by two at once.
//!
//! Docs: spec/job.md §1 (J-01…J-04). What puts things into it is in `triggers.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Duration, Timestamp, time};

use crate::limits::{Limits, doubled};

/// A queue of keys with the time at which each is due. An earlier time replaces a later one (J-02).
#[derive(Debug)]
pub(crate) struct WorkQueue<K> {
    waiting: BTreeMap<K, Waiting>,
    due: BTreeSet<(Timestamp, u64, K)>,
    failures: BTreeMap<K, u32>,
    processing: BTreeSet<K>,
    added: u64,
}

#[derive(Debug)]
struct Waiting {
    at: Timestamp,
    order: u64,
    because: &'static str,
}

impl<K: Ord + Clone> WorkQueue<K> {
    pub(crate) fn new() -> Self {
        Self { waiting: BTreeMap::new(), due: BTreeSet::new(), failures: BTreeMap::new(), processing: BTreeSet::new(), added: 0 }
    }

    /// Makes the key due at a time, unless it is due earlier already.
    pub(crate) fn add(&mut self, key: K, because: &'static str, at: Timestamp) {
        if let Some(waiting) = self.waiting.get(&key) {
            if waiting.at <= at {
                return;
            }
            self.due.remove(&(waiting.at, waiting.order, key.clone()));
        }
        self.added += 1;
        self.due.insert((at, self.added, key.clone()));
        self.waiting.insert(key, Waiting { at, order: self.added, because });
    }

    /// Takes the key that has been due longest and that nobody works on (J-01); of several, the one added first.
    pub(crate) fn pop_due(&mut self, now: Timestamp) -> Option<K> {
        let found = self.due.iter().take_while(|(at, ..)| *at <= now).find(|(.., key)| !self.processing.contains(key))?.clone();
        self.due.remove(&found);
        self.waiting.remove(&found.2);
        self.processing.insert(found.2.clone());
        Some(found.2)
    }

    /// The work on the key is over; it may be taken again when it is due.
    pub(crate) fn done(&mut self, key: &K) {
        self.processing.remove(key);
    }

    /// When the first key that nobody works on is due, and why it was added.
    pub(crate) fn next_due(&self) -> Option<(Timestamp, &K, &'static str)> {
        let (at, _, key) = self.due.iter().find(|(.., key)| !self.processing.contains(key))?;
        Some((*at, key, self.waiting[key].because))
    }

    /// When the key is due.
    pub(crate) fn due_at(&self, key: &K) -> Option<Timestamp> {
        self.waiting.get(key).map(|waiting| waiting.at)
    }

    /// Makes the key due again after a failure, later after each further one (J-03). Tells after how long.
    pub(crate) fn back_off(&mut self, key: &K, limits: &Limits, now: Timestamp) -> Duration {
        let failures = self.failures.entry(key.clone()).or_default();
        let delay = doubled(limits.api_back_off, *failures, limits.api_back_off_max);
        *failures += 1;
        self.add(key.clone(), "a request failed and is tried again", time::after(now, delay));
        delay
    }

    /// How often in a row the key failed.
    pub(crate) fn failures(&self, key: &K) -> u32 {
        self.failures.get(key).copied().unwrap_or(0)
    }

    /// The key succeeded: the next failure is the first again (J-03).
    pub(crate) fn forget(&mut self, key: &K) {
        self.failures.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn the_earlier_time_wins() {
        let mut queue = WorkQueue::new();
        queue.add("a", "later", at(5));
        queue.add("a", "sooner", at(2));
        queue.add("a", "later again", at(9));
        assert_eq!(queue.next_due(), Some((at(2), &"a", "sooner")));
        assert_eq!(queue.pop_due(at(1)), None);
        assert_eq!(queue.pop_due(at(2)), Some("a"));
        assert_eq!(queue.next_due(), None);
    }

    #[test]
    fn of_keys_due_at_once_the_first_added_comes_first() {
        let mut queue = WorkQueue::new();
        queue.add("b", "", at(1));
        queue.add("a", "", at(1));
        assert_eq!((queue.pop_due(at(1)), queue.pop_due(at(1))), (Some("b"), Some("a")));
    }

    #[test]
    fn a_key_at_work_waits_until_it_is_done() {
        let mut queue = WorkQueue::new();
        queue.add("a", "", at(0));
        queue.pop_due(at(0));
        queue.add("a", "again", at(0));
        assert_eq!((queue.pop_due(at(1)), queue.next_due()), (None, None));
        queue.done(&"a");
        assert_eq!(queue.pop_due(at(1)), Some("a"));
    }

    #[test]
    fn failures_delay_1_2_4_seconds_until_forgotten() {
        let (mut queue, limits) = (WorkQueue::new(), Limits::default());
        let delays: Vec<i64> = (0..8).map(|_| queue.back_off(&"a", &limits, at(0)).as_secs()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 60, 60]);
        queue.forget(&"a");
        assert_eq!(queue.back_off(&"a", &limits, at(0)).as_secs(), 1);
    }
}
