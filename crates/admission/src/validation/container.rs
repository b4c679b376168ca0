//! One container of a pod template: its name, image, ports, environment, resources and mounts.
//!
//! Docs: Pods, "Pod templates"; Resource Management for Pods and Containers, "Requests and limits" (A-70). The pod as a whole is in `pod_template.rs`.

use std::collections::BTreeSet;

use super::{FieldError, Path, names};
use crate::pod_template::{Container, Port, Resources, VolumeMount};

/// The most that a port's number may be.
const PORTS: i32 = 65_535;
/// The most bytes of a port's name.
const PORT_NAME_LENGTH: usize = 15;

/// What of the pod a container is held against.
pub(super) struct Surroundings<'a> {
    /// The volumes that can be mounted.
    pub(super) volumes: &'a BTreeSet<&'a str>,
    /// Whether the pod uses the node's network.
    pub(super) host_network: bool,
}

/// Checks a container apart from what it shares with others.
pub(super) fn check(path: &Path, container: &Container, surroundings: &Surroundings, errors: &mut Vec<FieldError>) {
    if container.name.is_empty() {
        errors.push(FieldError::required(path.field("name"), ""));
    } else {
        names::check_label(&path.field("name"), &container.name, errors);
    }
    if container.image.is_empty() {
        errors.push(FieldError::required(path.field("image"), ""));
    }
    if !matches!(&*container.termination_message_policy, "File" | "FallbackToLogsOnError") {
        let policy = path.field("terminationMessagePolicy");
        match &*container.termination_message_policy {
            "" => errors.push(FieldError::required(policy, "")),
            other => errors.push(FieldError::not_supported(policy, other, &["File", "FallbackToLogsOnError"])),
        }
    }
    check_ports(&path.field("ports"), &container.ports, surroundings.host_network, errors);
    for (at, variable) in container.env.iter().enumerate() {
        check_variable(&path.field("env").index(at).field("name"), &variable.name, errors);
    }
    check_mounts(&path.field("volumeMounts"), &container.volume_mounts, surroundings.volumes, errors);
    let pull = path.field("imagePullPolicy");
    match &*container.image_pull_policy {
        "" => errors.push(FieldError::required(pull, "")),
        "Always" | "IfNotPresent" | "Never" => (),
        other => errors.push(FieldError::not_supported(pull, other, &["Always", "IfNotPresent", "Never"])),
    }
    check_resources(&path.field("resources"), &container.resources, errors);
}

/// Checks that no two of the containers take the same port of the node.
pub(super) fn check_host_ports(path: &Path, containers: &[Container], errors: &mut Vec<FieldError>) {
    let mut taken = BTreeSet::new();
    for (at, container) in containers.iter().enumerate() {
        for (port_at, port) in container.ports.iter().enumerate().filter(|(_, port)| port.host_port != 0) {
            let address = format!("{}/{}/{}", port.protocol, port.host_ip, port.host_port);
            if !taken.insert(address.clone()) {
                errors.push(FieldError::duplicate(path.index(at).field("ports").index(port_at).field("hostPort"), &address));
            }
        }
    }
}

fn check_ports(path: &Path, ports: &[Port], host_network: bool, errors: &mut Vec<FieldError>) {
    let mut taken = BTreeSet::new();
    for (at, port) in ports.iter().enumerate() {
        let path = path.index(at);
        let name = path.field("name");
        let faults = if port.name.is_empty() { Vec::new() } else { port_name_faults(&port.name) };
        if faults.is_empty() && !port.name.is_empty() && !taken.insert(&port.name) {
            errors.push(FieldError::duplicate(name, &port.name));
        }
        errors.extend(faults.into_iter().map(|fault| FieldError::invalid(name, &port.name, fault)));
        let number = path.field("containerPort");
        if port.container_port == 0 {
            errors.push(FieldError::required(number, ""));
        } else {
            check_port_number(&number, port.container_port, errors);
        }
        let host = path.field("hostPort");
        if port.host_port != 0 {
            check_port_number(&host, port.host_port, errors);
            if host_network && port.host_port != port.container_port {
                errors.push(FieldError::invalid(host, &port.host_port, "must match `containerPort` when `hostNetwork` is true"));
            }
        }
        let protocol = path.field("protocol");
        match &*port.protocol {
            "" => errors.push(FieldError::required(protocol, "")),
            "SCTP" | "TCP" | "UDP" => (),
            other => errors.push(FieldError::not_supported(protocol, other, &["SCTP", "TCP", "UDP"])),
        }
    }
}

fn check_port_number(path: &Path, number: i32, errors: &mut Vec<FieldError>) {
    if !(1..=PORTS).contains(&number) {
        errors.push(FieldError::invalid(path, &number, format!("must be between 1 and {PORTS}, inclusive")));
    }
}

