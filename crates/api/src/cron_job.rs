//! A CronJob: when Jobs are started, what they look like, and what its controller reports.
//!
//! Docs: CronJob, "Writing a CronJob spec". What a schedule means is in the crate `schedule`; defaults and rules are in `admission`.

use serde::Serialize;

use crate::job::Template;
use crate::json::Read;
use crate::{ObjectMeta, Text, Timestamp, time};

/// A CronJob.
#[derive(Debug, Clone, Default, PartialEq, Read, Serialize)]
pub struct CronJob {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: CronJobSpec,
    /// What the controller reports.
    pub status: CronJobStatus,
}

impl CronJob {
    /// Whether no Jobs are started for now.
    #[must_use]
    pub fn suspended(&self) -> bool {
        self.spec.suspend == Some(true)
    }
}

/// Values of `spec.concurrencyPolicy`.
pub mod concurrency_policy {
    /// Jobs may run side by side.
    pub const ALLOW: &str = "Allow";
    /// No Job is started while another one runs.
    pub const FORBID: &str = "Forbid";
    /// A Job that runs is replaced by the next one.
    pub const REPLACE: &str = "Replace";
}

/// `spec` of a CronJob.
#[derive(Debug, Clone, Default, PartialEq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CronJobSpec {
    /// When Jobs are started, in cron's grammar.
    pub schedule: Text,
    /// The time zone of the schedule, by its IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<Text>,
    /// Seconds by which a Job may be started late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starting_deadline_seconds: Option<i64>,
    /// Whether Jobs may run side by side, one of [`concurrency_policy`].
    #[serde(skip_serializing_if = "str::is_empty")]
    pub concurrency_policy: Text,
    /// Whether no Jobs are started for now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspend: Option<bool>,
    /// What Jobs look like.
    pub job_template: JobTemplate,
    /// How many Jobs that completed are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub successful_jobs_history_limit: Option<i32>,
    /// How many Jobs that failed are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_jobs_history_limit: Option<i32>,
}

impl CronJobSpec {
    /// Whether the schedule names a time zone itself, which only older API servers accepted for new CronJobs.
    #[must_use]
    pub fn zone_in_schedule(&self) -> bool {
        self.schedule.contains("TZ")
    }
}

/// What the Jobs of a CronJob look like.
#[derive(Debug, Clone, Default, PartialEq, Read, Serialize)]
pub struct JobTemplate {
    /// Metadata; a Job gets the labels and annotations of it.
    pub metadata: ObjectMeta,
    /// The Job's `spec`, as it came.
    #[read(with = Template::read)]
    pub spec: Template,
}

/// `status` of a CronJob.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CronJobStatus {
    /// Jobs that were started and were not seen to finish.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub active: Vec<ObjectReference>,
    /// The last scheduled time for which a Job was started.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::seconds")]
    pub last_schedule_time: Option<Timestamp>,
    /// When the last successful Job completed.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::seconds")]
    pub last_successful_time: Option<Timestamp>,
}

/// Another object, as a status names it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReference {
    /// Its kind.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: Text,
    /// Its namespace.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub namespace: Text,
    /// Its name.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: Text,
    /// Its UID.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub uid: Text,
    /// Its API group and version.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub api_version: Text,
    /// Its version when the reference was written.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub resource_version: Text,
    /// Which part of it is meant.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub field_path: Text,
}
