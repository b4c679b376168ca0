//! What depends on the operating system of a pod, and what Windows asks for.
//!
//! Docs: Windows containers in Kubernetes, "Field compatibility for Pod security context"; Create a Windows HostProcess Pod (A-70). Everything else
//! about security is in `security.rs`.

use crate::pod_template::{PodSpec, SecurityContext, WindowsOptions};
use crate::validation::{FieldError, Path, names, required};

/// The most bytes of a specification, and characters of a domain and of a user.
const SPECIFICATION_LENGTH: usize = 64 * 1024;
const DOMAIN_LENGTH: usize = 256;
const USER_LENGTH: usize = 104;
const NOT_IN_USERS: &str = "\"/\\:;|=,+*?<>@[]";
const NOT_IN_NETBIOS_DOMAINS: &str = "\\/:*?\"<>|";

/// Checks that a pod has only what its operating system has.
pub(super) fn check_system(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let Some(system) = &spec.os else { return };
    let name = &*system.name;
    if !required(&path.field("os.name"), name, errors) {
        return;
    }
    match name {
        "linux" => check_on_linux(path, spec, errors),
        "windows" => check_on_windows(path, spec, errors),
        _ => errors.push(FieldError::not_supported(path.field("os"), name, schema::values("PodOS", "name"))),
    }
}

fn check_on_linux(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let mut refuse = |path: &Path, options: Option<&WindowsOptions>| {
        if options.is_some() {
            errors.push(FieldError::forbidden(path.field("windowsOptions"), "windows options cannot be set for a linux pod"));
        }
    };
    refuse(&path.field("securityContext"), spec.security_context.windows_options.as_ref());
    for (field, at, container) in spec.all_containers() {
        let path = path.field(field);
        refuse(&path.index(at).field("securityContext"), container.security_context.windows_options.as_ref());
    }
}

fn check_on_windows(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let context = &spec.security_context;
    refuse_set(
        path,
        &[
            ("hostUsers", spec.host_users.is_some()),
            ("hostPID", spec.host_pid),
            ("hostIPC", spec.host_ipc),
            ("securityContext.appArmorProfile", context.app_armor_profile.is_some()),
            ("securityContext.seLinuxOptions", context.se_linux_options.is_some()),
            ("securityContext.seccompProfile", context.seccomp_profile.is_some()),
            ("securityContext.fsGroup", context.fs_group.is_some()),
            ("securityContext.fsGroupChangePolicy", context.fs_group_change_policy.is_some()),
            ("securityContext.seLinuxChangePolicy", context.se_linux_change_policy.is_some()),
            ("securityContext.sysctls", !context.sysctls.is_empty()),
            ("shareProcessNamespace", spec.share_process_namespace.is_some()),
            ("securityContext.runAsUser", context.run_as_user.is_some()),
            ("securityContext.runAsGroup", context.run_as_group.is_some()),
            ("securityContext.supplementalGroups", context.supplemental_groups.is_some()),
            ("securityContext.supplementalGroupsPolicy", context.supplemental_groups_policy.is_some()),
        ],
        errors,
    );
    for (field, at, container) in spec.all_containers() {
        let path = path.field(field);
        refuse_in_container(&path.index(at).field("securityContext"), &container.security_context, errors);
    }
}

fn refuse_in_container(path: &Path, context: &SecurityContext, errors: &mut Vec<FieldError>) {
    refuse_set(
        path,
        &[
            ("appArmorProfile", context.app_armor_profile.is_some()),
            ("seLinuxOptions", context.se_linux_options.is_some()),
            ("seccompProfile", context.seccomp_profile.is_some()),
            ("capabilities", context.capabilities.is_some()),
            ("readOnlyRootFilesystem", context.read_only_root_filesystem.is_some()),
            ("privileged", context.privileged.is_some()),
            ("allowPrivilegeEscalation", context.allow_privilege_escalation.is_some()),
            ("procMount", context.proc_mount.is_some()),
            ("runAsUser", context.run_as_user.is_some()),
            ("runAsGroup", context.run_as_group.is_some()),
        ],
        errors,
    );
}

/// Refuses the fields that are set.
fn refuse_set(path: &Path, fields: &[(&str, bool)], errors: &mut Vec<FieldError>) {
    for (field, _) in fields.iter().filter(|(_, set)| *set) {
        errors.push(FieldError::forbidden(path.field(field), "cannot be set for a windows pod"));
    }
}

/// Checks that containers run either all on the host or none.
pub(super) fn check_host_processes(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let on_host = |options: Option<&WindowsOptions>| options.and_then(|options| options.host_process);
    let of_pod = on_host(spec.security_context.windows_options.as_ref());
    let (mut some, mut all) = (false, true);
    for (field, at, container) in spec.all_containers() {
        let own = on_host(container.security_context.windows_options.as_ref());
        if let (Some(own), Some(of_pod)) = (own, of_pod)
            && own != of_pod
        {
            let detail = format!("pod hostProcess value must be identical if both are specified, was {of_pod}");
            let path = path.field(field);
            let path = path.index(at);
            errors.push(FieldError::invalid(path.field("securityContext.windowsOptions.hostProcess"), &own, detail));
        }
        let runs = own.or(of_pod) == Some(true);
        some |= runs;
        all &= runs;
    }
    if some && !spec.host_network {
        let detail = "hostNetwork must be true if pod contains any hostProcess containers";
        errors.push(FieldError::invalid(path.field("hostNetwork"), &false, detail));
    }
    if some && !all {
        let detail = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
        errors.push(FieldError::invalid(path, "", detail));
    }
}

