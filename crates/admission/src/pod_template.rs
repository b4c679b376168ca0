//! A pod template, read as far as its rules go; what it has beyond that stays in its JSON text.
//!
//! Docs: Jobs, "Pod Template". The rules are in `validation/pod_template.rs`, defaults in `defaults.rs`.

use api::job::Template;
use api::json::{self, Fault, Present, Read, Value};
use api::meta::Labels;
use api::{ObjectMeta, Text};

use crate::quantity::Quantities;

/// A pod template.
#[derive(Debug, Clone, Default)]
pub(crate) struct PodTemplate {
    /// Metadata of the pods.
    pub(crate) metadata: ObjectMeta,
    /// What the pods run.
    pub(crate) spec: PodSpec,
}

impl Read for PodTemplate {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "metadata" => value.read(&mut self.metadata),
            "spec" => value.read(&mut self.spec),
            _ => Ok(()),
        }
    }
}

impl PodTemplate {
    /// Reads a template.
    pub(crate) fn read(template: &Template) -> Result<Self, serde_json::Error> {
        json::from_str(template.json())
    }
}

/// `spec` of a pod template. Empty text and absent are the same.
#[derive(Debug, Clone, Default)]
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

impl Read for PodSpec {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "volumes" => value.read(&mut self.volumes),
            "initContainers" => value.read(&mut self.init_containers),
            "containers" => value.read(&mut self.containers),
            "ephemeralContainers" => value.read(&mut self.ephemeral_containers),
            "restartPolicy" => value.read(&mut self.restart_policy),
            "activeDeadlineSeconds" => value.read(&mut self.active_deadline_seconds),
            "dnsPolicy" => value.read(&mut self.dns_policy),
            "dnsConfig" => value.read(&mut self.dns_config),
            "nodeSelector" => value.read(&mut self.node_selector),
            "serviceAccountName" => value.read(&mut self.service_account_name),
            "nodeName" => value.read(&mut self.node_name),
            "hostNetwork" => value.read(&mut self.host_network),
            "hostname" => value.read(&mut self.hostname),
            "subdomain" => value.read(&mut self.subdomain),
            "priorityClassName" => value.read(&mut self.priority_class_name),
            _ => Ok(()),
        }
    }
}

/// A container, or an init container.
#[derive(Debug, Clone, Default)]
pub(crate) struct Container {
    pub(crate) name: Text,
    pub(crate) image: Text,
    pub(crate) ports: Vec<Port>,
    pub(crate) env: Vec<Variable>,
    pub(crate) resources: Resources,
    pub(crate) volume_mounts: Vec<VolumeMount>,
    pub(crate) termination_message_policy: Text,
    pub(crate) image_pull_policy: Text,
}

impl Read for Container {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            "image" => value.read(&mut self.image),
            "ports" => value.read(&mut self.ports),
            "env" => value.read(&mut self.env),
            "resources" => value.read(&mut self.resources),
            "volumeMounts" => value.read(&mut self.volume_mounts),
            "terminationMessagePolicy" => value.read(&mut self.termination_message_policy),
            "imagePullPolicy" => value.read(&mut self.image_pull_policy),
            _ => Ok(()),
        }
    }
}

/// A port that a container listens on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Port {
    pub(crate) name: Text,
    pub(crate) host_port: i32,
    pub(crate) container_port: i32,
    pub(crate) protocol: Text,
    pub(crate) host_ip: Text,
}

impl Read for Port {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            "hostPort" => value.read(&mut self.host_port),
            "containerPort" => value.read(&mut self.container_port),
            "protocol" => value.read(&mut self.protocol),
            "hostIP" => value.read(&mut self.host_ip),
            _ => Ok(()),
        }
    }
}

/// An environment variable.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variable {
    pub(crate) name: Text,
}

impl Read for Variable {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            _ => Ok(()),
        }
    }
}

/// What a container may use at the most, and what is kept free for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Resources {
    pub(crate) limits: Quantities,
    pub(crate) requests: Quantities,
}

impl Read for Resources {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "limits" => value.read(&mut self.limits),
            "requests" => value.read(&mut self.requests),
            _ => Ok(()),
        }
    }
}

/// Where a container sees a volume.
#[derive(Debug, Clone, Default)]
pub(crate) struct VolumeMount {
    pub(crate) name: Text,
    pub(crate) mount_path: Text,
}

impl Read for VolumeMount {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            "mountPath" => value.read(&mut self.mount_path),
            _ => Ok(()),
        }
    }
}

/// A volume, with the sources that name something.
#[derive(Debug, Clone, Default)]
pub(crate) struct Volume {
    pub(crate) name: Text,
    pub(crate) host_path: Option<HostPath>,
    pub(crate) secret: Option<SecretSource>,
    pub(crate) config_map: Option<ConfigMapSource>,
    pub(crate) persistent_volume_claim: Option<ClaimSource>,
}

impl Read for Volume {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            "hostPath" => value.read(&mut self.host_path),
            "secret" => value.read(&mut self.secret),
            "configMap" => value.read(&mut self.config_map),
            "persistentVolumeClaim" => value.read(&mut self.persistent_volume_claim),
            _ => Ok(()),
        }
    }
}

/// A path of the node.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostPath {
    pub(crate) path: Text,
}

impl Read for HostPath {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "path" => value.read(&mut self.path),
            _ => Ok(()),
        }
    }
}

/// A Secret's contents.
#[derive(Debug, Clone, Default)]
pub(crate) struct SecretSource {
    pub(crate) secret_name: Text,
}

impl Read for SecretSource {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "secretName" => value.read(&mut self.secret_name),
            _ => Ok(()),
        }
    }
}

/// A ConfigMap's contents.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConfigMapSource {
    pub(crate) name: Text,
}

impl Read for ConfigMapSource {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "name" => value.read(&mut self.name),
            _ => Ok(()),
        }
    }
}

/// A claim of a PersistentVolume.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClaimSource {
    pub(crate) claim_name: Text,
}

impl Read for ClaimSource {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "claimName" => value.read(&mut self.claim_name),
            _ => Ok(()),
        }
    }
}
