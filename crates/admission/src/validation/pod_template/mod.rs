//! The pod template of a Job: what its pods must look like.
//!
//! Docs: Jobs, "Pod Template", "Writing a Job spec" (A-70). Each part of a pod has a file here, a single container `container.rs`; shapes are in
//! `crate::pod_template`.

pub(crate) mod affinity;
pub(crate) mod annotations;
mod claims;
mod container;
mod environment;
mod files;
mod handlers;
mod mounts;
mod network;
mod older_volumes;
mod ports;
mod references;
mod resources;
mod restart;
mod scheduling;
mod security;
mod signers;
mod volumes;
mod windows;

use std::collections::{BTreeMap, BTreeSet};

use super::{FieldError, Path, between, labels, names, one_of, one_of_optional, required};
use crate::pod_template::{PodSpec, PodTemplateSpec, Volume};

/// What of its pod a container is held against.
struct Surroundings<'a> {
    pod: &'a PodSpec,
    /// The volumes that can be mounted.
    volumes: BTreeMap<&'a str, &'a Volume>,
    /// The claims of devices.
    claims: BTreeSet<&'a str>,
}

/// Checks a template as that of any pod.
pub(super) fn check(path: &Path, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    labels::check_labels(&path.field("labels"), &template.metadata.labels, errors);
    labels::check_annotations(&path.field("annotations"), &template.metadata.annotations, errors);
    annotations::check(path, &template.metadata.annotations, &template.spec, errors);
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
    resources::check_pod_claims(&path.field("resourceClaims"), &spec.resource_claims, errors);
    let claims = spec.resource_claims.iter().map(|claim| &*claim.name).filter(|name| !name.is_empty()).collect();
    check_containers(path, &Surroundings { pod: spec, volumes, claims }, errors);
    resources::check_pod(&path.field("resources"), spec, errors);
    if !spec.ephemeral_containers.is_empty() {
        errors.push(FieldError::forbidden(path.field("ephemeralContainers"), "ephemeral containers not allowed in pod template"));
    }
    let restart = path.field("restartPolicy");
    if required(&restart, &spec.restart_policy, errors) {
        one_of(&restart, &spec.restart_policy, schema::values("PodSpec", "restartPolicy"), errors);
    }
    network::check_dns_policy(&path.field("dnsPolicy"), &spec.dns_policy, errors);
    labels::check_labels(&path.field("nodeSelector"), &spec.node_selector, errors);
    if spec.host_network {
        ports::check_on_host_network(&path.field("containers"), &spec.containers, errors);
    }
    security::check_pod(path, spec, errors);
    affinity::check(&path.field("affinity"), &spec.affinity, errors);
    network::check_dns(&path.field("dnsConfig"), spec, errors);
    scheduling::check_gates(path, spec, errors);
    scheduling::check_spread(&path.field("topologySpreadConstraints"), &spec.topology_spread_constraints, errors);
    windows::check_host_processes(path, spec, errors);
    check_names(path, spec, errors);
    if let Some(seconds) = spec.active_deadline_seconds {
        between(&path.field("activeDeadlineSeconds"), seconds, 1, i64::from(i32::MAX), errors);
    }
    network::check_hostnames(path, spec, errors);
    scheduling::check_tolerations(&path.field("tolerations"), &spec.tolerations, errors);
    network::check_host_aliases(&path.field("hostAliases"), &spec.host_aliases, errors);
    let preemption = path.field("preemptionPolicy");
    if spec.preemption_policy.as_deref() == Some("") {
        errors.push(FieldError::required(preemption, ""));
    } else {
        one_of_optional(&preemption, spec.preemption_policy.as_deref(), schema::values("PodSpec", "preemptionPolicy"), errors);
    }
    resources::check_overhead(&path.field("overhead"), &spec.overhead, errors);
    windows::check_system(path, spec, errors);
}

