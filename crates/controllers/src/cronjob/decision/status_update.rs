//! What is written to a CronJob's status.
//!
//! Docs: CronJob (C-27; §8 of the specification).

use api::Timestamp;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// A write of the status.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum StatusUpdate {
    /// The status is written.
    WritesCronJobStatus {
        /// How many Jobs are active.
        active: usize,
        /// The scheduled time of the last run that was started.
        last_schedule_at: Option<Timestamp>,
    },
}

impl Topic for StatusUpdate {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        let Self::WritesCronJobStatus { active, last_schedule_at } = self;
        words(match last_schedule_at {
            Some(_) => "Writing the status: {active} active, last run scheduled at {lastScheduleAt}",
            None => "Writing the status: {active} active, no run was started",
        })
        .with("active", *active)
        .with("lastScheduleAt", *last_schedule_at)
    }

    fn source(&self) -> Source {
        Source::routine("Job creation", "C-27", &[])
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