/// Checks the options of a pod or container.
pub(super) fn check_options(path: &Path, options: &WindowsOptions, errors: &mut Vec<FieldError>) {
    if let Some(name) = &options.gmsa_credential_spec_name {
        names::check_subdomain(&path.field("gmsaCredentialSpecName"), name, errors);
    }
    if let Some(specification) = options.gmsa_credential_spec.as_deref() {
        let path = path.field("gmsaCredentialSpec");
        if specification.is_empty() {
            errors.push(FieldError::invalid(path, "", "gmsaCredentialSpec cannot be an empty string"));
        } else if specification.len() > SPECIFICATION_LENGTH {
            errors.push(FieldError::invalid(path, specification, "gmsaCredentialSpec size must be under 64 KiB"));
        }
    }
    if let Some(name) = options.run_as_user_name.as_deref() {
        check_user_name(&path.field("runAsUserName"), name, errors);
    }
}

/// Checks a name like `DOMAIN\user`.
fn check_user_name(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    let mut refuse = |detail: String| errors.push(FieldError::invalid(path, name, format!("runAsUserName{detail}")));
    if name.is_empty() {
        return refuse(" cannot be an empty string".to_owned());
    }
    if name.chars().any(|letter| letter.is_ascii_control()) {
        return refuse(" cannot contain control characters".to_owned());
    }
    let parts: Vec<&str> = name.split('\\').collect();
    let (domain, user) = match parts[..] {
        [user] => (None, user),
        [domain, user] => (Some(domain), user),
        _ => return refuse(" cannot contain more than one backslash".to_owned()),
    };
    if let Some(domain) = domain {
        if domain.len() >= DOMAIN_LENGTH {
            refuse(format!("'s Domain length must be under {DOMAIN_LENGTH} characters"));
        }
        if !is_netbios_domain(domain) && !is_dns_domain(domain) {
            refuse("'s Domain doesn't match the NetBios nor the DNS format".to_owned());
        }
    }
    if user.is_empty() {
        refuse("'s User cannot be empty".to_owned());
    } else if user.len() > USER_LENGTH {
        refuse(format!("'s User length must not be longer than {USER_LENGTH} characters"));
    }
    if !user.is_empty() && user.chars().all(|letter| matches!(letter, '.' | ' ')) {
        refuse("'s User cannot contain only periods or spaces".to_owned());
    }
    if user.chars().any(|letter| NOT_IN_USERS.contains(letter)) {
        refuse(format!("'s User cannot contain the following characters: {NOT_IN_USERS}"));
    }
}

fn is_netbios_domain(domain: &str) -> bool {
    (1..=15).contains(&domain.chars().count())
        && !domain.starts_with('.')
        && !domain.chars().any(|letter| NOT_IN_NETBIOS_DOMAINS.contains(letter))
}

/// Labels of letters, digits and hyphens, with dots between them.
fn is_dns_domain(domain: &str) -> bool {
    let word = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    domain.split('.').all(word)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_pod, check_template};

    #[test]
    fn a_70_operating_systems() {
        check_pod(r#""os":{}"#, &["os.name: Required value"]);
        check_pod(r#""os":{"name":"x"}"#, &[r#"os: Unsupported value: "x": supported values: "linux", "windows""#]);
        check_template(
            r#","os":{"name":"windows"},"hostUsers":true,"securityContext":{"supplementalGroups":[]}"#,
            r#","securityContext":{"privileged":false}"#,
            "{}",
            &[
                "hostUsers: Forbidden: cannot be set for a windows pod",
                "securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod",
                "containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod",
            ],
        );
        check_template(
            r#","os":{"name":"linux"},"securityContext":{"windowsOptions":{}}"#,
            r#","securityContext":{"windowsOptions":{}}"#,
            "{}",
            &[
                "securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod",
                "containers[0].securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod",
            ],
        );
    }

    #[test]
    fn a_70_processes_on_the_host() {
        let options = |on_host: bool| format!(r#","securityContext":{{"windowsOptions":{{"hostProcess":{on_host}}}}}"#);
        check_template(&format!(r#","hostNetwork":true{}"#, options(true)), "", "{}", &[]);
        check_template(
            &options(true),
            &options(false),
            "{}",
            &[
                "containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true",
            ],
        );
        check_container(
            r#""securityContext":{"windowsOptions":{"hostProcess":true}}"#,
            &["hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers"],
        );
    }

    #[test]
    fn a_70_users_of_windows() {
        let check = |name: &str, expected: &[&str]| {
            let start = format!("containers[0].securityContext.windowsOptions.runAsUserName: Invalid value: {name:?}: runAsUserName");
            let expected: Vec<String> = expected.iter().map(|text| format!("{start}{text}")).collect();
            let context = format!(r#""securityContext":{{"windowsOptions":{{"runAsUserName":{name:?}}}}}"#);
            check_container(&context, &expected.iter().map(String::as_str).collect::<Vec<_>>());
        };
        for name in ["ContainerUser", r"NT AUTHORITY\SYSTEM", r"a.very-long.domain.example\a"] {
            check(name, &[]);
        }
        check("", &[" cannot be an empty string"]);
        check(r"a\b\c", &[" cannot contain more than one backslash"]);
        check(r".\", &["'s Domain doesn't match the NetBios nor the DNS format", "'s User cannot be empty"]);
        check("..", &["'s User cannot contain only periods or spaces"]);
        check("a@b", &["'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"]);
        check(&"a".repeat(105), &["'s User length must not be longer than 104 characters"]);
    }
}
