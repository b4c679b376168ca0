//! Warnings about containers: fractions of bytes, variables that come twice, ports that are in each other's way.
//!
//! Docs: Resource Management for Pods and Containers, "Memory resource units"; Define Environment Variables for a Container (A-172). The pod as a whole is
//! in `pod_template.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use api::quantity::Quantities;

use crate::pod_template::{EnvVar, PodSpec, Port};
use crate::validation::path::Path;

/// Finds what to warn of in the containers of a pod.
pub(super) fn warn(path: &Path, spec: &PodSpec, warnings: &mut Vec<String>) {
    let lists = [("initContainers", &spec.init_containers), ("containers", &spec.containers)];
    let in_order = lists.into_iter().flat_map(|(field, list)| list.iter().enumerate().map(move |(at, container)| (field, at, container)));
    let mut ports = Vec::new();
    for (field, at, container) in in_order {
        let path = path.field(field);
        let path = path.index(at);
        about_bytes(&path.field("resources.limits"), &container.resources.limits, warnings);
        about_bytes(&path.field("resources.requests"), &container.resources.requests, warnings);
        about_variables(&path.field("env"), &container.env, warnings);
        ports.extend(container.ports.iter().enumerate().map(|(at, port)| (path.field("ports").index(at).to_string(), port)));
    }
    about_ports(&ports, warnings);
    about_port_names(&ports, warnings);
}

/// Warns of fractions of bytes.
pub(super) fn about_bytes(path: &Path, Quantities(quantities): &Quantities, warnings: &mut Vec<String>) {
    for resource in ["memory", "ephemeral-storage", "storage"] {
        if let Some(quantity) = quantities.get(resource).filter(|quantity| quantity.whole().is_none()) {
            let shown = quantity.canonical();
            warnings.push(format!("{}: fractional byte value {shown:?} is invalid, must be an integer", path.key(resource)));
        }
    }
}

/// Warns of variables that hide others, unless they extend them: `$(PATH):/bin`.
fn about_variables(path: &Path, variables: &[EnvVar], warnings: &mut Vec<String>) {
    let mut known = BTreeSet::new();
    for (at, variable) in variables.iter().enumerate() {
        let reference = format!("$({})", variable.name);
        let extends = variable.value.contains(&reference) && *variable.value != *reference;
        if !known.insert(&variable.name) && !extends {
            let detail = format!("hides previous definition of {:?}, which may be dropped when using apply", &*variable.name);
            warnings.push(format!("{}: {detail}", path.index(at)));
        }
    }
}

fn about_ports(ports: &[(String, &Port)], warnings: &mut Vec<String>) {
    for (at, (path, port)) in ports.iter().enumerate() {
        if !port.host_ip.is_empty() && port.host_port == 0 {
            warnings.push(format!("{path}: hostIP set without hostPort: {}", PortText(port)));
        }
        let same = |other: &&(String, &Port)| (other.1.container_port, &other.1.protocol) == (port.container_port, &port.protocol);
        for (other_path, other) in ports[..at].iter().filter(same) {
            let how = if (port.host_port, &port.host_ip) == (other.host_port, &other.host_ip) {
                "duplicate"
            } else if port.host_port == 0 || other.host_port == 0 {
                "overlapping"
            } else if port.host_port == other.host_port && port.host_ip.is_empty() != other.host_ip.is_empty() {
                "dangerously ambiguous"
            } else {
                continue;
            };
            warnings.push(format!("{path}: {how} port definition with {other_path}"));
        }
    }
}

fn about_port_names(ports: &[(String, &Port)], warnings: &mut Vec<String>) {
    let mut known = BTreeMap::new();
    for (path, port) in ports.iter().filter(|(_, port)| !port.name.is_empty()) {
        if let Some(other) = known.get(&port.name) {
            let name = &*port.name;
            let effect = format!("services and probes that select ports by name will use {other}");
            warnings.push(format!("{path}: duplicate port name {name:?} with {other}, {effect}"));
        } else {
            known.insert(&port.name, path);
        }
    }
}

/// A port as the server shows it.
struct PortText<'a>(&'a Port);

impl fmt::Display for PortText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Port { name, host_port, container_port, protocol, host_ip } = self.0;
        write!(f, "{{Name:{name} HostPort:{host_port} ContainerPort:{container_port} Protocol:{protocol} HostIP:{host_ip}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::pod_template::testing::check;

    #[test]
    fn a_172_variables_that_hide_others() {
        check(
            "{}",
            r#""containers":[{"env":[{"name":"A","value":"1"},{"name":"A","value":"$(A):2"},{"name":"A","value":"$(A)"}]}]"#,
            &[r#"containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply"#],
        );
    }

    #[test]
    fn a_172_ports_in_the_way_of_others() {
        let port = |more: &str| format!(r#"{{"containerPort":1,"protocol":"TCP"{more}}}"#);
        let check_ports = |first: &str, second: &str, expected: &[&str]| {
            let containers = format!(
                r#""initContainers":[{{"ports":[{}]}}],"containers":[{{"ports":[{},{{"containerPort":2}}]}}]"#,
                port(first),
                port(second)
            );
            check("{}", &containers, expected);
        };
        check_ports("", "", &["containers[0].ports[0]: duplicate port definition with initContainers[0].ports[0]"]);
        check_ports(r#","hostPort":5"#, "", &["containers[0].ports[0]: overlapping port definition with initContainers[0].ports[0]"]);
        check_ports(
            r#","hostPort":5"#,
            r#","hostPort":5,"hostIP":"1.1.1.1""#,
            &["containers[0].ports[0]: dangerously ambiguous port definition with initContainers[0].ports[0]"],
        );
        check_ports(r#","hostPort":5"#, r#","hostPort":6"#, &[]);
        check(
            "{}",
            r#""containers":[{"ports":[{"name":"a","hostIP":"::1"},{"name":"a","containerPort":3}]}]"#,
            &[
                "containers[0].ports[0]: hostIP set without hostPort: {Name:a HostPort:0 ContainerPort:0 Protocol: HostIP:::1}",
                r#"containers[0].ports[1]: duplicate port name "a" with containers[0].ports[0], services and probes that select ports by name will use containers[0].ports[0]"#,
            ],
        );
    }
}
