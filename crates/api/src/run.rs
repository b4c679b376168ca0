//! The Job of one run of a CronJob: its name, and what it takes from the template.
//!
//! Docs: CronJob, "Job template" (C-30…C-32). Which run is started, and how its time is written, is decided in `controllers`.

use crate::meta::names;
use crate::request::Request;
use crate::{CronJob, Kind, ObjectMeta, OwnerReference, Text, Timestamp};

/// The name of the Job for a run: no two runs of one minute have Jobs (C-30).
#[must_use]
pub fn job_name(cron_job: &CronJob, scheduled_at: Timestamp) -> Text {
    format!("{}-{}", cron_job.metadata.name, scheduled_at.as_second().div_euclid(60)).into()
}

/// The request that creates the Job for a run; `scheduled_timestamp` is its time in the CronJob's time zone, as RFC 3339 writes it (C-31).
#[must_use]
pub fn creation(cron_job: &CronJob, scheduled_at: Timestamp, scheduled_timestamp: &str) -> Request {
    let (metadata, template) = (&cron_job.metadata, &cron_job.spec.job_template);
    let mut annotations = template.metadata.annotations.clone();
    annotations.insert(names::SCHEDULED_TIMESTAMP.into(), scheduled_timestamp.into());
    let owner = OwnerReference {
        api_version: Kind::CronJob.api_version().into(),
        kind: Kind::CronJob.name().into(),
        name: metadata.name.clone(),
        uid: metadata.uid.clone(),
        controller: Some(true),
        block_owner_deletion: Some(true),
    };
    let job = ObjectMeta {
        name: job_name(cron_job, scheduled_at),
        namespace: metadata.namespace.clone(),
        labels: template.metadata.labels.clone(),
        annotations,
        owner_references: vec![owner].into(),
        ..ObjectMeta::default()
    };
    let job = serde_json::to_string(&job).expect("metadata has text keys only");
    let (api_version, kind, spec) = (Kind::Job.api_version(), Kind::Job.name(), template.spec.json());
    let body = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{job},"spec":{spec}}}"#);
    Request::create(Kind::Job, &metadata.namespace, body)
}
