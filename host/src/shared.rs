//! The controllers as the driver and the metrics endpoint share them.
//!
//! Docs: none of Kubernetes'. Everything happens on one thread; the lock is never held across an await.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use api::{Text, Timestamp};
use contract::ApiResource;
use contract::metrics::Family;

use crate::Guest;
use crate::metrics::{counters, gauge};
use crate::record::Recorded;

/// The controllers, and what is counted around them.
#[derive(Clone)]
pub struct SharedControllers {
    manager: Arc<Mutex<Recorded<Guest>>>,
    /// How often watches began, by the resource's plural name.
    watches: Arc<Mutex<BTreeMap<Text, u64>>>,
    leads: Arc<AtomicBool>,
}

impl SharedControllers {
    /// Shares the controllers, recorded or not.
    #[must_use]
    pub fn new(manager: Recorded<Guest>) -> Self {
        Self { manager: Arc::new(Mutex::new(manager)), watches: Arc::default(), leads: Arc::default() }
    }

    /// The controllers, for one call.
    pub fn lock(&self) -> MutexGuard<'_, Recorded<Guest>> {
        self.manager.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The watch of a resource has begun.
    pub(crate) fn watch_begun(&self, resource: &ApiResource) {
        *self.watches().entry(resource.plural.clone()).or_default() += 1;
    }

    fn watches(&self) -> MutexGuard<'_, BTreeMap<Text, u64>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether they act, or another one does.
    pub(crate) fn lead(&self, leads: bool) {
        self.leads.store(leads, Ordering::Relaxed);
    }

    /// What was counted, by the controllers and around them.
    #[must_use]
    pub fn metrics(&self) -> Vec<Family> {
        let mut recorded = self.lock();
        let mut families = recorded.manager().metrics(Timestamp::now());
        families.push(recorded.manager().calls());
        drop(recorded);
        let watches = self.watches();
        let restarts: Vec<(&str, u64)> = watches.iter().map(|(resource, begun)| (&**resource, begun - 1)).collect();
        families.push(counters("jobsmith_watch_restarts_total", "Watches that ended and were restarted", "resource", &restarts));
        families.push(gauge(
            "jobsmith_leader",
            "Whether this controller is the leader (1) or waits for the Lease (0)",
            self.leads.load(Ordering::Relaxed).into(),
        ));
        families
    }
}
