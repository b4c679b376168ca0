//! A pod template, decoded where validation needs it; everything else stays JSON text.
//!
//! Docs: Jobs, "Pod Template". The rules are in `validation/pod_template.rs`, defaults in `defaults.rs`.

use api::job::Template;
use api::json::{self, Present, Read};
use api::meta::Labels;
use api::quantity::Quantities;
use api::{ObjectMeta, Text};

/// A pod template.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodTemplateSpec {
    /// Metadata of the pods.
    pub(crate) metadata: ObjectMeta,
    /// What the pods run.
    pub(crate) spec: PodSpec,
}

impl PodTemplateSpec {
    /// Reads a template.
    pub(crate) fn read(template: &Template) -> Result<Self, serde_json::Error> {
        json::from_str(template.json())
    }
}

/// `spec` of a pod template. Empty text and absent are the same.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodSpec {
    pub(crate) volumes: Vec<Volume>,
    pub(crate) init_containers: Vec<Container>,
    pub(crate) containers: Vec<Container>,
    pub(crate) ephemeral_containers: Vec<Present>,
    pub(crate) restart_policy: Text,
    pub(crate) active_deadline_seconds: Option<i64>,
    pub(crate) dns_policy: Text,
    pub(crate) dns_config: Option<Present>,
    pub(crate) node_selector: Labels,
    pub(crate) service_account_name: Text,
    pub(crate) node_name: Text,
    pub(crate) host_network: bool,
    pub(crate) hostname: Text,
    pub(crate) subdomain: Text,
    pub(crate) priority_class_name: Text,
}

/// A container, or an init container.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Container {
    pub(crate) name: Text,
    pub(crate) image: Text,
    pub(crate) ports: Vec<Port>,
    pub(crate) env: Vec<EnvVar>,
    pub(crate) resources: Resources,
    pub(crate) volume_mounts: Vec<VolumeMount>,
    pub(crate) termination_message_policy: Text,
    pub(crate) image_pull_policy: Text,
}

/// A port that a container listens on.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Port {
    pub(crate) name: Text,
    pub(crate) host_port: i32,
    pub(crate) container_port: i32,
    pub(crate) protocol: Text,
    #[serde(rename = "hostIP")]
    pub(crate) host_ip: Text,
}

/// An environment variable.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct EnvVar {
    pub(crate) name: Text,
}

/// What a container may use at the most, and what is kept free for it.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Resources {
    pub(crate) limits: Quantities,
    pub(crate) requests: Quantities,
}

/// Where a container sees a volume.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct VolumeMount {
    pub(crate) name: Text,
    pub(crate) mount_path: Text,
}

/// A volume, with the sources that name something.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Volume {
    pub(crate) name: Text,
    pub(crate) host_path: Option<HostPath>,
    pub(crate) secret: Option<SecretSource>,
    pub(crate) config_map: Option<ConfigMapSource>,
    pub(crate) persistent_volume_claim: Option<ClaimSource>,
}

/// A path of the node.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct HostPath {
    pub(crate) path: Text,
}

/// A Secret's contents.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct SecretSource {
    pub(crate) secret_name: Text,
}

/// A ConfigMap's contents.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ConfigMapSource {
    pub(crate) name: Text,
}

/// A claim of a PersistentVolume.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ClaimSource {
    pub(crate) claim_name: Text,
}
