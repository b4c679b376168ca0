//! References to fields of the pod and to resources of its containers, in variables and in files of the downward API.
//!
//! Docs: Downward API, "Available fields" (A-70). Who refers to them: `environment.rs`, `files.rs`.

use api::quantity::Quantity;

use crate::pod_template::{FieldRef, ResourceFieldRef};
use crate::validation::{FieldError, Path, labels, required};

/// The fields that a path may name at all.
const KNOWN: [&str; 15] = [
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.host",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.phase",
    "status.podIP",
    "status.podIPs",
];
const RESOURCES: [&str; 6] =
    ["limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"];
const BYTES: [&str; 13] = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/// Checks a reference to a field; `supported` are the fields that can be referred to here, but for single labels and annotations, which always can.
pub(super) fn check_field(path: &Path, reference: &FieldRef, supported: &[&str], errors: &mut Vec<FieldError>) {
    let field = &*reference.field_path;
    let field_path = path.field("fieldPath");
    if !required(&field_path, field, errors) {
        return;
    }
    let mut unconvertible = |reason: String| {
        errors.push(FieldError::invalid(field_path, field, format!("error converting fieldPath: {reason}")));
    };
    let version = &*reference.api_version;
    if !matches!(version, "" | "v1") {
        return unconvertible(format!("unsupported pod version: {version}"));
    }
    match subscripted(field) {
        Some(("metadata.annotations", key)) => labels::check_key(path, &key.to_lowercase(), errors),
        Some(("metadata.labels", key)) => labels::check_key(path, key, errors),
        Some(_) => unconvertible(format!("field label does not support subscript: {field}")),
        None if !KNOWN.contains(&field) => unconvertible(format!("field label not supported: {field}")),
        None if field == "spec.host" || supported.contains(&field) => (),
        None => errors.push(FieldError::not_supported(field_path, field, supported)),
    }
}

/// The parts of `metadata.labels['app']`.
fn subscripted(field: &str) -> Option<(&str, &str)> {
    let (start, key) = field.strip_suffix("']")?.split_once("['")?;
    (!start.is_empty()).then_some((start, key))
}

/// Checks a reference to a resource; in a volume it names its container.
pub(super) fn check_resource(path: &Path, reference: &ResourceFieldRef, in_volume: bool, errors: &mut Vec<FieldError>) {
    let resource = &*reference.resource;
    if in_volume && !required(&path.field("containerName"), &reference.container_name, errors) {
        return;
    }
    let huge = ["limits.hugepages-", "requests.hugepages-"].iter().any(|prefix| resource.starts_with(prefix));
    if !required(&path.field("resource"), resource, errors) {
        return;
    }
    if !huge && !RESOURCES.contains(&resource) {
        errors.push(FieldError::not_supported(path.field("resource"), resource, &RESOURCES));
    }
    let Some(divisor) = reference.divisor.as_ref().filter(|divisor| divisor.whole() != Some(0)) else { return };
    let kind = if huge { "hugepages" } else { resource.split_once('.').map_or("", |(_, kind)| kind) };
    let detail = match kind {
        "cpu" if !is_one_of(divisor, &["1m", "1"]) => "only divisor's values 1m and 1 are supported with the cpu resource".to_owned(),
        "memory" | "ephemeral-storage" | "hugepages" if !is_one_of(divisor, &BYTES) => {
            let kind = if kind == "ephemeral-storage" { "local ephemeral storage" } else { kind };
            format!("only divisor's values {} are supported with the {kind} resource", BYTES.join(", "))
        }
        _ => return,
    };
    errors.push(FieldError::invalid(path.field("divisor"), resource, detail));
}

fn is_one_of(quantity: &Quantity, texts: &[&str]) -> bool {
    texts.contains(&&*quantity.canonical())
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_container;
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|text| format!("containers[0].env[0].valueFrom.{text}")).collect();
        check_container(
            &format!(r#""env":[{{"name":"A","valueFrom":{source}}}]"#),
            &expected.iter().map(String::as_str).collect::<Vec<_>>(),
        );
    }

    #[test]
    fn a_70_fields() {
        let field = |path: &str| format!(r#"{{"fieldRef":{{"fieldPath":"{path}"}}}}"#);
        for path in ["metadata.name", "spec.host", "status.podIPs", "metadata.labels['a/b']", "metadata.annotations['A.b/c']"] {
            check(&field(path), &[]);
        }
        check(&field(""), &["fieldRef.fieldPath: Required value"]);
        for (path, reason) in [
            ("x", "field label not supported: x"),
            ("metadata.labels[a]", "field label not supported: metadata.labels[a]"),
            ("metadata.name['a']", "field label does not support subscript: metadata.name['a']"),
        ] {
            check(&field(path), &[&format!("fieldRef.fieldPath: Invalid value: {path:?}: error converting fieldPath: {reason}")]);
        }
        check(
            r#"{"fieldRef":{"apiVersion":"v2","fieldPath":"metadata.name"}}"#,
            &[r#"fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2"#],
        );
    }

    #[test]
    fn a_70_resources_and_divisors() {
        let resource =
            |resource: &str, divisor: &str| format!(r#"{{"resourceFieldRef":{{"resource":"{resource}","divisor":"{divisor}"}}}}"#);
        for (name, divisor) in [
            ("limits.cpu", "0"),
            ("limits.cpu", "1000m"),
            ("requests.memory", "1Ki"),
            ("limits.memory", "1000"),
            ("limits.hugepages-2Mi", "1Mi"),
        ] {
            check(&resource(name, divisor), &[]);
        }
        check(
            &resource("limits.cpu", "2"),
            &[
                r#"resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource"#,
            ],
        );
        let bytes = BYTES.join(", ");
        check(
            &resource("limits.ephemeral-storage", "1024"),
            &[&format!(
                r#"resourceFieldRef.divisor: Invalid value: "limits.ephemeral-storage": only divisor's values {bytes} are supported with the local ephemeral storage resource"#
            )],
        );
    }
}
