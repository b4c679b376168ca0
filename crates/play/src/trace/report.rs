//! What a pod's node reports of it and traces show.
//!
//! Docs: Pod Lifecycle, "Pod conditions", "Container states". What happened to the pod between two reports is in `pods.rs`.

use api::json::{self, Read};
use api::{Duration, Text, Timestamp, duration};
use serde_json::Value;

use cluster::pod::StoredPod;

/// The parts of a pod's status that traces show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct PodReport {
    /// Why the pod is what it is, in one word.
    pub reason: Text,
    /// Why, in a sentence.
    pub message: Text,
    /// The conditions.
    pub conditions: Vec<PodConditionReport>,
    /// Statuses of the init containers.
    pub init_container_statuses: Vec<ContainerReport>,
    /// Statuses of the regular containers.
    pub container_statuses: Vec<ContainerReport>,
}

/// One condition of a pod.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct PodConditionReport {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    pub status: Text,
    /// Why, in one word.
    pub reason: Text,
    /// Why, in a sentence.
    pub message: Text,
}

/// One container of a pod.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct ContainerReport {
    /// Its name.
    pub name: Text,
    /// How often it was started again in place.
    pub restart_count: i32,
    /// What it does; at most one of them.
    pub state: ContainerState,
    /// How it ended before it was started again, or before it waits for that.
    pub last_state: ContainerState,
}

impl ContainerReport {
    /// Whether the container has ended and waits before it is started again.
    pub(crate) fn backs_off(&self) -> bool {
        self.state.waiting.as_ref().is_some_and(|details| &*details.reason == "CrashLoopBackOff")
    }

    /// Why the container cannot be started, in one word, if its node has tried to: `ImagePullBackOff`.
    #[must_use]
    pub fn hindrance(&self) -> Option<&Text> {
        let reason = &self.state.waiting.as_ref().filter(|_| !self.backs_off())?.reason;
        (!matches!(&**reason, "" | "ContainerCreating" | "PodInitializing")).then_some(reason)
    }

    /// How long it waits before it is started again, as kubelets report it: `back-off 10s restarting failed container=main`.
    #[must_use]
    pub fn back_off(&self) -> Option<Duration> {
        let message = &self.state.waiting.as_ref().filter(|_| self.backs_off())?.message;
        duration::parse(message.strip_prefix("back-off ")?.split(' ').next()?)
    }

    /// With which code its last start ended.
    #[must_use]
    pub fn last_exit_code(&self) -> Option<i32> {
        self.last_state.terminated.as_ref().map(|details| details.exit_code)
    }

    /// Why its last start ended, if that says more than the exit code.
    pub(super) fn last_reason(&self) -> Text {
        self.last_state.terminated.as_ref().filter(|end| !end.routine()).map(|end| end.reason.clone()).unwrap_or_default()
    }
}

/// What a container does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct ContainerState {
    /// It waits to be started.
    pub waiting: Option<Details>,
    /// It runs.
    pub running: Option<Details>,
    /// It has ended.
    pub terminated: Option<Details>,
}

/// More of what a container does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct Details {
    /// Why, in one word.
    pub reason: Text,
    /// Why, in a sentence.
    pub message: Text,
    /// How it ended.
    pub exit_code: i32,
    /// When it was started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl PodReport {
    /// What is reported of a pod; nothing if that cannot be read.
    pub(crate) fn of(pod: &StoredPod) -> Self {
        json::from_str(pod.status.json()).unwrap_or_default()
    }

    /// Whether the pod is ready.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.conditions.iter().any(|condition| &*condition.kind == "Ready" && &*condition.status == "True")
    }

    /// All containers, the regular ones first.
    pub fn containers(&self) -> impl Iterator<Item = &ContainerReport> {
        self.container_statuses.iter().chain(&self.init_container_statuses)
    }

    /// The container of this name.
    pub(super) fn container(&self, name: &str) -> Option<&ContainerReport> {
        self.containers().find(|container| *container.name == *name)
    }

    /// Whether the pod has several containers, of whatever sort.
    pub(super) fn several(&self) -> bool {
        self.container_statuses.len() + self.init_container_statuses.len() > 1
    }

    /// Why the pod was ended from outside, if it was: the reason of its condition DisruptionTarget.
    pub(super) fn disruption(&self) -> Option<&Text> {
        let target = self.conditions.iter().find(|condition| &*condition.kind == "DisruptionTarget" && &*condition.status == "True");
        target.map(|target| &target.reason)
    }

    /// Whether nothing is heard from the pod's node.
    pub(super) fn node_lost(&self) -> bool {
        self.conditions.iter().any(|condition| &*condition.reason == "NodeNotReady")
    }

    /// How often containers were started again.
    #[must_use]
    pub fn restarts(&self) -> i32 {
        self.containers().map(|container| container.restart_count).sum()
    }

    /// The first container that ended otherwise than with 0, or the first if all ended so, with its exit code. Sidecars do not count.
    fn end(&self, pod: &StoredPod) -> Option<(&Text, i32)> {
        let sidecars = sidecars(pod);
        let ended = self.containers().filter(|container| !sidecars.contains(&container.name));
        let ends = ended.filter_map(|container| Some((&container.name, container.state.terminated.as_ref()?.exit_code)));
        ends.min_by_key(|(_, code)| *code == 0)
    }

    /// The exit code of the first container that ended otherwise than with 0, or 0 if all ended so. Sidecars do not count.
    #[must_use]
    pub fn exit_code(&self, pod: &StoredPod) -> Option<i32> {
        self.end(pod).map(|(_, code)| code)
    }

    /// The container whose exit code that is, if it is not 0 and the pod has several.
    pub(super) fn failed_container(&self, pod: &StoredPod) -> Option<&Text> {
        self.end(pod).filter(|(_, code)| *code != 0 && self.several()).map(|(container, _)| container)
    }

    /// Why the pod ended, where the node has a word for it, or why its node refused it or could not start a container; of its only container, why
    /// that ended.
    #[must_use]
    pub fn end_reason(&self) -> &Text {
        let ends = || {
            self.init_container_statuses.iter().chain(&self.container_statuses).filter_map(|container| container.state.terminated.as_ref())
        };
        let not_started = || ends().find(|end| &*end.reason == "StartError").map(|end| &end.message);
        // The end of each of several containers has a line of its own.
        let only = || ends().find(|end| !end.routine() && !self.several()).map(|end| &end.reason);
        match &*self.reason {
            "" => not_started().or_else(only).unwrap_or(&self.reason),
            "UnexpectedAdmissionError" if !self.message.is_empty() => &self.message,
            _ => &self.reason,
        }
    }
}

/// The names of init containers that run beside the regular ones.
pub(super) fn sidecars(pod: &StoredPod) -> Vec<Text> {
    if !pod.spec.unassigned().contains("initContainers") {
        return Vec::new();
    }
    let spec: Value = serde_json::from_str(pod.spec.unassigned()).unwrap_or_default();
    let containers = spec["initContainers"].as_array().into_iter().flatten();
    containers
        .filter(|container| container["restartPolicy"] == "Always")
        .filter_map(|container| container["name"].as_str().map(Text::from))
        .collect()
}
