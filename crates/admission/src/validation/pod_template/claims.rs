//! The claim of a PersistentVolume that is made for each pod.
//!
//! Docs: Ephemeral Volumes, "Generic ephemeral volumes"; Persistent Volumes, "PersistentVolumeClaims" (A-70). Claims of devices are in `resources.rs`.

use serde_json::json;

use crate::pod_template::{ClaimSpec, ClaimTemplate, DataSource};
use crate::validation::{FieldError, Path, labels, names, one_of, one_of_optional, required, selector};

const ALONE: &str = "ReadWriteOncePod";

pub(super) fn check(path: &Path, template: Option<&ClaimTemplate>, errors: &mut Vec<FieldError>) {
    let Some(template) = template else { return errors.push(FieldError::required(path, "")) };
    let metadata = path.field("metadata");
    labels::check_annotations(&metadata.field("annotations"), &template.metadata.annotations, errors);
    labels::check_labels(&metadata.field("labels"), &template.metadata.labels, errors);
    for field in &template.metadata.others {
        let field = if &**field == "uid" { "uID" } else { field };
        errors.push(FieldError::forbidden(metadata.field(field), "cannot be set"));
    }
    check_spec(&path.field("spec"), &template.spec, errors);
}

fn check_spec(path: &Path, spec: &ClaimSpec, errors: &mut Vec<FieldError>) {
    let modes = path.field("accessModes");
    if spec.access_modes.is_empty() {
        errors.push(FieldError::required(modes, "at least 1 access mode is required"));
    }
    for mode in &spec.access_modes {
        one_of(&modes, mode, schema::values("PersistentVolumeClaimSpec", "accessModes"), errors);
    }
    if spec.access_modes.len() > 1 && spec.access_modes.iter().any(|mode| &**mode == ALONE) {
        errors.push(FieldError::forbidden(modes, "may not use ReadWriteOncePod with other access modes"));
    }
    if let Some(chosen) = &spec.selector {
        selector::check(&path.field("selector"), chosen, false, errors);
    }
    let resources = path.field("resources");
    let storage = resources.key("storage");
    match spec.resources.requests.0.get("storage") {
        None => errors.push(FieldError::required(storage, "")),
        Some(size) if size.negative() || size.whole() == Some(0) => {
            errors.push(FieldError::invalid(storage, &size.canonical(), "must be greater than zero"));
        }
        Some(_) => (),
    }
    for (field, name) in [("storageClassName", &spec.storage_class_name), ("volumeAttributesClassName", &spec.volume_attributes_class_name)]
    {
        if let Some(name) = name.as_deref().filter(|name| !name.is_empty()) {
            names::check_subdomain(&path.field(field), name, errors);
        }
    }
    one_of_optional(
        &path.field("volumeMode"),
        spec.volume_mode.as_deref(),
        schema::values("PersistentVolumeClaimSpec", "volumeMode"),
        errors,
    );
    check_data_sources(path, spec, errors);
}

fn check_data_sources(path: &Path, spec: &ClaimSpec, errors: &mut Vec<FieldError>) {
    for (field, source) in [("dataSource", &spec.data_source), ("dataSourceRef", &spec.data_source_ref)] {
        if let Some(source) = source {
            check_data_source(&path.field(field), source, errors);
        }
    }
    if let (Some(source), Some(reference)) = (&spec.data_source, &spec.data_source_ref)
        && source != reference
    {
        errors.push(FieldError::invalid(path, &json!({}), "must match dataSourceRef"));
    }
}

fn check_data_source(path: &Path, source: &DataSource, errors: &mut Vec<FieldError>) {
    required(&path.field("name"), &source.name, errors);
    required(&path.field("kind"), &source.kind, errors);
    match source.api_group.as_deref() {
        None | Some("") if &*source.kind != "PersistentVolumeClaim" => {
            errors.push(FieldError::invalid(path, &source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
        }
        None | Some("") => (),
        Some(group) => names::check_subdomain(&path.field("apiGroup"), group, errors),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_pod;

    #[track_caller]
    fn check_template(template: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|text| format!("volumes[0].ephemeral.volumeClaimTemplate{text}")).collect();
        check_pod(
            &format!(r#""volumes":[{{"name":"v","ephemeral":{{"volumeClaimTemplate":{template}}}}}]"#),
            &expected.iter().map(String::as_str).collect::<Vec<_>>(),
        );
    }

    #[test]
    fn a_70_claims_ask_for_storage() {
        check_template(r#"{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}"#, &[]);
        check_template("null", &[": Required value"]);
        check_template(
            r#"{"metadata":{"name":"a","uid":"b","generation":0},"spec":{"volumeMode":"x"}}"#,
            &[
                ".metadata.name: Forbidden: cannot be set",
                ".metadata.uID: Forbidden: cannot be set",
                ".spec.accessModes: Required value: at least 1 access mode is required",
                ".spec.resources[storage]: Required value",
                r#".spec.volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem""#,
            ],
        );
        check_template(
            r#"{"spec":{"accessModes":["ReadWriteOncePod","x"],"resources":{"requests":{"storage":0}}}}"#,
            &[
                r#".spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod""#,
                ".spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
                r#".spec.resources[storage]: Invalid value: "0": must be greater than zero"#,
            ],
        );
    }

    #[test]
    fn a_70_what_claims_are_filled_with() {
        let spec = r#""accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":1}}"#;
        let snapshot = r#"{"apiGroup":"snapshot.storage.k8s.io","kind":"VolumeSnapshot","name":"a"}"#;
        check_template(&format!(r#"{{"spec":{{{spec},"dataSource":{snapshot},"dataSourceRef":{snapshot}}}}}"#), &[]);
        check_template(
            &format!(r#"{{"spec":{{{spec},"dataSource":{{"kind":"Pod"}},"dataSourceRef":{snapshot}}}}}"#),
            &[
                ".spec.dataSource.name: Required value",
                r#".spec.dataSource: Invalid value: "Pod": must be 'PersistentVolumeClaim' when referencing the default apiGroup"#,
                ".spec: Invalid value: {}: must match dataSourceRef",
            ],
        );
    }
}
