//! The pod template of a Job: what its pods must look like.
//!
//! Docs: Jobs, "Pod Template", "Writing a Job spec" (A-70). Single containers are in `container.rs`. Probes, security contexts, affinity,
//! tolerations and the sources of volumes are taken as they come.

use std::collections::BTreeSet;

use super::container::{self, Surroundings};
use super::{FieldError, Path, labels, names, volumes};
use crate::pod_template::{PodSpec, PodTemplateSpec};

/// Checks a template as that of any pod.
pub(super) fn check(path: &Path, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    labels::check_labels(&path.field("labels"), &template.metadata.labels, errors);
    labels::check_annotations(&path.field("annotations"), &template.metadata.annotations, errors);
    check_spec(&path.field("spec"), &template.spec, errors);
}

/// Checks that pods that have ended are not restarted forever. `by_policy`: whether a pod failure policy judges failed pods.
pub(super) fn check_restart_policy(path: &Path, template: &PodTemplateSpec, by_policy: bool, errors: &mut Vec<FieldError>) {
    let path = path.field("spec.restartPolicy");
    match &*template.spec.restart_policy {
        "" | "Always" => errors.push(FieldError::required(path, r#"valid values: "OnFailure", "Never""#)),
        "OnFailure" if by_policy => {
            let detail = r#"only "Never" is supported when podFailurePolicy is specified"#;
            errors.push(FieldError::invalid(path, "OnFailure", detail));
        }
        "OnFailure" | "Never" => (),
        other => errors.push(FieldError::not_supported(path, other, &["OnFailure", "Never"])),
    }
}

fn check_spec(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let volumes = volumes::check(&path.field("volumes"), &spec.volumes, errors);
    check_containers(path, spec, &volumes, errors);
    if !spec.ephemeral_containers.is_empty() {
        errors.push(FieldError::forbidden(path.field("ephemeralContainers"), "ephemeral containers not allowed in pod template"));
    }
    check_policies(path, spec, errors);
    labels::check_labels(&path.field("nodeSelector"), &spec.node_selector, errors);
    for (field, name) in [
        ("serviceAccountName", &spec.service_account_name),
        ("nodeName", &spec.node_name),
        ("priorityClassName", &spec.priority_class_name),
    ] {
        if !name.is_empty() {
            names::check_subdomain(&path.field(field), name, errors);
        }
    }
    if let Some(seconds) = spec.active_deadline_seconds.filter(|seconds| !(1..=i64::from(i32::MAX)).contains(seconds)) {
        let detail = format!("must be between 1 and {}, inclusive", i32::MAX);
        errors.push(FieldError::invalid(path.field("activeDeadlineSeconds"), &seconds, detail));
    }
    for (field, name) in [("hostname", &spec.hostname), ("subdomain", &spec.subdomain)] {
        if !name.is_empty() {
            names::check_label(&path.field(field), name, errors);
        }
    }
}

fn check_containers(path: &Path, spec: &PodSpec, volumes: &BTreeSet<&str>, errors: &mut Vec<FieldError>) {
    let surroundings = Surroundings { volumes, host_network: spec.host_network };
    let containers = path.field("containers");
    if spec.containers.is_empty() {
        errors.push(FieldError::required(containers, ""));
    }
    let mut taken = BTreeSet::new();
    for (at, member) in spec.containers.iter().enumerate() {
        let path = containers.index(at);
        container::check(&path, member, &surroundings, errors);
        if !taken.insert(&*member.name) {
            errors.push(FieldError::duplicate(path.field("name"), &member.name));
        }
    }
    container::check_host_ports(&containers, &spec.containers, errors);
    let init_containers = path.field("initContainers");
    for (at, member) in spec.init_containers.iter().enumerate() {
        let path = init_containers.index(at);
        container::check(&path, member, &surroundings, errors);
        if taken.contains(&*member.name) {
            errors.push(FieldError::duplicate(path.field("name"), &member.name));
        } else if !member.name.is_empty() {
            taken.insert(&*member.name);
        }
    }
}

fn check_policies(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    let restart = path.field("restartPolicy");
    match &*spec.restart_policy {
        "" => errors.push(FieldError::required(restart, "")),
        "Always" | "OnFailure" | "Never" => (),
        other => errors.push(FieldError::not_supported(restart, other, &["Always", "OnFailure", "Never"])),
    }
    let dns = path.field("dnsPolicy");
    match &*spec.dns_policy {
        "" => errors.push(FieldError::required(dns, "")),
        "None" if spec.dns_config.is_none() => {
            errors.push(FieldError::required(path.field("dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None"));
        }
        "ClusterFirstWithHostNet" | "ClusterFirst" | "Default" | "None" => (),
        other => errors.push(FieldError::not_supported(dns, other, &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = r#"{"name":"main","image":"x","imagePullPolicy":"Always","terminationMessagePolicy":"File"}"#;

    #[track_caller]
    fn check_json(more: &str, expected: &[&str]) {
        let template = format!(r#"{{"spec":{{"dnsPolicy":"Default","containers":[{MAIN}],{more}}}}}"#);
        let template: PodTemplateSpec = api::json::from_str(&template).unwrap();
        let mut errors = Vec::new();
        let path = Path::of("t");
        check(&path, &template, &mut errors);
        check_restart_policy(&path, &template, true, &mut errors);
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_70_pods_of_jobs_are_not_restarted_for_ever() {
        check_json(r#""restartPolicy":"Never""#, &[]);
        check_json(r#""restartPolicy":"Always""#, &[r#"t.spec.restartPolicy: Required value: valid values: "OnFailure", "Never""#]);
        check_json(
            r#""restartPolicy":"OnFailure""#,
            &[r#"t.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified"#],
        );
        check_json(
            r#""restartPolicy":"Maybe""#,
            &[
                r#"t.spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never""#,
                r#"t.spec.restartPolicy: Unsupported value: "Maybe": supported values: "OnFailure", "Never""#,
            ],
        );
    }

    #[test]
    fn a_70_containers_have_names_of_their_own() {
        check_json(
            &format!(r#""restartPolicy":"Never","initContainers":[{MAIN}]"#),
            &[r#"t.spec.initContainers[0].name: Duplicate value: "main""#],
        );
        check_json(
            r#""restartPolicy":"Never","ephemeralContainers":[{"name":"e"}]"#,
            &["t.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"],
        );
    }

    #[test]
    fn a_70_other_fields_of_the_pod() {
        check_json(
            r#""restartPolicy":"Never","activeDeadlineSeconds":0,"hostname":"a.b""#,
            &[
                "t.spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
                r#"t.spec.hostname: Invalid value: "a.b": must not contain dots"#,
            ],
        );
    }
}
