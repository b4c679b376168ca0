//! What is decided and reported about an annotation that means nothing.
//!
//! Docs: README, "Beyond Kubernetes". How annotations are read is in `api::annotation`.

use api::annotation::{AnnotationProblem, InvalidAnnotation, WrongAnnotationValue};
use api::{Kind, ObjectMeta, Text};
use contract::{Notice, ObjectRef};

use super::decision::RuntimeDecision;

/// Why something is left undone, as the beginning of a sentence: `Not starting Jobs`.
pub(crate) fn decision(invalid: &InvalidAnnotation, undone: &'static str) -> RuntimeDecision {
    let annotation = invalid.key;
    match invalid.wrong.clone() {
        WrongAnnotationValue::NotExpected { value, expected } => RuntimeDecision::InvalidAnnotation { undone, annotation, value, expected },
        WrongAnnotationValue::Problem(AnnotationProblem { line, column, message: problem, remedy }) => {
            RuntimeDecision::MalformedAnnotation { undone, annotation, line, column, problem, remedy }
        }
    }
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
