//! Generated labels and selector: whether a Job that is created has those that A-40 gives it.
//!
//! Docs: Jobs, "Specifying your own Pod selector" (A-41). They are made in `generated.rs`; a selector of the user's own is checked in `job.rs`, and
//! what an update may make of the labels in `job_update.rs`.

use api::Job;
use api::meta::{Labels, names};

use super::{FieldError, Path, selector};
use crate::pod_template::PodTemplateSpec;

/// Checks labels and selector, unless the selector is the user's own or missing.
pub(super) fn check(job: &Job, template: &PodTemplateSpec, errors: &mut Vec<FieldError>) {
    if job.spec.manual_selector == Some(true) {
        return;
    }
    let Some(chosen) = &job.spec.selector else { return };
    if job.metadata.uid.is_empty() {
        errors.push(FieldError::required("metadata.uid", ""));
    }
    let (uid, name) = (&job.metadata.uid, &job.metadata.name);
    let demanded =
        [(names::LEGACY_CONTROLLER_UID, uid), (names::LEGACY_JOB_NAME, name), (names::CONTROLLER_UID, uid), (names::JOB_NAME, name)];
    let path = Path::of("spec.template.metadata.labels");
    let labels = &template.metadata.labels;
    for (key, expected) in &demanded {
        let detail = || format!("must be '{expected}'");
        match labels.get(*key) {
            None => errors.push(FieldError::required(path.key(key), detail())),
            Some(value) if value != *expected => errors.push(FieldError::invalid(path.key(key), labels, detail())),
            Some(_) => (),
        }
    }
    let as_labels: Labels = demanded.into_iter().map(|(key, value)| (key.into(), value.clone())).collect();
    if selector::usable(chosen) && !chosen.matches(&as_labels) {
        errors.push(FieldError::invalid("spec.selector", chosen, "`selector` not auto-generated"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_labels(labels: &str, selector: &str, expected: &[&str]) {
        let job = format!(
            r#"{{"metadata":{{"name":"pi","uid":"u"}},"spec":{{"selector":{selector},"template":{{"metadata":{{"labels":{labels}}}}}}}}}"#
        );
        let job: Job = serde_json::from_str(&job).unwrap();
        let mut errors = Vec::new();
        check(&job, &PodTemplateSpec::read(&job.spec.template).unwrap(), &mut errors);
        let texts: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expected);
    }

    const LABELS: &str =
        r#"{"controller-uid":"u","job-name":"pi","batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"pi"}"#;

    #[test]
    fn a_41_labels_name_the_job() {
        let selector = r#"{"matchLabels":{"controller-uid":"u"}}"#;
        check_labels(LABELS, selector, &[]);
        check_labels(
            r#"{"controller-uid":"u","job-name":"e"}"#,
            selector,
            &[
                r#"spec.template.metadata.labels[job-name]: Invalid value: {"controller-uid":"u","job-name":"e"}: must be 'pi'"#,
                "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]: Required value: must be 'u'",
                "spec.template.metadata.labels[batch.kubernetes.io/job-name]: Required value: must be 'pi'",
            ],
        );
    }

    #[test]
    fn a_41_the_selector_selects_what_is_generated() {
        check_labels(LABELS, r#"{"matchLabels":{"job-name":"pi"}}"#, &[]);
        check_labels(
            LABELS,
            r#"{"matchLabels":{"app":"pi"}}"#,
            &[r#"spec.selector: Invalid value: {"matchLabels":{"app":"pi"}}: `selector` not auto-generated"#],
        );
        check_labels(LABELS, r#"{"matchLabels":{"a b":"pi"}}"#, &[]);
    }
}
