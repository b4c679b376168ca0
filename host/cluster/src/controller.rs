//! The controller as a process among others: it waits to become the leader, leads, and restarts when it may not go on.
//!
//! Docs: Leases, "Leader election". The election is in `leader.rs`; what a leader does is in `driver.rs`.

use std::time::Duration;

use contract::Manager as _;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::backoff::RetryBackoff;
use crate::cluster::{Failure, RemoteCluster, Scope};
use crate::driver::{Driver, DriverEnd};
use crate::leader::{Candidate, Election, Term};

/// The pause after the controllers' memory was lost; each further one is twice as long.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// A controller that may be one of several.
pub struct Replica {
    /// What it does as the leader.
    pub driver: Driver,
    /// How the leader is found; without an election it leads.
    pub election: Option<Election>,
}

impl Replica {
    /// Runs until it is stopped; any other trouble is retried.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let looking = tokio::spawn(warn_of_missing_namespaces(self.driver.cluster.clone(), self.driver.scope.clone()));
        self.take_part(&mut stop).await;
        looking.abort();
        self.driver.notices.finish().await;
        if let Some(election) = &self.election {
            election.release().await;
        }
    }

    async fn take_part(&self, stop: &mut watch::Receiver<bool>) {
        let Some(election) = &self.election else { return self.lead(&Term::without_end(), stop).await };
        let mut candidate = Candidate::default();
        while let Some(term) = self.become_leader(election, &mut candidate, stop).await {
            tracing::info!("{} acquired the Lease and is the leader", election.identity);
            tokio::select! {
                () = self.lead(&term, stop) => return,
                reason = election.serve(&mut candidate, &term, &self.driver.health) => {
                    tracing::warn!("{} is no longer the leader: {reason}", election.identity);
                    self.driver.controllers.lead(false);
                    self.driver.controllers.lock().restart();
                }
            }
        }
    }

    /// Waits for the Lease; returns no term if it is stopped meanwhile.
    async fn become_leader(&self, election: &Election, candidate: &mut Candidate, stop: &mut watch::Receiver<bool>) -> Option<Term> {
        let (health, mut holder) = (&self.driver.health, None);
        loop {
            let stood = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return None,
                stood = election.stand(candidate) => stood,
            };
            match stood {
                Ok(Some(term)) => {
                    health.has("election");
                    return Some(term);
                }
                // One that could take over at any time is ready.
                Ok(None) => {
                    health.has("election");
                    if !candidate.holder().is_empty() && holder.as_deref() != Some(candidate.holder()) {
                        tracing::info!("{} is the leader; waiting for the Lease {}", candidate.holder(), election.name);
                        holder = Some(candidate.holder().to_owned());
                    }
                }
                Err(reason) => {
                    tracing::warn!("cannot acquire the Lease {}: {reason}; retrying", election.name);
                    health.lacks("election", reason);
                }
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return None,
                () = sleep(election.retry_period) => {}
            }
        }
    }

    /// Leads until it is stopped. Controllers whose memory was lost restart after a pause.
    async fn lead(&self, term: &Term, stop: &mut watch::Receiver<bool>) {
        self.driver.controllers.lead(true);
        let mut backoff = RetryBackoff::new(PAUSE, LONGEST_PAUSE);
        loop {
            let begin = Instant::now();
            let DriverEnd::Lost(reason) = self.driver.drive(term, stop).await else { return };
            let pause = backoff.pause_after(begin.elapsed());
            tracing::error!("the controllers crashed, which is a bug: {reason}; restarting in {} s", pause.as_secs());
            self.driver.health.lacks("component", &reason);
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                () = sleep(pause) => self.driver.health.has("component"),
            }
        }
    }
}

/// Warns of namespaces that are to be watched and do not exist. Without permission to read them, it does not.
async fn warn_of_missing_namespaces(cluster: RemoteCluster, scope: Scope) {
    let Scope::Some(namespaces) = scope else { return };
    for namespace in namespaces {
        let mut backoff = RetryBackoff::new(PAUSE, LONGEST_PAUSE);
        loop {
            match cluster.read(&format!("/api/v1/namespaces/{namespace}")).await {
                Err(Failure::NoAnswer(_)) => sleep(backoff.pause()).await,
                Err(Failure::Refused(error)) if error.not_found() => {
                    tracing::warn!("namespace {namespace} does not exist; watching it in case it is created");
                    break;
                }
                Ok(_) | Err(Failure::Refused(_) | Failure::Expired) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::cluster::tests::silent;

    #[tokio::test]
    async fn a_standby_stops_at_once_although_the_server_does_not_answer() {
        let (cluster, listener) = silent().await;
        let election = Election { renew_deadline: Duration::from_mins(1), ..crate::leader::tests::election(&cluster) };
        let controller = Replica { driver: crate::driver::tests::driver(cluster), election: Some(election) };
        let (stopper, stop) = watch::channel(false);
        let stopped = async {
            let _asked = listener.accept().await.unwrap();
            stopper.send_replace(true);
        };
        let both = async { tokio::join!(controller.run(stop), stopped) };
        timeout(Duration::from_secs(10), both).await.unwrap();
    }
}
