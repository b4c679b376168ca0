//! A pod template, read as far as its rules go; what it has beyond that stays in its JSON text.
//!
//! Docs: Jobs, "Pod Template". The rules are in `validation/pod_template.rs`, defaults in `defaults.rs`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::job::Template;
use crate::meta::{Labels, or_default};
use crate::quantity::Quantity;
use crate::{ObjectMeta, Text};

/// A pod template.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PodTemplate {
    /// Metadata of the pods.
    #[serde(deserialize_with = "or_default")]
    pub(crate) metadata: ObjectMeta,
    /// What the pods run.
    #[serde(deserialize_with = "or_default")]
    pub(crate) spec: PodSpec,
}

impl PodTemplate {
    /// Reads a template.
    pub(crate) fn read(template: &Template) -> Result<Self, serde_json::Error> {
        serde_json::from_str(template.json())
    }
}

/// `spec` of a pod template. Empty text and absent are the same.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PodSpec {
    #[serde(deserialize_with = "or_default")]
    pub(crate) volumes: Vec<Volume>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) init_containers: Vec<Container>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) containers: Vec<Container>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) ephemeral_containers: Vec<IgnoredAny>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) restart_policy: Text,
    pub(crate) active_deadline_seconds: Option<i64>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) dns_policy: Text,
    pub(crate) dns_config: Option<IgnoredAny>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) node_selector: Labels,
    #[serde(deserialize_with = "or_default")]
    pub(crate) service_account_name: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) node_name: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) host_network: bool,
    #[serde(deserialize_with = "or_default")]
    pub(crate) hostname: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) subdomain: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) priority_class_name: Text,
}

/// A container, or an init container.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Container {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) image: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) ports: Vec<Port>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) env: Vec<Variable>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) resources: Resources,
    #[serde(deserialize_with = "or_default")]
    pub(crate) volume_mounts: Vec<VolumeMount>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) termination_message_policy: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) image_pull_policy: Text,
}

/// A port that a container listens on.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Port {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) host_port: i32,
    #[serde(deserialize_with = "or_default")]
    pub(crate) container_port: i32,
    #[serde(deserialize_with = "or_default")]
    pub(crate) protocol: Text,
    #[serde(rename = "hostIP", deserialize_with = "or_default")]
    pub(crate) host_ip: Text,
}

/// An environment variable.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Variable {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: Text,
}

/// What a container may use at the most, and what is kept free for it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Resources {
    #[serde(deserialize_with = "or_default")]
    pub(crate) limits: BTreeMap<Text, Box<Quantity>>,
    #[serde(deserialize_with = "or_default")]
    pub(crate) requests: BTreeMap<Text, Box<Quantity>>,
}

/// Where a container sees a volume.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VolumeMount {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: Text,
    #[serde(deserialize_with = "or_default")]
    pub(crate) mount_path: Text,
}

/// A volume, with the sources that name something.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Volume {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: Text,
    pub(crate) host_path: Option<HostPath>,
    pub(crate) secret: Option<SecretSource>,
    pub(crate) config_map: Option<ConfigMapSource>,
    pub(crate) persistent_volume_claim: Option<ClaimSource>,
}

/// A path of the node.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct HostPath {
    #[serde(deserialize_with = "or_default")]
    pub(crate) path: Text,
}

/// A Secret's contents.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SecretSource {
    #[serde(deserialize_with = "or_default")]
    pub(crate) secret_name: Text,
}

/// A ConfigMap's contents.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ConfigMapSource {
    #[serde(deserialize_with = "or_default")]
    pub(crate) name: Text,
}

/// A claim of a PersistentVolume.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ClaimSource {
    #[serde(deserialize_with = "or_default")]
    pub(crate) claim_name: Text,
}
