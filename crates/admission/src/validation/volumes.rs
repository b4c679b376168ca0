//! Volumes: their names, and the sources that must name something.
//!
//! Docs: Volumes, "Types of volumes" (A-70). Who mounts them is checked in `container.rs`.

use std::collections::BTreeSet;

use super::{FieldError, Path, names};
use crate::pod_template::Volume;

/// Checks the volumes, and finds those that can be mounted.
pub(super) fn check<'a>(path: &Path, volumes: &'a [Volume], errors: &mut Vec<FieldError>) -> BTreeSet<&'a str> {
    let mut mountable = BTreeSet::new();
    for (at, volume) in volumes.iter().enumerate() {
        let path = path.index(at);
        let before = errors.len();
        check_source(&path, volume, errors);
        if volume.name.is_empty() {
            errors.push(FieldError::required(path.field("name"), ""));
        } else {
            names::check_label(&path.field("name"), &volume.name, errors);
        }
        if mountable.contains(&*volume.name) {
            errors.push(FieldError::duplicate(path.field("name"), &volume.name));
        }
        if errors.len() == before {
            mountable.insert(&*volume.name);
        }
    }
    mountable
}

fn check_source(path: &Path, volume: &Volume, errors: &mut Vec<FieldError>) {
    let demanded = [
        ("hostPath.path", volume.host_path.as_ref().map(|source| &source.path)),
        ("secret.secretName", volume.secret.as_ref().map(|source| &source.secret_name)),
        ("configMap.name", volume.config_map.as_ref().map(|source| &source.name)),
        ("persistentVolumeClaim.claimName", volume.persistent_volume_claim.as_ref().map(|source| &source.claim_name)),
    ];
    for (field, text) in demanded {
        if text.is_some_and(|text| text.is_empty()) {
            errors.push(FieldError::required(path.field(field), ""));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_70_volumes_have_names_of_their_own() {
        let volumes = r#"[{"name":"a","emptyDir":{}},{"name":"a"},{"name":"B"},{"name":""},{"name":"c","secret":{}}]"#;
        let volumes: Vec<Volume> = api::json::from_str(volumes).unwrap();
        let mut errors = Vec::new();
        assert_eq!(check(&Path::of("volumes"), &volumes, &mut errors), BTreeSet::from(["a"]));
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
