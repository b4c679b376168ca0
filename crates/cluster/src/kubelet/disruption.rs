//! Ending pods from outside: eviction, preemption, the loss of a node, and the collection of what no node will ever report on.
//!
//! Docs: Disruptions, "Pod disruption conditions"; API-initiated Eviction; Node-pressure Eviction; Pod Priority and Preemption; Taints and Tolerations, "Taint based Evictions"; Pod Lifecycle,
//! "Garbage collection of Pods". A pod's own end is in `resident.rs`.

use api::{Duration, Kind, Text, Timestamp};

use super::condition::Condition;
use super::runtime::PodCourse;
use crate::apiserver::ApiServer;
use crate::stored::Stored;

/// How long nothing is heard from a node before its pods are not ready: `node-monitor-grace-period` of the controller manager.
pub(super) const SILENCE: Duration = Duration::from_secs(50);
/// How long pods stay on a node from then on: `tolerationSeconds` of the toleration that each pod is given.
pub(super) const TOLERATION: Duration = Duration::from_mins(5);

/// How long containers have to exit when the kubelet evicts their pod, whatever the pod's own grace period is.
pub(super) const NODE_PRESSURE_GRACE: Duration = Duration::from_secs(1);

/// Why a pod is ended that could run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodDisruption {
    /// A client of the eviction API evicts it.
    Eviction,
    /// The scheduler makes room for a pod with a higher priority.
    Preemption,
    /// The kubelet evicts it, because its node is short of something: it fails, and is not deleted.
    NodePressure,
}

impl PodDisruption {
    pub(super) fn condition(self) -> Condition<'static> {
        match self {
            Self::Eviction => disruption_target("EvictionByEvictionAPI", "Eviction API: evicting"),
            Self::Preemption => {
                disruption_target("PreemptionByScheduler", "default-scheduler: preempting to accommodate a higher priority pod")
            }
            Self::NodePressure => disruption_target("TerminationByKubelet", "The node was low on resource: memory."),
        }
    }
}

/// What happened to a pod's node.
#[derive(Debug, Clone, Copy)]
pub(super) enum NodeLoss {
    /// It does not answer.
    Unreachable,
    /// It is gone.
    Missing,
}

impl NodeLoss {
    pub(super) fn condition(self) -> Condition<'static> {
        match self {
            Self::Unreachable => disruption_target("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"),
            Self::Missing => disruption_target("DeletionByPodGC", "PodGC: node no longer exists"),
        }
    }
}

fn disruption_target(reason: &'static str, message: &'static str) -> Condition<'static> {
    Condition { kind: "DisruptionTarget", holds: true, reason, message }
}

/// What is to happen to a pod on its node, and when.
#[derive(Debug, Clone, Default)]
pub(super) struct Prospects {
    disruption: Option<(Timestamp, PodDisruption)>,
    condition: Option<(Timestamp, Text)>,
}

/// Who does what was due to happen to a pod.
pub(super) enum Doer {
    /// Others did it, by way of the API server.
    Others,
    /// The kubelet is to evict it.
    Kubelet,
}

impl Prospects {
    /// Those of a pod that takes this course; `when`: the time that is so long after it was given its node.
    pub(super) fn of(course: &PodCourse, when: impl Fn(Duration) -> Timestamp) -> Self {
        Self {
            disruption: course.disrupted.map(|(disruption, after)| (when(after), disruption)),
            condition: course.condition.clone().map(|(kind, after)| (when(after), kind)),
        }
    }

    /// The kubelet is to evict the pod at this time.
    pub(super) fn evict(&mut self, now: Timestamp) {
        self.disruption = Some((now, PodDisruption::NodePressure));
    }

    /// When something is due.
    pub(super) fn next(&self) -> Option<Timestamp> {
        let condition = self.condition.as_ref().map(|(at, _)| *at);
        condition.into_iter().chain(self.disruption.map(|(at, _)| at)).min()
    }

    /// Does what is due; a condition comes before a disruption, so that it is there when the pod ends.
    pub(super) fn carry_out(&mut self, pod: &Stored, server: &mut ApiServer, now: Timestamp) -> Option<Doer> {
        if let Some((_, kind)) = self.condition.take_if(|(at, _)| *at <= now) {
            mark(server, pod, &Condition { kind: &kind, holds: true, reason: "", message: "" }, now);
            return Some(Doer::Others);
        }
        let (_, disruption) = self.disruption.take_if(|(at, _)| *at <= now)?;
        if disruption == PodDisruption::NodePressure {
            return Some(Doer::Kubelet);
        }
        mark_and_delete(server, pod, &disruption.condition(), now);
        Some(Doer::Others)
    }
}

/// Disrupts a pod through the API server. Returns `false` if there is none, or if it has ended or is being deleted.
pub fn disrupt(server: &mut ApiServer, namespace: &str, name: &str, disruption: PodDisruption, now: Timestamp) -> bool {
    let there = server.object(Kind::Pod, namespace, name).cloned();
    let Some(pod) = there.filter(|there| !there.metadata().deleting() && there.pod().is_some_and(|pod| !pod.ended())) else { return false };
    mark_and_delete(server, &pod, &disruption.condition(), now);
    true
}

/// Marks a pod as disrupted and deletes it with its own grace period.
pub(super) fn mark_and_delete(server: &mut ApiServer, pod: &Stored, condition: &Condition<'_>, now: Timestamp) {
    mark(server, pod, condition, now);
    delete(server, pod, None, now);
}

/// Sets a condition of a pod.
fn mark(server: &mut ApiServer, pod: &Stored, condition: &Condition<'_>, now: Timestamp) {
    let metadata = pod.metadata();
    server.update_pod(&metadata.namespace, &metadata.name, now, |parts| condition.set(&mut parts.status, now));
}

/// Marks a pod as failed when no node will report on it any more, and deletes it at once.
pub(super) fn collect(server: &mut ApiServer, pod: &Stored, loss: Option<NodeLoss>, now: Timestamp) {
    let metadata = pod.metadata();
    server.update_pod(&metadata.namespace, &metadata.name, now, |parts| {
        parts.status.insert("phase".to_owned(), "Failed".into());
        if let Some(loss) = loss {
            loss.condition().set(&mut parts.status, now);
        }
    });
    delete(server, pod, Some(0), now);
}

/// Marks a pod as not ready whose node does not answer.
pub(super) fn doubt(server: &mut ApiServer, pod: &Stored, now: Timestamp) {
    let message = "nothing is heard from the pod's node";
    mark(server, pod, &Condition { kind: "Ready", holds: false, reason: "NodeNotReady", message }, now);
}

/// Deletes a pod with this grace period in seconds or its own; a shorter one may follow a longer one.
pub(super) fn delete(server: &mut ApiServer, pod: &Stored, grace: Option<i64>, now: Timestamp) {
    let metadata = pod.metadata();
    if let Some(there) = server.object(Kind::Pod, &metadata.namespace, &metadata.name).cloned() {
        server.begin_deletion(&there, None, grace, now);
    }
}
