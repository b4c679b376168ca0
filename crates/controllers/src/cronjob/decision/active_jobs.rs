//! Which Jobs of a CronJob are still active.
//!
//! Docs: CronJob, "Job creation" (C-12…C-15).

use api::{Kind, Text};
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What changes in the list of active Jobs.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum ActiveJobs {
    /// An active Job has finished.
    ActiveJobFinished {
        /// The Job.
        job: Text,
        /// How: `Complete` or `Failed`.
        condition: Text,
    },
    /// A Job runs that may be in the list by now.
    ConfirmsCronJob {
        /// The Job.
        job: Text,
    },
    /// A Job runs that is not in the list.
    UnexpectedJob {
        /// The Job.
        job: Text,
    },
    /// Some active Jobs are not in the watch.
    LooksForJobs {
        /// How many.
        jobs: usize,
    },
    /// An active Job is gone.
    MissingJob {
        /// The Job.
        job: Text,
    },
}

impl Topic for ActiveJobs {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::ActiveJobFinished { job, condition } => {
                words("Job {job} is {condition}, so it is no longer active").object("job", Kind::Job, job).with("condition", &**condition)
            }
            Self::ConfirmsCronJob { job } => words(
                "Reading the CronJob: Job {job} is running, but the watch has not shown it in status.active",
            )
            .object("job", Kind::Job, job),
            Self::UnexpectedJob { job } => {
                words("Job {job} is running but is not in status.active, so it does not block any run").object("job", Kind::Job, job)
            }
            Self::LooksForJobs { jobs } => words("Looking for {jobs:active Job} that the watch does not show").with("jobs", *jobs),
            Self::MissingJob { job } => words("Job {job} is gone, so it is no longer active").object("job", Kind::Job, job),
        }
    }

    fn source(&self) -> Source {
        const CREATION: &str = "Job creation";
        match self {
            Self::ActiveJobFinished { .. } => Source::action(CREATION, "C-13", &[]),
            Self::ConfirmsCronJob { .. } => Source::routine(CREATION, "C-12", &[]),
            Self::UnexpectedJob { .. } => Source::wait(CREATION, "C-12", &[]),
            Self::LooksForJobs { .. } => Source::routine(CREATION, "C-15", &[]),
            Self::MissingJob { .. } => Source::action(CREATION, "C-15", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
