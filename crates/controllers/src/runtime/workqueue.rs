//! A work queue: which keys to sync and when, never two syncs of a key at once.
//!
//! Docs: rules J-01…J-04; client-go's work queues. What puts things into it are the triggers of each controller.

use std::collections::BTreeMap;

use api::back_off::BackOff;
use api::{Timestamp, time};

use super::lookup::Lookup;
use super::store::ObjectKey;

/// Items with the time at which each is due. An earlier time replaces a later one (J-02).
#[derive(Debug, Default)]
pub(crate) struct WorkQueue {
    items: Lookup<ObjectKey, State>,
    /// The items that are due at some time, by what is done with them, each with the order in which it was added.
    due: [BTreeMap<Place, ObjectKey>; 3],
    added: u64,
}

/// What is done with an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Work {
    /// Nothing: it may be taken when it is due.
    #[default]
    None,
    /// A sync works on it.
    Busy,
    /// Its sync waits, and that is reported when the item is due.
    Held,
}

/// What is known of an item; without any of it, the item is not kept.
#[derive(Debug, Default)]
struct State {
    due: Option<Due>,
    /// How often in a row it failed.
    failures: u32,
    work: Work,
}

/// When an item is due, and its number among all that were added.
type Place = (Timestamp, u64);

#[derive(Debug, Clone, Copy)]
struct Due {
    place: Place,
    because: &'static str,
}

impl WorkQueue {
    /// Makes the item due at a time, unless it is due earlier already.
    pub(crate) fn add(&mut self, item: ObjectKey, because: &'static str, at: Timestamp) {
        self.added += 1;
        let place = (at, self.added);
        self.change(&item, |state| {
            if state.due.is_none_or(|due| at < due.place.0) {
                state.due = Some(Due { place, because });
            }
        });
    }

    /// Takes the item that has been due longest and is not being processed (J-01); of several, the one added first.
    pub(crate) fn pop_due(&mut self, now: Timestamp) -> Option<ObjectKey> {
        let ((at, _), item) = self.first(Work::None)?;
        if at > now {
            return None;
        }
        let item = item.clone();
        self.change(&item, |state| (state.due, state.work) = (None, Work::Busy));
        Some(item)
    }

    /// Changes what is done with the item. When that is nothing, it may be taken again when it is due.
    pub(crate) fn mark(&mut self, item: &ObjectKey, work: Work) {
        self.change(item, |state| state.work = work);
    }

    /// When the first item in this state is due, and why it was added.
    pub(crate) fn next_due(&self, work: Work) -> Option<(Timestamp, &ObjectKey, &'static str)> {
        let ((at, _), item) = self.first(work)?;
        Some((at, item, self.items[item].due.map_or("", |due| due.because)))
    }

    /// How many items are due and not taken, including those that are being processed: they are taken once more.
    pub(crate) fn depth(&self, now: Timestamp) -> usize {
        self.due.iter().map(|due| due.keys().take_while(|(at, _)| *at <= now).count()).sum()
    }

    /// Makes the item due again after a failure, later after each further one (J-03). Returns when.
    pub(crate) fn back_off(&mut self, item: &ObjectKey, back_off: BackOff, now: Timestamp) -> Timestamp {
        let failed = self.change(item, |state| {
            state.failures += 1;
            state.failures
        });
        let at = time::after(now, back_off.after(failed));
        self.add(item.clone(), "a failed request is retried", at);
        at
    }

    /// How often in a row the item failed.
    pub(crate) fn failures(&self, item: &ObjectKey) -> u32 {
        self.items.get(item).map_or(0, |state| state.failures)
    }

    /// When the item is due, and why it was added.
    pub(crate) fn due(&self, item: &ObjectKey) -> Option<(Timestamp, &'static str)> {
        let due = self.items.get(item)?.due?;
        Some((due.place.0, due.because))
    }

    /// The item succeeded: the next failure is the first again (J-03).
    pub(crate) fn forget(&mut self, item: &ObjectKey) {
        self.change(item, |state| state.failures = 0);
    }

    fn first(&self, work: Work) -> Option<(Place, &ObjectKey)> {
        self.due[work as usize].first_key_value().map(|(place, item)| (*place, item))
    }

