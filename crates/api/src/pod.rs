//! A Pod, reduced to what decisions about Jobs read.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Pod conditions", "Container states". Whole pods are the API server's business.

use serde::{Deserialize, Deserializer};

use crate::json::{self, Fault, Read, Value};
use crate::meta::names;
use crate::{ObjectMeta, Text, Timestamp};

/// A pod, as the controllers keep it: no container specs, and of the annotations what those of Jobs say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pod {
    /// Metadata, without annotations.
    pub metadata: ObjectMeta,
    /// The completion index; `None` if the annotation is absent or no number from 0 (J-73).
    pub completion_index: Option<u32>,
    /// Failures of the index before this pod that count; 0 if the annotation does not tell (J-110).
    pub index_failures: u32,
    /// Failures of the index before this pod that a policy ignored; 0 if the annotation does not tell (J-110).
    pub index_ignored_failures: u32,
    /// Whether the pod has a node.
    pub assigned: bool,
    /// How far the pod is.
    pub phase: Phase,
    /// The conditions.
    pub conditions: Vec<PodCondition>,
    /// Statuses of the regular containers.
    pub containers: Vec<ContainerStatus>,
    /// Statuses of the init containers.
    pub init_containers: Vec<ContainerStatus>,
}

impl Pod {
    /// The condition of this type, whatever its status.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&PodCondition> {
        self.conditions.iter().find(|condition| &*condition.kind == kind)
    }

    /// Whether the pod's condition Ready holds.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.condition("Ready").is_some_and(|ready| &*ready.status == "True")
    }
}

/// How far a pod is, in the order in which surplus pods are ranked (J-90).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Not all containers run yet; also where the phase is absent.
    #[default]
    Pending,
    /// The node does not answer; also any word that is no phase.
    Unknown,
    /// At least one container runs.
    Running,
    /// All containers ended with exit code 0.
    Succeeded,
    /// All containers ended, one of them otherwise; or the pod was ended.
    Failed,
}

impl Phase {
    /// Whether the pod has ended.
    #[must_use]
    pub fn ended(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

impl Read for Phase {
    fn wanted(&self) -> &'static str {
        "a phase"
    }

    fn text(&mut self, value: &str) -> Result<(), Fault> {
        *self = match value {
            "" | "Pending" => Self::Pending,
            "Running" => Self::Running,
            "Succeeded" => Self::Succeeded,
            "Failed" => Self::Failed,
            _ => Self::Unknown,
        };
        Ok(())
    }
}

/// One condition of a pod.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PodCondition {
    /// Its type.
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    pub status: Text,
    /// When its status last changed.
    pub last_transition_time: Option<Timestamp>,
}

/// What is known of one container.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContainerStatus {
    /// The container's name.
    pub name: Text,
    /// How often it was started again in place.
    pub restart_count: i32,
    /// Its end, if it has ended and was not started again.
    pub terminated: Option<Terminated>,
    /// Whether it is a sidecar: an init container with `restartPolicy: Always`.
    pub sidecar: bool,
}

/// How a container ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Terminated {
    /// Its exit code; 128 + the signal's number if a signal ended it.
    pub exit_code: i32,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl<'de> Deserialize<'de> for Pod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Reading { mut pod, sidecars } = json::deserialize(deserializer)?;
        pod.metadata.generate_name = Text::default();
        for container in &mut pod.init_containers {
            container.sidecar = sidecars.contains(&container.name);
        }
        let annotations = std::mem::take(&mut pod.metadata.annotations);
        let count = |key| {
            let number = annotations.get(key).and_then(|text: &Text| text.parse::<i64>().ok());
            number.and_then(|number| i32::try_from(number).ok()).and_then(|number| u32::try_from(number).ok())
        };
        pod.completion_index = count(names::COMPLETION_INDEX);
        pod.index_failures = count(names::INDEX_FAILURE_COUNT).unwrap_or(0);
        pod.index_ignored_failures = count(names::INDEX_IGNORED_FAILURE_COUNT).unwrap_or(0);
        Ok(pod)
    }
}

/// A pod of which not all is read.
#[derive(Default)]
struct Reading {
    pod: Pod,
    /// Names of init containers that are restarted always.
    sidecars: Vec<Text>,
}

impl Read for Reading {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "metadata" => value.read(&mut self.pod.metadata),
            "spec" => value.read(&mut Spec(self)),
            "status" => value.read(&mut Status(&mut self.pod)),
            _ => Ok(()),
        }
    }
}

/// `spec` of a pod.
struct Spec<'a>(&'a mut Reading);

impl Read for Spec<'_> {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "nodeName" => {
                let mut node = Text::default();
                value.read(&mut node)?;
                self.0.pod.assigned = !node.is_empty();
                Ok(())
            }
            "initContainers" => {
                let mut containers = Vec::<InitContainer>::new();
                value.read(&mut containers)?;
                let sidecars = containers.into_iter().filter(|container| &*container.restart_policy == "Always");
                self.0.sidecars.extend(sidecars.map(|container| container.name));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// An init container, as far as it is read.
#[derive(Default)]
struct InitContainer {
    name: Text,
    restart_policy: Text,
}

impl Read for InitContainer {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            "restartPolicy" => value.read(&mut self.restart_policy),
            _ => Ok(()),
        }
    }
}

/// `status` of a pod.
struct Status<'a>(&'a mut Pod);

impl Read for Status<'_> {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "phase" => value.read(&mut self.0.phase),
            "conditions" => value.read(&mut self.0.conditions),
            "containerStatuses" => value.read(&mut self.0.containers),
            "initContainerStatuses" => value.read(&mut self.0.init_containers),
            _ => Ok(()),
        }
    }
}

impl Read for PodCondition {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "type" => value.read(&mut self.kind),
            "status" => value.read(&mut self.status),
            "lastTransitionTime" => value.read(&mut self.last_transition_time),
            _ => Ok(()),
        }
    }
}

impl Read for ContainerStatus {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            "restartCount" => value.read(&mut self.restart_count),
            "state" => value.read(&mut State(&mut self.terminated)),
            _ => Ok(()),
        }
    }
}

/// `state` of a container.
struct State<'a>(&'a mut Option<Terminated>);

impl Read for State<'_> {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "terminated" => value.read(self.0),
            _ => Ok(()),
        }
    }
}

impl Read for Terminated {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "exitCode" => value.read(&mut self.exit_code),
            "finishedAt" => value.read(&mut self.finished_at),
            _ => Ok(()),
        }
    }
}
