//! Preparation of a request: what of the object that a client sends is taken, and what the API server decides itself.
//!
//! Docs: API conventions, "Spec and Status", "Metadata" (A-13…A-15). The checks come after it: `validation/`.

use api::job::Template;
use api::{CronJob, CronJobStatus, Job, JobStatus, ObjectMeta};

use crate::equality::{same_cron_job_spec, same_spec};
use crate::{defaults, generated};

/// Prepares a Job that is to be created, and has its name, namespace, UID and creation time: it gets its defaults, labels and selector, and
/// no status (A-14, A-40).
///
/// Defaults are also due when it is read from storage: a Job that still has no labels then gets those that its template got (A-28).
pub fn prepare_create(job: &mut Job) {
    job.status = JobStatus::default();
    prepare_metadata_for_create(&mut job.metadata);
    defaults::apply_to_spec(&mut job.spec);
    generated::apply_to_selector(job);
    let Ok(mut template) = defaults::fields(&job.spec.template) else { return };
    defaults::apply_to_template(&mut template);
    let labelled = !defaults::labels(&template).is_empty();
    generated::apply_to_template(job, &mut template);
    if labelled && job.metadata.labels.is_empty() {
        job.metadata.labels = defaults::labels(&template).into();
    }
    job.spec.template = Template::from(template);
}

/// Prepares a Job that is to replace the stored one: it gets its defaults, keeps the stored status, and is another generation if its spec
/// differs (A-14).
pub fn prepare_update(job: &mut Job, stored: &Job) {
    defaults::apply_beside(job, stored);
    keep_system_fields(&mut job.metadata, &stored.metadata);
    job.status = stored.status.clone();
    if !same_spec(&job.spec, &stored.spec) {
        job.metadata.generation += 1;
    }
}

/// Prepares a Job whose status is to replace the stored one's: it keeps the stored spec and generation (A-15).
pub fn prepare_status_update(job: &mut Job, stored: &Job) {
    job.spec = stored.spec.clone();
    defaults::apply_to_labels(job);
    keep_system_fields(&mut job.metadata, &stored.metadata);
}

/// Prepares a CronJob that is to be created, and has its name, namespace, UID and creation time: it gets its defaults and no status (A-14).
pub fn prepare_cron_job_create(cron_job: &mut CronJob) {
    defaults::apply_to_cron_job(cron_job);
    cron_job.status = CronJobStatus::default();
    prepare_metadata_for_create(&mut cron_job.metadata);
}

/// Prepares a CronJob that is to replace the stored one: it gets its defaults, keeps the stored status, and is another generation if its spec
/// differs (A-14).
pub fn prepare_cron_job_update(cron_job: &mut CronJob, stored: &CronJob) {
    defaults::apply_to_cron_job(cron_job);
    keep_system_fields(&mut cron_job.metadata, &stored.metadata);
    cron_job.status = stored.status.clone();
    if !same_cron_job_spec(&cron_job.spec, &stored.spec) {
        cron_job.metadata.generation += 1;
    }
}

/// Prepares a CronJob whose status is to replace the stored one's: it keeps the stored spec and generation (A-15).
pub fn prepare_cron_job_status_update(cron_job: &mut CronJob, stored: &CronJob) {
    cron_job.spec = stored.spec.clone();
    keep_system_fields(&mut cron_job.metadata, &stored.metadata);
}

fn prepare_metadata_for_create(metadata: &mut ObjectMeta) {
    metadata.generation = 1;
    metadata.deletion_timestamp = None;
    metadata.deletion_grace_period_seconds = None;
}

