//! The work on each key: one state, from the plan until the watch has shown what it wrote.
//!
//! Docs: rule J-35; `worker.rs` moves keys from state to state. What a controller does in each state is in its folder.

use std::collections::{BTreeSet, VecDeque};

use api::{Kind, Text};
use contract::PlanId;

use super::controller::Controller;
use super::lookup::Lookup;
use super::store::ObjectKey;
use super::watch_progress::{Unseen, WatchProgress};
use super::workqueue::Work;

/// The work on one key. A key without a state is idle.
#[derive(Debug)]
pub(crate) enum SyncState<C: Controller> {
    /// A plan is being carried out.
    InFlight(InFlight<C>),
    /// The watch has not shown all that was written.
    AwaitingWatch {
        /// What it is to show.
        unseen: Unseen,
        /// The first version that is not shown: its entry in the index.
        first: (Kind, u64),
        /// What is left of the sync after that.
        rest: Option<C::Rest>,
    },
    /// The rest of the sync comes next, before the queue's turn.
    Settling(C::Rest),
}

/// A plan that is being carried out.
#[derive(Debug)]
pub(crate) struct InFlight<C: Controller> {
    /// Its number.
    pub(crate) plan: PlanId,
    /// The UID of the object that it is about.
    pub(crate) uid: Text,
    /// What its requests are for, in order.
    pub(crate) requests: Vec<InFlightRequest<C::Intent>>,
    /// What the controller knows of it.
    pub(crate) sync: C::Sync,
}

/// A request that is being carried out.
#[derive(Debug)]
pub(crate) struct InFlightRequest<I> {
    pub(crate) intent: I,
    pub(crate) tolerates: &'static [u16],
    pub(crate) writes: Option<Kind>,
}

/// The states of all keys that are not idle.
#[derive(Debug)]
pub(crate) struct SyncStates<C: Controller> {
    states: Lookup<ObjectKey, SyncState<C>>,
    in_flight: Lookup<PlanId, ObjectKey>,
    /// The first version that each key awaits, by kind.
    awaited: [BTreeSet<(u64, ObjectKey)>; Kind::ALL.len()],
    /// Keys whose rest comes next, in order.
    settling: VecDeque<ObjectKey>,
}

impl<C: Controller> Default for SyncStates<C> {
    fn default() -> Self {
        Self {
            states: Lookup::default(),
            in_flight: Lookup::default(),
            awaited: std::array::from_fn(|_| BTreeSet::new()),
            settling: VecDeque::new(),
        }
    }
}

impl<C: Controller> SyncStates<C> {
    /// A plan for the key is being carried out.
    pub(crate) fn begin(&mut self, key: &ObjectKey, in_flight: InFlight<C>) {
        self.in_flight.insert(in_flight.plan, key.clone());
        self.states.insert(key.clone(), SyncState::InFlight(in_flight));
    }

    /// The plan of this number, which is not carried out any longer; `None` if it is not known.
    pub(crate) fn end(&mut self, plan: PlanId) -> Option<(ObjectKey, InFlight<C>)> {
        let key = self.in_flight.remove(&plan)?;
        match self.states.remove(&key) {
            Some(SyncState::InFlight(in_flight)) => Some((key, in_flight)),
            Some(SyncState::AwaitingWatch { .. } | SyncState::Settling(_)) | None => unreachable!("the index holds keys in flight only"),
        }
    }

    /// The requests of a sync are over: the rest waits for the watch, or comes next. Returns what happens to the key from here on.
    pub(crate) fn rest(&mut self, key: &ObjectKey, unseen: Unseen, rest: Option<C::Rest>, progress: &WatchProgress) -> Work {
        match (unseen.first(progress, &key.namespace), rest) {
            (Some(first), rest) => {
                self.awaited[first.0 as usize].insert((first.1, key.clone()));
                self.states.insert(key.clone(), SyncState::AwaitingWatch { unseen, first, rest });
                Work::Held
            }
            (None, Some(rest)) => {
                self.settling.push_back(key.clone());
                self.states.insert(key.clone(), SyncState::Settling(rest));
                Work::Busy
            }
            (None, None) => Work::None,
        }
    }

    /// The watch of this kind has progressed, in a namespace or in all of them. Returns the keys that have seen what they awaited first, and
    /// what is done with each from here on.
    pub(crate) fn shown(&mut self, kind: Kind, namespace: Option<&Text>, progress: &WatchProgress) -> Vec<(ObjectKey, Work)> {
        let newest = namespace.map_or(u64::MAX, |namespace| progress.seen(kind, namespace));
        let come = self.awaited[kind as usize].iter().take_while(|(version, _)| *version <= newest);
        let in_scope = come.filter(|(_, key)| namespace.is_none_or(|namespace| *namespace == key.namespace));
        let shown = in_scope.filter(|(version, key)| progress.has_shown(kind, &key.namespace, *version));
        let shown: Vec<ObjectKey> = shown.map(|(_, key)| key.clone()).collect();
        shown.into_iter().filter_map(|key| Some((key.clone(), self.go_on(&key, progress)?))).collect()
    }

    /// Looks for the next version that a key awaits.
    fn go_on(&mut self, key: &ObjectKey, progress: &WatchProgress) -> Option<Work> {
        let Some(SyncState::AwaitingWatch { unseen, rest, .. }) = self.drop_awaiting(key) else { return None };
        Some(self.rest(key, unseen, rest, progress))
    }

    fn drop_awaiting(&mut self, key: &ObjectKey) -> Option<SyncState<C>> {
        let Some(SyncState::AwaitingWatch { first, .. }) = self.states.get(key) else { return None };
        self.awaited[first.0 as usize].remove(&(first.1, key.clone()));
        self.states.remove(key)
    }

    /// The object of a key is gone: its sync is over, except for a plan that is being carried out. Returns whether the key is idle.
    pub(crate) fn forget(&mut self, key: &ObjectKey) -> bool {
        match self.states.get(key) {
            Some(SyncState::AwaitingWatch { .. }) => self.drop_awaiting(key).is_some(),
            Some(SyncState::Settling(_)) => self.states.remove(key).is_some(),
            Some(SyncState::InFlight(_)) | None => false,
        }
    }

    /// The next key whose rest is due, with the rest.
    pub(crate) fn next_rest(&mut self) -> Option<(ObjectKey, C::Rest)> {
        loop {
            let key = self.settling.pop_front()?;
            // A key that was forgotten is in the queue still.
            match self.states.remove(&key) {
                Some(SyncState::Settling(rest)) => return Some((key, rest)),
                Some(other) => _ = self.states.insert(key, other),
                None => {}
            }
        }
    }

    /// What the key awaits: the first version of a kind that the watch has not shown.
    pub(crate) fn awaited(&self, key: &ObjectKey) -> Option<(Kind, u64)> {
        match self.states.get(key)? {
            SyncState::AwaitingWatch { first, .. } => Some(*first),
            SyncState::InFlight(_) | SyncState::Settling(_) => None,
        }
    }

    /// How many requests of the key are being carried out, if any are.
    pub(crate) fn requests(&self, key: &ObjectKey) -> Option<usize> {
        match self.states.get(key)? {
            SyncState::InFlight(in_flight) => Some(in_flight.requests.len()),
            SyncState::AwaitingWatch { .. } | SyncState::Settling(_) => None,
        }
    }
}