fn port_name_faults(name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if name.len() > PORT_NAME_LENGTH {
        faults.push(format!("must be no more than {PORT_NAME_LENGTH} characters"));
    }
    let mut demand = |holds: bool, fault: &str| {
        if !holds {
            faults.push(fault.to_owned());
        }
    };
    let in_set = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    demand(in_set, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    demand(name.bytes().any(|byte| byte.is_ascii_lowercase()), "must contain at least one letter (a-z)");
    demand(!name.contains("--"), "must not contain consecutive hyphens");
    demand(!name.starts_with('-') && !name.ends_with('-'), "must not begin or end with a hyphen");
    faults
}

fn check_variable(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    if name.is_empty() {
        errors.push(FieldError::required(path, ""));
    } else if !name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=') {
        let detail = "a valid environment variable name must consist only of printable ASCII characters other than '='";
        errors.push(FieldError::invalid(path, name, detail));
    }
}

fn check_mounts(path: &Path, mounts: &[VolumeMount], volumes: &BTreeSet<&str>, errors: &mut Vec<FieldError>) {
    let mut taken = BTreeSet::new();
    for (at, mount) in mounts.iter().enumerate() {
        let path = path.index(at);
        if mount.name.is_empty() {
            errors.push(FieldError::required(path.field("name"), ""));
        }
        if mount.mount_path.is_empty() {
            errors.push(FieldError::required(path.field("mountPath"), ""));
        }
        if !volumes.contains(&*mount.name) {
            errors.push(FieldError::not_found(path.field("name"), &mount.name));
        }
        if !taken.insert(&mount.mount_path) {
            errors.push(FieldError::invalid(path.field("mountPath"), &mount.mount_path, "must be unique"));
        }
    }
}

fn check_resources(path: &Path, resources: &Resources, errors: &mut Vec<FieldError>) {
    for (field, quantities) in [("limits", &resources.limits.0), ("requests", &resources.requests.0)] {
        for (resource, quantity) in quantities.iter().filter(|(_, quantity)| quantity.negative()) {
            let path = path.field(field);
            errors.push(FieldError::invalid(path.key(resource), quantity, "must be greater than or equal to 0"));
        }
    }
    for (resource, request) in &resources.requests.0 {
        if let Some(limit) = resources.limits.0.get(resource).filter(|limit| request > *limit) {
            let detail = format!("must be less than or equal to {resource} limit of {limit}");
            errors.push(FieldError::invalid(path.field("requests"), request, detail));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_json(container: &str, expected: &[&str]) {
        let mut container: serde_json::Value = serde_json::from_str(container).unwrap();
        for (field, value) in [("name", "a"), ("image", "x"), ("imagePullPolicy", "Always"), ("terminationMessagePolicy", "File")] {
            let fields = container.as_object_mut().unwrap();
            fields.entry(field).or_insert(value.into());
        }
        let container: Container = api::json::from_str(&container.to_string()).unwrap();
        let surroundings = Surroundings { volumes: &BTreeSet::from(["v"]), host_network: false };
        let mut errors = Vec::new();
        check(&Path::of("c"), &container, &surroundings, &mut errors);
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_70_names_and_images_are_required() {
        check_json("{}", &[]);
        check_json(r#"{"name":"","image":""}"#, &["c.name: Required value", "c.image: Required value"]);
        check_json(r#"{"name":"a.b"}"#, &[r#"c.name: Invalid value: "a.b": must not contain dots"#]);
        check_json(
            r#"{"imagePullPolicy":"Now"}"#,
            &[r#"c.imagePullPolicy: Unsupported value: "Now": supported values: "Always", "IfNotPresent", "Never""#],
        );
    }

    #[test]
    fn a_70_ports() {
        check_json(r#"{"ports":[{"name":"http","containerPort":80,"protocol":"TCP"}]}"#, &[]);
        check_json(
            r#"{"ports":[{"name":"-","protocol":"TCP"},{"containerPort":70000,"hostPort":-1,"protocol":"X"}]}"#,
            &[
                r#"c.ports[0].name: Invalid value: "-": must contain at least one letter (a-z)"#,
                r#"c.ports[0].name: Invalid value: "-": must not begin or end with a hyphen"#,
                "c.ports[0].containerPort: Required value",
                "c.ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
                "c.ports[1].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive",
                r#"c.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP""#,
            ],
        );
    }

    #[test]
    fn a_70_environment_and_mounts() {
        check_json(r#"{"env":[{"name":"A B.c"}],"volumeMounts":[{"name":"v","mountPath":"/v"}]}"#, &[]);
        check_json(
            r#"{"env":[{"name":""}],"volumeMounts":[{"name":"v","mountPath":"/v"},{"name":"w","mountPath":"/v"}]}"#,
            &[
                "c.env[0].name: Required value",
                r#"c.volumeMounts[1].name: Not found: "w""#,
                r#"c.volumeMounts[1].mountPath: Invalid value: "/v": must be unique"#,
            ],
        );
    }

    #[test]
    fn a_70_requests_stay_below_limits() {
        check_json(r#"{"resources":{"requests":{"cpu":"1500m"},"limits":{"cpu":1.5}}}"#, &[]);
        check_json(
            r#"{"resources":{"requests":{"cpu":"2"},"limits":{"cpu":"-1"}}}"#,
            &[
                r#"c.resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0"#,
                r#"c.resources.requests: Invalid value: "2": must be less than or equal to cpu limit of -1"#,
            ],
        );
    }
}
