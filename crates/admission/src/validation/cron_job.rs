//! A CronJob that is created or updated: all that its metadata, its spec and the template of its Jobs must fulfil.
//!
//! Docs: CronJob, "Writing a CronJob spec" (A-150…A-162, in the order of the checks). The Jobs' own rules are in `job.rs`, those about the
//! schedule and its time zone in `schedule.rs`. All of a CronJob's spec may change, and its status has no rules: of a write of it, the metadata alone is checked, by
//! [`super::written`].

use api::cron_job::JobTemplate;
use api::{CronJob, CronJobSpec};

use super::{FieldError, Path, job, metadata, non_negative, one_of, required, schedule};
use crate::job_template;
use crate::pod_template::PodTemplateSpec;

/// The most bytes of a name: with a hyphen and ten digits of the scheduled time, it is the name of a Job, which has 63 at most.
const NAME_LENGTH: usize = 52;

/// Finds all that is wrong with a CronJob that is to be created; it has its defaults.
#[must_use]
pub fn create(cron_job: &CronJob) -> Vec<FieldError> {
    let mut errors = Vec::new();
    metadata::check(&cron_job.metadata, &mut errors);
    check_spec(&cron_job.spec, None, &mut errors);
    if cron_job.metadata.name.len() > NAME_LENGTH {
        let detail = format!("must be no more than {NAME_LENGTH} characters");
        errors.push(FieldError::invalid("metadata.name", &cron_job.metadata.name, detail));
    }
    errors
}

/// Finds all that is wrong with a CronJob that is to replace the stored one; it has its defaults.
#[must_use]
pub fn update(new: &CronJob, stored: &CronJob) -> Vec<FieldError> {
    let mut errors = Vec::new();
    metadata::check_update(&new.metadata, &stored.metadata, &mut errors);
    check_spec(&new.spec, Some(&stored.spec), &mut errors);
    errors
}

fn check_spec(spec: &CronJobSpec, stored: Option<&CronJobSpec>, errors: &mut Vec<FieldError>) {
    let path = Path::of("spec");
    schedule::check(&path.field("schedule"), spec, stored, errors);
    non_negative(&path.field("startingDeadlineSeconds"), spec.starting_deadline_seconds, errors);
    if stored.is_none_or(|stored| stored.time_zone != spec.time_zone) {
        schedule::check_time_zone(&path.field("timeZone"), spec.time_zone.as_deref(), errors);
    }
    check_concurrency_policy(&path.field("concurrencyPolicy"), &spec.concurrency_policy, errors);
    check_job_template(&path.field("jobTemplate.spec"), &spec.job_template, errors);
    non_negative(&path.field("successfulJobsHistoryLimit"), spec.successful_jobs_history_limit, errors);
    non_negative(&path.field("failedJobsHistoryLimit"), spec.failed_jobs_history_limit, errors);
}

fn check_concurrency_policy(path: &Path, policy: &str, errors: &mut Vec<FieldError>) {
    if required(path, policy, errors) {
        one_of(path, policy, schema::values("CronJobSpec", "concurrencyPolicy"), errors);
    }
}

