//! Whether and when a pod is given a node, and what is reported of that.
//!
//! Docs: Kubernetes Scheduler; Pod Scheduling Readiness; Pod Lifecycle, "Pod conditions". What a pod does on its node is in `resident.rs`.

use std::net::Ipv4Addr;

use api::{ObjectMeta, Text, Timestamp, time};
use serde_json::json;

use super::condition::{Condition, seconds};
use super::node::Node;
use super::runtime::{Delay, continued};
use crate::apiserver::PodParts;

/// When a pod is given a node; `None`: never. One that was there before has waited since it was created; one that no node took stays without unless it is
/// known how long that takes.
pub(super) fn assigned_at(scheduled: Option<Delay>, metadata: &ObjectMeta, unscheduled: bool, now: Timestamp) -> Option<Timestamp> {
    let Some(scheduled) = scheduled else { return (!unscheduled).then_some(now) };
    // Creation times are cut to seconds.
    let created_at = metadata.creation_timestamp.filter(|at| *at < time::whole_seconds(now) && !unscheduled);
    match (scheduled, created_at) {
        (Delay::After(delay), Some(created_at)) => Some(continued(created_at, delay, now)),
        (Delay::After(delay), None) => Some(time::after(now, delay)),
        (Delay::Never, _) => None,
    }
}

/// Writes that a pod is on a node, with these addresses of the node and its own.
pub(super) fn assign(parts: &mut PodParts, node: Node, host: Ipv4Addr, own: Ipv4Addr, now: Timestamp) {
    if parts.node_name.is_empty() {
        parts.node_name = node.name();
    }
    let mut add = |name: &str, value| parts.status.insert(name.to_owned(), value);
    add("startTime", seconds(now));
    add("hostIP", json!(host));
    add("hostIPs", json!([{"ip": host}]));
    add("podIP", json!(own));
    add("podIPs", json!([{"ip": own}]));
    Condition { kind: "PodScheduled", holds: true, reason: "", message: "" }.set(&mut parts.status, now);
}

/// Writes why a pod has no node.
pub(super) fn unscheduled(parts: &mut PodParts, gate: Option<&Text>, now: Timestamp) {
    let (reason, message) = match gate {
        Some(gate) => ("SchedulingGated", format!("the scheduling gate {gate} holds it back")),
        None => ("Unschedulable", "no node matches the pod".to_owned()),
    };
    Condition { kind: "PodScheduled", holds: false, reason, message: &message }.set(&mut parts.status, now);
}

/// Writes that a node cannot run a pod, and why.
pub(super) fn refuse(parts: &mut PodParts, reason: &str) {
    let mut add = |name: &str, value: &str| parts.status.insert(name.to_owned(), value.into());
    add("phase", "Failed");
    add("reason", "UnexpectedAdmissionError");
    add("message", &format!("the node cannot read the pod's spec: {reason}"));
}
