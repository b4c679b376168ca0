//! The loop: what the cluster shows is told to the controllers, and what they plan is carried out.
//!
//! Docs: Controllers, "Controller pattern"; the contract is in `crates/component/wit/controllers.wit`. A single plan is carried out in `execution.rs`; what the cluster shows comes from `cluster/reflector.rs`.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use api::request::Outcome;
use api::{Kind, Timestamp};
use contract::{Event, Manager as _, Part, PlanId, Reconciled};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::cluster::reflector::{Reflector, Told};
use crate::cluster::{Cluster, Scope};
use crate::execution::Executor;
use crate::health::Health;
use crate::journal;
use crate::leader::Term;
use crate::notices::Notices;
use crate::shared::Shared;

/// How many events may wait to be told; watches wait for the rest.
const WAITING: usize = 1000;
/// How long requests that are under way are waited for in the end.
const FINISHING: Duration = Duration::from_secs(4);
/// How many refused objects are remembered, so that each is told of once.
const REFUSALS: usize = 1000;

/// What drives the controllers on a cluster.
pub struct Driver {
    /// The cluster.
    pub cluster: Cluster,
    /// The namespaces that are looked after.
    pub scope: Scope,
    /// The controllers.
    pub controllers: Shared,
    /// How many Jobs are worked on side by side.
    pub workers: usize,
    /// Who carries plans out.
    pub executor: Executor,
    /// Who records Kubernetes Events.
    pub notices: Notices,
    /// Where it is told what is missing.
    pub health: Arc<Health>,
}

/// Why a driver ends.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// It was told to stop.
    Stopped,
    /// The controllers' memory was lost, for a reason: they are to be told everything again.
    Lost(String),
}

impl Driver {
    /// Drives until it is told to stop or the controllers lose their memory. Requests that are under way are waited for, up to 4 s.
    pub async fn drive(&self, term: &Term, stop: &mut watch::Receiver<bool>) -> End {
        let (teller, mut told) = channel(WAITING);
        let mut reflectors = JoinSet::new();
        for kind in Kind::ALL {
            self.health.lacks(kind.resource(), "they are not listed yet");
            reflectors.spawn(Reflector::new(self.cluster.clone(), kind, self.scope.clone(), teller.clone()).run());
        }
        drop(teller);
        let mut executing = FuturesUnordered::new();
        let mut refusals = BTreeSet::new();
        let end = loop {
            while executing.len() < self.workers
                && let Some(reconciled) = self.controllers.lock().next_plan(Timestamp::now())
            {
                self.begin(&reconciled, term);
                if !reconciled.plan.batches.is_empty() {
                    executing.push(self.execute(reconciled, term));
                }
            }
            if let Some(reason) = self.controllers.lock().lost() {
                break End::Lost(reason);
            }
            let mut due = pin!(sleep(if executing.len() < self.workers { self.pause() } else { Duration::MAX }));
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => break End::Stopped,
                Some((plan, outcomes)) = executing.next() => self.handle(Event::Finished { plan, outcomes }, &mut refusals),
                Some(first) = told.recv() => self.take(first, &mut told, &mut refusals),
                () = &mut due => {}
            }
        };
        drop(reflectors);
        let finished = async { while executing.next().await.is_some() {} };
        if timeout(FINISHING, finished).await.is_err() {
            tracing::warn!("requests that were under way are left to themselves");
        }
        end
    }

    /// How long nothing is due.
    fn pause(&self) -> Duration {
        let Some(wakeup) = self.controllers.lock().next_wakeup() else { return Duration::MAX };
        Duration::try_from(wakeup.at.duration_since(Timestamp::now())).unwrap_or_default()
    }

    /// Tells what has been decided.
    fn begin(&self, reconciled: &Reconciled, term: &Term) {
        journal::decided(reconciled);
        self.notices.record(&reconciled.plan.notices, term);
    }

    async fn execute(&self, reconciled: Reconciled, term: &Term) -> (PlanId, Vec<Outcome>) {
        (reconciled.id, self.executor.execute(reconciled, term).await)
    }

    /// Takes in what was told, and what else is there by now: plans are made of the newest state.
    fn take(&self, first: Told, told: &mut Receiver<Told>, refusals: &mut BTreeSet<String>) {
        let mut next = Some(first);
        let mut left = WAITING;
        while let Some(one) = next {
            match one {
                Told::Event(event) => {
                    let listed = match &event {
                        Event::Listed { kind, part: Part::Whole | Part::Last, .. } => Some(*kind),
                        Event::Listed { .. } | Event::Changed(_) | Event::Finished { .. } => None,
                    };
                    self.handle(event, refusals);
                    listed.into_iter().for_each(|kind| self.watched(kind));
                }
                Told::Trouble { kind, failure, pause } => {
                    let pause = humantime::format_duration(pause);
                    tracing::warn!("the watch of {} is interrupted: {failure}; trying again in {pause}", kind.resource());
                    self.health.lacks(kind.resource(), failure.to_string());
                }
                Told::Resumed(kind) => self.watched(kind),
            }
            left -= 1;
            next = if left == 0 { None } else { told.try_recv().ok() };
        }
    }

    fn watched(&self, kind: Kind) {
        self.health.has(kind.resource());
        self.controllers.watch_begun(kind);
    }

    fn handle(&self, event: Event, refusals: &mut BTreeSet<String>) {
        if let Err(refusal) = self.controllers.lock().handle(event, Timestamp::now()) {
            if refusals.len() >= REFUSALS {
                refusals.clear();
            }
            if refusals.insert(refusal.clone()) {
                tracing::error!("{refusal}; it is left alone until it changes");
            }
        }
    }
}
