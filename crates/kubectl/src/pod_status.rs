//! How far a pod is, in a word: its phase, or what its containers wait for or ended with.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states"; Debug Init Containers, "Understanding Pod status". It is shown in `pod_row.rs`.

use api::Timestamp;
use serde_json::Value;

use crate::age::moment;
use crate::value::{items, number, text};

/// What `kubectl get pods` counts of a pod.
#[derive(Debug, Default)]
pub(crate) struct PodStatus {
    /// How far it is.
    pub(crate) word: String,
    /// How many containers are ready.
    pub(crate) ready: usize,
    /// How many there are, sidecars included.
    pub(crate) containers: usize,
    /// How often containers were started again.
    pub(crate) restarts: i64,
    /// When the last of those that started again had ended.
    pub(crate) restarted_at: Option<Timestamp>,
}

impl PodStatus {
    /// Of a stored pod.
    pub(crate) fn of(pod: &Value) -> Self {
        let (spec, status) = (&pod["spec"], &pod["status"]);
        let sidecars = items(&spec["initContainers"]).iter().filter(|container| sidecar(container)).count();
        let mut counted = Self { word: first_word(status), containers: items(&spec["containers"]).len() + sidecars, ..Self::default() };
        let initializing = counted.init_containers(pod);
        if !initializing || condition(status, "Initialized") {
            counted.containers(status);
        }
        if !pod["metadata"]["deletionTimestamp"].is_null() {
            if text(&status["reason"]) == "NodeLost" {
                counted.word = "Unknown".to_owned();
            } else if !matches!(text(&status["phase"]), "Succeeded" | "Failed") {
                counted.word = "Terminating".to_owned();
            }
        }
        counted
    }

    /// Counts the init containers up to the first that has not done its work; whether there is one.
    fn init_containers(&mut self, pod: &Value) -> bool {
        let specs = items(&pod["spec"]["initContainers"]);
        let is_sidecar = |status: &Value| specs.iter().any(|container| container["name"] == status["name"] && sidecar(container));
        // Those of sidecars go on counting once all is initialized.
        let mut beside = Self::default();
        for (at, container) in items(&pod["status"]["initContainerStatuses"]).iter().enumerate() {
            self.count_restarts(container);
            let state = &container["state"];
            let ended = &state["terminated"];
            if is_sidecar(container) {
                beside.count_restarts(container);
                if container["started"] == true {
                    self.ready += usize::from(container["ready"] == true);
                    continue;
                }
            }
            if ended.is_object() && number(&ended["exitCode"]) == 0 {
                continue;
            }
            let waits_for = text(&state["waiting"]["reason"]);
            self.word = if ended.is_object() {
                format!("Init:{}", end(ended))
            } else if !matches!(waits_for, "" | "PodInitializing") {
                format!("Init:{waits_for}")
            } else {
                format!("Init:{at}/{}", specs.len())
            };
            return true;
        }
        (self.restarts, self.restarted_at) = (beside.restarts, beside.restarted_at);
        false
    }

    /// Counts the regular containers. The first that waits or has ended gives the pod its status.
    fn containers(&mut self, status: &Value) {
        let mut running = false;
        for container in items(&status["containerStatuses"]).iter().rev() {
            self.count_restarts(container);
            let state = &container["state"];
            if !text(&state["waiting"]["reason"]).is_empty() {
                text(&state["waiting"]["reason"]).clone_into(&mut self.word);
            } else if state["terminated"].is_object() {
                self.word = end(&state["terminated"]);
            } else if state["running"].is_object() && container["ready"] == true {
                running = true;
                self.ready += 1;
            }
        }
        if self.word == "Completed" && running {
            self.word = if condition(status, "Ready") { "Running" } else { "NotReady" }.to_owned();
        }
    }

    fn count_restarts(&mut self, container: &Value) {
        self.restarts += number(&container["restartCount"]);
        self.restarted_at = self.restarted_at.max(moment(&container["lastState"]["terminated"]["finishedAt"]));
    }
}

