//! The one door between this server and what `api` knows of valid objects: defaults, preparation, validation.
//!
//! Docs: spec A-13…A-149. The rules themselves are in `api::preparation` and `api::validation`. A pod is taken as it comes; what may
//! change of it is decided here.

use api::request::ApiError;
use api::validation::{self, FieldError};
use api::{Job, Kind, defaults, preparation};
use serde_json::{Map, Value};

use super::errors;
use crate::pod::{Pod, PodSpec};

/// Makes a Job that a client asked for fit to be stored, or refuses it.
pub(crate) fn create_job(mut job: Job) -> Result<Job, ApiError> {
    preparation::prepare_create(&mut job);
    admitted(Kind::Job, &job.metadata.name, &validation::job::create(&job))?;
    if job.metadata.labels.is_empty() {
        // Defaults are due at each read from storage, and by then the template has the generated labels.
        defaults::apply(&mut job);
    }
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

/// Refuses a change of a pod that no client may make (A-110; Pods, "Pod update and replacement").
pub(crate) fn check_pod(pod: &Pod, stored: &Pod) -> Result<(), ApiError> {
    admitted(Kind::Pod, &stored.metadata.name, &validation::pod::update(&pod.metadata, &stored.metadata))?;
    if pod.spec == stored.spec || unchangeable(&pod.spec) == unchangeable(&stored.spec) {
        return Ok(());
    }
    let message = "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,\
                   `spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),\
                   `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";
    Err(errors::invalid("Pod", &stored.metadata.name, "spec", "FieldValueForbidden", message))
}

/// The fields of a pod's spec that stay as they are.
fn unchangeable(spec: &PodSpec) -> Map<String, Value> {
    let mut fields: Map<String, Value> = serde_json::from_str(&spec.json()).expect("a spec was written as a JSON object");
    for field in ["activeDeadlineSeconds", "tolerations"] {
        fields.remove(field);
    }
    for list in ["containers", "initContainers"] {
        for container in fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            container.as_object_mut().and_then(|container| container.remove("image"));
        }
    }
    fields
}

fn admitted(kind: Kind, name: &str, errors: &[FieldError]) -> Result<(), ApiError> {
    if errors.is_empty() { Ok(()) } else { Err(validation::refusal(kind, name, errors)) }
}
