//! Plans on their way to the cluster: within a batch in parallel, not too many requests at once.
//!
//! Docs: `crates/component/wit/controllers.wit`, `plan`; which command is next is decided by `contract::Execution`. Which plan is next is decided by `driver.rs`, what a request becomes in `cluster/send.rs`.

use api::request::{ApiError, Outcome};
use contract::execution::Executed;
use contract::{Command, Execution, Plan};
use futures_util::future::join_all;
use tokio::sync::Semaphore;

use crate::cluster::RemoteCluster;
use crate::leader::Term;

/// Carries out plans.
pub struct Executor {
    /// The cluster; without one nothing is sent, and every command is refused.
    cluster: Option<RemoteCluster>,
    /// How many more requests may be under way.
    places: Semaphore,
}

impl Executor {
    /// Carries out plans on a cluster, with at most this many requests in flight.
    #[must_use]
    pub fn new(cluster: RemoteCluster, requests: usize) -> Self {
        Self { cluster: Some(cluster), places: Semaphore::new(requests) }
    }

    /// Carries out nothing.
    #[must_use]
    pub fn idle() -> Self {
        Self { cluster: None, places: Semaphore::new(1) }
    }

    /// Carries out a plan for as long as the term lasts.
    pub(crate) async fn execute(&self, plan: Plan, term: &Term) -> Executed {
        let mut execution = Execution::new(plan);
        let mut refused = false;
        while execution.next_command().is_some() {
            let outcomes = join_all(execution.next_commands().map(|command| self.carry_out(command, term))).await;
            for (command, outcome) in execution.next_commands().zip(&outcomes) {
                if let Outcome::Failed(error) = outcome
                    && !command.tolerates.contains(&error.code)
                {
                    self.log(command, error, !refused);
                    refused = true;
                }
            }
            outcomes.into_iter().for_each(|outcome| execution.record(outcome));
        }
        execution.end()
    }

    async fn carry_out(&self, command: &Command, term: &Term) -> Outcome {
        let refused = |reason: &str| {
            Outcome::Failed(ApiError { code: 403, reason: "Forbidden".to_owned(), message: reason.to_owned(), causes: Vec::new() })
        };
        let Some(cluster) = &self.cluster else { return refused("nothing is written in a dry run") };
        let _place = self.places.acquire().await.expect("the semaphore is never closed");
        cluster.pass().await;
        // Checked as late as possible: a process that was stopped may not be the leader any more.
        if !term.lasts() {
            return refused("another controller leads");
        }
        cluster.carry_out(&command.request).await
    }

    /// Logs a refusal: the first of a plan as a warning. Conflicts are expected.
    fn log(&self, Command { request, .. }: &Command, error: &ApiError, first: bool) {
        let (method, path) = (request.method.name(), &request.path);
        if self.cluster.is_some() && first && error.code != 409 {
            tracing::warn!("{method} {path}: {}; retrying", crate::cluster::Failure::Refused(error.clone()));
        } else {
            tracing::debug!("{method} {path}: {error}");
        }
    }
}
