//! A pod template, decoded where rules are about it; everything else stays JSON text.
//!
//! Docs: Jobs, "Pod Template". The rules are in `validation/pod_template/`, defaults in `defaults.rs`.

mod container;
mod environment;
mod handlers;
mod scheduling;
mod security;
mod volumes;

pub(crate) use container::{Container, DeviceRequest, Port, ResizePolicy, Resources, VolumeDevice, VolumeMount};
pub(crate) use environment::{EnvFrom, EnvSource, EnvVar, FieldRef, FileKeyRef, KeyRef, ResourceFieldRef};
pub(crate) use handlers::{Handler, HttpGet, Lifecycle, PortReference, Probe};
pub(crate) use scheduling::{
    Affinity, NodeAffinity, NodeSelectorTerm, PodAffinity, PodAffinityTerm, PreferredPods, Toleration, TopologySpreadConstraint,
};
pub(crate) use security::{PodSecurityContext, SecurityContext, SecurityProfile, Sysctl, WindowsOptions};
pub(crate) use volumes::{
    ClaimSpec, ClaimTemplate, ClusterTrustBundle, CsiSource, DataSource, DownwardApiFile, DownwardApiSource, Files, HostPath, JsonFields,
    PodCertificate, ProjectedSource, ServiceAccountToken, Volume, VolumeProjection, VolumeSource,
};

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

/// `spec` of a pod template. Empty text and absent are the same, but where text is optional.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodSpec {
    pub(crate) volumes: Vec<Volume>,
    pub(crate) init_containers: Vec<Container>,
    pub(crate) containers: Vec<Container>,
    pub(crate) ephemeral_containers: Vec<Present>,
    pub(crate) restart_policy: Text,
    pub(crate) termination_grace_period_seconds: Option<i64>,
    pub(crate) active_deadline_seconds: Option<i64>,
    pub(crate) dns_policy: Text,
    pub(crate) dns_config: Option<DnsConfig>,
    pub(crate) node_selector: Labels,
    pub(crate) service_account_name: Text,
    pub(crate) node_name: Text,
    pub(crate) host_network: bool,
    #[serde(rename = "hostPID")]
    pub(crate) host_pid: bool,
    #[serde(rename = "hostIPC")]
    pub(crate) host_ipc: bool,
    pub(crate) host_users: Option<bool>,
    pub(crate) share_process_namespace: Option<bool>,
    pub(crate) security_context: PodSecurityContext,
    pub(crate) image_pull_secrets: Vec<LocalObjectReference>,
    pub(crate) hostname: Text,
    pub(crate) hostname_override: Option<Text>,
    #[serde(rename = "setHostnameAsFQDN")]
    pub(crate) set_hostname_as_fqdn: Option<bool>,
    pub(crate) subdomain: Text,
    pub(crate) affinity: Affinity,
    pub(crate) tolerations: Vec<Toleration>,
    pub(crate) topology_spread_constraints: Vec<TopologySpreadConstraint>,
    pub(crate) host_aliases: Vec<HostAlias>,
    pub(crate) priority_class_name: Text,
    pub(crate) preemption_policy: Option<Text>,
    pub(crate) readiness_gates: Vec<ReadinessGate>,
    pub(crate) scheduling_gates: Vec<LocalObjectReference>,
    pub(crate) runtime_class_name: Option<Text>,
    pub(crate) overhead: Quantities,
    pub(crate) os: Option<LocalObjectReference>,
    pub(crate) resource_claims: Vec<ResourceClaim>,
    pub(crate) resources: Option<Resources>,
}

impl PodSpec {
    /// All containers, with the field that they are in and their place in it.
    pub(crate) fn all_containers(&self) -> impl Iterator<Item = (&'static str, usize, &Container)> {
        let lists = [("containers", &self.containers), ("initContainers", &self.init_containers)];
        lists.into_iter().flat_map(|(field, containers)| containers.iter().enumerate().map(move |(at, container)| (field, at, container)))
    }
}

/// Something that is known by its name.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct LocalObjectReference {
    pub(crate) name: Text,
}

/// How names are resolved in the pod.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct DnsConfig {
    pub(crate) nameservers: Vec<Text>,
    pub(crate) searches: Vec<Text>,
    pub(crate) options: Vec<LocalObjectReference>,
}

/// Names of an address in the pod's `/etc/hosts`.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct HostAlias {
    pub(crate) ip: Text,
    pub(crate) hostnames: Vec<Text>,
}

/// A condition that a ready pod has.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ReadinessGate {
    pub(crate) condition_type: Text,
}

/// A claim of devices.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ResourceClaim {
    pub(crate) name: Text,
    pub(crate) resource_claim_name: Option<Text>,
    pub(crate) resource_claim_template_name: Option<Text>,
}
