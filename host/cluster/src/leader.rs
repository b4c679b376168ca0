//! Which of several controllers acts: the one that holds a Lease.
//!
//! Docs: Leases, "Leader election"; client-go, `leaderelection` for the meaning of the three lengths of time. The [`Term`] is checked before each write.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use api::Timestamp;
use api::request::ApiError;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{Api, ObjectMeta, PostParams};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::cluster::{Failure, RemoteCluster};
use crate::health::Health;

/// How long giving the Lease back may take; after that, others wait for its end.
const RELEASING: Duration = Duration::from_secs(2);

/// A candidate for leader, and where it competes.
#[derive(Clone)]
pub struct Election {
    /// The cluster in which the election is held.
    pub cluster: RemoteCluster,
    /// The Leases of the namespace in which it is held.
    pub leases: Api<Lease>,
    /// The Lease's name.
    pub name: String,
    /// The candidate: a name that no other process has.
    pub identity: String,
    /// How long others wait after they last saw the Lease renewed.
    pub lease_duration: Duration,
    /// How long a leader may fail to renew the Lease before it stops acting; less than `lease_duration`.
    pub renew_deadline: Duration,
    /// How long to wait between two attempts.
    pub retry_period: Duration,
}

/// The time for which this controller is known to be the leader.
#[derive(Debug, Clone)]
pub struct Term {
    /// Until when no other controller acts; without an end if there is no election.
    until: Option<Arc<Mutex<Instant>>>,
}

impl Term {
    /// A term without an end, where there is no election.
    #[must_use]
    pub fn without_end() -> Self {
        Self { until: None }
    }

