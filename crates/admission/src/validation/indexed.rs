//! Completion modes: what an Indexed Job must have and may have at the most, and what only an Indexed Job may have.
//!
//! Docs: Jobs, "Completion mode", "Backoff limit per index" (A-54, A-60…A-67). Policies are in `success_policy.rs` and `pod_failure_policy.rs`.

use api::JobSpec;
use api::job::{INDEXED, NON_INDEXED};

use super::{FieldError, Path};

/// The most pods at a time, and the most failed indexes, of an Indexed Job.
const MOST: i32 = 100_000;
/// The same where each index has a back-off limit and there are more completions than [`MOST`].
const MOST_OF_MANY: i32 = 10_000;
const OF_MANY: &str = "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index";

/// Checks what depends on the completion mode. A mode that does not exist is refused elsewhere (A-59).
pub(super) fn check(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    match spec.completion_mode.as_deref() {
        Some(INDEXED) => check_indexed(path, spec, errors),
        Some(NON_INDEXED) | None => check_non_indexed(path, spec, errors),
        Some(_) => (),
    }
}

fn check_indexed(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    let most_failed = path.field("maxFailedIndexes");
    if spec.completions.is_none() {
        errors.push(FieldError::required(path.field("completions"), "when completion mode is Indexed"));
    }
    if let Some(parallelism) = spec.parallelism.filter(|pods| *pods > MOST) {
        let detail = "must be less than or equal to 100000 when completion mode is Indexed";
        errors.push(FieldError::invalid(path.field("parallelism"), &parallelism, detail));
    }
    if let (Some(completions), Some(failed)) = (spec.completions, spec.max_failed_indexes)
        && failed > completions
    {
        errors.push(FieldError::invalid(most_failed, &failed, "must be less than or equal to completions"));
    }
    if let Some(failed) = spec.max_failed_indexes.filter(|failed| *failed > MOST) {
        errors.push(FieldError::invalid(most_failed, &failed, "must be less than or equal to 100000"));
    }
    if spec.completions.is_some_and(|completions| completions > MOST) && spec.backoff_limit_per_index.is_some() {
        check_many(path, spec, errors);
    }
}

/// Checks what holds for very many indexes that are retried one by one, so that the lists of indexes stay short enough.
fn check_many(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    let most_failed = path.field("maxFailedIndexes");
    if spec.max_failed_indexes.is_none() {
        errors.push(FieldError::required(most_failed, "must be specified when completions is above 100000"));
    }
    if let Some(parallelism) = spec.parallelism.filter(|pods| *pods > MOST_OF_MANY) {
        errors.push(FieldError::invalid(path.field("parallelism"), &parallelism, OF_MANY));
    }
    if let Some(failed) = spec.max_failed_indexes.filter(|failed| *failed > MOST_OF_MANY) {
        errors.push(FieldError::invalid(most_failed, &failed, OF_MANY));
    }
}

fn check_non_indexed(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    let of_indexes = [("backoffLimitPerIndex", spec.backoff_limit_per_index), ("maxFailedIndexes", spec.max_failed_indexes)];
    for (field, value) in of_indexes {
        if let Some(value) = value {
            errors.push(FieldError::invalid(path.field(field), &value, "requires indexed completion mode"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_spec(spec: &str, expected: &[&str]) {
        let spec: JobSpec = serde_json::from_str(spec).unwrap();
        let mut errors = Vec::new();
        check(&Path::of("spec"), &spec, &mut errors);
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_60_to_a_63_limits_of_indexed_jobs() {
        check_spec(r#"{"completionMode":"Indexed"}"#, &["spec.completions: Required value: when completion mode is Indexed"]);
        check_spec(
            r#"{"completionMode":"Indexed","completions":5,"parallelism":100001,"maxFailedIndexes":100001}"#,
            &[
                "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed",
                "spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to completions",
                "spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000",
            ],
        );
    }

    #[test]
    fn a_64_to_a_66_very_many_indexes() {
        check_spec(
            r#"{"completionMode":"Indexed","completions":100001,"parallelism":10001,"backoffLimitPerIndex":1}"#,
            &[
                "spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
                &format!("spec.parallelism: Invalid value: 10001: {OF_MANY}"),
            ],
        );
        check_spec(
            r#"{"completionMode":"Indexed","completions":100001,"backoffLimitPerIndex":1,"maxFailedIndexes":10001}"#,
            &[&format!("spec.maxFailedIndexes: Invalid value: 10001: {OF_MANY}")],
        );
        check_spec(r#"{"completionMode":"Indexed","completions":100001,"parallelism":100000}"#, &[]);
    }

    #[test]
    fn a_67_only_indexed_jobs_count_by_index() {
        check_spec(
            r#"{"backoffLimitPerIndex":1,"maxFailedIndexes":0}"#,
            &[
                "spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode",
                "spec.maxFailedIndexes: Invalid value: 0: requires indexed completion mode",
            ],
        );
    }
}
