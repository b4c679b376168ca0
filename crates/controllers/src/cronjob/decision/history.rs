//! Which finished Jobs of a CronJob are deleted.
//!
//! Docs: CronJob, "Jobs history limits" (C-70, C-71).

use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What the history limits ask for.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum History {
    /// There are more successful Jobs than are kept.
    DeletesSuccessfulJobs {
        /// How many are deleted.
        jobs: usize,
        /// How many are kept.
        limit: i32,
    },
    /// There are more failed Jobs than are kept.
    DeletesFailedJobs {
        /// How many are deleted.
        jobs: usize,
        /// How many are kept.
        limit: i32,
    },
}

impl Topic for History {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::DeletesSuccessfulJobs { jobs, limit } => {
                words("Deleting {jobs:successful Job}, the oldest first: [successfulJobsHistoryLimit] keeps {limit}")
                    .with("jobs", *jobs)
                    .with("limit", *limit)
            }
            Self::DeletesFailedJobs { jobs, limit } => {
                words("Deleting {jobs:failed Job}, the oldest first: [failedJobsHistoryLimit] keeps {limit}")
                    .with("jobs", *jobs)
                    .with("limit", *limit)
            }
        }
    }

    fn source(&self) -> Source {
        const LIMITS: &str = "Jobs history limits";
        match self {
            Self::DeletesSuccessfulJobs { .. } => Source::action(LIMITS, "C-71", &["spec.successfulJobsHistoryLimit"]),
            Self::DeletesFailedJobs { .. } => Source::action(LIMITS, "C-71", &["spec.failedJobsHistoryLimit"]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
