//! Volumes of the kinds that came before drivers; no node serves most of them any more.
//!
//! Docs: Volumes, "Types of volumes" (A-70). Other kinds are in `volumes.rs`.

use serde_json::Value;

use crate::pod_template::{JsonFields, Volume};
use crate::validation::{FieldError, Path, between, file_paths, names, one_of_optional};

/// The fields that each kind must have.
const REQUIRED: &[(&str, &[&str])] = &[
    ("gitRepo", &["repository"]),
    ("gcePersistentDisk", &["pdName"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("nfs", &["server", "path"]),
    ("iscsi", &["targetPortal", "iqn"]),
    ("glusterfs", &["endpoints", "path"]),
    ("rbd", &["monitors", "image"]),
    ("cinder", &["volumeID"]),
    ("cephfs", &["monitors"]),
    ("quobyte", &["volume"]),
    ("flexVolume", &["driver"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("storageos", &["volumeName"]),
    ("scaleIO", &["gateway", "system", "volumeName"]),
];
/// The most bytes of a tenant, and of a volume's name with a portal's.
const TENANT_LENGTH: usize = 64;
const PORTAL_LENGTH: usize = 64;
const LONG_PORTAL: &str =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
const NO_IQN_START: &str = "must be valid format starting with iqn, eui, or naa";
const NO_REGISTRY: &str = "must be a host:port pair or multiple pairs separated by commas";
const BLOB: &str = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const DISK: &str = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";

/// Checks a source of a volume, whose path is given.
pub(super) fn check(of_volume: &Path, kind: &str, volume: &Volume, source: &JsonFields, errors: &mut Vec<FieldError>) {
    let path = &of_volume.field(if kind == "gcePersistentDisk" { "persistentDisk" } else { kind });
    let demanded = REQUIRED.iter().find(|(known, _)| *known == kind).map_or(&[][..], |(_, fields)| fields);
    for field in demanded.iter().filter(|field| missing(source, field)) {
        errors.push(FieldError::required(path.field(field), ""));
    }
    match kind {
        "gitRepo" => file_paths::check_descending(&path.field("directory"), text(source, "directory"), errors),
        "gcePersistentDisk" | "awsElasticBlockStore" => {
            if let Some(partition) = number(source, "partition").filter(|partition| !(0..=255).contains(partition)) {
                between(&path.field("partition"), partition, 1, 255, errors);
            }
        }
        "nfs" if !text(source, "path").starts_with('/') => {
            errors.push(FieldError::invalid(path.field("path"), text(source, "path"), "must be an absolute path"));
        }
        "iscsi" => {
            check_iscsi(path, source, errors);
            let portal = text(source, "targetPortal");
            if source.contains_key("initiatorName") && volume.name.len() + 1 + portal.len() > PORTAL_LENGTH {
                errors.push(FieldError::invalid(of_volume.field("name"), &volume.name, LONG_PORTAL));
            }
        }
        "cinder" if named_secret(source) == Some("") => errors.push(FieldError::required(path.field("secretRef.name"), "")),
        "fc" => check_fc(path, source, errors),
        "flocker" => check_flocker(path, source, errors),
        "quobyte" => check_quobyte(path, source, errors),
        "flexVolume" => check_flex(path, source, errors),
        "azureDisk" => check_azure_disk(path, source, errors),
        "storageos" => check_storageos(path, source, errors),
        _ => (),
    }
}

fn check_iscsi(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    check_iqn(&path.field("iqn"), text(source, "iqn"), errors);
    between(&path.field("lun"), number(source, "lun").unwrap_or_default(), 0, 255, errors);
    let chap = ["chapAuthDiscovery", "chapAuthSession"].iter().any(|field| source.get(*field) == Some(&Value::Bool(true)));
    if chap && named_secret(source).is_none() {
        errors.push(FieldError::required(path.field("secretRef"), ""));
    }
    let Some(initiator) = source.get("initiatorName").and_then(Value::as_str) else { return };
    let path = path.field("initiatorname");
    if initiator.is_empty() {
        errors.push(FieldError::invalid(path, "", NO_IQN_START));
    }
    check_iqn(&path, initiator, errors);
}

/// Checks the name of an iSCSI node, unless it is missing.
fn check_iqn(path: &Path, name: &str, errors: &mut Vec<FieldError>) {
    let valid = match name.get(..3) {
        _ if name.is_empty() => return,
        Some("iqn") => is_iqn(name),
        Some("eui") => hexadecimal(name, "eui.", 16),
        Some("naa") => hexadecimal(name, "naa.", 32),
        _ => return errors.push(FieldError::invalid(path, name, NO_IQN_START)),
    };
    if !valid {
        errors.push(FieldError::invalid(path, name, "must be valid format"));
    }
}

/// Whether a name has a date, a domain and words of its own: `iqn.2001-04.com.example:disk1`.
fn is_iqn(name: &str) -> bool {
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((date, rest)) = name.strip_prefix("iqn.").and_then(|rest| rest.split_once('.')) else { return false };
    let Some((domain, words)) = rest.split_once(':') else { return false };
    date.split_once('-').is_some_and(|(year, month)| digits(year, 4) && digits(month, 2))
        && !domain.is_empty()
        && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        && !words.is_empty()
        && !words.contains([',', ';', '*', '&', '$', '|', ' ', '\t', '\n', '\r', '\x0c'])
}

fn hexadecimal(name: &str, prefix: &str, count: usize) -> bool {
    name.strip_prefix(prefix).is_some_and(|digits| digits.len() == count && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn check_fc(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    let targets = path.field("targetWWNs");
    match (missing(source, "targetWWNs"), missing(source, "wwids")) {
        (true, true) => errors.push(FieldError::required(targets, "must specify either targetWWNs or wwids, but not both")),
        (false, false) => {
            errors.push(FieldError::invalid(targets, &source["targetWWNs"], "targetWWNs and wwids can not be specified simultaneously"));
        }
        (true, false) => return,
        (false, true) => (),
    }
    if missing(source, "targetWWNs") {
        return;
    }
    match number(source, "lun") {
        None => errors.push(FieldError::required(path.field("lun"), "lun is required if targetWWNs is specified")),
        Some(lun) => between(&path.field("lun"), lun, 0, 255, errors),
    }
}

fn check_flocker(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    let name = text(source, "datasetName");
    match (missing(source, "datasetName"), missing(source, "datasetUUID")) {
        (true, true) => errors.push(FieldError::required(path, "one of datasetName and datasetUUID is required")),
        (false, false) => {
            let detail = "datasetName and datasetUUID can not be specified simultaneously";
            errors.push(FieldError::invalid(path, "resource", detail));
        }
        (true, false) | (false, true) => (),
    }
    if name.contains('/') {
        errors.push(FieldError::invalid(path.field("datasetName"), name, "must not contain '/'"));
    }
}

fn check_quobyte(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    let (registry, pairs) = (path.field("registry"), text(source, "registry"));
    if pairs.is_empty() {
        errors.push(FieldError::required(registry, NO_REGISTRY));
    } else if text(source, "tenant").len() > TENANT_LENGTH {
        let detail = format!("must be a UUID and may not exceed a length of {TENANT_LENGTH} characters");
        errors.push(FieldError::required(path.field("tenant"), detail));
    } else {
        for _ in pairs.split(',').filter(|pair| pair.matches(':').count() != 1) {
            errors.push(FieldError::invalid(registry, pairs, NO_REGISTRY));
        }
    }
}

fn check_flex(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    for option in source.get("options").and_then(Value::as_object).into_iter().flatten().map(|(option, _)| option) {
        let lower = option.to_lowercase();
        let domain = lower.split('/').next().unwrap_or_default();
        let reserved = |own: &str| domain == own || domain.strip_suffix(own).is_some_and(|start| start.ends_with('.'));
        if reserved("kubernetes.io") || reserved("k8s.io") {
            let detail = "kubernetes.io and k8s.io namespaces are reserved";
            errors.push(FieldError::invalid(path.field("options").key(option), option, detail));
        }
    }
}

fn check_azure_disk(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    let (uri, kind) = (text(source, "diskURI"), source.get("kind").and_then(Value::as_str));
    let caching = source.get("cachingMode").and_then(Value::as_str);
    one_of_optional(&path.field("cachingMode"), caching, &["None", "ReadOnly", "ReadWrite"], errors);
    one_of_optional(&path.field("kind"), kind, &["Dedicated", "Managed", "Shared"], errors);
    let (start, form) = if kind == Some("Managed") { ("/subscriptions", DISK) } else { ("https://", BLOB) };
    if !uri.starts_with(start) {
        errors.push(FieldError::not_supported(path.field("diskURI"), uri, &[form]));
    }
}

fn check_storageos(path: &Path, source: &JsonFields, errors: &mut Vec<FieldError>) {
    for field in ["volumeName", "volumeNamespace"] {
        if !missing(source, field) {
            names::check_label(&path.field(field), text(source, field), errors);
        }
    }
    if named_secret(source) == Some("") {
        errors.push(FieldError::required(path.field("secretRef.name"), ""));
    }
}

/// Whether a field is absent or empty.
fn missing(source: &JsonFields, field: &str) -> bool {
    match source.get(field) {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

fn text<'a>(source: &'a JsonFields, field: &str) -> &'a str {
    source.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn number(source: &JsonFields, field: &str) -> Option<i64> {
    source.get(field).and_then(Value::as_i64)
}

/// The name in a reference to a Secret, which may be empty; `None` without a reference.
fn named_secret(source: &JsonFields) -> Option<&str> {
    let secret = source.get("secretRef")?.as_object()?;
    Some(text(secret, "name"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_volume;
    use super::*;

    #[test]
    fn a_70_each_kind_has_fields_that_it_must_have() {
        for (kind, fields) in REQUIRED {
            let path = if *kind == "gcePersistentDisk" { "persistentDisk" } else { kind };
            let expected: Vec<String> = fields.iter().map(|field| format!("{path}.{field}: Required value")).collect();
            let others = match *kind {
                "nfs" => vec![format!("{path}.path: Invalid value: \"\": must be an absolute path")],
                "quobyte" => vec![format!("{path}.registry: Required value: {NO_REGISTRY}")],
                "azureDisk" => vec![format!("{path}.diskURI: Unsupported value: \"\": supported values: {BLOB:?}")],
                _ => Vec::new(),
            };
            check_volume(&format!(r#""{kind}":{{}}"#), &expected.iter().chain(&others).map(String::as_str).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_70_names_of_iscsi_nodes() {
        for name in [
            "iqn.2001-04.com.example:storage.disk1",
            "iqn.2001-00.c-d.:a%b",
            "eui.02004567A425678D",
            "naa.62004567BA64678D0123456789ABCDEF",
        ] {
            check_volume(&format!(r#""iscsi":{{"targetPortal":"a","iqn":"{name}","lun":1}}"#), &[]);
        }
        for name in ["iqn.2001-04.com", "iqn.2001-4.com:a", "iqn.2001-04.c_m:a", "iqn.2001-04.com:a b", "eui.0123", "naa.x"] {
            check_volume(
                &format!(r#""iscsi":{{"targetPortal":"a","iqn":"{name}"}}"#),
                &[&format!("iscsi.iqn: Invalid value: {name:?}: must be valid format")],
            );
        }
        let portal = "a".repeat(63);
        check_volume(
            &format!(r#""iscsi":{{"targetPortal":"{portal}","iqn":"x","lun":256,"chapAuthSession":true,"initiatorName":""}}"#),
            &[
                &format!(r#"iscsi.iqn: Invalid value: "x": {NO_IQN_START}"#),
                "iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive",
                "iscsi.secretRef: Required value",
                &format!(r#"iscsi.initiatorname: Invalid value: "": {NO_IQN_START}"#),
                &format!(r#"name: Invalid value: "v": {LONG_PORTAL}"#),
            ],
        );
    }

    #[test]
    fn a_70_other_kinds() {
        for (source, expected) in [
            (r#""fc":{"wwids":["a"]}"#, &[][..]),
            (r#""fc":{}"#, &["fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"]),
            (r#""fc":{"targetWWNs":["a"]}"#, &["fc.lun: Required value: lun is required if targetWWNs is specified"]),
            (
                r#""flocker":{"datasetName":"a/b","datasetUUID":"c"}"#,
                &[
                    r#"flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously"#,
                    r#"flocker.datasetName: Invalid value: "a/b": must not contain '/'"#,
                ],
            ),
            (r#""quobyte":{"registry":"a:1,b:2","volume":"v"}"#, &[]),
            (
                r#""flexVolume":{"driver":"d","options":{"a.k8s.io/x":"","kubernetes.io":"","akubernetes.io/x":""}}"#,
                &[
                    r#"flexVolume.options[a.k8s.io/x]: Invalid value: "a.k8s.io/x": kubernetes.io and k8s.io namespaces are reserved"#,
                    r#"flexVolume.options[kubernetes.io]: Invalid value: "kubernetes.io": kubernetes.io and k8s.io namespaces are reserved"#,
                ],
            ),
            (r#""azureDisk":{"diskName":"d","diskURI":"/subscriptions/a","kind":"Managed"}"#, &[]),
            (r#""storageos":{"volumeName":"a","secretRef":{}}"#, &["storageos.secretRef.name: Required value"]),
            (
                r#""gcePersistentDisk":{"pdName":"d","partition":256}"#,
                &["persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive"],
            ),
            (r#""gitRepo":{"repository":"r","directory":"../a"}"#, &[r#"gitRepo.directory: Invalid value: "../a": must not contain '..'"#]),
        ] {
            check_volume(source, expected);
        }
    }
}
