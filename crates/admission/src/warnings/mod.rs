//! Warnings: what the API server accepts, with a word of caution in the header `Warning` of its answer.
//!
//! Docs: Kubernetes API Concepts, "Field validation" (A-11, A-170…A-173). What it refuses is in `validation/`; warnings about pod templates are in
//! `pod_template.rs`.

mod containers;
mod pod_template;
mod volumes;

use api::job::INDEXED;
use api::{CronJob, Job, JobSpec};

use crate::job_template;
use crate::pod_template::PodTemplateSpec;
use crate::validation::names;
use crate::validation::path::Path;

/// More completions than this, with more than [`MANY_PODS`] at a time, may fail in more places than a status can list.
const MANY_COMPLETIONS: i32 = 100_000;
/// See [`MANY_COMPLETIONS`].
const MANY_PODS: i32 = 10_000;

/// The warning about a deletion of a Job that does not state what happens to its pods (A-11).
pub const PODS_PRESERVED: &str = "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set \
     propagationPolicy=Orphan to suppress this warning";

/// The warnings about a valid Job that is created.
#[must_use]
pub fn create(job: &Job) -> Vec<String> {
    name(&job.metadata.name).into_iter().chain(about_spec("spec", &job.spec)).collect()
}

/// The warnings about a valid change of a Job.
#[must_use]
pub fn update(job: &Job, stored: &Job) -> Vec<String> {
    let respecified = job.metadata.generation != stored.metadata.generation;
    if respecified { about_spec("spec", &job.spec) } else { Vec::new() }
}

/// The warnings about a valid CronJob that is created.
#[must_use]
pub fn create_cron_job(cron_job: &CronJob) -> Vec<String> {
    name(&cron_job.metadata.name).into_iter().chain(about_job_template(cron_job)).collect()
}

/// The warnings about a valid change of a CronJob; one about a time zone in its schedule comes with each (A-173).
#[must_use]
pub fn update_cron_job(cron_job: &CronJob, stored: &CronJob) -> Vec<String> {
    let respecified = cron_job.metadata.generation != stored.metadata.generation;
    let template = if respecified { about_job_template(cron_job) } else { Vec::new() };
    let zone = cron_job.spec.zone_in_schedule().then(|| {
        "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see \
         https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
            .to_owned()
    });
    template.into_iter().chain(zone).collect()
}

/// The name does not fit everywhere where it is used (A-170).
fn name(name: &str) -> Option<String> {
    let faults = names::label_faults(name);
    (!faults.is_empty()).then(|| {
        format!(
            "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [{}]",
            faults.join(" ")
        )
    })
}

fn about_job_template(cron_job: &CronJob) -> Vec<String> {
    job_template::read(&cron_job.spec.job_template).map(|spec| about_spec("spec.jobTemplate.spec", &spec)).unwrap_or_default()
}

/// The warnings about a spec and its pod template (A-171, A-172).
fn about_spec(path: &str, spec: &JobSpec) -> Vec<String> {
    let mut warnings: Vec<String> = many_indexes(path, spec).into_iter().collect();
    if let Ok(template) = PodTemplateSpec::read(&spec.template) {
        pod_template::warn(&Path::of(path).field("template"), &template, &mut warnings);
    }
    warnings
}

/// More indexes may fail than a status has room for (A-171).
fn many_indexes(path: &str, spec: &JobSpec) -> Option<String> {
    let more = |number: Option<i32>, most: i32| number.is_some_and(|number| number > most);
    let indexed = spec.completion_mode.as_deref() == Some(INDEXED);
    let many = indexed && more(spec.completions, MANY_COMPLETIONS) && more(spec.parallelism, MANY_PODS);
    many.then(|| {
        format!(
            "{path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be \
             able to track completedIndexes when a big number of indexes fail"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str =
        "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: ";
    const MANY: &str = "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be \
         able to track completedIndexes when a big number of indexes fail";

    fn job(name: &str, completions: i32, parallelism: i32, generation: i64) -> Job {
        let mut job = Job::default();
        (job.metadata.name, job.metadata.generation) = (name.into(), generation);
        let mode = Some(INDEXED.into());
        job.spec = JobSpec { completion_mode: mode, completions: Some(completions), parallelism: Some(parallelism), ..JobSpec::default() };
        job
    }

    #[test]
    fn a_170_a_name_that_is_no_dns_label() {
        assert_eq!(create(&job("pi", 1, 1, 1)), Vec::<String>::new());
        assert_eq!(create(&job("a.b", 1, 1, 1)), [format!("{NAME}[must not contain dots]")]);
        let long = ["a"; 40].join(".");
        assert_eq!(create(&job(&long, 1, 1, 1)), [format!("{NAME}[must be no more than 63 characters must not contain dots]")]);
        assert_eq!(update(&job("a.b", 1, 1, 2), &job("a.b", 1, 1, 1)), Vec::<String>::new());
    }

    #[test]
    fn a_171_many_indexes_with_many_pods_at_a_time() {
        for (completions, parallelism, warnings) in [(100_000, 10_001, &[][..]), (100_001, 10_000, &[]), (100_001, 10_001, &[MANY])] {
            assert_eq!(create(&job("pi", completions, parallelism, 1)), warnings, "{completions} {parallelism}");
        }
        let many = |generation| job("pi", 100_001, 10_001, generation);
        assert_eq!(update(&many(2), &many(1)), [MANY]);
        assert_eq!(update(&many(1), &many(1)), Vec::<String>::new());
        let mut counted = many(1);
        counted.spec.completion_mode = None;
        assert_eq!(create(&counted), Vec::<String>::new());
    }

    #[test]
    fn a_170_a_171_a_173_cron_jobs() {
        let cron_job = |name: &str, schedule: &str, parallelism: i32, generation: i64| -> CronJob {
            let job = format!(r#"{{"completionMode":"Indexed","completions":100001,"parallelism":{parallelism}}}"#);
            let spec = format!(r#"{{"schedule":"{schedule}","jobTemplate":{{"spec":{job}}}}}"#);
            serde_json::from_str(&format!(r#"{{"metadata":{{"name":"{name}","generation":{generation}}},"spec":{spec}}}"#)).unwrap()
        };
        let many = MANY.replacen("spec", "spec.jobTemplate.spec", 1);
        assert_eq!(create_cron_job(&cron_job("pi", "TZ=UTC @daily", 1, 1)), Vec::<String>::new());
        assert_eq!(create_cron_job(&cron_job("a.b", "@daily", 10_001, 1)), [format!("{NAME}[must not contain dots]"), many.clone()]);
        let zone = "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see \
            https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
        let with_zone = cron_job("a.b", "TZ=UTC @daily", 10_001, 1);
        assert_eq!(update_cron_job(&with_zone, &cron_job("a.b", "@daily", 1, 1)), [zone]);
        assert_eq!(update_cron_job(&with_zone, &cron_job("a.b", "@daily", 1, 0)), [many.as_str(), zone]);
    }
}
