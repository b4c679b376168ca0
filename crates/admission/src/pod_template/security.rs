//! What processes in pods may do.
//!
//! Docs: Configure a Security Context for a Pod or Container; Using sysctls in a Kubernetes Cluster.

use api::Text;
use api::json::{Present, Read};

/// The security context of a pod.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct PodSecurityContext {
    pub(crate) se_linux_options: Option<Present>,
    pub(crate) windows_options: Option<WindowsOptions>,
    pub(crate) run_as_user: Option<i64>,
    pub(crate) run_as_group: Option<i64>,
    pub(crate) supplemental_groups: Option<Vec<i64>>,
    pub(crate) supplemental_groups_policy: Option<Text>,
    pub(crate) fs_group: Option<i64>,
    pub(crate) sysctls: Vec<Sysctl>,
    pub(crate) fs_group_change_policy: Option<Text>,
    pub(crate) seccomp_profile: Option<SecurityProfile>,
    pub(crate) app_armor_profile: Option<SecurityProfile>,
    pub(crate) se_linux_change_policy: Option<Text>,
}

/// The security context of a container.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct SecurityContext {
    pub(crate) capabilities: Option<Capabilities>,
    pub(crate) privileged: Option<bool>,
    pub(crate) se_linux_options: Option<Present>,
    pub(crate) windows_options: Option<WindowsOptions>,
    pub(crate) run_as_user: Option<i64>,
    pub(crate) run_as_group: Option<i64>,
    pub(crate) read_only_root_filesystem: Option<bool>,
    pub(crate) allow_privilege_escalation: Option<bool>,
    pub(crate) proc_mount: Option<Text>,
    pub(crate) seccomp_profile: Option<SecurityProfile>,
    pub(crate) app_armor_profile: Option<SecurityProfile>,
}

/// Capabilities that a container has besides.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Capabilities {
    pub(crate) add: Vec<Text>,
}

/// A profile of seccomp or AppArmor.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct SecurityProfile {
    #[serde(rename = "type")]
    pub(crate) kind: Text,
    pub(crate) localhost_profile: Option<Text>,
}

/// What Windows asks for.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct WindowsOptions {
    pub(crate) gmsa_credential_spec_name: Option<Text>,
    pub(crate) gmsa_credential_spec: Option<Text>,
    pub(crate) run_as_user_name: Option<Text>,
    pub(crate) host_process: Option<bool>,
}

/// A parameter of the kernel.
#[derive(Debug, Clone, Default, Read)]
pub(crate) struct Sysctl {
    pub(crate) name: Text,
}
