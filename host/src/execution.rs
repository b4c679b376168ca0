//! One plan on its way: batch by batch, within a batch side by side, not too many requests at once.
//!
//! Docs: `crates/component/wit/controllers.wit`, `plan`. Which plan is next is decided by `driver.rs`, what a request becomes in `cluster/send.rs`.

use api::request::{ApiError, Outcome};
use contract::{Command, Reconciled};
use futures_util::future::join_all;
use tokio::sync::Semaphore;

use crate::cluster::Cluster;
use crate::leader::Term;

/// Carries out plans.
pub struct Executor {
    /// The cluster; without one nothing is sent, and every command is refused.
    cluster: Option<Cluster>,
    /// How many more requests may be under way.
    places: Semaphore,
}

impl Executor {
    /// Carries out plans on a cluster, with so many requests under way at once.
    #[must_use]
    pub fn new(cluster: Cluster, requests: usize) -> Self {
        Self { cluster: Some(cluster), places: Semaphore::new(requests) }
    }

    /// Carries out nothing.
    #[must_use]
    pub fn idle() -> Self {
        Self { cluster: None, places: Semaphore::new(1) }
    }

    /// Carries out a plan for as long as the term lasts: one outcome for each command, in order.
    pub(crate) async fn execute(&self, reconciled: Reconciled, term: &Term) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut failed = false;
        for batch in reconciled.plan.batches {
            if failed {
                outcomes.extend(batch.iter().map(|_| Outcome::Skipped));
                continue;
            }
            for (command, outcome) in join_all(batch.into_iter().map(|command| self.carry_out(command, term))).await {
                if let Outcome::Failed(error) = &outcome
                    && !command.tolerates.contains(&error.code)
                {
                    self.report(&command, error, !failed);
                    failed = true;
                }
                outcomes.push(outcome);
            }
        }
        outcomes
    }

    async fn carry_out(&self, command: Command, term: &Term) -> (Command, Outcome) {
        let refused = |reason: &str| {
            Outcome::Failed(ApiError { code: 403, reason: "Forbidden".to_owned(), message: reason.to_owned(), causes: Vec::new() })
        };
        let Some(cluster) = &self.cluster else { return (command, refused("nothing is written in a dry run")) };
        let _place = self.places.acquire().await.expect("the semaphore is never closed");
        // Asked as late as possible: a process that was stopped may not be the leader any more.
        if !term.lasts() {
            return (command, refused("another controller leads"));
        }
        let outcome = cluster.carry_out(&command.request).await;
        (command, outcome)
    }

    /// Tells what was refused: of a plan the first in full. Conflicts are part of the game.
    fn report(&self, Command { request, .. }: &Command, error: &ApiError, first: bool) {
        let (method, path) = (request.method.name(), &request.path);
        if self.cluster.is_some() && first && error.code != 409 {
            tracing::warn!("{method} {path}: {}; it is tried again", crate::cluster::Failure::Refused(error.clone()));
        } else {
            tracing::debug!("{method} {path}: {error}");
        }
    }
}
