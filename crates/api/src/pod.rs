//! A Pod, reduced to what decisions about Jobs read.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Pod conditions", "Container states". Whole pods are the API server's business.

use serde::{Deserialize, Deserializer};

use crate::json::{self, JsonValue, Read, ReadError};
use crate::meta::names;
use crate::{ObjectMeta, Text, Timestamp};

/// A pod, as the controllers keep it: no container specs, and of the annotations those of Jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pod {
    /// Metadata, without annotations.
    pub metadata: ObjectMeta,
    /// The completion index; `None` if the annotation is absent or no number from 0 (J-73).
    pub completion_index: Option<u32>,
    /// Failures of the index before this pod that count; 0 without the annotation (J-110).
    pub index_failures: u32,
    /// Failures of the index before this pod that a policy ignored; 0 without the annotation (J-110).
    pub index_ignored_failures: u32,
    /// Whether the pod has a node.
    pub assigned: bool,
    /// How far the pod is.
    pub phase: Phase,
    /// Whether the condition Ready is True; kept beside the phase, so that counting pods need not search the conditions.
    pub ready: bool,
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
}

/// How far a pod is, in the order in which surplus pods are ranked (J-90).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Not all containers run yet; also where the phase is absent.
    #[default]
    Pending,
    /// The node does not respond; also any unknown phase.
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

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct PodCondition {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    pub status: Text,
    /// When its status last changed.
    pub last_transition_time: Option<Timestamp>,
}

/// What is known of one container.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct ContainerStatus {
    /// The container's name.
    pub name: Text,
    /// How often it was started again in place.
    pub restart_count: i32,
    /// Its end, if it has ended and was not started again.
    #[serde(rename = "state")]
    #[read(with = ContainerStateFields::read)]
    pub terminated: Option<Terminated>,
    /// Whether it is a sidecar: an init container with `restartPolicy: Always`.
    #[read(skip)]
    pub sidecar: bool,
}

/// How a container ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Read)]
pub struct Terminated {
    /// Its exit code; 128 + the signal's number if a signal ended it.
    pub exit_code: i32,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl<'de> Deserialize<'de> for Pod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::deserialize::<_, Whole>(deserializer).map(Self::from)
    }
}

impl From<Whole> for Pod {
    fn from(Whole { mut metadata, spec, mut status }: Whole) -> Self {
        metadata.generate_name = Text::default();
        for container in &mut status.init_container_statuses {
            let declared = spec.init_containers.iter().find(|declared| declared.name == container.name);
            container.sidecar = declared.is_some_and(|declared| &*declared.restart_policy == "Always");
        }
        let annotations = std::mem::take(&mut metadata.annotations);
        let count = |key| {
            let number = annotations.get(key).and_then(|text: &Text| text.parse::<i64>().ok());
            number.and_then(|number| i32::try_from(number).ok()).and_then(|number| u32::try_from(number).ok())
        };
        Self {
            completion_index: count(names::COMPLETION_INDEX),
            index_failures: count(names::INDEX_FAILURE_COUNT).unwrap_or(0),
            index_ignored_failures: count(names::INDEX_IGNORED_FAILURE_COUNT).unwrap_or(0),
            assigned: !spec.node_name.is_empty(),
            phase: status.phase,
            ready: status.conditions.iter().any(|condition| &*condition.kind == "Ready" && &*condition.status == "True"),
            conditions: status.conditions,
            containers: status.container_statuses,
            init_containers: status.init_container_statuses,
            metadata,
        }
    }
}

/// The fields of a pod that are read, as they are written.
#[derive(Default, Read)]
pub(crate) struct Whole {
    metadata: ObjectMeta,
    spec: PodSpecFields,
    status: PodStatusFields,
}

/// `spec` of a pod.
#[derive(Default, Read)]
struct PodSpecFields {
    node_name: Text,
    init_containers: Vec<InitContainer>,
}

/// An init container.
#[derive(Default, Read)]
struct InitContainer {
    name: Text,
    restart_policy: Text,
}

/// `status` of a pod.
#[derive(Default, Read)]
struct PodStatusFields {
    phase: Phase,
    conditions: Vec<PodCondition>,
    container_statuses: Vec<ContainerStatus>,
    init_container_statuses: Vec<ContainerStatus>,
}

/// `state` of a container.
#[derive(Default, Read)]
struct ContainerStateFields {
    terminated: Option<Terminated>,
}

impl ContainerStateFields {
    /// Reads how a container ended from its state.
    fn read(terminated: &mut Option<Terminated>, value: JsonValue<'_>) -> Result<(), ReadError> {
        let mut state = Self::default();
        value.read(&mut state)?;
        *terminated = state.terminated;
        Ok(())
    }
}
