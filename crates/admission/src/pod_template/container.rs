//! Containers: ports, resources, mounts, and when they are restarted.
//!
//! Docs: Pods, "Pod templates"; Sidecar Containers; Pod Lifecycle, "Container restarts". Their environment is in `environment.rs`, their probes and
//! hooks in `handlers.rs`.

use api::Text;
use api::json::Read;
use api::quantity::Quantities;

use super::{EnvFrom, EnvVar, Lifecycle, Probe, SecurityContext};

/// A container, or an init container.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Container {
    pub(crate) name: Text,
    pub(crate) image: Text,
    pub(crate) ports: Vec<Port>,
    pub(crate) env_from: Vec<EnvFrom>,
    pub(crate) env: Vec<EnvVar>,
    pub(crate) resources: Resources,
    pub(crate) resize_policy: Vec<ResizePolicy>,
    pub(crate) restart_policy: Option<Text>,
    pub(crate) restart_policy_rules: Vec<ContainerRestartRule>,
    pub(crate) volume_mounts: Vec<VolumeMount>,
    pub(crate) volume_devices: Vec<VolumeDevice>,
    pub(crate) liveness_probe: Option<Probe>,
    pub(crate) readiness_probe: Option<Probe>,
    pub(crate) startup_probe: Option<Probe>,
    pub(crate) lifecycle: Option<Lifecycle>,
    pub(crate) termination_message_policy: Text,
    pub(crate) image_pull_policy: Text,
    pub(crate) security_context: SecurityContext,
}

impl Container {
    /// Whether an init container runs along with the others.
    pub(crate) fn sidecar(&self) -> bool {
        self.restart_policy.as_deref() == Some("Always")
    }
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

/// What a container may use at the most, and what is kept free for it.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Resources {
    pub(crate) limits: Quantities,
    pub(crate) requests: Quantities,
    pub(crate) claims: Vec<DeviceRequest>,
}

/// A claim of devices that a container uses, or one of its requests.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct DeviceRequest {
    pub(crate) name: Text,
    pub(crate) request: Text,
}

/// What a change of a resource does to a running container.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ResizePolicy {
    pub(crate) resource_name: Text,
    pub(crate) restart_policy: Text,
}

/// What follows from an exit code.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ContainerRestartRule {
    pub(crate) action: Text,
    pub(crate) exit_codes: Option<ContainerRestartExitCodes>,
}

/// The exit codes of a rule.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct ContainerRestartExitCodes {
    pub(crate) operator: Text,
    pub(crate) values: Vec<i32>,
}

/// Where a container sees a volume.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct VolumeMount {
    pub(crate) name: Text,
    pub(crate) read_only: bool,
    pub(crate) recursive_read_only: Option<Text>,
    pub(crate) mount_path: Text,
    pub(crate) sub_path: Text,
    pub(crate) sub_path_expr: Text,
    pub(crate) mount_propagation: Option<Text>,
}

/// Where a container sees a volume as a device.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct VolumeDevice {
    pub(crate) name: Text,
    pub(crate) device_path: Text,
}
