//! Volumes: their names, and that each has one source.
//!
//! Docs: Volumes, "Types of volumes" (A-70). Sources of files are in `files.rs`, claims in `claims.rs`, older ones in `older_volumes.rs`; who mounts
//! volumes is checked in `mounts.rs`.

use std::collections::BTreeMap;

use super::{claims, files, older_volumes};
use crate::pod_template::{CsiSource, HostPath, Volume, VolumeSource};
use crate::validation::{FieldError, Path, file_paths, names, one_of, required};

/// The most bytes of the name of a driver.
const DRIVER_LENGTH: usize = 63;

/// Checks the volumes, and finds those that can be mounted.
pub(super) fn check<'a>(path: &Path, volumes: &'a [Volume], errors: &mut Vec<FieldError>) -> BTreeMap<&'a str, &'a Volume> {
    let mut mountable = BTreeMap::new();
    for (at, volume) in volumes.iter().enumerate() {
        let path = path.index(at);
        let before = errors.len();
        check_sources(&path, volume, errors);
        if required(&path.field("name"), &volume.name, errors) {
            names::check_label(&path.field("name"), &volume.name, errors);
        }
        if mountable.contains_key(&*volume.name) {
            errors.push(FieldError::duplicate(path.field("name"), &volume.name));
        }
        if errors.len() == before {
            mountable.insert(&*volume.name, volume);
        }
    }
    mountable
}

fn check_sources(path: &Path, volume: &Volume, errors: &mut Vec<FieldError>) {
    let Some(((field, source), others)) = volume.sources.split_first() else { return };
    check_source(path, field, volume, source, errors);
    for (field, _) in others {
        errors.push(FieldError::forbidden(path.field(name_in_errors(field)), "may not specify more than 1 volume type"));
    }
}

/// What the server calls the source in errors.
fn name_in_errors(source: &str) -> &str {
    match source {
        "cephfs" => "cephFS",
        "downwardAPI" => "downwarAPI",
        other => other,
    }
}

fn check_source(path: &Path, field: &str, volume: &Volume, source: &VolumeSource, errors: &mut Vec<FieldError>) {
    let of_volume = path;
    let path = path.field(field);
    match source {
        VolumeSource::EmptyDir(source) => {
            if source.size_limit.as_ref().is_some_and(|limit| limit.negative()) {
                errors.push(FieldError::forbidden(path.field("sizeLimit"), "SizeLimit field must be a valid resource quantity"));
            }
        }
        VolumeSource::HostPath(source) => check_host_path(&path, source, errors),
        VolumeSource::Secret(source) => files::check(&path, "secretName", &source.secret_name, source, errors),
        VolumeSource::ConfigMap(source) => files::check(&path, "name", &source.name, source, errors),
        VolumeSource::Claim(source) => drop(required(&path.field("claimName"), &source.claim_name, errors)),
        VolumeSource::DownwardApi(source) => files::check_downward(&path, source, errors),
        VolumeSource::Projected(source) => files::check_projected(&path, source, errors),
        VolumeSource::Csi(source) => check_csi(&path, source, errors),
        VolumeSource::Ephemeral(source) => {
            claims::check(&path.field("volumeClaimTemplate"), source.volume_claim_template.as_ref(), errors);
        }
        VolumeSource::Image(source) => {
            required(&path.field("reference"), &source.reference, errors);
            if !source.pull_policy.is_empty() {
                one_of(&path.field("pullPolicy"), &source.pull_policy, schema::values("ImageVolumeSource", "pullPolicy"), errors);
            }
        }
        VolumeSource::Older(source) => older_volumes::check(of_volume, field, volume, source, errors),
    }
}

fn check_host_path(path: &Path, source: &HostPath, errors: &mut Vec<FieldError>) {
    if required(&path.field("path"), &source.path, errors) {
        file_paths::check_without_backsteps(&path.field("path"), &source.path, errors);
    }
    one_of(&path.field("type"), &source.kind, schema::values("HostPathVolumeSource", "type"), errors);
}

fn check_csi(path: &Path, source: &CsiSource, errors: &mut Vec<FieldError>) {
    let driver = path.field("driver");
    if required(&driver, &source.driver, errors) {
        if source.driver.len() > DRIVER_LENGTH {
            errors.push(FieldError::too_long(driver, DRIVER_LENGTH));
        }
        let lower = source.driver.to_lowercase();
        for fault in names::subdomain_faults(&lower) {
            errors.push(FieldError::invalid(driver, &source.driver, fault));
        }
    }
    if let Some(secret) = &source.node_publish_secret_ref
        && required(&path.field("nodePublishSecretRef.name"), &secret.name, errors)
    {
        names::check_subdomain(&path.field("name"), &secret.name, errors);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_pod;
    use super::*;

    #[test]
    fn a_70_volumes_have_one_source() {
        let pod = r#""volumes":[{"name":"v","image":{"reference":"x"},"downwardAPI":{},"cephfs":{},"emptyDir":{}}]"#;
        check_pod(
            pod,
            &[
                "volumes[0].cephFS: Forbidden: may not specify more than 1 volume type",
                "volumes[0].downwarAPI: Forbidden: may not specify more than 1 volume type",
                "volumes[0].image: Forbidden: may not specify more than 1 volume type",
            ],
        );
    }

    #[test]
    fn a_70_paths_drivers_and_images() {
        check_pod(
            r#""volumes":[{"name":"a","hostPath":{"path":"/a/..","type":"x"}},{"name":"b","csi":{"driver":"A.b","nodePublishSecretRef":{}}},
                {"name":"c","image":{"pullPolicy":"x"}},{"name":"d","emptyDir":{"sizeLimit":"-1"}},{"name":"e","persistentVolumeClaim":{}}]"#,
            &[
                r#"volumes[0].hostPath.path: Invalid value: "/a/..": must not contain '..'"#,
                r#"volumes[0].hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket""#,
                "volumes[1].csi.nodePublishSecretRef.name: Required value",
                "volumes[2].image.reference: Required value",
                r#"volumes[2].image.pullPolicy: Unsupported value: "x": supported values: "Always", "IfNotPresent", "Never""#,
                "volumes[3].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity",
                "volumes[4].persistentVolumeClaim.claimName: Required value",
            ],
        );
    }

    #[test]
    fn a_70_volumes_have_names_of_their_own() {
        let volumes = r#"[{"name":"a","emptyDir":{}},{"name":"a"},{"name":"B"},{"name":""},{"name":"c","secret":{}}]"#;
        let volumes: Vec<Volume> = api::json::from_str(volumes).unwrap();
        let mut errors = Vec::new();
        assert_eq!(check(&Path::of("volumes"), &volumes, &mut errors).into_keys().collect::<Vec<_>>(), ["a"]);
        let fields: Vec<_> = errors.iter().map(|error| (error.kind.text(), error.field.as_str())).collect();
        let expected = [
            ("Duplicate value", "volumes[1].name"),
            ("Invalid value", "volumes[2].name"),
            ("Required value", "volumes[3].name"),
            ("Required value", "volumes[4].secret.secretName"),
        ];
        assert_eq!(fields, expected);
    }
}
