//! The environment of a container: its variables, and where their values come from.
//!
//! Docs: Define Environment Variables for a Container; Configure a Pod to Use a ConfigMap (A-70). References to fields and resources are in `references.rs`.

use super::Surroundings;
use super::references;
use crate::pod_template::{EnvFrom, EnvSource, EnvVar, FileKeyRef, KeyRef, Volume, VolumeSource};
use crate::validation::{FieldError, Path, file_paths, names, required};

/// The fields that a variable can have the value of.
const FIELDS: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
const NO_KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or \
     'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
/// The most bytes of a key.
const KEY_LENGTH: usize = 253;

pub(super) fn check(path: &Path, variables: &[EnvVar], around: &Surroundings, errors: &mut Vec<FieldError>) {
    for (at, variable) in variables.iter().enumerate() {
        let path = path.index(at);
        if required(&path.field("name"), &variable.name, errors) {
            check_name(&path.field("name"), &variable.name, errors);
        }
        if let Some(source) = &variable.value_from {
            check_source(&path.field("valueFrom"), source, &variable.value, around, errors);
        }
    }
}

fn check_name(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    if !name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=') {
        let detail = "a valid environment variable name must consist only of printable ASCII characters other than '='";
        errors.push(FieldError::invalid(path, name, detail));
    }
}

fn check_source(path: &Path, source: &EnvSource, value: &str, around: &Surroundings, errors: &mut Vec<FieldError>) {
    let mut sources = 0;
    if let Some(reference) = &source.field_ref {
        sources += 1;
        references::check_field(&path.field("fieldRef"), reference, &FIELDS, errors);
    }
    if let Some(reference) = &source.resource_field_ref {
        sources += 1;
        references::check_resource(&path.field("resourceFieldRef"), reference, false, errors);
    }
    for (field, reference) in [("configMapKeyRef", &source.config_map_key_ref), ("secretKeyRef", &source.secret_key_ref)] {
        if let Some(reference) = reference {
            sources += 1;
            check_key_ref(&path.field(field), reference, errors);
        }
    }
    if let Some(reference) = &source.file_key_ref {
        sources += 1;
        check_file_key(&path.field("fileKeyRef"), reference, around, errors);
    }
    let detail = match sources {
        0 => "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
        _ if !value.is_empty() => "may not be specified when `value` is not empty",
        1 => return,
        _ => "may not have more than one field specified at a time",
    };
    errors.push(FieldError::invalid(path, "", detail));
}

fn check_key_ref(path: &Path, reference: &KeyRef, errors: &mut Vec<FieldError>) {
    names::check_subdomain(&path.field("name"), &reference.name, errors);
    let (path, key) = (path.field("key"), &*reference.key);
    if !required(&path, key, errors) {
        return;
    }
    if key.len() > KEY_LENGTH {
        errors.push(FieldError::invalid(path, key, format!("must be no more than {KEY_LENGTH} characters")));
    }
    let fault = if !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
        NO_KEY
    } else if matches!(key, "." | "..") {
        if key == "." { "must not be '.'" } else { "must not be '..'" }
    } else if key.starts_with("..") {
        "must not start with '..'"
    } else {
        return;
    };
    errors.push(FieldError::invalid(path, key, fault));
}

fn check_file_key(path: &Path, reference: &FileKeyRef, around: &Surroundings, errors: &mut Vec<FieldError>) {
    if required(&path.field("key"), &reference.key, errors) {
        check_name(&path.field("key"), &reference.key, errors);
    }
    let volume = path.field("volumeName");
    if required(&volume, &reference.volume_name, errors) {
        names::check_label(&volume, &reference.volume_name, errors);
    }
    if required(&path.field("path"), &reference.path, errors) {
        file_paths::check_without_backsteps(&path.field("path"), &reference.path, errors);
    }
    let named = around.pod.volumes.iter().find(|volume| volume.name == reference.volume_name && !volume.name.is_empty());
    match named.map(Volume::source) {
        None => errors.push(FieldError::not_found(volume, &reference.volume_name)),
        Some(Some(VolumeSource::EmptyDir(_))) => (),
        Some(_) => errors.push(FieldError::invalid(volume, &reference.volume_name, "referenced volume must be of type emptyDir")),
    }
}

pub(super) fn check_from(path: &Path, sources: &[EnvFrom], errors: &mut Vec<FieldError>) {
    for (at, source) in sources.iter().enumerate() {
        let item = path.index(at);
        if !source.prefix.is_empty() {
            check_name(&item.field("prefix"), &source.prefix, errors);
        }
        let references = [("configMapRef", &source.config_map_ref), ("secretRef", &source.secret_ref)];
        let given = references.iter().filter_map(|(field, reference)| Some((field, reference.as_ref()?)));
        let mut count = 0;
        for (field, reference) in given {
            count += 1;
            let name = item.field(field);
            let name = name.field("name");
            if required(&name, &reference.name, errors) {
                names::check_subdomain(&name, &reference.name, errors);
            }
        }
        let detail = match count {
            0 => "must specify one of: `configMapRef` or `secretRef`",
            1 => continue,
            _ => "may not have more than one field specified at a time",
        };
        errors.push(FieldError::invalid(path, "", detail));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_container, check_template};
    use super::*;

    #[test]
    fn a_70_variables_have_names_and_one_source() {
        check_container(r#""env":[{"name":"A B.c"},{"name":"B","value":"$(A)"}]"#, &[]);
        let field = r#""fieldRef":{"fieldPath":"metadata.name"}"#;
        check_container(
            &format!(
                r#""env":[{{}},{{"name":"A","valueFrom":{{}}}},{{"name":"B","value":"b","valueFrom":{{{field}}}}},
                {{"name":"C","valueFrom":{{{field},"secretKeyRef":{{"name":"a","key":"b"}}}}}}]"#
            ),
            &[
                "containers[0].env[0].name: Required value",
                r#"containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"#,
                r#"containers[0].env[2].valueFrom: Invalid value: "": may not be specified when `value` is not empty"#,
                r#"containers[0].env[3].valueFrom: Invalid value: "": may not have more than one field specified at a time"#,
            ],
        );
    }

    #[test]
    fn a_70_keys() {
        for (key, fault) in [("a b", NO_KEY), ("..", "must not be '..'"), ("..a", "must not start with '..'")] {
            check_container(
                &format!(r#""env":[{{"name":"A","valueFrom":{{"configMapKeyRef":{{"name":"a","key":"{key}"}}}}}}]"#),
                &[&format!("containers[0].env[0].valueFrom.configMapKeyRef.key: Invalid value: {key:?}: {fault}")],
            );
        }
        let volumes = r#","volumes":[{"name":"v","hostPath":{"path":"/v"}}]"#;
        check_template(
            volumes,
            r#","env":[{"name":"A","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"../a","key":"K"}}}]"#,
            "{}",
            &[
                r#"containers[0].env[0].valueFrom.fileKeyRef.path: Invalid value: "../a": must not contain '..'"#,
                r#"containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir"#,
            ],
        );
    }

    #[test]
    fn a_70_sources_of_many_variables() {
        check_container(
            r#""envFrom":[{},{"prefix":"=","configMapRef":{}},{"configMapRef":{"name":"a"},"secretRef":{"name":"b"}}]"#,
            &[
                r#"containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`"#,
                r#"containers[0].envFrom[1].prefix: Invalid value: "=": a valid environment variable name must consist only of printable ASCII characters other than '='"#,
                "containers[0].envFrom[1].configMapRef.name: Required value",
                r#"containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time"#,
            ],
        );
    }
}
