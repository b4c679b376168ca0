//! The controllers as the driver and whoever asks for metrics share them.
//!
//! Docs: none of Kubernetes'. All of it happens on one thread; nobody holds the lock while waiting for anything.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::Kind;
use contract::metrics::Family;

use crate::Guest;
use crate::metrics::counters;

/// The controllers, and what is counted around them.
#[derive(Clone)]
pub struct Shared {
    guest: Arc<Mutex<Guest>>,
    interruptions: Arc<[AtomicU64; Kind::ALL.len()]>,
}

impl Shared {
    /// Shares the controllers.
    #[must_use]
    pub fn new(guest: Guest) -> Self {
        Self { guest: Arc::new(Mutex::new(guest)), interruptions: Arc::default() }
    }

    /// The controllers, for one call.
    pub fn lock(&self) -> MutexGuard<'_, Guest> {
        self.guest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watch of a kind was interrupted.
    pub(crate) fn watch_interrupted(&self, kind: Kind) {
        self.interruptions[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// What was counted, by the controllers and around them.
    #[must_use]
    pub fn metrics(&self) -> Vec<Family> {
        let mut families = self.lock().metrics();
        let interruptions = Kind::ALL.map(|kind| (kind.resource(), self.interruptions[kind as usize].load(Ordering::Relaxed)));
        families.push(counters(
            "jobsmith_watch_restarts_total",
            "Watches that were interrupted and begun again",
            "resource",
            &interruptions,
        ));
        families
    }
}
