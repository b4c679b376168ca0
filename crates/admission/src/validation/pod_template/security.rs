//! What processes in pods may do: users, profiles, capabilities, namespaces of the node.
//!
//! Docs: Configure a Security Context for a Pod or Container; User Namespaces; Using sysctls in a Kubernetes Cluster (A-70). What differs on Windows is
//! in `windows.rs`. Whether containers may be privileged is up to each cluster.

use std::collections::BTreeSet;

use serde_json::json;

use super::windows;
use crate::pod_template::{Container, PodSecurityContext, PodSpec, SecurityProfile, Sysctl};
use crate::validation::{FieldError, Path, between, file_paths, one_of, one_of_optional, required};

/// The highest user or group.
const HIGHEST_ID: i64 = i32::MAX as i64;
/// The most bytes of the name of an AppArmor profile.
const PROFILE_LENGTH: usize = 4095;
const SYSCTL_LENGTH: usize = 253;
const NO_SYSCTL: &str =
    r"must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
/// Parameters of the namespace of IPC, besides all that begin with `fs.mqueue.`.
const IPC_SYSCTLS: [&str; 10] = [
    "kernel.sem",
    "kernel.shm",
    "kernel.msg",
    "kernel.shmmax",
    "kernel.shmall",
    "kernel.shmmni",
    "kernel.shm_rmid_forced",
    "kernel.msgmax",
    "kernel.msgmnb",
    "kernel.msgmni",
];
/// Why a field must not be set.
pub(super) const WITHOUT_HOST_USERS: &str = "when `hostUsers` is false";

/// Checks what a pod as a whole may do.
pub(super) fn check_pod(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    if spec.host_pid && spec.share_process_namespace == Some(true) {
        let detail = "ShareProcessNamespace and HostPID cannot both be enabled";
        errors.push(FieldError::invalid(path.field("shareProcessNamespace"), &true, detail));
    }
    if spec.host_users == Some(false) {
        for (field, set) in [("hostNetwork", spec.host_network), ("HostPID", spec.host_pid), ("HostIPC", spec.host_ipc)] {
            if set {
                errors.push(FieldError::forbidden(path.field(field), WITHOUT_HOST_USERS));
            }
        }
    }
    let (path, context) = (path.field("securityContext"), &spec.security_context);
    for (field, id) in [("fsGroup", context.fs_group), ("runAsUser", context.run_as_user), ("runAsGroup", context.run_as_group)] {
        check_id(&path.field(field), id, errors);
    }
    for (at, group) in context.supplemental_groups.iter().flatten().enumerate() {
        check_id(&path.field("supplementalGroups").index(at), Some(*group), errors);
    }
    check_sysctls(&path.field("sysctls"), &context.sysctls, spec, errors);
    check_pod_policies(&path, context, errors);
}

fn check_pod_policies(path: &Path, context: &PodSecurityContext, errors: &mut Vec<FieldError>) {
    for (field, policy, supported) in [
        ("fsGroupChangePolicy", &context.fs_group_change_policy, ["Always", "OnRootMismatch"]),
        ("seLinuxChangePolicy", &context.se_linux_change_policy, ["MountOption", "Recursive"]),
        ("supplementalGroupsPolicy", &context.supplemental_groups_policy, ["Merge", "Strict"]),
    ] {
        one_of_optional(&path.field(field), policy.as_deref(), &supported, errors);
    }
    check_seccomp(&path.field("seccompProfile"), context.seccomp_profile.as_ref(), errors);
    if let Some(options) = &context.windows_options {
        windows::check_options(&path.field("windowsOptions"), options, errors);
    }
    check_app_armor(&path.field("appArmorProfile"), context.app_armor_profile.as_ref(), errors);
}

