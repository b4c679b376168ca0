//! What a Job will do: how many pods it runs, what happens if they fail or are evicted, and what remains of it.
//!
//! Docs: Jobs. Each part is in a file of its own; the words for all of it are in `words.rs`.

use api::{CronJobSpec, Duration, Job, Text};
use serde::Serialize;

use crate::data::some_seconds;
use crate::draining::Draining;
use crate::failing::{Failing, at_once};
use crate::left_out::left_out;
use crate::removal::Removal;
use crate::succeeding::Succeeding;

/// What a Job will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum JobPrediction {
    /// It runs pods.
    Runs(Box<JobRun>),
    /// It runs none.
    Idle(Idle),
    /// A node refuses its pods.
    Refused {
        /// Why.
        reason: String,
    },
}

/// What a Job does that runs pods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobRun {
    /// Whether it begins only when it is resumed.
    pub suspended: bool,
    /// How long it may be active.
    #[serde(rename = "deadlineSeconds", serialize_with = "some_seconds")]
    pub deadline: Option<Duration>,
    /// If all of its pods succeed.
    pub succeeding: Succeeding,
    /// If all of its pods fail as soon as they run.
    pub failing: Failing,
    /// If one of its pods is evicted.
    pub draining: Draining,
    /// What removes it once it is Complete.
    pub removal_when_complete: Removal,
    /// What removes it once it is Failed.
    pub removal_when_failed: Removal,
    /// The annotations that change it under jobsmith's controllers, and are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<&'static str>,
}

/// Why a Job runs no pods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Idle {
    /// Another controller decides what it does.
    ManagedBy(Text),
    /// It needs no completions, and is Complete at once.
    NoCompletions,
    /// Its deadline is 0: it is Failed at once.
    NoTime,
    /// It may have no pods at a time: it waits until `parallelism` is raised.
    NoParallelism {
        /// When it is Failed because of that, if it has a deadline.
        #[serde(rename = "deadlineSeconds", serialize_with = "some_seconds")]
        deadline: Option<Duration>,
    },
}

impl JobPrediction {
    /// What a Job will do, as the API server stores it before anything has happened.
    #[must_use]
    pub fn of(job: &Job) -> Self {
        Self::beside(job, None)
    }

    /// The same for a Job of a CronJob.
    pub(crate) fn beside(job: &Job, owner: Option<&CronJobSpec>) -> Self {
        let deadline = job.spec.active_deadline_seconds.map(Duration::from_secs);
        if let Some(manager) = job.spec.managed_by.as_ref().filter(|_| job.managed_elsewhere()) {
            return Self::Idle(Idle::ManagedBy(manager.clone()));
        }
        if job.spec.completions == Some(0) {
            return Self::Idle(Idle::NoCompletions);
        }
        if deadline == Some(Duration::ZERO) {
            return Self::Idle(Idle::NoTime);
        }
        if at_once(job) == 0 {
            return Self::Idle(Idle::NoParallelism { deadline });
        }
        let [removal_when_complete, removal_when_failed] = Removal::of(job, owner);
        let outcomes = Failing::of(job, Duration::ZERO).and_then(|failing| Ok((failing, Draining::of(job)?)));
        match outcomes {
            Ok((failing, draining)) => Self::Runs(Box::new(JobRun {
                suspended: job.suspended(),
                deadline,
                succeeding: Succeeding::of(job),
                failing,
                draining,
                removal_when_complete,
                removal_when_failed,
                left_out: left_out(&job.metadata.annotations),
            })),
            Err(reason) => Self::Refused { reason },
        }
    }
}
