//! A pod's metadata: what it may be, and what of it may change. What may change of the spec is the API server's business.
//!
//! Docs: Owners and Dependents; Finalizers, "How finalizers work". The rules that all kinds share are in `metadata.rs`.

use api::ObjectMeta;

use super::{FieldError, metadata};

/// Finds all that is wrong with the metadata of a pod that is to be created.
#[must_use]
pub fn create(new: &ObjectMeta) -> Vec<FieldError> {
    let mut errors = Vec::new();
    metadata::check(new, &mut errors);
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
