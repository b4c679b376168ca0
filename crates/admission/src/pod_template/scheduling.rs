//! Where pods run: affinity, tolerations, and how they are spread.
//!
//! Docs: Assigning Pods to Nodes; Taints and Tolerations; Pod Topology Spread Constraints.

use api::Text;
use api::json::Read;
use api::selector::{LabelSelector, Requirement};

/// Which nodes and pods a pod is drawn to.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Affinity {
    pub(crate) node_affinity: NodeAffinity,
    pub(crate) pod_affinity: PodAffinity,
    pub(crate) pod_anti_affinity: PodAffinity,
}

/// Which nodes a pod runs on.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct NodeAffinity {
    #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution")]
    pub(crate) required: Option<NodeSelector>,
    #[serde(rename = "preferredDuringSchedulingIgnoredDuringExecution")]
    pub(crate) preferred: Vec<PreferredNodes>,
}

/// Terms; a node has to match one of them.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct NodeSelector {
    pub(crate) node_selector_terms: Vec<NodeSelectorTerm>,
}

/// Requirements on labels and fields of a node.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct NodeSelectorTerm {
    pub(crate) match_expressions: Vec<Requirement>,
    pub(crate) match_fields: Vec<Requirement>,
}

/// Nodes that are preferred.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PreferredNodes {
    pub(crate) weight: i32,
    pub(crate) preference: NodeSelectorTerm,
}

/// Which other pods a pod runs near to, or far from.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodAffinity {
    #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution")]
    pub(crate) required: Vec<PodAffinityTerm>,
    #[serde(rename = "preferredDuringSchedulingIgnoredDuringExecution")]
    pub(crate) preferred: Vec<PreferredPods>,
}

/// Other pods, and what near means.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodAffinityTerm {
    pub(crate) label_selector: Option<LabelSelector>,
    pub(crate) namespaces: Vec<Text>,
    pub(crate) topology_key: Text,
    pub(crate) namespace_selector: Option<LabelSelector>,
    pub(crate) match_label_keys: Vec<Text>,
    pub(crate) mismatch_label_keys: Vec<Text>,
}

/// Other pods whose neighbourhood is preferred.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PreferredPods {
    pub(crate) weight: i32,
    pub(crate) pod_affinity_term: PodAffinityTerm,
}

/// A taint that does not keep the pod away.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Toleration {
    pub(crate) key: Text,
    pub(crate) operator: Text,
    pub(crate) value: Text,
    pub(crate) effect: Text,
    pub(crate) toleration_seconds: Option<i64>,
}

/// How evenly pods are spread.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct TopologySpreadConstraint {
    pub(crate) max_skew: i32,
    pub(crate) topology_key: Text,
    pub(crate) when_unsatisfiable: Text,
    pub(crate) label_selector: Option<LabelSelector>,
    pub(crate) min_domains: Option<i32>,
    pub(crate) node_affinity_policy: Option<Text>,
    pub(crate) node_taints_policy: Option<Text>,
    pub(crate) match_label_keys: Vec<Text>,
}
