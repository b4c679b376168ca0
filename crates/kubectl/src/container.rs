//! The containers of a pod template: image, ports, command, resources, probes, environment, mounts.
//!
//! Docs: Pods; Resource Management for Pods and Containers. Variables are written in `environment.rs`, probes in `probe.rs`.

use std::fmt::Write as _;

use api::quantity::Quantity;
use serde_json::Value;

use crate::value::{entries, items, number, text};
use crate::{environment, probe};

/// Writes containers below a heading; nothing if there are none.
pub(crate) fn write(out: &mut String, heading: &str, containers: &Value) {
    let containers = items(containers);
    if !containers.is_empty() {
        out.push_str(heading);
    }
    for container in containers {
        let _ = writeln!(out, "   {}:", text(&container["name"]));
        let _ = writeln!(out, "    Image:\t{}", text(&container["image"]));
        write_ports(out, items(&container["ports"]));
        write_seccomp_profile(out, &container["securityContext"]["seccompProfile"]);
        write_words(out, "Command", items(&container["command"]));
        write_words(out, "Args", items(&container["args"]));
        write_quantities(out, "Limits", &container["resources"]["limits"]);
        write_quantities(out, "Requests", &container["resources"]["requests"]);
        for (name, field) in [("Liveness", "livenessProbe"), ("Readiness", "readinessProbe"), ("Startup", "startupProbe")] {
            if container[field].is_object() {
                let _ = writeln!(out, "    {name}:\t{}", probe::line(&container[field]));
            }
        }
        environment::write(out, container);
        write_mounts(out, items(&container["volumeMounts"]));
        write_devices(out, items(&container["volumeDevices"]));
    }
}

fn write_ports(out: &mut String, ports: &[Value]) {
    let plural = if ports.len() > 1 { "s" } else { "" };
    for (name, field) in [("Port", "containerPort"), ("Host Port", "hostPort")] {
        let port = |port: &Value| {
            let name = text(&port["name"]);
            let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
            format!("{}/{}{name}", number(&port[field]), text(&port["protocol"]))
        };
        let listed = if ports.is_empty() { "<none>".to_owned() } else { ports.iter().map(port).collect::<Vec<_>>().join(", ") };
        let _ = writeln!(out, "    {name}{plural}:\t{listed}");
    }
}

fn write_seccomp_profile(out: &mut String, profile: &Value) {
    if let Some(kind) = profile["type"].as_str() {
        let _ = writeln!(out, "    SeccompProfile:\t{kind}");
    }
    if let Some(path) = profile["localhostProfile"].as_str() {
        let _ = writeln!(out, "      LocalhostProfile:\t{path}");
    }
}

/// Writes the words of a command, each line of each of them on a line.
fn write_words(out: &mut String, name: &str, words: &[Value]) {
    if !words.is_empty() {
        let _ = writeln!(out, "    {name}:");
    }
    for line in words.iter().flat_map(|word| text(word).split('\n')) {
        let _ = writeln!(out, "      {line}");
    }
}

fn write_quantities(out: &mut String, name: &str, quantities: &Value) {
    let mut quantities = entries(quantities).peekable();
    if quantities.peek().is_some() {
        let _ = writeln!(out, "    {name}:");
    }
    for (resource, value) in quantities {
        let _ = writeln!(out, "      {resource}:\t{}", Quantity::of(value).map(|quantity| quantity.canonical()).unwrap_or_default());
    }
}

fn write_mounts(out: &mut String, mounts: &[Value]) {
    if mounts.is_empty() {
        out.push_str("    Mounts:\t<none>\n");
        return;
    }
    out.push_str("    Mounts:\n");
    for mount in sorted(mounts, "mountPath") {
        let access = if mount["readOnly"] == true { "ro" } else { "rw" };
        let part = text(&mount["subPath"]);
        let part = if part.is_empty() { String::new() } else { format!(",path={part:?}") };
        let _ = writeln!(out, "      {} from {} ({access}{part})", text(&mount["mountPath"]), text(&mount["name"]));
    }
}

fn write_devices(out: &mut String, devices: &[Value]) {
    if !devices.is_empty() {
        out.push_str("    Devices:\n");
    }
    for device in sorted(devices, "devicePath") {
        let _ = writeln!(out, "      {} from {}", text(&device["devicePath"]), text(&device["name"]));
    }
}

/// The items, sorted by the text of a field.
fn sorted<'a>(items: &'a [Value], field: &str) -> Vec<&'a Value> {
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort_by_key(|item| text(&item[field]));
    sorted
}
