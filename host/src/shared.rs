//! The controllers as the driver and whoever asks for metrics share them.
//!
//! Docs: none of Kubernetes'. All of it happens on one thread; nobody holds the lock while waiting for anything.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::{Kind, Timestamp};
use contract::metrics::Family;

use crate::Guest;
use crate::metrics::counters;

/// The controllers, and what is counted around them.
#[derive(Clone)]
pub struct Shared {
    guest: Arc<Mutex<Guest>>,
    watches: Arc<[AtomicU64; Kind::ALL.len()]>,
}

impl Shared {
    /// Shares the controllers.
    #[must_use]
    pub fn new(guest: Guest) -> Self {
        Self { guest: Arc::new(Mutex::new(guest)), watches: Arc::default() }
    }

    /// The controllers, for one call.
    pub fn lock(&self) -> MutexGuard<'_, Guest> {
        self.guest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watch of a kind has begun.
    pub(crate) fn watch_begun(&self, kind: Kind) {
        self.watches[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// What was counted, by the controllers and around them.
    #[must_use]
    pub fn metrics(&self) -> Vec<Family> {
        let mut families = self.lock().metrics(Timestamp::now());
        let restarts = Kind::ALL.map(|kind| (kind.resource(), self.watches[kind as usize].load(Ordering::Relaxed).saturating_sub(1)));
        families.push(counters("jobsmith_watch_restarts_total", "Watches that ended and were begun again", "resource", &restarts));
        families
    }
}
