//! Who leads by the Lease, and who writes: only the leader may.
//!
//! Docs: Leases, "Leader election". It sees all that goes through the proxies of `proxy.rs`.

use std::sync::Mutex;

use http::{Method, StatusCode};
use serde_json::Value;

/// What was written, and by whom.
#[derive(Default)]
pub(super) struct Ledger(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    /// Who was the last to take or renew the Lease.
    leader: Option<usize>,
    terms: u64,
    writes: u64,
    violations: Vec<String>,
}

impl Ledger {
    /// A replica sends a request.
    pub(super) fn requested(&self, replica: usize, method: &Method, path: &str) {
        if *method == Method::GET || path.contains("/leases") {
            return;
        }
        let mut seen = self.0.lock().expect("nobody panics with it");
        seen.writes += 1;
        if seen.leader != Some(replica) {
            let violation = format!("replica {replica} sent {method} {path}, and {:?} leads", seen.leader);
            seen.violations.push(violation);
        }
    }

    /// A replica's request was answered.
    pub(super) fn answered(&self, replica: usize, method: &Method, path: &str, status: StatusCode, body: &[u8]) {
        if *method == Method::GET || !path.contains("/leases") || !status.is_success() {
            return;
        }
        let lease: Value = serde_json::from_slice(body).unwrap_or_default();
        let held = lease["spec"]["holderIdentity"].as_str().is_some_and(|holder| !holder.is_empty());
        let mut seen = self.0.lock().expect("nobody panics with it");
        let leader = held.then_some(replica);
        if leader.is_some() && leader != seen.leader {
            seen.terms += 1;
        }
        seen.leader = leader;
    }

    /// Who leads.
    pub(super) fn leader(&self) -> Option<usize> {
        self.0.lock().expect("nobody panics with it").leader
    }

    /// How often there was another leader, how much was written, and what was written by others.
    pub(super) fn sum(&self) -> (u64, u64, Vec<String>) {
        let seen = self.0.lock().expect("nobody panics with it");
        (seen.terms, seen.writes, seen.violations.clone())
    }
}
