//! A Job that is created: all that its metadata, its spec and its pod template must fulfil.
//!
//! Docs: Jobs, "Writing a Job spec" (A-50…A-105, in the order of the checks). What an update may change is in `job_update.rs`.

use api::meta::Labels;
use api::{Job, JobSpec};

use super::{
    FieldError, Path, generated_labels, indexed, managed_by, metadata, names, non_negative, one_of, one_of_optional, pod_failure_policy,
    pod_template, selector, success_policy,
};
use crate::pod_template::PodTemplateSpec;

/// Finds all that is wrong with a Job that is to be created; it has its defaults, generated labels and selector.
#[must_use]
pub fn create(job: &Job) -> Vec<FieldError> {
    match PodTemplateSpec::read(&job.spec.template) {
        Ok(template) => {
            let mut errors = Vec::new();
            metadata::check(&job.metadata, &mut errors);
            generated_labels::check(job, &template, &mut errors);
            errors.extend(spec(&Path::of("spec"), &job.spec, &template, false));
            check_pod_names(job, &mut errors);
            errors
        }
        Err(error) => vec![unreadable(job, &error)],
    }
}

/// The error of a template whose fields have other types than the API gives them.
pub(super) fn unreadable(job: &Job, error: &serde_json::Error) -> FieldError {
    FieldError::invalid("spec.template", &job.spec.template, error.to_string())
}

/// All errors of a spec. `impossible_values`: whether the stored selector has values that no label has, which are let pass then (A-117).
pub(super) fn spec(path: &Path, spec: &JobSpec, template: &PodTemplateSpec, impossible_values: bool) -> Vec<FieldError> {
    let mut errors = Vec::new();
    check_but_for_selector(path, spec, template, &mut errors);
    check_selector(path, spec, &template.metadata.labels, impossible_values, &mut errors);
    errors
}

/// Checks a spec, its selector apart: a CronJob's Jobs get theirs once they are created.
pub(super) fn check_but_for_selector(path: &Path, spec: &JobSpec, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    check_numbers(path, spec, errors);
    managed_by::check(&path.field("managedBy"), spec.managed_by.as_deref(), errors);
    one_of_optional(&path.field("completionMode"), spec.completion_mode.as_deref(), schema::values("JobSpec", "completionMode"), errors);
    indexed::check(path, spec, errors);
    pod_failure_policy::check(&path.field("podFailurePolicy"), spec, template, errors);
    success_policy::check(&path.field("successPolicy"), spec, errors);
    check_replacement_policy(&path.field("podReplacementPolicy"), spec, errors);
    let path = path.field("template");
    pod_template::check(&path, template, errors);
    pod_template::check_restart_policy(&path, template, spec.pod_failure_policy.is_some(), errors);
}

fn check_numbers(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    non_negative(&path.field("parallelism"), spec.parallelism, errors);
    non_negative(&path.field("completions"), spec.completions, errors);
    non_negative(&path.field("activeDeadlineSeconds"), spec.active_deadline_seconds, errors);
    non_negative(&path.field("backoffLimit"), spec.backoff_limit, errors);
    non_negative(&path.field("ttlSecondsAfterFinished"), spec.ttl_seconds_after_finished, errors);
    non_negative(&path.field("backoffLimitPerIndex"), spec.backoff_limit_per_index, errors);
    non_negative(&path.field("maxFailedIndexes"), spec.max_failed_indexes, errors);
    if spec.max_failed_indexes.is_some() && spec.backoff_limit_per_index.is_none() {
        errors.push(FieldError::required(path.field("backoffLimitPerIndex"), "when maxFailedIndexes is specified"));
    }
}

/// Checks when pods are replaced: with a pod failure policy only once they have failed (A-101, A-102).
fn check_replacement_policy(path: &Path, spec: &JobSpec, errors: &mut Vec<FieldError>) {
    let Some(policy) = spec.pod_replacement_policy.as_deref() else { return };
    let supported: &[&str] =
        if spec.pod_failure_policy.is_some() { &["Failed"] } else { schema::values("JobSpec", "podReplacementPolicy") };
    one_of(path, policy, supported, errors);
}

