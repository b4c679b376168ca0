//! The loop: what the cluster shows goes to the controllers, and what they plan is carried out.
//!
//! Docs: Controllers, "Controller pattern"; the contract is in `crates/component/wit/controllers.wit`. A single plan is carried out in `execution.rs`; what the cluster shows comes from `cluster/reflector.rs`.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use api::Timestamp;
use contract::{ApiResource, Event, Manager as _, Plan};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::cluster::reflector::{Reflector, Update};
use crate::cluster::{RemoteCluster, Scope};
use crate::execution::Executor;
use crate::health::Health;
use crate::journal;
use crate::leader::Term;
use crate::notices::Notices;
use crate::shared::SharedControllers;

/// How many updates may wait to be handled; watches wait for the rest.
const WAITING: usize = 1000;
/// How long to wait for requests in flight at shutdown.
const FINISHING: Duration = Duration::from_secs(4);
/// How many malformed objects are remembered, so that each is logged once.
const MALFORMED: usize = 1000;

/// What drives the controllers on a cluster.
pub struct Driver {
    /// The cluster.
    pub cluster: RemoteCluster,
    /// The namespaces that are looked after.
    pub scope: Scope,
    /// What to list and watch.
    pub resources: Vec<ApiResource>,
    /// The controllers.
    pub controllers: SharedControllers,
    /// How many plans are carried out in parallel.
    pub workers: usize,
    /// Who carries plans out.
    pub executor: Executor,
    /// Who records Kubernetes Events.
    pub notices: Notices,
    /// Where what is missing is reported.
    pub health: Arc<Health>,
}

/// Why a driver ends.
#[derive(Debug, PartialEq, Eq)]
pub enum DriverEnd {
    /// It was stopped.
    Stopped,
    /// The controllers' memory was lost, for a reason: everything is to be listed again.
    Lost(String),
}

impl Driver {
    /// Drives until it is stopped or the controllers lose their memory. Requests that are under way are waited for, up to 4 s.
    pub async fn drive(&self, term: &Term, stop: &mut watch::Receiver<bool>) -> DriverEnd {
        let (sender, mut updates) = channel(WAITING);
        let mut reflectors = JoinSet::new();
        for resource in &self.resources {
            self.health.lacks(&resource.plural, "not listed yet");
            reflectors.spawn(Reflector::new(self.cluster.clone(), resource.clone(), self.scope.clone(), sender.clone()).run());
        }
        drop(sender);
        let mut executing = FuturesUnordered::new();
        let mut malformed = BTreeSet::new();
        let end = loop {
            while executing.len() < self.workers
                && let Some(plan) = self.controllers.lock().next_plan(Timestamp::now())
            {
                self.begin(&plan, term);
                if plan.commands().next().is_some() {
                    executing.push(self.executor.execute(plan, term));
                }
            }
            let mut due = pin!(sleep(if executing.len() < self.workers { self.pause() } else { Duration::MAX }));
            if let Some(reason) = self.controllers.lock().lost() {
                break DriverEnd::Lost(reason);
            }
            let lost = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => break DriverEnd::Stopped,
                Some(executed) = executing.next() => executed.event().and_then(|event| self.handle(event, &mut malformed)),
                Some(first) = updates.recv() => self.handle_updates(first, &mut updates, &mut malformed),
                () = &mut due => None,
            };
            if let Some(reason) = lost {
                break DriverEnd::Lost(reason);
            }
        };
        drop(reflectors);
        let finished = async { while executing.next().await.is_some() {} };
        if timeout(FINISHING, finished).await.is_err() {
            tracing::warn!("abandoning the requests in flight");
        }
        end
    }

    /// How long nothing is due.
    fn pause(&self) -> Duration {
        let Some(wakeup) = self.controllers.lock().next_wakeup() else { return Duration::MAX };
        Duration::try_from(wakeup.at.duration_since(Timestamp::now())).unwrap_or_default()
    }

    /// Logs what has been decided, and records its Events.
    fn begin(&self, plan: &Plan, term: &Term) {
        journal::decided(plan);
        self.notices.record(&plan.notices, term);
    }

    /// Handles an update, and all others that have arrived: plans are made from the newest state. It ends with the reason if the controllers lose their
    /// memory: the rest of a list means nothing to the next instance.
    fn handle_updates(&self, first: Update, updates: &mut Receiver<Update>, malformed: &mut BTreeSet<String>) -> Option<String> {
        let mut next = Some(first);
        let mut left = WAITING;
        while let Some(update) = next {
            match update {
                Update::Event(event) => {
                    if let Some(reason) = self.handle(event, malformed) {
                        return Some(reason);
                    }
                }
                Update::Watching(resource) => {
                    self.health.has(&resource.plural);
                    self.controllers.watch_begun(&resource);
                }
                Update::Interrupted { resource, failure, pause } => {
                    tracing::warn!("the watch of {} was interrupted: {failure}; retrying in {pause:?}", resource.plural);
                    self.health.lacks(&resource.plural, failure.to_string());
                }
            }
            left -= 1;
            next = if left == 0 { None } else { updates.try_recv().ok() };
        }
        None
    }

    /// Hands an event over; returns why the controllers' memory was lost, if it was.
    fn handle(&self, event: Event, known: &mut BTreeSet<String>) -> Option<String> {
        let mut controllers = self.controllers.lock();
        if let Err(malformed) = controllers.handle(event, Timestamp::now()) {
            if known.len() >= MALFORMED {
                known.clear();
            }
            let text = malformed.to_string();
            if !known.contains(&text) {
                tracing::error!("{text}; ignoring it until it changes");
                known.insert(text);
            }
        }
        controllers.lost()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use contract::{Listing, Part};
    use host_embed::Guest;
    use host_embed::record::Recorded;

    use super::*;
    use crate::cluster::tests::silent;

    /// What drives the controllers on a cluster, and neither writes nor records anything.
    pub(crate) fn driver(cluster: RemoteCluster) -> Driver {
        let guest = Guest::new(&crate::tests::component()).unwrap();
        Driver {
            cluster,
            scope: Scope::of(Vec::new()),
            resources: Vec::new(),
            controllers: SharedControllers::new(Recorded::new(guest, None)),
            workers: 1,
            executor: Executor::idle(),
            notices: Notices::discarded(),
            health: Arc::default(),
        }
    }

    #[tokio::test]
    async fn nothing_is_handled_after_the_controllers_lost_their_memory() {
        let driver = driver(silent().await.0);
        let listed =
            |part| Update::Event(Event::Listed(Listing { kind: "Pod".into(), part, resource_version: "1".into(), objects: Vec::new() }));
        let (sender, mut updates) = channel(WAITING);
        for part in [Part::First, Part::Whole, Part::Middle, Part::Last] {
            sender.try_send(listed(part)).unwrap();
        }
        let first = updates.recv().await.unwrap();
        let reason = driver.handle_updates(first, &mut updates, &mut BTreeSet::new()).unwrap();
        assert!(reason.contains("the host sent a part of a list of kind Pod that it has not begun"), "{reason}");
        assert!(matches!(updates.try_recv(), Ok(Update::Event(Event::Listed(Listing { part: Part::Last, .. })))));
        assert_eq!(driver.controllers.lock().lost(), None);
    }
}
