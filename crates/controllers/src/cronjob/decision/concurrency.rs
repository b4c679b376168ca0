//! What Jobs that still run mean for the next run.
//!
//! Docs: CronJob, "Concurrency policy" (C-24, C-25).

use api::Timestamp;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What happens to a run while other Jobs are active.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Concurrency {
    /// The run waits until no Job is active.
    WaitsForActiveJob {
        /// How many Jobs are active.
        active: usize,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
    },
    /// Active Jobs are deleted first.
    ReplacesJobs {
        /// How many.
        jobs: usize,
    },
}

impl Topic for Concurrency {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::WaitsForActiveJob { active, scheduled_at } => {
                words("Not starting the run scheduled for {scheduledAt} with {active:Job} still active: [concurrencyPolicy] is Forbid")
                    .with("active", *active)
                    .with("scheduledAt", *scheduled_at)
            }
            Self::ReplacesJobs { jobs } => {
                words("Deleting {jobs:active Job} to make way for the next run: [concurrencyPolicy] is Replace").with("jobs", *jobs)
            }
        }
    }

    fn source(&self) -> Source {
        const POLICY: &[&str] = &["spec.concurrencyPolicy"];
        match self {
            Self::WaitsForActiveJob { scheduled_at, .. } => {
                Source::wait("Concurrency policy", "C-24", POLICY).during(Some(*scheduled_at), None)
            }
            Self::ReplacesJobs { .. } => Source::action("Concurrency policy", "C-25", POLICY),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