/// Checks what a container may do.
pub(super) fn check_container(path: &Path, container: &Container, pod: &PodSpec, errors: &mut Vec<FieldError>) {
    let context = &container.security_context;
    check_id(&path.field("runAsUser"), context.run_as_user, errors);
    check_id(&path.field("runAsGroup"), context.run_as_group, errors);
    one_of_optional(&path.field("procMount"), context.proc_mount.as_deref(), schema::values("SecurityContext", "procMount"), errors);
    if context.proc_mount.as_deref() == Some("Unmasked") && pod.host_users != Some(false) {
        errors.push(FieldError::invalid(path.field("procMount"), "Unmasked", "`hostUsers` must be false to use `Unmasked`"));
    }
    check_seccomp(&path.field("seccompProfile"), context.seccomp_profile.as_ref(), errors);
    if context.allow_privilege_escalation == Some(false) {
        let mut contradict = |other: &str, value| {
            let detail = format!("cannot set `allowPrivilegeEscalation` to false and {other}");
            errors.push(FieldError::invalid(path, &value, detail));
        };
        if context.privileged == Some(true) {
            contradict("`privileged` to true", json!({"allowPrivilegeEscalation": false, "privileged": true}));
        }
        let added = context.capabilities.iter().flat_map(|capabilities| &capabilities.add);
        for capability in added.filter(|capability| &***capability == "CAP_SYS_ADMIN") {
            contradict(
                "`capabilities.Add` CAP_SYS_ADMIN",
                json!({"allowPrivilegeEscalation": false, "capabilities": {"add": [&**capability]}}),
            );
        }
    }
    if let Some(options) = &context.windows_options {
        windows::check_options(&path.field("windowsOptions"), options, errors);
    }
    check_app_armor(&path.field("appArmorProfile"), context.app_armor_profile.as_ref(), errors);
}

fn check_id(path: &Path, id: Option<i64>, errors: &mut Vec<FieldError>) {
    if let Some(id) = id {
        between(path, id, 0, HIGHEST_ID, errors);
    }
}

fn check_seccomp(path: &Path, profile: Option<&SecurityProfile>, errors: &mut Vec<FieldError>) {
    let Some(SecurityProfile { kind, localhost_profile }) = profile else { return };
    check_profile_type(path, kind, "seccompProfile", errors);
    let path = path.field("localhostProfile");
    match localhost_profile {
        None if &**kind == "Localhost" => errors.push(FieldError::required(path, "must be set when seccomp type is Localhost")),
        None => (),
        Some(file) if &**kind == "Localhost" => file_paths::check_descending(&path, file, errors),
        Some(file) => {
            let value = json!({"type": &**kind, "localhostProfile": &**file});
            errors.push(FieldError::invalid(path, &value, "can only be set when seccomp type is Localhost"));
        }
    }
}

fn check_app_armor(path: &Path, profile: Option<&SecurityProfile>, errors: &mut Vec<FieldError>) {
    let Some(SecurityProfile { kind, localhost_profile }) = profile else { return };
    check_profile_type(path, kind, "appArmorProfile", errors);
    let path = path.field("localhostProfile");
    match (&**kind, localhost_profile.as_deref()) {
        ("Localhost", None | Some("")) => errors.push(FieldError::required(path, "must be set when AppArmor type is Localhost")),
        ("Localhost", Some(name)) => {
            if name.trim() != name {
                errors.push(FieldError::invalid(path, name, "must not be padded with whitespace"));
            }
            if name.len() > PROFILE_LENGTH {
                errors.push(FieldError::too_long(path, PROFILE_LENGTH));
            }
        }
        ("RuntimeDefault" | "Unconfined", Some(name)) => {
            errors.push(FieldError::invalid(path, name, "can only be set when AppArmor type is Localhost"));
        }
        _ => (),
    }
}

fn check_profile_type(path: &Path, kind: &str, field: &str, errors: &mut Vec<FieldError>) {
    let path = path.field("type");
    if kind.is_empty() {
        errors.push(FieldError::required(path, format!("type is required when {field} is set")));
    } else {
        one_of(&path, kind, schema::values("SeccompProfile", "type"), errors);
    }
}

fn check_sysctls(path: &Path, sysctls: &[Sysctl], spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let mut seen = BTreeSet::new();
    for (at, Sysctl { name }) in sysctls.iter().enumerate() {
        let path = path.index(at);
        let path = path.field("name");
        if !required(&path, name, errors) {
            continue;
        }
        if name.len() > SYSCTL_LENGTH || !is_sysctl(name) {
            errors.push(FieldError::invalid(path, name, NO_SYSCTL));
        } else if !seen.insert(name) {
            errors.push(FieldError::duplicate(path, name));
        }
        let dotted = name.replace('/', ".");
        let shared = [
            (spec.host_ipc && (IPC_SYSCTLS.contains(&&*dotted) || dotted.starts_with("fs.mqueue.")), "hostIPC"),
            (spec.host_network && dotted.starts_with("net."), "hostNetwork"),
        ];
        for (_, field) in shared.into_iter().filter(|(shared, _)| *shared) {
            errors.push(FieldError::invalid(path, name, format!("may not be specified when '{field}' is true")));
        }
    }
}

