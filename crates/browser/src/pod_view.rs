//! A pod as the timeline shows it.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". What became of it in words is in `sim::trace`.

use api::meta::names;
use api::{Kind, ObjectMeta, Text};
use serde::{Deserialize, Serialize};
use sim::apiserver::Write;
use sim::pod::Pod;

/// A pod after a step.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PodView {
    name: Text,
    namespace: Text,
    /// The Job that controls it; empty if none.
    job: Text,
    index: Option<u32>,
    attempt: u32,
    phase: Text,
    ready: bool,
    deleting: bool,
    /// Whether the finalizer keeps it until its Job has counted it.
    held: bool,
    restarts: u32,
    /// Once it has ended: of the first container that ended otherwise than with 0, or 0.
    exit_code: Option<i32>,
    reason: Text,
    gone: bool,
    containers: Vec<ContainerView>,
}

/// A container, of any sort.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ContainerView {
    name: Text,
    state: &'static str,
    reason: Text,
    exit_code: Option<i32>,
    restarts: u32,
}

/// What is read of a pod's status.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Status {
    reason: Text,
    conditions: Vec<Condition>,
    init_container_statuses: Vec<ContainerStatus>,
    container_statuses: Vec<ContainerStatus>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Condition {
    #[serde(rename = "type")]
    kind: Text,
    status: Text,
    reason: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ContainerStatus {
    name: Text,
    restart_count: u32,
    state: ContainerState,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ContainerState {
    waiting: Option<StateDetails>,
    running: Option<StateDetails>,
    terminated: Option<StateDetails>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct StateDetails {
    reason: Text,
    exit_code: i32,
}

impl PodView {
    /// The pod that was written, if it is one; `attempt` tells of a UID which pod of its index or Job it is.
    pub(crate) fn of(write: &Write, attempt: impl FnOnce(&str) -> u32) -> Option<Self> {
        let pod = write.after.pod()?;
        let status: Status = serde_json::from_str(pod.status.json()).unwrap_or_default();
        let metadata = &pod.metadata;
        let containers = || status.init_container_statuses.iter().chain(&status.container_statuses);
        Some(Self {
            name: metadata.name.clone(),
            namespace: metadata.namespace.clone(),
            job: job(metadata),
            index: metadata.annotations.get(names::COMPLETION_INDEX).and_then(|index| index.parse().ok()),
            attempt: attempt(&metadata.uid),
            phase: pod.status.phase().clone(),
            ready: status.conditions.iter().any(|condition| &*condition.kind == "Ready" && &*condition.status == "True"),
            deleting: metadata.deleting(),
            held: metadata.has_finalizer(names::JOB_TRACKING),
            restarts: containers().map(|container| container.restart_count).sum(),
            exit_code: exit_code(pod, &status),
            reason: reason(&status),
            gone: write.gone,
            containers: containers().map(ContainerView::of).collect(),
        })
    }
}

impl ContainerView {
    fn of(status: &ContainerStatus) -> Self {
        let ContainerState { waiting, running, terminated } = &status.state;
        let (state, details) = match (terminated, running, waiting) {
            (Some(details), _, _) => ("terminated", Some(details)),
            (None, Some(details), _) => ("running", Some(details)),
            (None, None, details) => ("waiting", details.as_ref()),
        };
        Self {
            name: status.name.clone(),
            state,
            reason: details.map(|details| details.reason.clone()).unwrap_or_default(),
            exit_code: terminated.as_ref().map(|details| details.exit_code),
            restarts: status.restart_count,
        }
    }
}

/// The name of the Job that controls the pod.
fn job(metadata: &ObjectMeta) -> Text {
    let controller = metadata.controller().filter(|owner| &*owner.kind == Kind::Job.name());
    controller.map(|owner| owner.name.clone()).unwrap_or_default()
}

fn exit_code(pod: &Pod, status: &Status) -> Option<i32> {
    let codes = status.container_statuses.iter().filter_map(|container| Some(container.state.terminated.as_ref()?.exit_code));
    if pod.ended() { codes.max_by_key(|code| *code != 0) } else { None }
}

/// Why the pod ended, or why it has no node.
fn reason(status: &Status) -> Text {
    let waits = status.conditions.iter().find(|condition| &*condition.kind == "PodScheduled" && &*condition.status == "False");
    if !status.reason.is_empty() { status.reason.clone() } else { waits.map(|condition| condition.reason.clone()).unwrap_or_default() }
}