/// Restores what no client may change, and what it need not send.
fn keep_system_fields(metadata: &mut ObjectMeta, stored: &ObjectMeta) {
    metadata.generation = stored.generation;
    metadata.creation_timestamp = stored.creation_timestamp;
    if metadata.uid.is_empty() {
        metadata.uid = stored.uid.clone();
    }
    if metadata.resource_version.is_empty() {
        metadata.resource_version = stored.resource_version.clone();
    }
    if stored.deleting() {
        metadata.deletion_timestamp = stored.deletion_timestamp;
    }
    if metadata.deletion_grace_period_seconds.is_none() {
        metadata.deletion_grace_period_seconds = stored.deletion_grace_period_seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(text: &str) -> Job {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_14_creation_clears_the_status() {
        let mut new = job(r#"{"metadata":{"name":"pi","uid":"u","generation":7},"status":{"active":3}}"#);
        prepare_create(&mut new);
        assert_eq!((new.metadata.generation, &new.status), (1, &JobStatus::default()));
        assert!(new.spec.selector.is_some());
    }

    #[test]
    fn a_28_labels_from_the_template_include_the_generated_ones() {
        let prepared = |metadata: &str| {
            let template = r#"{"metadata":{"labels":{"app":"pi"}}}"#;
            let mut new = job(&format!(r#"{{"metadata":{{"name":"pi","uid":"u"{metadata}}},"spec":{{"template":{template}}}}}"#));
            prepare_create(&mut new);
            new.metadata.labels.len()
        };
        assert_eq!((prepared(""), prepared(r#","labels":{"app":"pi"}"#)), (5, 1));
    }

    #[test]
    fn a_14_an_update_keeps_the_status_and_counts_changes_of_the_spec() {
        let mut stored =
            job(r#"{"metadata":{"uid":"u","resourceVersion":"5","generation":7},"spec":{"parallelism":1},"status":{"active":3}}"#);
        defaults::apply(&mut stored);
        let mut same =
            job(r#"{"metadata":{"labels":{"a":"b"}},"spec":{"parallelism":1,"template":{"metadata":null}},"status":{"active":9}}"#);
        prepare_update(&mut same, &stored);
        assert_eq!((same.metadata.generation, &*same.metadata.uid, &same.status), (7, "u", &stored.status));
        let mut other = job(r#"{"spec":{"parallelism":2}}"#);
        prepare_update(&mut other, &stored);
        assert_eq!(other.metadata.generation, 8);
    }

    #[test]
    fn a_15_a_status_update_keeps_the_spec() {
        let stored = job(r#"{"metadata":{"uid":"u","generation":7},"spec":{"parallelism":1}}"#);
        let mut new = job(r#"{"metadata":{"labels":{"a":"b"}},"spec":{"parallelism":2},"status":{"active":3}}"#);
        prepare_status_update(&mut new, &stored);
        assert_eq!((new.metadata.generation, &new.spec, new.status.active, new.metadata.labels.len()), (7, &stored.spec, 3, 1));
    }

    fn cron_job(text: &str) -> CronJob {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_14_a_cron_job_is_another_generation_if_its_spec_or_that_of_its_jobs_differs() {
        let mut stored = cron_job(r#"{"metadata":{"uid":"u","generation":7},"spec":{"schedule":"@daily"}}"#);
        defaults::apply_to_cron_job(&mut stored);
        stored.status.last_schedule_time = Some(api::Timestamp::UNIX_EPOCH);
        let generation = |spec: &str| {
            let mut new = cron_job(&format!(r#"{{"metadata":{{"labels":{{"a":"b"}}}},"spec":{spec}}}"#));
            prepare_cron_job_update(&mut new, &stored);
            assert_eq!(new.status, stored.status);
            new.metadata.generation
        };
        assert_eq!(generation(r#"{"schedule":"@daily","jobTemplate":{"spec":{"template":{"metadata":null}}}}"#), 7);
        assert_eq!(generation(r#"{"schedule":"@daily","jobTemplate":{"metadata":{"labels":{"a":"b"}}}}"#), 8);
        assert_eq!(generation(r#"{"schedule":"@daily","jobTemplate":{"spec":{"parallelism":2}}}"#), 8);
        assert_eq!(generation(r#"{"schedule":"@weekly"}"#), 8);
    }

    #[test]
    fn a_14_a_15_a_162_the_status_of_a_cron_job_is_written_alone() {
        let mut new = cron_job(r#"{"metadata":{"generation":7},"status":{"lastScheduleTime":"2026-01-02T12:00:00Z"}}"#);
        prepare_cron_job_create(&mut new);
        assert_eq!((new.metadata.generation, &new.status), (1, &CronJobStatus::default()));
        let stored = new;
        let mut new = cron_job(r#"{"spec":{"schedule":"@daily"},"status":{"lastScheduleTime":"2026-01-02T12:00:00Z"}}"#);
        prepare_cron_job_status_update(&mut new, &stored);
        assert_eq!((&new.spec, new.metadata.generation, new.status.last_schedule_time.is_some()), (&stored.spec, 1, true));
    }
}