/// Checks the spec of the Jobs. Their metadata has no rules here: what is wrong with it comes out when a Job is created (A-161).
fn check_job_template(path: &Path, template: &JobTemplate, errors: &mut Vec<FieldError>) {
    let spec = match job_template::read(template) {
        Ok(spec) => spec,
        Err(error) => return errors.push(FieldError::invalid(path, &template.spec, error.to_string())),
    };
    match PodTemplateSpec::read(&spec.template) {
        Ok(template) => job::check_but_for_selector(path, &spec, &template, errors),
        Err(error) => errors.push(FieldError::invalid(path.field("template"), &spec.template, error.to_string())),
    }
    if let Some(selector) = &spec.selector {
        errors.push(FieldError::invalid(path.field("selector"), selector, "`selector` will be auto-generated"));
    }
    if spec.manual_selector == Some(true) {
        errors.push(FieldError::not_supported(path.field("manualSelector"), &true, &["nil", "false"]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preparation;

    const JOB: &str = r#""template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"x"}]}}"#;

    /// A CronJob of this name with these fields in its spec, and in that of its Jobs.
    fn prepared(name: &str, spec: &str, job: &str) -> CronJob {
        let metadata = format!(r#"{{"name":"{name}","namespace":"default","uid":"u","resourceVersion":"1"}}"#);
        let spec = format!(r#"{{{spec},"jobTemplate":{{"metadata":{{"labels":{{"a b":"c d"}}}},"spec":{{{job}}}}}}}"#);
        let mut cron_job = serde_json::from_str(&format!(r#"{{"metadata":{metadata},"spec":{spec}}}"#)).unwrap();
        preparation::prepare_cron_job_create(&mut cron_job);
        cron_job
    }

    fn texts(errors: &[FieldError]) -> Vec<String> {
        errors.iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn check(name: &str, spec: &str, job: &str, expected: &[&str]) {
        assert_eq!(texts(&create(&prepared(name, spec, job))), expected);
    }

    const DAILY: &str = r#""schedule":"@daily""#;

    #[test]
    fn a_150_names_leave_room_for_the_scheduled_time_on_creation() {
        check(&"a".repeat(52), DAILY, JOB, &[]);
        let long = "a".repeat(53);
        let expected = format!(r#"metadata.name: Invalid value: "{long}": must be no more than 52 characters"#);
        check(&long, DAILY, JOB, &[&expected]);
        let stored = prepared(&long, DAILY, JOB);
        assert_eq!(update(&stored, &stored), []);
        check("a.b", DAILY, &format!(r#"{JOB},"completionMode":"Indexed","completions":3"#), &[]);
    }

    #[test]
    fn a_154_a_156_a_160_numbers_and_words() {
        check(
            "pi",
            &format!(
                r#"{DAILY},"startingDeadlineSeconds":-1,"concurrencyPolicy":"allow","successfulJobsHistoryLimit":-2,"failedJobsHistoryLimit":-3"#
            ),
            JOB,
            &[
                "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
                r#"spec.concurrencyPolicy: Unsupported value: "allow": supported values: "Allow", "Forbid", "Replace""#,
                "spec.successfulJobsHistoryLimit: Invalid value: -2: must be greater than or equal to 0",
                "spec.failedJobsHistoryLimit: Invalid value: -3: must be greater than or equal to 0",
            ],
        );
        let mut undecided = prepared("pi", DAILY, JOB);
        undecided.spec.concurrency_policy = "".into();
        assert_eq!(texts(&create(&undecided)), ["spec.concurrencyPolicy: Required value"]);
    }

    #[test]
    fn a_157_jobs_have_the_rules_of_jobs() {
        check(
            "pi",
            DAILY,
            r#""parallelism":-1,"completionMode":"Indexed""#,
            &[
                "spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
                "spec.jobTemplate.spec.completions: Required value: when completion mode is Indexed",
                "spec.jobTemplate.spec.template.spec.containers: Required value",
                r#"spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never""#,
            ],
        );
        check(
            "pi",
            DAILY,
            r#""parallelism":"1""#,
            &[r#"spec.jobTemplate.spec: Invalid value: {"parallelism":"1"}: parallelism: expected a whole number, found text"#],
        );
        check(
            "pi",
            DAILY,
            r#""template":"none""#,
            &[r#"spec.jobTemplate.spec.template: Invalid value: "none": expected an object, found text"#],
        );
    }

    #[test]
    fn a_158_a_159_selectors_are_generated() {
        check("pi", DAILY, &format!(r#"{JOB},"manualSelector":false"#), &[]);
        check(
            "pi",
            DAILY,
            &format!(r#"{JOB},"selector":{{}},"manualSelector":true"#),
            &[
                "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated",
                r#"spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false""#,
            ],
        );
    }

    #[test]
    fn a_162_all_of_a_spec_may_change_and_the_identity_may_not() {
        let stored = prepared("pi", DAILY, JOB);
        let change = r#""schedule":"@weekly","timeZone":"UTC","concurrencyPolicy":"Forbid","suspend":true"#;
        assert_eq!(update(&prepared("pi", change, &format!(r#"{JOB},"parallelism":3"#)), &stored), []);
        let expected = [r#"metadata.name: Invalid value: "e": field is immutable"#, "spec.schedule: Required value"];
        assert_eq!(texts(&update(&prepared("e", r#""suspend":true"#, JOB), &stored)), expected);
    }
}
