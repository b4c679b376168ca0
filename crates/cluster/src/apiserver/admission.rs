//! The one door between this server and what `admission` knows of valid objects: defaults, preparation, validation.
//!
//! Docs: spec A-13…A-149. The rules themselves are in `admission::preparation` and `admission::validation`. A pod's spec is taken as it comes;
//! what may change of it is decided here.

use admission::validation::{self, FieldError};
use admission::{defaults, preparation};
use api::request::ApiError;
use api::{CronJob, Job, Kind};
use serde_json::{Map, Value};

use super::errors;
use crate::pod::{StoredPod, StoredPodSpec};

/// The lists of a pod's containers.
const CONTAINERS: [&str; 2] = ["containers", "initContainers"];

/// Prepares a client's CronJob to be stored, or refuses it.
pub(crate) fn create_cron_job(mut cron_job: CronJob) -> Result<CronJob, ApiError> {
    preparation::prepare_cron_job_create(&mut cron_job);
    admitted(Kind::CronJob, &cron_job.metadata.name, &validation::cron_job::create(&cron_job))?;
    Ok(cron_job)
}

/// Makes a CronJob fit to replace the stored one, or refuses it.
pub(crate) fn update_cron_job(mut cron_job: CronJob, stored: &CronJob) -> Result<CronJob, ApiError> {
    preparation::prepare_cron_job_update(&mut cron_job, stored);
    let errors = [validation::written(&cron_job.metadata, &stored.metadata), validation::cron_job::update(&cron_job, stored)].concat();
    admitted(Kind::CronJob, &cron_job.metadata.name, &errors)?;
    if cron_job.metadata.generation == stored.metadata.generation {
        // It means the same, however it is written: a server writes it in one way.
        cron_job.spec = stored.spec.clone();
    }
    Ok(cron_job)
}

/// Makes a CronJob with another status fit to replace the stored one, or refuses its metadata.
pub(crate) fn update_cron_job_status(mut cron_job: CronJob, stored: &CronJob) -> Result<CronJob, ApiError> {
    preparation::prepare_cron_job_status_update(&mut cron_job, stored);
    admitted(Kind::CronJob, &cron_job.metadata.name, &validation::written(&cron_job.metadata, &stored.metadata))?;
    Ok(cron_job)
}

/// Prepares a client's Job to be stored, or refuses it.
pub(crate) fn create_job(mut job: Job) -> Result<Job, ApiError> {
    preparation::prepare_create(&mut job);
    admitted(Kind::Job, &job.metadata.name, &validation::job::create(&job))?;
    // Defaults are due at each read from storage, and by then the template has the generated labels.
    defaults::apply_to_labels(&mut job);
    Ok(job)
}

/// Makes a Job fit to replace the stored one, or refuses it.
pub(crate) fn update_job(mut job: Job, stored: &Job) -> Result<Job, ApiError> {
    preparation::prepare_update(&mut job, stored);
    admitted(Kind::Job, &job.metadata.name, &validation::job_update::update(&job, stored))?;
    Ok(job)
}

/// Makes a Job with another status fit to replace the stored one, or refuses it.
pub(crate) fn update_job_status(mut job: Job, stored: &Job) -> Result<Job, ApiError> {
    preparation::prepare_status_update(&mut job, stored);
    admitted(Kind::Job, &job.metadata.name, &validation::job_status::update(&job, stored))?;
    Ok(job)
}

/// Refuses a pod whose metadata cannot be, or with these errors in its spec.
pub(crate) fn create_pod(pod: StoredPod, in_spec: Vec<FieldError>) -> Result<StoredPod, ApiError> {
    admitted(Kind::Pod, &pod.metadata.name, &[validation::pod::create(&pod.metadata), in_spec].concat())?;
    Ok(pod)
}

/// Refuses a change of a pod that no client may make (A-110; Pods, "Pod update and replacement").
pub(crate) fn check_pod(pod: &StoredPod, stored: &StoredPod) -> Result<(), ApiError> {
    admitted(Kind::Pod, &stored.metadata.name, &validation::pod::update(&pod.metadata, &stored.metadata))?;
    if pod.spec == stored.spec {
        return Ok(());
    }
    let (wanted, held) = (fields(&pod.spec), fields(&stored.spec));
    check_containers(&stored.metadata.name, &wanted, &held)?;
    check_deadline(&stored.metadata.name, &wanted, &held)?;
    if unchangeable(wanted) == unchangeable(held) {
        return Ok(());
    }
    let message = "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,\
                   `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
                   `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
    Err(errors::invalid("Pod", &stored.metadata.name, "spec", "FieldValueForbidden", message))
}

fn fields(spec: &StoredPodSpec) -> Map<String, Value> {
    serde_json::from_str(&spec.json()).expect("a spec was written as a JSON object")
}

/// Refuses other containers than a pod was created with.
fn check_containers(name: &str, wanted: &Map<String, Value>, held: &Map<String, Value>) -> Result<(), ApiError> {
    let number = |fields: &Map<String, Value>, list: &str| fields.get(list).and_then(Value::as_array).map_or(0, Vec::len);
    let Some(list) = CONTAINERS.into_iter().find(|list| number(wanted, list) != number(held, list)) else { return Ok(()) };
    let message = "Forbidden: pod updates may not add or remove containers";
    Err(errors::invalid("Pod", name, &format!("spec.{list}"), "FieldValueForbidden", message))
}

/// Refuses a deadline of a pod that is later than before, or none any more.
fn check_deadline(name: &str, wanted: &Map<String, Value>, held: &Map<String, Value>) -> Result<(), ApiError> {
    let field = "activeDeadlineSeconds";
    let seconds = |fields: &Map<String, Value>| fields.get(field).and_then(Value::as_i64);
    let (Some(before), after) = (seconds(held), seconds(wanted)) else { return Ok(()) };
    let message = match after {
        None => "Invalid value: null: must not update from a positive integer to nil value".to_owned(),
        Some(after) if after > before => format!("Invalid value: {after}: must be less than or equal to previous value"),
        Some(_) => return Ok(()),
    };
    Err(errors::invalid("Pod", name, &format!("spec.{field}"), "FieldValueInvalid", &message))
}

/// The fields of a pod's spec that stay as they are.
fn unchangeable(mut fields: Map<String, Value>) -> Map<String, Value> {
    for field in ["activeDeadlineSeconds", "tolerations"] {
        fields.remove(field);
    }
    for list in CONTAINERS {
        for container in fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            container.as_object_mut().and_then(|container| container.remove("image"));
        }
    }
    fields
}

fn admitted(kind: Kind, name: &str, errors: &[FieldError]) -> Result<(), ApiError> {
    if errors.is_empty() { Ok(()) } else { Err(validation::refusal(kind, name, errors)) }
}
