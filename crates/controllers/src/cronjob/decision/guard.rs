//! Whether a CronJob starts Jobs at all.
//!
//! Docs: CronJob, "Schedule suspension", "Time zones", "Schedule syntax" (C-16…C-20, C-43).

use api::Text;
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic, Wording, words};

/// Why no Jobs are started, or a caution.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Guard {
    /// The CronJob is being deleted.
    CronJobBeingDeleted,
    /// The CronJob is suspended.
    CronJobSuspended,
    /// Its time zone is not known.
    UnknownTimeZone {
        /// Its name.
        time_zone: Text,
    },
    /// Its schedule cannot be read.
    UnparseableSchedule {
        /// What is wrong with it.
        error: String,
    },
    /// Its schedule names a time zone.
    TimeZoneInSchedule,
    /// Its schedule has no two runs.
    ScheduleHasNoRuns,
}

impl Topic for Guard {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::CronJobBeingDeleted => words("Starting no Jobs: the CronJob is being deleted"),
            Self::CronJobSuspended => words("Starting no Jobs: the CronJob is suspended"),
            Self::UnknownTimeZone { time_zone } => {
                words("Starting no Jobs: [timeZone] {timeZone} is not in the time zone database").with("timeZone", &**time_zone)
            }
            Self::UnparseableSchedule { error } => {
                words("Starting no Jobs: [schedule] cannot be read: {error}").with("error", error.as_str())
            }
            Self::TimeZoneInSchedule => words("Reading the time zone from [schedule], which is not supported officially: use timeZone"),
            Self::ScheduleHasNoRuns => words("Starting no Jobs: [schedule] has no two runs within five years"),
        }
    }

    fn source(&self) -> Source {
        const SYNTAX: &str = "Schedule syntax";
        const SCHEDULE: &[&str] = &["spec.schedule"];
        match self {
            Self::CronJobBeingDeleted => Source::wait("Writing a CronJob spec", "C-16", &[]),
            Self::CronJobSuspended => Source::wait("Schedule suspension", "C-18", &["spec.suspend"]),
            Self::UnknownTimeZone { .. } => Source::wait("Time zones", "C-17", &["spec.timeZone"]),
            Self::UnparseableSchedule { .. } => Source::wait(SYNTAX, "C-19", SCHEDULE),
            Self::TimeZoneInSchedule => Source::action("Unsupported TimeZone specification", "C-20", SCHEDULE),
            Self::ScheduleHasNoRuns => Source::wait(SYNTAX, "C-43", SCHEDULE),
        }
    }

    fn kinds() -> &'static Kinds {
        super::kinds()
    }
}
