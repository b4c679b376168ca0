//! A Pod, reduced to what decisions about Jobs read.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Pod conditions", "Container states". Whole pods are the API server's business. What explains a pod that does not get
//! on (reasons, messages, times) is kept out of line, so that a healthy pod does not pay for it.

use serde::{Deserialize, Deserializer};

pub use crate::container_status::{ContainerProgress, ContainerStatus, MESSAGE_LIMIT, StatusDetail, Terminated};
use crate::json::{self, JsonValue, Read, ReadError};
use crate::meta::names;
use crate::{Attempt, ObjectMeta, Text, Timestamp};

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
    /// What few pods have.
    pub trouble: Option<Box<PodTrouble>>,
    /// What it carries of the attempts before it; `None` unless its Job asks for more than Kubernetes has (X-6…X-11).
    pub attempt: Option<Box<Attempt>>,
}

/// What holds a pod back, or ended it: a healthy pod has none of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PodTrouble {
    /// The name of its node, if that does not respond; empty if the pod has none.
    pub lost_node: Option<Text>,
    /// The scheduling gates.
    pub gates: Vec<Text>,
    /// Why the pod as a whole is as it is, if its status says so: `Evicted`, `DeadlineExceeded`.
    pub detail: StatusDetail,
}

impl PodTrouble {
    fn of(spec: &PodSpecFields, status: &mut PodStatusFields) -> Option<Box<Self>> {
        let ready = status.conditions.iter().find(|condition| &*condition.kind == "Ready");
        let silent = ready.is_some_and(|ready| ready.status == ConditionStatus::Unknown || ready.reason() == "NodeNotReady");
        let trouble = Self {
            lost_node: (silent || status.phase == Phase::Unknown).then(|| spec.node_name.clone()),
            gates: spec.scheduling_gates.iter().map(|gate| gate.name.clone()).collect(),
            detail: status.detail.take().map(|detail| *detail).unwrap_or_default(),
        };
        (trouble != Self::default()).then(|| Box::new(trouble))
    }
}

impl Pod {
    /// The condition of this type, whatever its status.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&PodCondition> {
        self.conditions.iter().find(|condition| &*condition.kind == kind)
    }

    /// Why it was ended from outside, if that is known: the reason of its condition DisruptionTarget, as in `EvictionByEvictionAPI`.
    #[must_use]
    pub fn disruption(&self) -> Option<Text> {
        self.condition("DisruptionTarget").filter(|target| target.status == ConditionStatus::True)?.given_reason()
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PodCondition {
    /// Its type.
    pub kind: Text,
    /// Its status.
    pub status: ConditionStatus,
    /// When its status last changed.
    pub last_transition_time: Option<Timestamp>,
    /// Why, if it says more than the containers' states do.
    pub detail: Option<Box<StatusDetail>>,
}

impl PodCondition {
    /// Its reason; empty if it has none of interest.
    #[must_use]
    pub fn reason(&self) -> &str {
        self.detail.as_ref().map_or("", |detail| &detail.reason)
    }

    /// Its reason, if it has one of interest.
    #[must_use]
    #[inline(never)]
    pub fn given_reason(&self) -> Option<Text> {
        self.detail.as_ref().map(|detail| detail.reason.clone()).filter(|reason| !reason.is_empty())
    }

    /// Drops a reason that only repeats what the containers' states say.
    fn trim(&mut self) {
        let repeats = |detail: &StatusDetail| matches!(&*detail.reason, "PodCompleted" | "ContainersNotReady" | "ContainersNotInitialized");
        self.detail = self.detail.take().filter(|detail| !repeats(detail));
    }
}

impl Read for PodCondition {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "type" => value.read(&mut self.kind),
            "status" => value.read(&mut self.status),
            "lastTransitionTime" => value.read(&mut self.last_transition_time),
            "reason" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.reason),
            "message" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.message),
            _ => Ok(()),
        }
    }
}

/// The status of a condition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ConditionStatus {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// Whether it holds is not known.
    Unknown,
    /// It has no status, or one that the API does not define.
    #[default]
    Other,
}

