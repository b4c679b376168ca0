//! A pod's status as its node reports it: phase, conditions, states of containers.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states", "Pod conditions". How the containers came to be what they are is in
//! `container.rs`; conditions keep their times in `condition.rs`.

use api::Timestamp;
use serde_json::{Map, Value, json};

use super::condition::{Condition, seconds};
use super::container::{ContainerPhase, KubeletContainer, Termination, WaitingReason};
use super::disruption::PodDisruption;
use super::runtime::ContainerRole;

/// How a pod ends.
#[derive(Debug, Clone, Copy)]
pub(super) enum PodEnd {
    /// As its containers did.
    OfContainers,
    /// It was stopped when it had been active for too long.
    DeadlineExceeded,
    /// The kubelet evicted it.
    Evicted,
}

/// Writes what is known of a pod's containers into its status; `outcome`: they have ended for good.
pub(super) fn report(status: &mut Map<String, Value>, containers: &[KubeletContainer], outcome: Option<PodEnd>, now: Timestamp) {
    let phase = phase(containers, outcome);
    status.insert("phase".to_owned(), phase.into());
    match outcome {
        Some(PodEnd::DeadlineExceeded) => {
            status.insert("reason".to_owned(), "DeadlineExceeded".into());
            status.insert("message".to_owned(), "the pod was active on its node for longer than spec.activeDeadlineSeconds".into());
        }
        Some(PodEnd::Evicted) => {
            let target = PodDisruption::NodePressure.condition();
            status.insert("reason".to_owned(), "Evicted".into());
            status.insert("message".to_owned(), target.message.into());
            target.set(status, now);
        }
        Some(PodEnd::OfContainers) | None => {}
    }
    report_conditions(status, phase, containers, now);
    let list = |regular: bool| -> Vec<Value> {
        let listed = containers.iter().filter(|container| (container.role == ContainerRole::Regular) == regular);
        listed.map(|container| describe(container, waiting_reason(containers))).collect()
    };
    let init = list(false);
    if !init.is_empty() {
        status.insert("initContainerStatuses".to_owned(), init.into());
    }
    status.insert("containerStatuses".to_owned(), list(true).into());
}

/// Whether all init containers have succeeded, and all sidecars were started.
pub(super) fn initialized(containers: &[KubeletContainer]) -> bool {
    containers.iter().all(|container| match container.role {
        ContainerRole::Init => container.succeeded(),
        ContainerRole::Sidecar => container.starts > 0,
        ContainerRole::Regular => true,
    })
}

fn phase(containers: &[KubeletContainer], outcome: Option<PodEnd>) -> &'static str {
    let mut regular = containers.iter().filter(|container| container.role == ContainerRole::Regular);
    match outcome {
        Some(PodEnd::OfContainers) if regular.all(KubeletContainer::succeeded) => "Succeeded",
        Some(PodEnd::OfContainers | PodEnd::DeadlineExceeded | PodEnd::Evicted) => "Failed",
        None if regular.all(|container| container.starts > 0) => "Running",
        None => "Pending",
    }
}

fn report_conditions(status: &mut Map<String, Value>, phase: &str, containers: &[KubeletContainer], now: Timestamp) {
    let names = |chosen: &dyn Fn(&KubeletContainer) -> bool| {
        containers.iter().filter(|container| chosen(container)).map(|container| &*container.name).collect::<Vec<_>>().join(", ")
    };
    let unready = names(&|container| container.role != ContainerRole::Init && !container.ready());
    let (reason, message) = match phase {
        "Succeeded" => ("PodCompleted", String::new()),
        "Failed" => ("PodFailed", String::new()),
        _ if unready.is_empty() => ("", String::new()),
        _ => ("ContainersNotReady", format!("not ready: {unready}")),
    };
    let (why_not, incomplete) = if initialized(containers) {
        ("", String::new())
    } else {
        (
            "ContainersNotInitialized",
            format!("not complete: {}", names(&|container| container.role != ContainerRole::Regular && !container.succeeded())),
        )
    };
    Condition { kind: "Initialized", holds: why_not.is_empty(), reason: why_not, message: &incomplete }.set(status, now);
    for kind in ["ContainersReady", "Ready"] {
        Condition { kind, holds: reason.is_empty(), reason, message: &message }.set(status, now);
    }
}

/// What containers wait for that have not run, in one word.
pub(super) fn waiting_reason(containers: &[KubeletContainer]) -> &'static str {
    if containers.iter().any(|container| container.role != ContainerRole::Regular) { "PodInitializing" } else { "ContainerCreating" }
}

/// The status of one container.
fn describe(container: &KubeletContainer, waits_for: &str) -> Value {
    let mut fields = Map::new();
    let mut add = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    add("name", (&*container.name).into());
    add("image", (&*container.image).into());
    add("imageID", "".into());
    add("restartCount", container.starts.saturating_sub(1).into());
    add("ready", (if container.role == ContainerRole::Init { container.succeeded() } else { container.ready() }).into());
    add("started", container.running().into());
    add("state", state(container, waits_for));
    if let Some(last) = &container.last {
        add("lastState", termination(last));
    }
    Value::Object(fields)
}

fn state(container: &KubeletContainer, waits_for: &str) -> Value {
    match &container.state {
        ContainerPhase::Running { started_at, .. } => json!({"running": {"startedAt": seconds(*started_at)}}),
        ContainerPhase::Terminated(end) => termination(end),
        ContainerPhase::Waiting(WaitingReason::Turn | WaitingReason::Image { .. }) => json!({"waiting": {"reason": waits_for}}),
        ContainerPhase::Waiting(WaitingReason::UnknownImage) => {
            json!({"waiting": {"reason": "ImagePullBackOff", "message": format!("the image {:?} cannot be pulled", container.image)}})
        }
        ContainerPhase::Waiting(WaitingReason::Stuck(stuck)) => {
            let mut fields = Map::from_iter([("reason".to_owned(), (&*stuck.reason).into())]);
            // What holds up a pod that is being created is in Events only.
            if !stuck.message.is_empty() && *stuck.reason != *waits_for {
                fields.insert("message".to_owned(), (&*stuck.message).into());
            }
            json!({"waiting": fields})
        }
        ContainerPhase::Waiting(WaitingReason::BackOff { wait, .. }) => {
            let (minutes, seconds) = (wait.as_secs() / 60, wait.as_secs() % 60);
            let wait = if minutes == 0 { format!("{seconds}s") } else { format!("{minutes}m{seconds}s") };
            let message = format!("back-off {wait} restarting failed container={}", container.name);
            json!({"waiting": {"reason": "CrashLoopBackOff", "message": message}})
        }
    }
}

fn termination(end: &Termination) -> Value {
    let mut fields = Map::new();
    fields.insert("exitCode".to_owned(), end.exit_code.into());
    fields.insert("reason".to_owned(), (&*end.reason).into());
    if !end.message.is_empty() {
        fields.insert("message".to_owned(), (&*end.message).into());
    }
    if let Some((started_at, finished_at)) = end.period {
        fields.insert("startedAt".to_owned(), seconds(started_at));
        fields.insert("finishedAt".to_owned(), seconds(finished_at));
    }
    json!({"terminated": fields})
}
