//! What is decided and reported about an annotation that means nothing.
//!
//! Docs: README, "Beyond Kubernetes". How annotations are read is in `api::annotation`.

use api::annotation::InvalidAnnotation;
use api::{Kind, ObjectMeta, Text};
use contract::{Notice, ObjectRef};

use super::decision::RuntimeDecision;

/// Why something is left undone, as the beginning of a sentence: `Not starting Jobs`.
pub(crate) fn decision(InvalidAnnotation { key, value, expected }: &InvalidAnnotation, undone: &'static str) -> RuntimeDecision {
    RuntimeDecision::InvalidAnnotation { undone, annotation: key, value: value.clone(), expected }
}

/// The Event about it.
pub(crate) fn notice(invalid: &InvalidAnnotation, kind: Kind, metadata: &ObjectMeta, reporting_controller: Text) -> Notice {
    Notice {
        regarding: ObjectRef::of(kind.name(), metadata),
        reporting_controller,
        warning: true,
        reason: "InvalidAnnotation".to_owned(),
        message: invalid.to_string(),
    }
}
