//! A pod as a row of `kubectl get pods`.
//!
//! Docs: Pod Lifecycle. How far the pod is, in a word, is decided in `pod_status.rs`; tables are made in `get.rs`.

use api::Timestamp;
use serde_json::Value;

use crate::age::{age, between};
use crate::pod_status::PodStatus;
use crate::value::{items, or_none, text};

/// The names of the columns; those after the fourth are shown with `-o wide`.
pub(crate) const COLUMNS: [&str; 8] = ["READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "NOMINATED NODE", "READINESS GATES"];

/// The cells.
pub(crate) fn cells(pod: &Value, now: Timestamp) -> [String; 8] {
    let (spec, status) = (&pod["spec"], &pod["status"]);
    let PodStatus { word, ready, containers, restarts, restarted_at } = PodStatus::of(pod);
    let ago = restarted_at.filter(|_| restarts > 0).map(|at| format!(" ({} ago)", between(at, now))).unwrap_or_default();
    let ip = text(&items(&status["podIPs"]).first().unwrap_or(&Value::Null)["ip"]);
    [
        format!("{ready}/{containers}"),
        word,
        format!("{restarts}{ago}"),
        age(&pod["metadata"]["creationTimestamp"], now),
        or_none(ip).to_owned(),
        or_none(text(&spec["nodeName"])).to_owned(),
        or_none(text(&status["nominatedNodeName"])).to_owned(),
        readiness_gates(pod),
    ]
}

/// How many of the readiness gates are open.
fn readiness_gates(pod: &Value) -> String {
    let gates = items(&pod["spec"]["readinessGates"]);
    let open = |gate: &&Value| {
        let mut conditions = items(&pod["status"]["conditions"]).iter();
        conditions.any(|condition| condition["type"] == gate["conditionType"] && condition["status"] == "True")
    };
    if gates.is_empty() { "<none>".to_owned() } else { format!("{}/{}", gates.iter().filter(open).count(), gates.len()) }
}