/// Checks the names of what the pod refers to.
fn check_names(path: &Path, spec: &PodSpec, errors: &mut Vec<FieldError>) {
    for (field, name) in [
        ("serviceAccountName", &spec.service_account_name),
        ("nodeName", &spec.node_name),
        ("priorityClassName", &spec.priority_class_name),
    ] {
        if !name.is_empty() {
            names::check_subdomain(&path.field(field), name, errors);
        }
    }
    if let Some(name) = &spec.runtime_class_name {
        names::check_subdomain(&path.field("runtimeClassName"), name, errors);
    }
}

fn check_containers(path: &Path, around: &Surroundings, errors: &mut Vec<FieldError>) {
    let spec = around.pod;
    let containers = path.field("containers");
    if spec.containers.is_empty() {
        errors.push(FieldError::required(containers, ""));
    }
    let mut taken = BTreeSet::new();
    for (at, member) in spec.containers.iter().enumerate() {
        let path = containers.index(at);
        container::check(&path, member, around, errors);
        if !taken.insert(&*member.name) {
            errors.push(FieldError::duplicate(path.field("name"), &member.name));
        }
        handlers::check(&path, member, around, errors);
    }
    ports::check_host_ports(spec.containers.iter().enumerate().map(|(at, member)| (containers.index(at), member)), errors);
    let init_containers = path.field("initContainers");
    for (at, member) in spec.init_containers.iter().enumerate() {
        let path = init_containers.index(at);
        container::check(&path, member, around, errors);
        // The server looks at a list of this one alone, and so names it as the first.
        ports::check_host_ports(std::iter::once((init_containers.index(0), member)), errors);
        if taken.contains(&*member.name) {
            errors.push(FieldError::duplicate(path.field("name"), &member.name));
        } else if !member.name.is_empty() {
            taken.insert(&*member.name);
        }
        if member.sidecar() {
            handlers::check(&path, member, around, errors);
        } else {
            handlers::check_none(&path, member, errors);
            restart::check_no_restart(&path.field("resizePolicy"), &member.resize_policy, errors);
        }
    }
}

/// What the tests of all parts of a pod share.
#[cfg(test)]
mod testing {
    use super::*;

    const CONTAINER: &str = r#""name":"main","image":"x","imagePullPolicy":"Always","terminationMessagePolicy":"File""#;
    const POD: &str = r#""restartPolicy":"Never","dnsPolicy":"Default","terminationGracePeriodSeconds":30"#;

    /// Checks the errors of a template with these fields in the spec of its pod, in its container, and as annotations. Paths start in the pod.
    #[track_caller]
    pub(super) fn check_template(pod: &str, container: &str, annotations: &str, expected: &[&str]) {
        let containers = format!(r#""containers":[{{{CONTAINER}{container}}}]"#);
        let template = format!(r#"{{"metadata":{{"annotations":{annotations}}},"spec":{{{POD},{containers}{pod}}}}}"#);
        let template: PodTemplateSpec = api::json::from_str(&template).unwrap();
        let mut errors = Vec::new();
        check(&Path::of("t"), &template, &mut errors);
        let texts: Vec<_> = errors.iter().map(|error| error.to_string().replace("t.spec.", "")).collect();
        assert_eq!(texts, expected);
    }

    #[track_caller]
    pub(super) fn check_pod(pod: &str, expected: &[&str]) {
        check_template(&format!(",{pod}"), "", "{}", expected);
    }

    /// Checks the errors of a volume with this source. Paths start in the volume.
    #[track_caller]
    pub(super) fn check_volume(source: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|text| format!("volumes[0].{text}")).collect();
        check_pod(&format!(r#""volumes":[{{"name":"v",{source}}}]"#), &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[track_caller]
    pub(super) fn check_container(container: &str, expected: &[&str]) {
        check_template("", &format!(",{container}"), "{}", expected);
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
        testing::check_pod(r#""preemptionPolicy":"""#, &["preemptionPolicy: Required value"]);
        testing::check_pod(
            r#""preemptionPolicy":"x""#,
            &[r#"preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never""#],
        );
    }
}
