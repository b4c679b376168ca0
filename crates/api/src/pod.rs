//! A Pod, reduced to what decisions about Jobs read.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Pod conditions", "Container states". Whole pods are the API server's business.

use serde::Deserialize;

use crate::meta::{names, or_default};
use crate::{ObjectMeta, Text, Timestamp, time};

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

impl<'de> Deserialize<'de> for Phase {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Ok(match &*word {
            "" | "Pending" => Self::Pending,
            "Running" => Self::Running,
            "Succeeded" => Self::Succeeded,
            "Failed" => Self::Failed,
            _ => Self::Unknown,
        })
    }
}

/// One condition of a pod.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodCondition {
    /// Its type.
    #[serde(rename = "type", deserialize_with = "or_default")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "or_default")]
    pub status: Text,
    /// When its status last changed.
    #[serde(with = "time::seconds")]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Terminated {
    /// Its exit code; 128 + the signal's number if a signal ended it.
    #[serde(deserialize_with = "or_default")]
    pub exit_code: i32,
    /// When it ended.
    #[serde(with = "time::seconds")]
    pub finished_at: Option<Timestamp>,
}

impl<'de> Deserialize<'de> for Pod {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = wire::Pod::deserialize(deserializer)?;
        let mut metadata = wire.metadata;
        let annotations = std::mem::take(&mut metadata.annotations);
        let count = |key| {
            let number = annotations.get(key).and_then(|text: &Text| text.parse::<i64>().ok());
            number.and_then(|number| i32::try_from(number).ok()).and_then(|number| u32::try_from(number).ok())
        };
        metadata.generate_name = Text::default();
        let sidecars: Vec<Text> =
            wire.spec.init_containers.into_iter().filter(|c| c.restart_policy.as_deref() == Some("Always")).map(|c| c.name).collect();
        let statuses = |list: Vec<wire::ContainerStatus>, sidecars: &[Text]| -> Vec<ContainerStatus> {
            let status = |c: wire::ContainerStatus| ContainerStatus {
                sidecar: sidecars.contains(&c.name),
                name: c.name,
                restart_count: c.restart_count,
                terminated: c.state.terminated,
            };
            list.into_iter().map(status).collect()
        };
        Ok(Self {
            completion_index: count(names::COMPLETION_INDEX),
            index_failures: count(names::INDEX_FAILURE_COUNT).unwrap_or(0),
            index_ignored_failures: count(names::INDEX_IGNORED_FAILURE_COUNT).unwrap_or(0),
            metadata,
            assigned: wire.spec.node_name.is_some_and(|name| !name.is_empty()),
            phase: wire.status.phase,
            conditions: wire.status.conditions,
            containers: statuses(wire.status.container_statuses, &[]),
            init_containers: statuses(wire.status.init_container_statuses, &sidecars),
        })
    }
}

/// A pod's JSON, as far as it is read.
mod wire {
    use std::borrow::Cow;

    use serde::Deserialize;

    use super::{Phase, PodCondition, Terminated, or_default};
    use crate::{ObjectMeta, Text};

    #[derive(Deserialize)]
    pub(super) struct Pod<'a> {
        #[serde(default, deserialize_with = "or_default")]
        pub(super) metadata: ObjectMeta,
        #[serde(default, borrow, deserialize_with = "or_default")]
        pub(super) spec: Spec<'a>,
        #[serde(default, deserialize_with = "or_default")]
        pub(super) status: Status,
    }

    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub(super) struct Spec<'a> {
        #[serde(borrow)]
        pub(super) node_name: Option<Cow<'a, str>>,
        #[serde(deserialize_with = "or_default")]
        pub(super) init_containers: Vec<InitContainer<'a>>,
    }

    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub(super) struct InitContainer<'a> {
        #[serde(deserialize_with = "or_default")]
        pub(super) name: Text,
        #[serde(borrow)]
        pub(super) restart_policy: Option<Cow<'a, str>>,
    }

    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub(super) struct Status {
        #[serde(deserialize_with = "or_default")]
        pub(super) phase: Phase,
        #[serde(deserialize_with = "or_default")]
        pub(super) conditions: Vec<PodCondition>,
        #[serde(deserialize_with = "or_default")]
        pub(super) container_statuses: Vec<ContainerStatus>,
        #[serde(deserialize_with = "or_default")]
        pub(super) init_container_statuses: Vec<ContainerStatus>,
    }

    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub(super) struct ContainerStatus {
        #[serde(deserialize_with = "or_default")]
        pub(super) name: Text,
        #[serde(deserialize_with = "or_default")]
        pub(super) restart_count: i32,
        #[serde(deserialize_with = "or_default")]
        pub(super) state: State,
    }

    #[derive(Default, Deserialize)]
    #[serde(default)]
    pub(super) struct State {
        pub(super) terminated: Option<Terminated>,
    }
}