impl ConditionStatus {
    /// The status as it is written; empty if it is none that the API defines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
            Self::Other => "",
        }
    }
}

impl Read for ConditionStatus {
    fn wanted(&self) -> &'static str {
        "a status"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = match value {
            "True" => Self::True,
            "False" => Self::False,
            "Unknown" => Self::Unknown,
            _ => Self::Other,
        };
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Pod {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::deserialize::<_, Whole>(deserializer).map(Self::from)
    }
}

impl From<Whole> for Pod {
    fn from(Whole { mut metadata, spec, mut status }: Whole) -> Self {
        metadata.generate_name = Text::default();
        status.conditions.iter_mut().for_each(PodCondition::trim);
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
            attempt: Attempt::read(&annotations, &spec.node_name).map(Box::new),
            assigned: !spec.node_name.is_empty(),
            trouble: PodTrouble::of(&spec, &mut status),
            phase: status.phase,
            ready: status.conditions.iter().any(|condition| &*condition.kind == "Ready" && condition.status == ConditionStatus::True),
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
    scheduling_gates: Vec<SchedulingGate>,
}

/// A scheduling gate.
#[derive(Default, Read)]
struct SchedulingGate {
    name: Text,
}

/// An init container.
#[derive(Default, Read)]
struct InitContainer {
    name: Text,
    restart_policy: Text,
}

/// `status` of a pod.
#[derive(Default)]
struct PodStatusFields {
    phase: Phase,
    detail: Option<Box<StatusDetail>>,
    conditions: Vec<PodCondition>,
    container_statuses: Vec<ContainerStatus>,
    init_container_statuses: Vec<ContainerStatus>,
}

impl Read for PodStatusFields {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "phase" => value.read(&mut self.phase),
            "reason" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.reason),
            "message" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.message),
            "conditions" => value.read(&mut self.conditions),
            "containerStatuses" => value.read(&mut self.container_statuses),
            "initContainerStatuses" => value.read(&mut self.init_container_statuses),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_healthy_pod_does_not_pay_for_what_explains_others() {
        let pod: Pod = serde_json::from_str(
            r#"{"metadata": {"name": "pi-1"}, "spec": {"nodeName": "node-1"}, "status": {"phase": "Running",
                "conditions": [{"type": "PodScheduled", "status": "True"}, {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"}],
                "containerStatuses": [{"name": "main", "restartCount": 0, "state": {"running": {"startedAt": "2026-01-02T03:04:05Z"}}, "lastState": {}}]}}"#,
        )
        .unwrap();
        assert!(pod.assigned && pod.trouble.is_none(), "{pod:?}");
        assert!(pod.conditions.iter().all(|condition| condition.detail.is_none()) && pod.containers[0].last.is_none(), "{pod:?}");
        // 16 bytes more than before pods were explained and carried their attempt, here as in the component.
        if size_of::<usize>() == 8 {
            assert_eq!([size_of::<Pod>(), size_of::<PodCondition>(), size_of::<ContainerStatus>()], [312, 56, 56]);
        }
    }

    #[test]
    fn the_name_of_a_node_is_kept_while_it_does_not_respond() {
        let lost = |condition: &str| {
            let pod: Pod = serde_json::from_str(&format!(
                r#"{{"spec": {{"nodeName": "node-1"}}, "status": {{"phase": "Running", "conditions": [{{"type": "Ready", {condition}}}]}}}}"#
            ))
            .unwrap();
            pod.trouble.and_then(|trouble| trouble.lost_node)
        };
        assert_eq!(lost(r#""status": "Unknown""#).as_deref(), Some("node-1"));
        assert_eq!(lost(r#""status": "False", "reason": "NodeNotReady""#).as_deref(), Some("node-1"));
        assert_eq!(lost(r#""status": "False", "reason": "ContainersNotReady""#), None);
        let unknown: Pod = serde_json::from_str(r#"{"status": {"phase": "Unknown"}}"#).unwrap();
        assert_eq!(unknown.trouble.and_then(|trouble| trouble.lost_node).as_deref(), Some(""));
    }
}
