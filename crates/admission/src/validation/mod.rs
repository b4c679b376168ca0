//! What the API server refuses, and in which words.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Writing a CronJob spec" (A-17, A-50…A-162). Defaults come before (`defaults.rs`), and so does what a request may not set (`preparation.rs`).

pub mod cron_job;
pub mod job;
pub mod job_status;
pub mod job_update;
pub mod pod;

pub(crate) mod addresses;
mod field_error;
mod file_paths;
mod generated_labels;
mod indexed;
pub(crate) mod labels;
mod managed_by;
mod metadata;
pub(crate) mod names;
pub(crate) mod path;
mod pod_failure_policy;
pub(crate) mod pod_template;
mod schedule;
mod selector;
mod success_policy;

pub use field_error::{ErrorKind, FieldError};
use path::Path;
use serde::Serialize;

use api::ObjectMeta;
use api::object::Kind;
use api::request::{ApiError, Cause};

/// The refusal of an object that has these errors (A-17): each is a cause, and one that occurs twice is in the message once.
#[must_use]
pub fn refusal(kind: Kind, name: &str, errors: &[FieldError]) -> ApiError {
    let mut texts: Vec<String> = Vec::new();
    for text in errors.iter().map(ToString::to_string) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let listed = match texts.as_slice() {
        [only] => only.clone(),
        all => format!("[{}]", all.join(", ")),
    };
    let group = if kind.group().is_empty() { String::new() } else { format!(".{}", kind.group()) };
    let cause = |error: &FieldError| Cause { reason: error.kind.reason().to_owned(), field: error.field.clone(), message: error.message() };
    ApiError {
        code: 422,
        reason: "Invalid".to_owned(),
        message: format!("{}{group} {name:?} is invalid: {listed}", kind.name()),
        causes: errors.iter().map(cause).collect(),
    }
}

/// Finds what is wrong with the metadata of an object that is to replace the stored one, whatever rules its kind has beyond that.
#[must_use]
pub fn written(new: &ObjectMeta, stored: &ObjectMeta) -> Vec<FieldError> {
    let mut errors = Vec::new();
    metadata::check_written(new, stored, &mut errors);
    errors
}

/// Demands a number from 0, where there is one (A-53).
fn non_negative<N: Copy + PartialOrd + Default + Serialize>(path: &Path, number: Option<N>, errors: &mut Vec<FieldError>) {
    if let Some(number) = number.filter(|number| *number < N::default()) {
        errors.push(FieldError::invalid(path, &number, "must be greater than or equal to 0"));
    }
}

/// Demands one of the supported values.
fn one_of(path: &Path, value: &str, supported: &[&str], errors: &mut Vec<FieldError>) {
    if !supported.contains(&value) {
        errors.push(FieldError::not_supported(path, value, supported));
    }
}

/// The same for a field that may be absent.
fn one_of_optional(path: &Path, value: Option<&str>, supported: &[&str], errors: &mut Vec<FieldError>) {
    if let Some(value) = value {
        one_of(path, value, supported, errors);
    }
}

/// Demands text, and finds whether it is there.
fn required(path: &Path, text: &str, errors: &mut Vec<FieldError>) -> bool {
    if text.is_empty() {
        errors.push(FieldError::required(path, ""));
    }
    !text.is_empty()
}

/// Demands a number between two others.
fn between(path: &Path, number: i64, least: i64, most: i64, errors: &mut Vec<FieldError>) {
    if !(least..=most).contains(&number) {
        errors.push(FieldError::invalid(path, &number, format!("must be between {least} and {most}, inclusive")));
    }
}

/// Demands that a field keeps its value.
fn immutable<T: PartialEq + Serialize + ?Sized>(path: &Path, value: &T, stored: &T, errors: &mut Vec<FieldError>) {
    if value != stored {
        errors.push(FieldError::invalid(path, value, "field is immutable"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_lists_each_error_once_and_keeps_all_causes() {
        let selector = FieldError::required("spec.selector", "");
        let one = refusal(Kind::Job, "pi", &[selector.clone(), selector.clone()]);
        assert_eq!((one.code, one.reason.as_str(), one.causes.len()), (422, "Invalid", 2));
        assert_eq!(one.message, r#"Job.batch "pi" is invalid: spec.selector: Required value"#);
        let name = FieldError::invalid("metadata.name", "A", "is wrong");
        let two = refusal(Kind::Pod, "A", &[name, selector]);
        assert_eq!(two.message, r#"Pod "A" is invalid: [metadata.name: Invalid value: "A": is wrong, spec.selector: Required value]"#);
        let cause =
            Cause { reason: "FieldValueInvalid".into(), field: "metadata.name".into(), message: r#"Invalid value: "A": is wrong"#.into() };
        assert_eq!(two.causes[0], cause);
    }
}