    /// Whether this process is still the leader. A process that was paused in the meantime notices here.
    #[must_use]
    pub fn lasts(&self) -> bool {
        self.until.as_ref().is_none_or(|until| Instant::now() < *until.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn extend(&self, until: Instant) {
        if let Some(end) = &self.until {
            *end.lock().unwrap_or_else(PoisonError::into_inner) = until;
        }
    }
}

/// What a candidate has seen of a Lease.
#[derive(Default)]
pub struct Candidate {
    /// The Lease's version and holder, and when they were first seen. Clocks of others do not matter.
    seen: Option<(String, String, Instant)>,
}

impl Candidate {
    /// Who held the Lease when it was last read; empty: nobody.
    #[must_use]
    pub fn holder(&self) -> &str {
        self.seen.as_ref().map_or("", |(_, holder, _)| holder)
    }
}

impl Election {
    /// The election of the controllers of this name in a namespace.
    #[must_use]
    pub fn new(cluster: &RemoteCluster, namespace: &str, name: String, identity: String) -> Self {
        Self {
            cluster: cluster.clone(),
            leases: Api::namespaced(cluster.client(), namespace),
            name,
            identity,
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
        }
    }

    /// Tries once to become the leader.
    ///
    /// # Errors
    /// Why the Lease cannot be read or written, for people.
    pub async fn stand(&self, candidate: &mut Candidate) -> Result<Option<Term>, String> {
        let until = Instant::now() + self.renew_deadline;
        match timeout_at(until, self.take(candidate)).await {
            Ok(Ok(true)) => Ok(Some(Term { until: Some(Arc::new(Mutex::new(until))) })),
            Ok(Ok(false)) => Ok(None),
            // Another candidate was faster.
            Ok(Err(kube::Error::Api(status))) if status.code == 409 => Ok(None),
            Ok(Err(error)) => Err(self.failure(&error)),
            Err(_) => Err(self.silence()),
        }
    }

    /// Renews the Lease for as long as that succeeds; returns when the term is over, and why. A renewal that fails is reported at once.
    pub async fn serve(&self, candidate: &mut Candidate, term: &Term, health: &Health) -> String {
        let mut trouble = String::new();
        let mut renewed_at = Instant::now();
        loop {
            sleep(self.retry_period).await;
            let attempted_at = Instant::now();
            match timeout_at(renewed_at + self.renew_deadline, self.take(candidate)).await {
                Ok(Ok(true)) => {
                    renewed_at = attempted_at;
                    term.extend(attempted_at + self.renew_deadline);
                    if !std::mem::take(&mut trouble).is_empty() {
                        health.has("election");
                        tracing::info!("renewed the Lease {}", self.name);
                    }
                    continue;
                }
                Ok(Ok(false)) => return format!("{} holds the Lease", candidate.holder()),
                // A conflict does not mean that another one leads: any write to the Lease makes one.
                Ok(Err(error)) => {
                    let before = std::mem::replace(&mut trouble, self.failure(&error));
                    if trouble != before {
                        tracing::warn!("cannot renew the Lease {}: {trouble}; retrying", self.name);
                        health.lacks("election", &*trouble);
                    }
                }
                // The deadline may have cut it short: what failed before says more.
                Err(_) if trouble.is_empty() => trouble = self.silence(),
                Err(_) => {}
            }
            if renewed_at.elapsed() >= self.renew_deadline {
                return format!("could not renew the Lease for {} s: {trouble}", self.renew_deadline.as_secs());
            }
        }
    }

    /// Gives the Lease back, so that another one need not wait for its end.
    pub async fn release(&self) {
        // If that fails, the others wait for the Lease's end.
        let _ = timeout(RELEASING, self.give_back()).await;
    }

    async fn give_back(&self) {
        let Ok(mut lease) = self.leases.get(&self.name).await else { return };
        let spec = lease.spec.get_or_insert_default();
        if spec.holder_identity.as_deref() != Some(&*self.identity) {
            return;
        }
        let now = MicroTime(Timestamp::now());
        spec.holder_identity = Some(String::new());
        spec.lease_duration_seconds = Some(1);
        (spec.acquire_time, spec.renew_time) = (Some(now.clone()), Some(now));
        let _ = self.leases.replace(&self.name, &PostParams::default(), &lease).await;
    }

    /// Acquires or renews the Lease; returns whether it is ours, or who holds it.
    async fn take(&self, candidate: &mut Candidate) -> Result<bool, kube::Error> {
        let now = MicroTime(Timestamp::now());
        let Some(mut lease) = self.leases.get_opt(&self.name).await? else {
            let metadata = ObjectMeta { name: Some(self.name.clone()), ..ObjectMeta::default() };
            let lease = Lease { metadata, spec: Some(self.claim(&now, now.clone(), 0)) };
            return self.leases.create(&PostParams::default(), &lease).await.map(|_| true);
        };
        let spec = lease.spec.take().unwrap_or_default();
        let (version, holder) = (lease.metadata.resource_version.clone().unwrap_or_default(), spec.holder_identity.unwrap_or_default());
        if candidate.seen.as_ref().is_none_or(|(seen, ..)| *seen != version) {
            candidate.seen = Some((version, holder.clone(), Instant::now()));
        }
        let length =
            spec.lease_duration_seconds.and_then(|seconds| u64::try_from(seconds).ok()).map_or(self.lease_duration, Duration::from_secs);
        let held = !holder.is_empty() && candidate.seen.as_ref().is_some_and(|(.., since)| since.elapsed() < length);
        if held && holder != self.identity {
            return Ok(false);
        }
        let transitions = spec.lease_transitions.unwrap_or_default();
        lease.spec = Some(if holder == self.identity {
            self.claim(&now, spec.acquire_time.unwrap_or(now.clone()), transitions)
        } else {
            self.claim(&now, now.clone(), transitions.saturating_add(1))
        });
        self.leases.replace(&self.name, &PostParams::default(), &lease).await.map(|_| true)
    }

    fn claim(&self, now: &MicroTime, acquired: MicroTime, transitions: i32) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(i32::try_from(self.lease_duration.as_secs()).unwrap_or(i32::MAX)),
            acquire_time: Some(acquired),
            renew_time: Some(now.clone()),
            lease_transitions: Some(transitions),
            ..LeaseSpec::default()
        }
    }

    /// Why the Lease cannot be read or written, for people.
    fn failure(&self, error: &kube::Error) -> String {
        let kube::Error::Api(status) = error else { return self.cluster.no_answer(error).to_string() };
        let (code, reason, message) = (status.code, status.reason.clone(), status.message.clone());
        Failure::Refused(ApiError { code, reason, message, causes: Vec::new() }).to_string()
    }

