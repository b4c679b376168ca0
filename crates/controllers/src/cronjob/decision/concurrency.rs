//! What Jobs that still run mean for the next run.
//!
//! Docs: CronJob, "Concurrency policy" (C-24, C-25, X-19).

use api::annotation::MAX_ACTIVE;
use api::{Kind, Text, Timestamp};
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What happens to a run while other Jobs are active.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Concurrency {
    /// The run waits until no Job is active.
    WaitsForActiveJob {
        /// The first Job that is active.
        job: Text,
        /// How many Jobs are.
        active: usize,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
    },
    /// The run waits until fewer Jobs are active.
    LimitsActiveRuns {
        /// How many Jobs are active.
        active: usize,
        /// How many may be.
        limit: u32,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
    },
    /// Active Jobs are deleted first.
    ReplacesJobs {
        /// The first of them.
        job: Text,
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
            Self::WaitsForActiveJob { job, active, scheduled_at } => words(if *active > 1 {
                "Not starting the run scheduled for {scheduledAt} while Job {job} and {more} more are active: [concurrencyPolicy] is Forbid"
            } else {
                "Not starting the run scheduled for {scheduledAt} while Job {job} is active: [concurrencyPolicy] is Forbid"
            })
            .object("job", Kind::Job, job)
            .with("active", *active)
            .with("more", more(*active))
            .with("scheduledAt", *scheduled_at),
            Self::LimitsActiveRuns { active, limit, scheduled_at } => words(
                "Not starting the run scheduled for {scheduledAt} while {active:Job} {be} active: the annotation {annotation} allows {limit}",
            )
            .with("active", *active)
            .with("be", if *active == 1 { "is" } else { "are" })
            .with("annotation", MAX_ACTIVE)
            .with("limit", *limit)
            .with("scheduledAt", *scheduled_at),
            Self::ReplacesJobs { job, jobs } => {
                words("Deleting Job {job}< and {more} more> to make way for the next run: [concurrencyPolicy] is Replace")
                    .object("job", Kind::Job, job)
                    .with("jobs", *jobs)
                    .with("more", more(*jobs))
            }
        }
    }

    fn source(&self) -> Source {
        const POLICY: &[&str] = &["spec.concurrencyPolicy"];
        match self {
            Self::WaitsForActiveJob { scheduled_at, .. } => {
                Source::wait("Concurrency policy", "C-24", POLICY).during(Some(*scheduled_at), None)
            }
            Self::LimitsActiveRuns { scheduled_at, .. } => {
                Source::wait("Concurrency policy", "X-19", &["metadata.annotations"]).during(Some(*scheduled_at), None)
            }
            Self::ReplacesJobs { .. } => Source::action("Concurrency policy", "C-25", POLICY),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}

/// How many there are besides the first, if any.
fn more(count: usize) -> Option<usize> {
    count.checked_sub(1).filter(|more| *more > 0)
}
