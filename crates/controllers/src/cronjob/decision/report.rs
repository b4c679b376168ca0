//! The outcomes of requests about the Jobs of a CronJob.
//!
//! Docs: CronJob, "Job creation", "Jobs history limits" (C-26, C-72).

use api::{Kind, Text, Timestamp};
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// The outcome of a request.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum OutcomeReport {
    /// The Job of a run was created.
    JobCreated {
        /// The Job.
        job: Text,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
    },
    /// The Job of a run was not created.
    JobNotCreated {
        /// The Job.
        job: Text,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
        /// The API server's words.
        error: String,
    },
    /// A finished Job could not be deleted.
    CleanUpFailed {
        /// The Job.
        job: Text,
        /// The API server's words.
        error: String,
    },
}

impl Topic for OutcomeReport {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::JobCreated { job, scheduled_at } => words("Created Job {job} for the run scheduled for {scheduledAt}")
                .object("job", Kind::Job, job)
                .with("scheduledAt", *scheduled_at),
            Self::JobNotCreated { job, scheduled_at, error } => {
                words("Job {job} for the run scheduled for {scheduledAt} was not created: {error}")
                    .object("job", Kind::Job, job)
                    .with("scheduledAt", *scheduled_at)
                    .with("error", error.as_str())
            }
            Self::CleanUpFailed { job, error } => words("Job {job} stays until the next sync: deleting it failed: {error}")
                .object("job", Kind::Job, job)
                .with("error", error.as_str()),
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::JobCreated { .. } => Source::routine("Job creation", "C-26", &[]),
            Self::JobNotCreated { .. } => Source::wait("Job creation", "C-26", &[]),
            Self::CleanUpFailed { .. } => Source::wait("Jobs history limits", "C-72", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