/// How far the pod is if its containers do not show it.
fn first_word(status: &Value) -> String {
    let gated = items(&status["conditions"])
        .iter()
        .any(|condition| condition["type"] == "PodScheduled" && condition["reason"] == "SchedulingGated");
    let reason = text(&status["reason"]);
    if gated {
        return "SchedulingGated".to_owned();
    }
    if reason.is_empty() { text(&status["phase"]) } else { reason }.to_owned()
}

/// How a container ended.
fn end(terminated: &Value) -> String {
    let (reason, signal) = (text(&terminated["reason"]), number(&terminated["signal"]));
    match (reason, signal) {
        ("", 0) => format!("ExitCode:{}", number(&terminated["exitCode"])),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.to_owned(),
    }
}

/// Whether an init container runs beside the regular ones.
fn sidecar(container: &Value) -> bool {
    container["restartPolicy"] == "Always"
}

/// Whether a condition of the pod holds.
fn condition(status: &Value, kind: &str) -> bool {
    items(&status["conditions"]).iter().any(|condition| condition["type"] == kind && condition["status"] == "True")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// How far a pod is with this status, one init container `i`, one sidecar `s` and two regular ones.
    fn check(status: &Value, deleting: bool, expected: &str) {
        let metadata = if deleting { json!({"deletionTimestamp": "2026-01-01T00:00:00Z"}) } else { json!({}) };
        let spec = json!({"initContainers": [{"name": "i"}, {"name": "s", "restartPolicy": "Always"}], "containers": [{}, {}]});
        let PodStatus { word, ready, containers, restarts, .. } =
            PodStatus::of(&json!({"metadata": metadata, "spec": spec, "status": status}));
        assert_eq!(format!("{word} {ready}/{containers} {restarts}"), expected, "{status}");
    }

    #[test]
    fn containers_determine_how_far_a_pod_is() {
        let status = |init: Value, regular: Value| json!({"phase": "Pending", "initContainerStatuses": init, "containerStatuses": regular});
        let done = || json!({"name": "i", "restartCount": 1, "state": {"terminated": {"exitCode": 0}}});
        let beside = || json!({"name": "s", "restartCount": 2, "started": true, "ready": true, "state": {"running": {}}});
        let running = || json!({"ready": true, "restartCount": 4, "state": {"running": {}}});
        let ended = |code: i32, reason: &str| json!({"state": {"terminated": {"exitCode": code, "reason": reason}}});
        check(&json!({"phase": "Pending"}), false, "Pending 0/3 0");
        check(&json!({"phase": "Failed", "reason": "Evicted"}), false, "Evicted 0/3 0");
        check(
            &json!({"phase": "Pending", "conditions": [{"type": "PodScheduled", "reason": "SchedulingGated"}]}),
            false,
            "SchedulingGated 0/3 0",
        );
        check(&status(json!([{"name": "i", "state": {"waiting": {}}}]), json!([])), false, "Init:0/2 0/3 0");
        check(&status(json!([{"name": "i", "state": {"terminated": {"exitCode": 3}}}]), json!([])), false, "Init:ExitCode:3 0/3 0");
        check(&status(json!([done(), {"name": "s", "restartCount": 1}]), json!([])), false, "Init:1/2 0/3 2");
        check(&status(json!([done(), beside()]), json!([running(), running()])), false, "Pending 3/3 10");
        check(&status(json!([done(), beside()]), json!([ended(1, "Error"), ended(0, "Completed")])), false, "Error 1/3 2");
        check(&status(json!([done(), beside()]), json!([ended(0, "Completed"), running()])), false, "NotReady 2/3 6");
        check(&status(json!([done(), beside()]), json!([ended(2, "")])), false, "ExitCode:2 1/3 2");
        check(&json!({"phase": "Running"}), true, "Terminating 0/3 0");
        check(&json!({"phase": "Running", "reason": "NodeLost"}), true, "Unknown 0/3 0");
        check(&json!({"phase": "Failed"}), true, "Failed 0/3 0");
    }
}
