//! Objects as another cluster had them: they are stored as they are, without asking whether anybody might write them so. What they leave out gets its
//! default, as in each read from storage (A-13).
//!
//! Docs: Kubernetes API Concepts, "Retrieving resources". What clients create is in `create.rs`; a play that goes on from such objects is in `play`.

use ::admission::defaults;
use api::request::ApiError;
use api::{CronJob, Duration, Job, Kind, Timestamp, time};
use serde_json::Value;

use super::ApiServer;
use super::body::DesiredObject;
use super::errors;
use crate::pod::{StoredPod, StoredPodSpec, StoredPodStatus};
use crate::stored::{Stored, StoredObject};

/// The fields with the times at which something happened.
const TIMES: [&str; 9] = [
    "creationTimestamp",
    "startTime",
    "completionTime",
    "lastScheduleTime",
    "lastSuccessfulTime",
    "lastTransitionTime",
    "lastProbeTime",
    "startedAt",
    "finishedAt",
];

impl ApiServer {
    /// Stores an object, JSON text, as it is, its version and what it leaves out apart.
    ///
    /// # Errors
    /// If it cannot be read, or if there is one of this name.
    pub fn restore(&mut self, kind: Kind, namespace: &str, json: &str) -> Result<(), ApiError> {
        let mut object = object(kind, json)?;
        let metadata = object.metadata_mut();
        metadata.namespace = namespace.into();
        if self.object(kind, namespace, &metadata.name).is_some() {
            return Err(errors::already_exists(kind, &metadata.name, false));
        }
        let metadata = object.metadata();
        self.names.reserve(kind, &metadata.name, &metadata.uid);
        if !metadata.generate_name.is_empty() {
            self.names.reserve_generated(&metadata.generate_name, &metadata.name);
        }
        self.store.put(object);
        Ok(())
    }
}

/// An object as a cluster had it, read from JSON text.
///
/// # Errors
/// If it cannot be read.
pub fn stored(kind: Kind, json: &str) -> Result<Stored, ApiError> {
    object(kind, json).map(Stored::new)
}

fn object(kind: Kind, json: &str) -> Result<StoredObject, ApiError> {
    let DesiredObject { metadata, spec, status } = DesiredObject::whole(kind, json)?;
    let unreadable = |error: String| errors::unreadable(kind, error);
    Ok(match kind {
        Kind::CronJob => {
            let spec = spec.read_cron_job_spec()?.unwrap_or_default();
            let mut cron_job = Box::new(CronJob { metadata, spec, status: status.read(kind)?.unwrap_or_default() });
            defaults::apply_to_cron_job(&mut cron_job);
            StoredObject::CronJob(cron_job)
        }
        Kind::Job => {
            let spec = spec.read(kind)?.unwrap_or_default();
            let mut job = Box::new(Job { metadata, spec, status: status.read(kind)?.unwrap_or_default() });
            defaults::apply(&mut job);
            StoredObject::Job(job)
        }
        Kind::Pod => StoredObject::Pod(Box::new(StoredPod {
            metadata,
            spec: StoredPodSpec::read(spec.read(kind)?.unwrap_or_default()).map_err(unreadable)?,
            status: StoredPodStatus::read(status.read(kind)?.unwrap_or_default()).map_err(unreadable)?,
        })),
    })
}

/// The latest time that an object, as JSON text, records: its deletion was requested its grace period before the time of deletion.
#[must_use]
pub fn last_moment(json: &str) -> Option<Timestamp> {
    fn search(value: &Value) -> Option<Timestamp> {
        match value {
            Value::Object(fields) => {
                let times = fields.iter().filter(|(name, _)| TIMES.contains(&&***name)).filter_map(|(_, time)| time::parse(time.as_str()?));
                times.chain(fields.values().filter_map(search)).max()
            }
            Value::Array(items) => items.iter().filter_map(search).max(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }
    let object: Value = serde_json::from_str(json).ok()?;
    let metadata = &object["metadata"];
    let grace = Duration::from_secs(metadata["deletionGracePeriodSeconds"].as_i64().unwrap_or(0));
    let requested_at = metadata["deletionTimestamp"].as_str().and_then(time::parse).map(|at| time::after(at, -grace));
    search(&object).max(requested_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_moment_may_be_a_request_to_delete() {
        let pod = r#"{"metadata":{"creationTimestamp":"2026-06-01T08:00:00Z","deletionTimestamp":"2026-06-01T08:10:30Z","deletionGracePeriodSeconds":30}}"#;
        assert_eq!(last_moment(pod), time::parse("2026-06-01T08:10:00Z"));
    }

    #[test]
    fn a_13_what_an_object_leaves_out_gets_its_default() {
        let whole = |kind, spec: &str| {
            stored(kind, &format!(r#"{{"metadata":{{"name":"a","namespace":"b"}},"spec":{spec}}}"#)).unwrap().json().to_string()
        };
        let template = r#"{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}"#;
        for default in [
            r#""completionMode":"NonIndexed""#,
            r#""backoffLimit":6"#,
            r#""terminationMessagePolicy":"File""#,
            r#""dnsPolicy":"ClusterFirst""#,
        ] {
            let job = whole(Kind::Job, &format!(r#"{{"template":{template}}}"#));
            assert!(job.contains(default), "{default} is not in {job}");
        }
        let cron_job = whole(Kind::CronJob, &format!(r#"{{"schedule":"@daily","jobTemplate":{{"spec":{{"template":{template}}}}}}}"#));
        assert!(cron_job.contains(r#""successfulJobsHistoryLimit":3"#) && cron_job.contains(r#""dnsPolicy":"ClusterFirst""#), "{cron_job}");
    }
}