/// Whether each part between dots and slashes is a word in lower case.
fn is_sysctl(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let word = |part: &str| {
        let bytes = part.as_bytes();
        let ends = bytes.first().is_some_and(|first| inner(*first)) && bytes.last().is_some_and(|last| inner(*last));
        ends && bytes.iter().all(|byte| inner(*byte) || matches!(byte, b'-' | b'_'))
    };
    name.split(['.', '/']).all(word)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_pod};
    use super::*;

    #[test]
    fn a_70_users_and_policies() {
        check_pod(
            r#""securityContext":{"runAsUser":-1,"supplementalGroups":[0,2147483648],"fsGroupChangePolicy":"x"}"#,
            &[
                "securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
                "securityContext.supplementalGroups[1]: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
                r#"securityContext.fsGroupChangePolicy: Unsupported value: "x": supported values: "Always", "OnRootMismatch""#,
            ],
        );
    }

    #[test]
    fn a_70_namespaces_of_the_node() {
        check_pod(
            r#""hostPID":true,"hostIPC":true,"hostNetwork":true,"hostUsers":false,"shareProcessNamespace":true"#,
            &[
                "shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
                "hostNetwork: Forbidden: when `hostUsers` is false",
                "HostPID: Forbidden: when `hostUsers` is false",
                "HostIPC: Forbidden: when `hostUsers` is false",
            ],
        );
        let long = format!(r#"securityContext.sysctls[3].name: Invalid value: "A": {NO_SYSCTL}"#);
        check_pod(
            r#""hostIPC":true,"securityContext":{"sysctls":[{"name":"net/a_b.c"},{"name":"kernel/sem"},{"name":"net/a_b.c"},{"name":"A"},{}]}"#,
            &[
                r#"securityContext.sysctls[1].name: Invalid value: "kernel/sem": may not be specified when 'hostIPC' is true"#,
                r#"securityContext.sysctls[2].name: Duplicate value: "net/a_b.c""#,
                &long,
                "securityContext.sysctls[4].name: Required value",
            ],
        );
    }

    #[test]
    fn a_70_profiles() {
        let check = |context: &str, expected: &[&str]| {
            let expected: Vec<String> = expected.iter().map(|text| format!("containers[0].securityContext.{text}")).collect();
            let context = format!(r#""securityContext":{{{context}}}"#);
            check_container(&context, &expected.iter().map(String::as_str).collect::<Vec<_>>());
        };
        check(r#""seccompProfile":{"type":"Localhost","localhostProfile":"a"},"appArmorProfile":{"type":"Unconfined"}"#, &[]);
        check(
            r#""seccompProfile":{"localhostProfile":"a"},"appArmorProfile":{"type":"x","localhostProfile":"a"}"#,
            &[
                "seccompProfile.type: Required value: type is required when seccompProfile is set",
                r#"seccompProfile.localhostProfile: Invalid value: {"localhostProfile":"a","type":""}: can only be set when seccomp type is Localhost"#,
                r#"appArmorProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined""#,
            ],
        );
        check(
            r#""seccompProfile":{"type":"Localhost"},"appArmorProfile":{"type":"Localhost","localhostProfile":" a"}"#,
            &[
                "seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost",
                r#"appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace"#,
            ],
        );
        check(
            r#""appArmorProfile":{"type":"RuntimeDefault","localhostProfile":""}"#,
            &[r#"appArmorProfile.localhostProfile: Invalid value: "": can only be set when AppArmor type is Localhost"#],
        );
    }

    #[test]
    fn a_70_privileges() {
        check_container(
            r#""securityContext":{"allowPrivilegeEscalation":false,"privileged":true,"capabilities":{"add":["CAP_SYS_ADMIN"]},"procMount":"Unmasked"}"#,
            &[
                r#"containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`"#,
                r#"containers[0].securityContext: Invalid value: {"allowPrivilegeEscalation":false,"privileged":true}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true"#,
                r#"containers[0].securityContext: Invalid value: {"allowPrivilegeEscalation":false,"capabilities":{"add":["CAP_SYS_ADMIN"]}}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"#,
            ],
        );
    }
}
