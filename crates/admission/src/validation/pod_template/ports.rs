//! Ports: their numbers, names and protocols, and which of the node's they take.
//!
//! Docs: Service, "Port definitions"; Pods, "Pod templates" (A-70).

use std::collections::BTreeSet;

use crate::pod_template::{Container, Port};
use crate::validation::{FieldError, Path, between, one_of, required};

/// The most that a port's number may be.
const PORTS: i64 = 65_535;
/// The most bytes of a port's name.
const NAME_LENGTH: usize = 15;

pub(super) fn check(path: &Path, ports: &[Port], errors: &mut Vec<FieldError>) {
    let mut taken = BTreeSet::new();
    for (at, port) in ports.iter().enumerate() {
        let path = path.index(at);
        if !port.name.is_empty() {
            let before = errors.len();
            check_name(&path.field("name"), &port.name, errors);
            if errors.len() == before && !taken.insert(&port.name) {
                errors.push(FieldError::duplicate(path.field("name"), &port.name));
            }
        }
        let number = path.field("containerPort");
        if port.container_port == 0 {
            errors.push(FieldError::required(number, ""));
        } else {
            check_number(&number, port.container_port, errors);
        }
        let host = path.field("hostPort");
        if port.host_port != 0 {
            check_number(&host, port.host_port, errors);
        }
        if required(&path.field("protocol"), &port.protocol, errors) {
            one_of(&path.field("protocol"), &port.protocol, schema::values("ContainerPort", "protocol"), errors);
        }
    }
}

/// Checks that containers that use the node's network take the ports that they listen on.
pub(super) fn check_on_host_network(path: &Path, containers: &[Container], errors: &mut Vec<FieldError>) {
    for (at, container) in containers.iter().enumerate() {
        let differs = |(_, port): &(usize, &Port)| port.host_port != 0 && port.host_port != port.container_port;
        for (port_at, port) in container.ports.iter().enumerate().filter(differs) {
            let path = path.index(at);
            let detail = "must match `containerPort` when `hostNetwork` is true";
            errors.push(FieldError::invalid(path.field("ports").index(port_at).field("hostPort"), &port.host_port, detail));
        }
    }
}

/// Checks that no two of these containers, each with its path, take the same port of the node.
pub(super) fn check_host_ports<'a>(containers: impl Iterator<Item = (Path<'a>, &'a Container)>, errors: &mut Vec<FieldError>) {
    let mut taken = BTreeSet::new();
    for (path, container) in containers {
        for (at, port) in container.ports.iter().enumerate().filter(|(_, port)| port.host_port != 0) {
            let address = format!("{}/{}/{}", port.protocol, port.host_ip, port.host_port);
            if !taken.insert(address.clone()) {
                errors.push(FieldError::duplicate(path.field("ports").index(at).field("hostPort"), &address));
            }
        }
    }
}

pub(super) fn check_number(path: &Path, number: i32, errors: &mut Vec<FieldError>) {
    between(path, i64::from(number), 1, PORTS, errors);
}

pub(super) fn check_name(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    let mut demand = |holds: bool, fault: &str| {
        if !holds {
            errors.push(FieldError::invalid(path, name, fault));
        }
    };
    demand(name.len() <= NAME_LENGTH, &format!("must be no more than {NAME_LENGTH} characters"));
    let in_set = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    demand(in_set && !name.is_empty(), "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    demand(name.bytes().any(|byte| byte.is_ascii_lowercase()), "must contain at least one letter (a-z)");
    demand(!name.contains("--"), "must not contain consecutive hyphens");
    demand(!name.starts_with('-') && !name.ends_with('-'), "must not begin or end with a hyphen");
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_pod};

    #[test]
    fn a_70_ports() {
        check_container(r#""ports":[{"name":"http","containerPort":80,"protocol":"TCP"}]"#, &[]);
        check_container(
            r#""ports":[{"name":"-","protocol":"TCP"},{"containerPort":70000,"hostPort":-1,"protocol":"X"}]"#,
            &[
                r#"containers[0].ports[0].name: Invalid value: "-": must contain at least one letter (a-z)"#,
                r#"containers[0].ports[0].name: Invalid value: "-": must not begin or end with a hyphen"#,
                "containers[0].ports[0].containerPort: Required value",
                "containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
                "containers[0].ports[1].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive",
                r#"containers[0].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP""#,
            ],
        );
    }

    #[test]
    fn a_70_ports_of_the_node_are_taken_once() {
        let port = |host: u16| format!(r#"{{"containerPort":80,"hostPort":{host},"protocol":"TCP"}}"#);
        check_container(
            &format!(r#""ports":[{},{}]"#, port(80), port(80)),
            &[r#"containers[0].ports[1].hostPort: Duplicate value: "TCP//80""#],
        );
        let containers = |ports: &str| {
            format!(
                r#""containers":[{{"name":"a","image":"x","imagePullPolicy":"Never","terminationMessagePolicy":"File","ports":[{ports}]}}]"#
            )
        };
        check_pod(
            &format!(r#""hostNetwork":true,{}"#, containers(&port(81))),
            &["containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true"],
        );
    }
}
