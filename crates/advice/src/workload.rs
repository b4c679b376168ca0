//! What advice is about: a Job, or a CronJob with the Jobs that it creates, as rules read it: its fields by their paths, as they are written and with the
//! defaults of the API server.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Writing a CronJob spec". Its containers are in `container.rs`, its runs in `run_times.rs`.

use std::borrow::Cow;

use admission::{defaults, job_template};
use api::{CronJob, CronJobSpec, DEFAULT_NAMESPACE, Job, JobSpec, ObjectMeta};
use manifest::{Document, ManifestObject};
use serde_json::Value;

use crate::container::TemplateContainer;
use crate::origin::Origin;

/// The restart policy by which containers restart in their pod.
pub(crate) const ON_FAILURE: &str = "OnFailure";

/// A Job, or a CronJob with the Jobs that it creates.
pub(crate) struct Advised<'w> {
    /// Its place among the objects.
    pub(crate) at: usize,
    /// The document that it was written as.
    pub(crate) document: &'w Document,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// Its metadata.
    pub(crate) metadata: &'w ObjectMeta,
    /// The CronJob, if it is one.
    pub(crate) cron_job: Option<&'w CronJob>,
    /// What the Job is to do, as it is written.
    pub(crate) spec: Cow<'w, JobSpec>,
    /// The Job, or that of a run, with the defaults of the API server.
    pub(crate) stored: Job,
    /// The CronJob with them, if it is one.
    stored_cron_job: Option<CronJob>,
}

impl<'w> Advised<'w> {
    /// What an object is; `None` for a pod, and for a CronJob whose Jobs cannot be read.
    pub(crate) fn of(at: usize, object: &'w ManifestObject, origin: Origin) -> Option<Self> {
        let document = object.document();
        match object {
            ManifestObject::CronJob(manifest) => {
                let cron_job = &manifest.cron_job;
                let template = &cron_job.spec.job_template;
                let spec = job_template::read(template).ok()?;
                let stored = stored(template.metadata.clone(), &spec);
                let mut with_defaults = cron_job.clone();
                defaults::apply_to_cron_job(&mut with_defaults);
                let (cron_job, stored_cron_job) = (Some(cron_job), Some(with_defaults));
                Some(Self {
                    at,
                    document,
                    origin,
                    metadata: &manifest.cron_job.metadata,
                    cron_job,
                    spec: Cow::Owned(spec),
                    stored,
                    stored_cron_job,
                })
            }
            ManifestObject::Job(manifest) => {
                let job = &manifest.job;
                let (spec, stored) = (Cow::Borrowed(&job.spec), stored(job.metadata.clone(), &job.spec));
                Some(Self { at, document, origin, metadata: &job.metadata, cron_job: None, spec, stored, stored_cron_job: None })
            }
            ManifestObject::Pod(_) => None,
        }
    }

