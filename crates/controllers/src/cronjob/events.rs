//! The Kubernetes Events about a CronJob.
//!
//! Docs: CronJob; `kubectl describe cronjob` (C-80…C-95). When each of them is recorded is decided where its cause is.

use api::annotation::{MAX_ACTIVE, RESUMED_AT};
use api::{CronJob, Kind};
use contract::{Notice, ObjectRef};

use super::config::Config;

/// A Kubernetes Event about a CronJob, without the CronJob.
#[derive(Debug)]
pub(super) enum CronJobEvent<'a> {
    /// A Job was created.
    SuccessfulCreate { job: &'a str },
    /// A Job was deleted.
    SuccessfulDelete { job: &'a str },
    /// A Job of the active ones has finished.
    SawCompletedJob { job: &'a str, condition: &'a str },
    /// A Job of the active ones is gone.
    MissingJob { job: &'a str },
    /// No Job is started while another one runs.
    JobAlreadyActive,
    /// No Job is started while so many run.
    JobLimitReached { limit: u32 },
    /// So many runs failed in a row that no more are started.
    PausedAfterFailures { failures: usize, job: &'a str },
    /// A Job of the CronJob is not among the active ones.
    UnexpectedJob { job: &'a str },
    /// A Job could not be created.
    FailedCreate { error: &'a str },
    /// A Job could not be deleted.
    FailedDelete { error: &'a str },
    /// Many runs were missed.
    TooManyMissedTimes,
    /// The time zone is not known.
    UnknownTimeZone { time_zone: &'a str },
    /// The schedule cannot be read.
    UnparseableSchedule { error: &'a str },
    /// The schedule has fewer than two runs.
    InvalidSchedule,
    /// The schedule names a time zone itself.
    UnsupportedSchedule,
    /// The built-in controller acts for the CronJob too.
    NotSuspended,
}

impl CronJobEvent<'_> {
    /// The Event as it is recorded.
    pub(super) fn about(&self, cron_job: &CronJob, config: &Config) -> Notice {
        let (warning, reason, message) = self.parts(&cron_job.spec.schedule);
        Notice {
            regarding: ObjectRef::of(Kind::CronJob.name(), &cron_job.metadata),
            reporting_controller: config.reporting_controller(),
            warning,
            reason: reason.to_owned(),
            message,
        }
    }

    /// Whether it is a warning, its reason and its message.
    fn parts(&self, schedule: &str) -> (bool, &'static str, String) {
        match self {
            Self::SuccessfulCreate { job } => (false, "SuccessfulCreate", format!("Created job {job}")),
            Self::SuccessfulDelete { job } => (false, "SuccessfulDelete", format!("Deleted job {job}")),
            Self::SawCompletedJob { job, condition } => {
                (false, "SawCompletedJob", format!("Saw completed job: {job}, condition: {condition}"))
            }
            Self::MissingJob { job } => (false, "MissingJob", format!("Active job went missing: {job}")),
            Self::JobAlreadyActive => {
                let message = "Not starting job because prior execution is running and concurrency policy is Forbid";
                (false, "JobAlreadyActive", message.to_owned())
            }
            Self::JobLimitReached { limit } => {
                (false, "JobAlreadyActive", format!("Not starting job because prior executions are running and {MAX_ACTIVE} is {limit}"))
            }
            Self::PausedAfterFailures { failures, job } => {
                let runs = if *failures == 1 { "run" } else { "runs" };
                let remedy = format!("fix the cause, then set {RESUMED_AT} to the current time, or start a job by hand that succeeds");
                let message = format!("Not starting jobs because {failures} {runs} failed in a row, the latest with job {job}: {remedy}");
                (true, "PausedAfterFailures", message)
            }
            Self::UnexpectedJob { job } => {
                (true, "UnexpectedJob", format!("Saw a job that the controller did not create or forgot: {job}"))
            }
            Self::FailedCreate { error } => (true, "FailedCreate", format!("Error creating job: {error}")),
            Self::FailedDelete { error } => (true, "FailedDelete", format!("Deleted job: {error}")),
            Self::TooManyMissedTimes => {
                let message = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
                (true, "TooManyMissedTimes", message.to_owned())
            }
            Self::UnknownTimeZone { time_zone } => {
                (true, "UnknownTimeZone", format!(r#"invalid timeZone: "{time_zone}": unknown time zone {time_zone}"#))
            }
            Self::UnparseableSchedule { error } => {
                (true, "UnparseableSchedule", format!(r#"unparseable schedule: "{schedule}" : {error}"#))
            }
            Self::InvalidSchedule => {
                let error = "time difference between two schedules is less than 1 second";
                (true, "InvalidSchedule", format!("invalid schedule: {schedule} : {error}"))
            }
            Self::UnsupportedSchedule => {
                let page = "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/";
                let message =
                    format!(r#"CRON_TZ or TZ used in schedule "{schedule}" is not officially supported, see {page} for more details"#);
                (true, "UnsupportedSchedule", message)
            }
            Self::NotSuspended => {
                let message = "jobsmith.dev/managed-by is set, but spec.suspend is not true, so the built-in controller still starts its Jobs: set spec.suspend to true";
                (true, "NotSuspended", message.to_owned())
            }
        }
    }
}
