//! Where a container sees volumes: as folders, or as devices.
//!
//! Docs: Volumes, "Using subPath", "Mount propagation", "Read-only mounts"; Persistent Volumes, "Raw Block Volume Support" (A-70). The volumes
//! themselves are in `volumes.rs`.

use std::collections::BTreeSet;

use super::Surroundings;
use crate::pod_template::{Container, VolumeDevice, VolumeMount, VolumeSource};
use crate::validation::{FieldError, Path, file_paths, one_of_optional, required};

pub(super) fn check(path: &Path, container: &Container, around: &Surroundings, errors: &mut Vec<FieldError>) {
    let mut taken = BTreeSet::new();
    let mounts = path.field("volumeMounts");
    for (at, mount) in container.volume_mounts.iter().enumerate() {
        let path = mounts.index(at);
        required(&path.field("name"), &mount.name, errors);
        if !around.volumes.contains_key(&*mount.name) {
            errors.push(FieldError::not_found(path.field("name"), &mount.name));
        }
        required(&path.field("mountPath"), &mount.mount_path, errors);
        if !taken.insert(&mount.mount_path) {
            errors.push(FieldError::invalid(path.field("mountPath"), &mount.mount_path, "must be unique"));
        }
        let devices = &container.volume_devices;
        if devices.iter().any(|device| device.name == mount.name) {
            errors.push(FieldError::invalid(path.field("name"), &mount.name, "must not already exist in volumeDevices"));
        }
        if devices.iter().any(|device| device.device_path == mount.mount_path) {
            let detail = "must not already exist as a path in volumeDevices";
            errors.push(FieldError::invalid(path.field("mountPath"), &mount.mount_path, detail));
        }
        check_paths(&mounts, &path, mount, errors);
        check_modes(&mounts, mount, container, errors);
    }
    check_devices(&path.field("volumeDevices"), container, around, errors);
}

/// Checks the paths below a volume. Their errors name the list, not the mount.
fn check_paths(mounts: &Path, path: &Path, mount: &VolumeMount, errors: &mut Vec<FieldError>) {
    file_paths::check_descending(&mounts.field("subPath"), &mount.sub_path, errors);
    if mount.sub_path_expr.is_empty() {
        return;
    }
    if !mount.sub_path.is_empty() {
        let detail = "subPathExpr and subPath are mutually exclusive";
        errors.push(FieldError::invalid(path.field("subPathExpr"), &mount.sub_path_expr, detail));
    }
    file_paths::check_descending(&mounts.field("subPathExpr"), &mount.sub_path_expr, errors);
}

/// Checks what else a mount shows, and how. These errors name the list as well.
fn check_modes(mounts: &Path, mount: &VolumeMount, container: &Container, errors: &mut Vec<FieldError>) {
    let path = mounts.field("mountPropagation");
    let propagation = mount.mount_propagation.as_deref();
    if propagation == Some("Bidirectional") && container.security_context.privileged != Some(true) {
        errors.push(FieldError::forbidden(path, "Bidirectional mount propagation is available only to privileged containers"));
    }
    one_of_optional(&path, propagation, schema::values("VolumeMount", "mountPropagation"), errors);
    let path = mounts.field("recursiveReadOnly");
    let recursion = mount.recursive_read_only.as_deref();
    if matches!(recursion, Some("Enabled" | "IfPossible")) {
        if !mount.read_only {
            errors.push(FieldError::forbidden(path, "may only be specified when readOnly is true"));
        }
        if propagation.is_some_and(|propagation| propagation != "None") {
            errors.push(FieldError::forbidden(path, "may only be specified when mountPropagation is None or not specified"));
        }
    }
    one_of_optional(&path, recursion, schema::values("VolumeMount", "recursiveReadOnly"), errors);
}