    fn change<Answer>(&mut self, item: &ObjectKey, change: impl FnOnce(&mut State) -> Answer) -> Answer {
        let state = self.items.entry(item.clone()).or_default();
        let before = state.place();
        let answer = change(state);
        let (after, known) = (state.place(), state.is_known());
        if before != after {
            before.map(|(work, place)| self.due[work as usize].remove(&place));
            after.map(|(work, place)| self.due[work as usize].insert(place, item.clone()));
        }
        if !known {
            self.items.remove(item);
        }
        answer
    }
}

impl State {
    fn place(&self) -> Option<(Work, Place)> {
        self.due.map(|due| (self.work, due.place))
    }

    fn is_known(&self) -> bool {
        !matches!(self, Self { due: None, failures: 0, work: Work::None })
    }
}

#[cfg(test)]
mod tests {
    use api::Duration;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    fn pod(name: &str) -> ObjectKey {
        ObjectKey { namespace: "default".into(), name: name.into() }
    }

    #[test]
    fn the_earlier_time_wins() {
        let mut queue = WorkQueue::default();
        queue.add(pod("a"), "later", at(5));
        queue.add(pod("a"), "sooner", at(2));
        queue.add(pod("a"), "later again", at(9));
        assert_eq!(queue.next_due(Work::None), Some((at(2), &pod("a"), "sooner")));
        assert_eq!(queue.pop_due(at(1)), None);
        assert_eq!(queue.pop_due(at(2)), Some(pod("a")));
        assert_eq!(queue.next_due(Work::None), None);
    }

    #[test]
    fn of_items_due_at_once_the_first_added_comes_first() {
        let mut queue = WorkQueue::default();
        queue.add(pod("b"), "", at(1));
        queue.add(pod("a"), "", at(1));
        assert_eq!((queue.pop_due(at(1)), queue.pop_due(at(1))), (Some(pod("b")), Some(pod("a"))));
    }

    #[test]
    fn an_item_at_work_waits_until_it_is_done() {
        let mut queue = WorkQueue::default();
        queue.add(pod("a"), "", at(0));
        queue.pop_due(at(0));
        queue.add(pod("a"), "again", at(0));
        assert_eq!((queue.pop_due(at(1)), queue.next_due(Work::None)), (None, None));
        queue.mark(&pod("a"), Work::None);
        assert_eq!(queue.pop_due(at(1)), Some(pod("a")));
        queue.mark(&pod("a"), Work::None);
        assert!(queue.items.is_empty() && queue.due.iter().all(BTreeMap::is_empty));
    }

    #[test]
    fn an_item_whose_sync_waits_is_due_apart_from_the_others() {
        let mut queue = WorkQueue::default();
        queue.add(pod("a"), "", at(0));
        queue.pop_due(at(0));
        queue.add(pod("a"), "again", at(1));
        assert_eq!((queue.next_due(Work::Held), queue.next_due(Work::None)), (None, None));
        queue.mark(&pod("a"), Work::Held);
        assert_eq!(queue.next_due(Work::Held), Some((at(1), &pod("a"), "again")));
        assert_eq!(queue.pop_due(at(1)), None);
        queue.mark(&pod("a"), Work::Busy);
        assert_eq!((queue.next_due(Work::Held), queue.depth(at(1))), (None, 1));
    }

    #[test]
    fn items_that_wait_for_their_time_are_not_in_the_queue() {
        let mut queue = WorkQueue::default();
        for (name, due) in [("a", 1), ("b", 2), ("c", 9), ("a", 2)] {
            queue.add(pod(name), "", at(due));
        }
        assert_eq!([0, 1, 2, 8, 9].map(|now| queue.depth(at(now))), [0, 1, 2, 2, 3]);
        queue.pop_due(at(2));
        assert_eq!(queue.depth(at(2)), 1);
        queue.add(pod("a"), "", at(2));
        assert_eq!((queue.depth(at(2)), queue.pop_due(at(2)), queue.depth(at(2))), (2, Some(pod("b")), 1), "a is due again, and worked on");
    }

    #[test]
    fn failures_delay_1_2_4_seconds_until_forgotten() {
        let (mut queue, back_off) = (WorkQueue::default(), BackOff { first: Duration::from_secs(1), longest: Duration::from_secs(60) });
        let delays: Vec<i64> = (0..8).map(|_| queue.back_off(&pod("a"), back_off, at(0)).as_second()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 60, 60]);
        queue.forget(&pod("a"));
        assert_eq!(queue.back_off(&pod("a"), back_off, at(0)).as_second(), 1);
    }
}
