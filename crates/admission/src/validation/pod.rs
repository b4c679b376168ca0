//! A pod's metadata: what it may be, and what of it may change; and what a pod template may have and a pod may not. What may change of the spec is the API
//! server's business.
//!
//! Docs: Owners and Dependents; Finalizers, "How finalizers work" (A-50, A-110). The rules that all kinds share are in `metadata.rs`, those that pods share with
//! their templates in `pod_template/`.

use api::ObjectMeta;
use serde_json::{Map, Value};

use super::path::Path;
use super::{FieldError, metadata};

/// Finds all that is wrong with the metadata of a pod that is to be created.
#[must_use]
pub fn create(new: &ObjectMeta) -> Vec<FieldError> {
    let mut errors = Vec::new();
    metadata::check(new, &mut errors);
    errors
}

/// Finds what the spec of a pod may not have, and that of a template may: spaces around the names of images.
#[must_use]
pub fn spec_beyond_template(spec: &Map<String, Value>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for list in ["containers", "initContainers"] {
        let path = Path::of("spec");
        let path = path.field(list);
        for (at, container) in spec.get(list).and_then(Value::as_array).into_iter().flatten().enumerate() {
            let image = container["image"].as_str().unwrap_or_default();
            if image.trim() != image {
                errors.push(FieldError::invalid(path.index(at).field("image"), image, "must not have leading or trailing whitespace"));
            }
        }
    }
    errors
}

/// Finds all that is wrong with the metadata of a pod that is to replace the stored one.
#[must_use]
pub fn update(new: &ObjectMeta, stored: &ObjectMeta) -> Vec<FieldError> {
    let mut errors = Vec::new();
    metadata::check_update(new, stored, &mut errors);
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_has_no_spaces_around_the_names_of_its_images() {
        let spec = r#"{"initContainers":[{"image":"a"},{"image":"b\n"}],"containers":[{"image":" c"},{"image":"d e"},{}]}"#;
        let texts: Vec<String> = spec_beyond_template(&serde_json::from_str(spec).unwrap()).iter().map(ToString::to_string).collect();
        let detail = "must not have leading or trailing whitespace";
        let expected = [
            format!(r#"spec.containers[0].image: Invalid value: " c": {detail}"#),
            format!(r#"spec.initContainers[1].image: Invalid value: "b\n": {detail}"#),
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_110_a_pod_keeps_its_identity_and_gains_no_finalizer_at_its_end() {
        let stored = ObjectMeta {
            name: "pi-0".into(),
            uid: "a".into(),
            resource_version: "1".into(),
            deletion_timestamp: Some(api::Timestamp::UNIX_EPOCH),
            ..ObjectMeta::default()
        };
        assert_eq!(update(&stored, &stored), []);
        let other = ObjectMeta { uid: "b".into(), finalizers: vec!["example.com/a".into()].into(), ..stored.clone() };
        let texts: Vec<String> = update(&other, &stored).iter().map(ToString::to_string).collect();
        let expected = [
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, \
             found new finalizers []string{\"example.com/a\"}",
            "metadata.uid: Invalid value: \"b\": field is immutable",
        ];
        assert_eq!(texts, expected);
    }
}