/// Checks that the selector selects the pods that the template makes (A-42).
fn check_selector(path: &Path, spec: &JobSpec, labels: &Labels, impossible_values: bool, errors: &mut Vec<FieldError>) {
    let path_of_selector = path.field("selector");
    let selects = match &spec.selector {
        None => {
            errors.push(FieldError::required(path_of_selector, ""));
            false
        }
        Some(chosen) => {
            selector::check(&path_of_selector, chosen, impossible_values, errors);
            !selector::usable(chosen) || chosen.matches(labels)
        }
    };
    if !selects {
        let detail = "`selector` does not match template `labels`";
        errors.push(FieldError::invalid(path.field("template.metadata.labels"), labels, detail));
    }
}

/// Checks that pods with an index can have the Job's name, a hyphen and the index as their host name (A-52).
pub(super) fn check_pod_names(job: &Job, errors: &mut Vec<FieldError>) {
    let Some(last) = job.spec.completions.filter(|completions| job.indexed() && *completions > 0) else { return };
    let name = format!("{}-{}", job.metadata.name, last - 1);
    if !names::label_faults(&name).is_empty() {
        let detail = format!("will not able to create pod with invalid DNS label: {name}");
        errors.push(FieldError::invalid("metadata.name", &job.metadata.name, detail));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preparation;

    /// What creation finds in a Job of this name with these fields more in its spec.
    fn created(name: &str, more: &str) -> Vec<String> {
        let template = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"x"}]}}"#;
        let job = format!(r#"{{"metadata":{{"name":"{name}","namespace":"default","uid":"u"}},"spec":{{"template":{template}{more}}}}}"#);
        let mut job: Job = serde_json::from_str(&job).unwrap();
        preparation::prepare_create(&mut job);
        create(&job).iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn check(more: &str, expected: &[&str]) {
        assert_eq!(created("pi", more), expected);
    }

    #[test]
    fn a_51_a_52_names_fit_labels_and_host_names() {
        check("", &[]);
        let long = "a".repeat(64);
        let label = format!(r#"spec.template.labels: Invalid value: "{long}": must be no more than 63 bytes"#);
        assert_eq!(created(&long, ""), [label.as_str(), label.as_str()]);
        assert_eq!(
            created("a.b", r#","completionMode":"Indexed","completions":3"#),
            [r#"metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-2"#]
        );
        assert_eq!(created("a.b", r#","completionMode":"Indexed","completions":0"#), Vec::<String>::new());
    }

    #[test]
    fn a_53_a_54_numbers() {
        check(
            r#","completionMode":"Indexed","completions":-1,"parallelism":0,"ttlSecondsAfterFinished":-2"#,
            &[
                "spec.completions: Invalid value: -1: must be greater than or equal to 0",
                "spec.ttlSecondsAfterFinished: Invalid value: -2: must be greater than or equal to 0",
            ],
        );
        check(
            r#","completionMode":"Indexed","completions":3,"maxFailedIndexes":1"#,
            &["spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified"],
        );
    }

    #[test]
    fn a_59_a_101_a_102_words() {
        check(
            r#","completionMode":"Other""#,
            &[r#"spec.completionMode: Unsupported value: "Other": supported values: "NonIndexed", "Indexed""#],
        );
        check(
            r#","podReplacementPolicy":"Other""#,
            &[r#"spec.podReplacementPolicy: Unsupported value: "Other": supported values: "Failed", "TerminatingOrFailed""#],
        );
        check(
            r#","podFailurePolicy":{"rules":[]},"podReplacementPolicy":"TerminatingOrFailed""#,
            &[r#"spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed""#],
        );
    }

    #[test]
    fn a_42_a_manual_selector_selects_the_template() {
        check(
            r#","manualSelector":true"#,
            &[
                "spec.selector: Required value",
                "spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`",
            ],
        );
        check(r#","manualSelector":true,"selector":{}"#, &[]);
        check(
            r#","manualSelector":true,"selector":{"matchLabels":{"a":"b"}}"#,
            &["spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`"],
        );
    }

    #[test]
    fn a_template_with_fields_of_other_types_is_refused() {
        let template = r#"{"spec":{"containers":"none"}}"#;
        let job: Job = serde_json::from_str(&format!(r#"{{"spec":{{"template":{template}}}}}"#)).unwrap();
        let errors = create(&job);
        assert_eq!((errors.len(), errors[0].field.as_str(), errors[0].value.as_deref()), (1, "spec.template", Some(template)));
    }
}
