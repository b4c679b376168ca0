//! The `spec` of a CronJob's Jobs: JSON text as it is stored, and read where a rule is about it.
//!
//! Docs: CronJob, "Job template". Its defaults are in `defaults.rs`, its rules in `validation/cron_job.rs`.

use api::JobSpec;
use api::cron_job::JobTemplate;
use api::job::Template;

/// Reads the spec in a template of Jobs.
///
/// # Errors
/// If a field of it has another type than the API gives it.
pub fn read(template: &JobTemplate) -> Result<JobSpec, serde_json::Error> {
    serde_json::from_str(template.spec.json())
}

/// A spec as a template has it. Fields that are not known are gone from it, as from a Job.
pub(crate) fn written(spec: &JobSpec) -> Template {
    Template(serde_json::value::to_raw_value(spec).expect("a spec that was read can be written"))
}
