//! Ending pods from outside: eviction, the loss of a node, and the collection of what no node will ever report on.
//!
//! Docs: Disruptions, "Pod disruption conditions"; API-initiated Eviction; Taints and Tolerations, "Taint based Evictions"; Pod Lifecycle,
//! "Garbage collection of Pods". A pod's own end is in `resident.rs`.

use api::{Duration, Kind, Timestamp};

use super::condition::Condition;
use crate::apiserver::ApiServer;
use crate::stored::Stored;

/// How long nothing is heard from a node before its pods are not ready: `node-monitor-grace-period` of the controller manager.
pub(super) const SILENCE: Duration = Duration::from_secs(50);
/// How long pods stay on a node from then on: `tolerationSeconds` of the toleration that each pod is given.
pub(super) const TOLERATION: Duration = Duration::from_mins(5);

/// Who ends a pod.
#[derive(Debug, Clone, Copy)]
pub(super) enum Disruption {
    /// A client of the eviction API.
    Eviction,
    /// The cluster, because the pod's node does not answer.
    UnreachableNode,
    /// The cluster, because the pod's node is gone.
    MissingNode,
}

impl Disruption {
    fn condition(self) -> Condition<'static> {
        let (reason, message) = match self {
            Self::Eviction => ("EvictionByEvictionAPI", "the pod is evicted by the eviction API"),
            Self::UnreachableNode => ("DeletionByTaintManager", "the pod's node has a taint NoExecute, as it is unreachable"),
            Self::MissingNode => ("DeletionByPodGC", "the pod's node does not exist"),
        };
        Condition { kind: "DisruptionTarget", holds: true, reason, message }
    }
}

/// Evicts a pod as the eviction API does; returns whether there is such a pod that has not ended and is not being deleted.
pub fn evict(server: &mut ApiServer, namespace: &str, name: &str, now: Timestamp) -> bool {
    let there = server.object(Kind::Pod, namespace, name).cloned();
    let Some(pod) = there.filter(|there| !there.metadata().deleting() && there.pod().is_some_and(|pod| !pod.ended())) else { return false };
    disrupt(server, &pod, Disruption::Eviction, now);
    true
}

/// Marks a pod as disrupted and deletes it with its own grace period.
pub(super) fn disrupt(server: &mut ApiServer, pod: &Stored, disruption: Disruption, now: Timestamp) {
    let metadata = pod.metadata();
    server.update_pod(&metadata.namespace, &metadata.name, now, |parts| disruption.condition().set(&mut parts.status, now));
    delete(server, pod, None, now);
}

/// Marks a pod as failed when no node will report on it any more, and deletes it at once.
pub(super) fn collect(server: &mut ApiServer, pod: &Stored, disruption: Option<Disruption>, now: Timestamp) {
    let metadata = pod.metadata();
    server.update_pod(&metadata.namespace, &metadata.name, now, |parts| {
        parts.status.insert("phase".to_owned(), "Failed".into());
        if let Some(disruption) = disruption {
            disruption.condition().set(&mut parts.status, now);
        }
    });
    delete(server, pod, Some(0), now);
}

/// Marks a pod as not ready whose node does not answer.
pub(super) fn doubt(server: &mut ApiServer, pod: &Stored, now: Timestamp) {
    let metadata = pod.metadata();
    let unready = Condition { kind: "Ready", holds: false, reason: "NodeNotReady", message: "nothing is heard from the pod's node" };
    server.update_pod(&metadata.namespace, &metadata.name, now, |parts| unready.set(&mut parts.status, now));
}

/// Deletes a pod with this grace period in seconds or its own; a shorter one may follow a longer one.
pub(super) fn delete(server: &mut ApiServer, pod: &Stored, grace: Option<i64>, now: Timestamp) {
    let metadata = pod.metadata();
    if let Some(there) = server.object(Kind::Pod, &metadata.namespace, &metadata.name).cloned() {
        server.begin_deletion(&there, None, grace, now);
    }
}