    /// That no answer comes.
    fn silence(&self) -> String {
        format!("{} does not answer", self.cluster.address)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use host_serving::plain;
    use http::{Method, StatusCode};

    use super::*;
    use crate::cluster::tests::{answering, silent};

    const CONFLICT: &str =
        r#"{"kind":"Status","status":"Failure","message":"the object has been modified","reason":"Conflict","code":409}"#;

    /// An election that takes fractions of a second.
    pub(crate) fn election(cluster: &RemoteCluster) -> Election {
        Election {
            lease_duration: Duration::from_millis(400),
            renew_deadline: Duration::from_millis(200),
            retry_period: Duration::from_millis(10),
            ..Election::new(cluster, "default", "jobs".to_owned(), "we".to_owned())
        }
    }

    fn lease(holder: &str, version: usize) -> String {
        format!(
            r#"{{"metadata":{{"name":"jobs","resourceVersion":"{version}"}},"spec":{{"holderIdentity":"{holder}","leaseDurationSeconds":15}}}}"#
        )
    }

    #[tokio::test]
    async fn a_server_that_does_not_answer_holds_nobody_up() {
        let (cluster, _listener) = silent().await;
        let election = election(&cluster);
        let stood = timeout(Duration::from_secs(10), election.stand(&mut Candidate::default())).await.unwrap();
        assert_eq!(stood.err(), Some(format!("{} does not answer", cluster.address)));
        timeout(RELEASING * 2, election.release()).await.unwrap();
    }

    #[tokio::test]
    async fn a_conflict_does_not_end_a_term_and_another_holder_does() {
        let (reads, writes) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let written = writes.clone();
        let cluster = answering(move |request| match *request.method() {
            Method::PUT if written.fetch_add(1, Ordering::Relaxed) == 1 => plain(StatusCode::CONFLICT, CONFLICT),
            Method::PUT => plain(StatusCode::OK, lease("we", 0)),
            _ => {
                let read = reads.fetch_add(1, Ordering::Relaxed);
                plain(StatusCode::OK, lease(if read < 5 { "we" } else { "they" }, read + 1))
            }
        })
        .await;
        let (election, mut candidate) = (election(&cluster), Candidate::default());
        let term = election.stand(&mut candidate).await.unwrap().unwrap();
        assert_eq!(election.serve(&mut candidate, &term, &Health::default()).await, "they holds the Lease");
        assert_eq!(writes.load(Ordering::Relaxed), 5, "the second was a conflict, and three came after it");
    }

    #[tokio::test]
    async fn conflicts_without_end_end_a_term() {
        let cluster = answering(|request| match *request.method() {
            Method::PUT => plain(StatusCode::CONFLICT, CONFLICT),
            _ => plain(StatusCode::OK, lease("we", 1)),
        })
        .await;
        let election = election(&cluster);
        assert!(matches!(election.stand(&mut Candidate::default()).await, Ok(None)), "another candidate was faster");
        let term = Term { until: Some(Arc::new(Mutex::new(Instant::now() + election.renew_deadline))) };
        let reason = election.serve(&mut Candidate::default(), &term, &Health::default()).await;
        assert_eq!(reason, "could not renew the Lease for 0 s: the object has been modified");
        assert!(!term.lasts());
    }

    #[tokio::test]
    async fn a_renewal_that_fails_is_reported_before_the_term_ends() {
        let (cluster, listener) = silent().await;
        drop(listener);
        let (health, mut candidate) = (Health::default(), Candidate::default());
        let election = Election { renew_deadline: Duration::from_mins(1), ..election(&cluster) };
        let term = Term::without_end();
        let served = election.serve(&mut candidate, &term, &health);
        assert!(timeout(Duration::from_secs(1), served).await.is_err(), "the term goes on");
        let missing = format!("election: cannot reach {}: Connection refused (os error 111)\n", cluster.address);
        assert_eq!(health.missing(), missing);
    }
}