fn check_devices(path: &Path, container: &Container, around: &Surroundings, errors: &mut Vec<FieldError>) {
    if around.pod.host_users == Some(false) && !container.volume_devices.is_empty() {
        errors.push(FieldError::forbidden(path, super::security::WITHOUT_HOST_USERS));
    }
    let (mut names, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for (at, device) in container.volume_devices.iter().enumerate() {
        let VolumeDevice { name, device_path } = device;
        let path = path.index(at);
        let (name_path, file) = (path.field("name"), path.field("devicePath"));
        required(&name_path, name, errors);
        match around.volumes.get(&**name).map(|volume| volume.source()) {
            None => errors.push(FieldError::not_found(name_path, name)),
            Some(Some(VolumeSource::Claim(_) | VolumeSource::Ephemeral(_))) => (),
            Some(_) => {
                let detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
                errors.push(FieldError::invalid(name_path, name, detail));
            }
        }
        if !names.insert(name) {
            errors.push(FieldError::invalid(name_path, name, "must be unique"));
        }
        required(&file, device_path, errors);
        if !device_path.is_empty() && !paths.insert(device_path) {
            errors.push(FieldError::invalid(file, device_path, "must be unique"));
        }
        if file_paths::goes_back(device_path) {
            errors.push(FieldError::invalid(file, device_path, "can not contain backsteps ('..')"));
        }
        if container.volume_mounts.iter().any(|mount| mount.name == *name) {
            errors.push(FieldError::invalid(name_path, name, "must not already exist in volumeMounts"));
        }
        if container.volume_mounts.iter().any(|mount| mount.mount_path == *device_path) {
            errors.push(FieldError::invalid(file, device_path, "must not already exist as a path in volumeMounts"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check_template;

    const VOLUMES: &str = r#","volumes":[{"name":"v","emptyDir":{}},{"name":"c","persistentVolumeClaim":{"claimName":"c"}}]"#;

    #[track_caller]
    fn check_mounts(container: &str, expected: &[&str]) {
        let expected: Vec<String> = expected.iter().map(|text| format!("containers[0].{text}")).collect();
        check_template(VOLUMES, &format!(",{container}"), "{}", &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn a_70_mounts_name_volumes_and_have_paths_of_their_own() {
        check_mounts(
            r#""volumeMounts":[{"name":"v","mountPath":"/v"},{"name":"w","mountPath":"/v"},{}]"#,
            &[
                r#"volumeMounts[1].name: Not found: "w""#,
                r#"volumeMounts[1].mountPath: Invalid value: "/v": must be unique"#,
                "volumeMounts[2].name: Required value",
                r#"volumeMounts[2].name: Not found: """#,
                "volumeMounts[2].mountPath: Required value",
            ],
        );
    }

    #[test]
    fn a_70_paths_and_modes_of_mounts() {
        check_mounts(
            r#""volumeMounts":[{"name":"v","mountPath":"/v","subPath":"../a","subPathExpr":"/$(A)"},
                {"name":"v","mountPath":"/w","mountPropagation":"Bidirectional","recursiveReadOnly":"Enabled"},
                {"name":"v","mountPath":"/x","mountPropagation":"x","recursiveReadOnly":"y"}]"#,
            &[
                r#"volumeMounts.subPath: Invalid value: "../a": must not contain '..'"#,
                r#"volumeMounts[0].subPathExpr: Invalid value: "/$(A)": subPathExpr and subPath are mutually exclusive"#,
                r#"volumeMounts.subPathExpr: Invalid value: "/$(A)": must be a relative path"#,
                "volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers",
                "volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
                "volumeMounts.recursiveReadOnly: Forbidden: may only be specified when mountPropagation is None or not specified",
                r#"volumeMounts.mountPropagation: Unsupported value: "x": supported values: "Bidirectional", "HostToContainer", "None""#,
                r#"volumeMounts.recursiveReadOnly: Unsupported value: "y": supported values: "Disabled", "Enabled", "IfPossible""#,
            ],
        );
    }

    #[test]
    fn a_70_devices() {
        check_mounts(r#""volumeDevices":[{"name":"c","devicePath":"/c"}]"#, &[]);
        check_mounts(
            r#""volumeDevices":[{"name":"v","devicePath":"/../v"},{"name":"c","devicePath":"/c"},{"name":"c","devicePath":"/c"},{}]"#,
            &[
                r#"volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"#,
                r#"volumeDevices[0].devicePath: Invalid value: "/../v": can not contain backsteps ('..')"#,
                r#"volumeDevices[2].name: Invalid value: "c": must be unique"#,
                r#"volumeDevices[2].devicePath: Invalid value: "/c": must be unique"#,
                "volumeDevices[3].name: Required value",
                r#"volumeDevices[3].name: Not found: """#,
                "volumeDevices[3].devicePath: Required value",
            ],
        );
        check_mounts(
            r#""volumeDevices":[{"name":"c","devicePath":"/c"}],"volumeMounts":[{"name":"c","mountPath":"/c"}]"#,
            &[
                r#"volumeMounts[0].name: Invalid value: "c": must not already exist in volumeDevices"#,
                r#"volumeMounts[0].mountPath: Invalid value: "/c": must not already exist as a path in volumeDevices"#,
                r#"volumeDevices[0].name: Invalid value: "c": must not already exist in volumeMounts"#,
                r#"volumeDevices[0].devicePath: Invalid value: "/c": must not already exist as a path in volumeMounts"#,
            ],
        );
    }
}