    /// The path of the Job's spec.
    pub(crate) fn job_path(&self) -> &'static str {
        if self.cron_job.is_some() { "spec.jobTemplate.spec" } else { "spec" }
    }

    /// The path of a field of the Job's spec.
    pub(crate) fn job_field(&self, field: &str) -> String {
        format!("{}.{field}", self.job_path())
    }

    /// The path of a field of the pod's spec.
    pub(crate) fn pod_field(&self, field: &str) -> String {
        self.job_field(&format!("template.spec.{field}"))
    }

    /// The path of a label or an annotation of its pods: `labels`, `annotations`.
    pub(crate) fn pod_metadata(&self, map: &str, key: &str) -> String {
        self.job_field(&format!("template.metadata.{map}[{key}]"))
    }

    /// A label or an annotation of its pods.
    pub(crate) fn pod_mark(&self, map: &str, key: &str) -> Option<&'w str> {
        self.document.get(&self.pod_metadata(map, key))?.as_str()
    }

    /// The labels of its pods.
    pub(crate) fn pod_labels(&self) -> &'w Value {
        self.document.get(&self.job_field("template.metadata.labels")).unwrap_or(&Value::Null)
    }

    /// A field of the pod's spec.
    pub(crate) fn pod(&self, field: &str) -> Option<&'w Value> {
        self.document.get(&self.pod_field(field))
    }

    /// An annotation of the Job: of a CronJob, that of its Jobs.
    pub(crate) fn annotation(&self, key: &str) -> Option<&str> {
        let metadata = self.cron_job.map_or(self.metadata, |cron_job| &cron_job.spec.job_template.metadata);
        metadata.annotations.get(key).map(|value| &**value)
    }

    /// The items of the object's own annotation, which is a list with commas.
    pub(crate) fn listed(&self, key: &str) -> Vec<&str> {
        self.metadata.annotations.get(key).into_iter().flat_map(|list| list.split(',')).map(str::trim).collect()
    }

    /// What tells it from other objects: its kind, its namespace and its name. In files that are applied together, an object can stand twice, in two versions.
    pub(crate) fn identity(&self) -> (bool, &str, &str, &str) {
        (self.cron_job.is_some(), self.namespace(), &self.metadata.name, &self.metadata.generate_name)
    }

    pub(crate) fn namespace(&self) -> &str {
        if self.metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &self.metadata.namespace }
    }

    pub(crate) fn restart_policy(&self) -> &'w str {
        self.pod("restartPolicy").and_then(Value::as_str).unwrap_or_default()
    }

    /// The deadline of the pods, in seconds.
    pub(crate) fn pod_deadline(&self) -> Option<i64> {
        self.pod("activeDeadlineSeconds")?.as_i64()
    }

    /// Whether something ends it in the end, even if a pod cannot start.
    pub(crate) fn bounded(&self) -> bool {
        self.spec.active_deadline_seconds.is_some() || self.pod_deadline().is_some()
    }

    /// How many pods it runs at a time at most.
    pub(crate) fn parallelism(&self) -> i32 {
        self.stored.spec.parallelism.unwrap_or_default()
    }

    /// How many failed pods it tolerates; `None` if no number of them ends it (A-20, A-23).
    pub(crate) fn backoff_limit(&self) -> Option<i32> {
        self.stored.spec.backoff_limit.filter(|limit| *limit < i32::MAX)
    }

    /// The spec of the CronJob with the defaults of the API server.
    pub(crate) fn cron_job_spec(&self) -> Option<&CronJobSpec> {
        self.stored_cron_job.as_ref().map(|cron_job| &cron_job.spec)
    }

    /// The concurrency policy of the CronJob.
    pub(crate) fn concurrency_policy(&self) -> Option<&str> {
        Some(&*self.cron_job_spec()?.concurrency_policy)
    }

    /// How many failed Jobs the CronJob keeps.
    pub(crate) fn failed_history(&self) -> Option<i32> {
        self.cron_job_spec()?.failed_jobs_history_limit
    }

    /// The containers of its pods, init containers first.
    pub(crate) fn containers(&self) -> Vec<TemplateContainer<'w>> {
        let of_list = |list: &'static str| {
            let path = self.pod_field(list);
            let values = self.pod(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            values.iter().enumerate().map(move |(at, value)| TemplateContainer::new(format!("{path}[{at}]"), list, value))
        };
        of_list("initContainers").chain(of_list("containers")).collect()
    }
}

/// A Job with the defaults of the API server.
fn stored(metadata: ObjectMeta, spec: &JobSpec) -> Job {
    let mut job = Job { metadata, spec: spec.clone(), ..Job::default() };
    defaults::apply(&mut job);
    job
}

#[cfg(test)]
mod tests {
    use manifest::FileReading;

    use super::*;
    use crate::testing::{cron_job, job};

    /// What the rules read of a manifest, whatever is refused in it.
    fn read(text: &str) -> Option<(Option<i32>, Option<String>, Option<i32>)> {
        let objects = manifest::contents(&FileReading::of(text)).objects;
        let advised = Advised::of(0, &objects[0].0, Origin::File)?;
        Some((advised.backoff_limit(), advised.concurrency_policy().map(str::to_owned), advised.failed_history()))
    }

    #[test]
    fn what_is_not_written_has_the_defaults_of_the_api_server() {
        let allow = Some("Allow".to_owned());
        assert_eq!(read(&job(&[], &[], &[])), Some((Some(6), None, None)));
        assert_eq!(read(&job(&["backoffLimitPerIndex: 1"], &[], &[])), Some((None, None, None)));
        assert_eq!(read(&job(&["backoffLimit: 2147483647"], &[], &[])), Some((None, None, None)));
        assert_eq!(read(&cron_job(&["schedule: '@daily'"], &["backoffLimit: 2"])), Some((Some(2), allow, Some(1))));
    }

    #[test]
    fn nothing_is_advised_on_jobs_that_cannot_be_read() {
        let mut objects = manifest::contents(&FileReading::of(&cron_job(&["schedule: '@daily'"], &[]))).objects;
        let ManifestObject::CronJob(manifest) = &mut objects[0].0 else { panic!("it is a CronJob") };
        manifest.cron_job.spec.job_template.spec = serde_json::from_str(r#"{"backoffLimit":"two"}"#).expect("it is JSON");
        assert!(Advised::of(0, &objects[0].0, Origin::File).is_none());
    }
}
