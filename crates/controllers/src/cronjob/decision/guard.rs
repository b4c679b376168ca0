//! Whether a CronJob starts Jobs at all.
//!
//! Docs: CronJob, "Schedule suspension", "Time zones", "Schedule syntax" (C-16…C-20, C-43, X-1… ).

use api::annotation::{MANAGED_BY, PAUSE_AFTER_FAILURES, SPREAD_SECONDS, SUSPEND};
use api::{Duration, Kind, Text, Timestamp};
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Why no Jobs are started, or a caution.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Guard {
    /// The CronJob is being deleted.
    CronJobBeingDeleted,
    /// The CronJob is suspended.
    CronJobSuspended,
    /// The CronJob is suspended by an annotation, beside the built-in controller.
    SuspendedByAnnotation,
    /// So many runs failed in a row that no more are started.
    PausedAfterFailures {
        /// How many.
        failures: usize,
        /// The Job of the latest of them.
        job: Text,
        /// When runs are started again, if that is known.
        until: Option<Timestamp>,
    },
    /// The CronJob is another controller's.
    CronJobManagedByOther {
        /// Whose.
        manager: Text,
    },
    /// The CronJob is this controller's, but the built-in one acts for it too.
    NotSuspendedForBuiltIn,
    /// Runs start some time after they are scheduled.
    SpreadsStarts {
        /// How long after.
        offset: Duration,
    },
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
    /// Its schedule has fewer than two runs within five years.
    ScheduleHasNoRuns,
}

impl Topic for Guard {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::CronJobBeingDeleted => words("Not starting Jobs: the CronJob is being deleted"),
            Self::CronJobSuspended => words("Not starting Jobs: the CronJob is suspended"),
            Self::SuspendedByAnnotation => words("Not starting Jobs: the annotation {annotation} is true").with("annotation", SUSPEND),
            Self::PausedAfterFailures { failures, job, until } => words(if until.is_some() {
                "Not starting Jobs before {until}: {failures:run} failed in a row, the latest with Job {job}, and the annotation {annotation} \
                 pauses the CronJob"
            } else {
                "Not starting Jobs: {failures:run} failed in a row, the latest with Job {job}, and the annotation {annotation} pauses the CronJob \
                 until jobsmith.dev/resumed-at is set to a later time"
            })
            .with("failures", *failures)
            .object("job", Kind::Job, job)
            .with("annotation", PAUSE_AFTER_FAILURES)
            .with("until", *until),
            Self::CronJobManagedByOther { manager } => {
                words("Doing nothing: the annotation {annotation} leaves the CronJob to {manager}")
                    .with("annotation", MANAGED_BY)
                    .with("manager", &**manager)
            }
            Self::NotSuspendedForBuiltIn => words(
                "Doing nothing: the annotation {annotation} names this controller, but [suspend] is not true, so the built-in controller still \
                 starts its Jobs",
            )
            .with("annotation", MANAGED_BY),
            Self::SpreadsStarts { offset } => {
                words("Starting each run {offset} after its scheduled time, because of the annotation {annotation}")
                    .with("annotation", SPREAD_SECONDS)
                    .with("offset", *offset)
            }
            Self::UnknownTimeZone { time_zone } => {
                words("Not starting Jobs: [timeZone] {timeZone} is not in the time zone database").with("timeZone", &**time_zone)
            }
            Self::UnparseableSchedule { error } => words("Not starting Jobs: [schedule] is invalid: {error}").with("error", error.as_str()),
            Self::TimeZoneInSchedule => words("Taking the time zone from [schedule], which is not officially supported; use timeZone"),
            Self::ScheduleHasNoRuns => words("Not starting Jobs: [schedule] has fewer than two runs within five years"),
        }
    }

    fn source(&self) -> Source {
        const SPEC: &str = "Writing a CronJob spec";
        const SUSPENSION: &str = "Schedule suspension";
        const SYNTAX: &str = "Schedule syntax";
        const ANNOTATIONS: &[&str] = &["metadata.annotations"];
        const SCHEDULE: &[&str] = &["spec.schedule"];
        match self {
            Self::CronJobBeingDeleted => Source::wait(SPEC, "C-16", &[]),
            Self::CronJobSuspended => Source::wait(SUSPENSION, "C-18", &["spec.suspend"]),
            Self::SuspendedByAnnotation => Source::wait(SUSPENSION, "X-2", ANNOTATIONS),
            Self::PausedAfterFailures { until, .. } => Source::wait(SUSPENSION, "X-20", ANNOTATIONS).during(None, *until),
            Self::CronJobManagedByOther { .. } => Source::wait(SPEC, "X-1", ANNOTATIONS),
            Self::NotSuspendedForBuiltIn => Source::invalid(SUSPENSION, "X-1", &["metadata.annotations", "spec.suspend"]),
            Self::SpreadsStarts { .. } => Source::wait(SPEC, "X-3", ANNOTATIONS),
            Self::UnknownTimeZone { .. } => Source::invalid("Time zones", "C-17", &["spec.timeZone"]),
            Self::UnparseableSchedule { .. } => Source::invalid(SYNTAX, "C-19", SCHEDULE),
            Self::TimeZoneInSchedule => Source::action("Unsupported TimeZone specification", "C-20", SCHEDULE),
            Self::ScheduleHasNoRuns => Source::wait(SYNTAX, "C-43", SCHEDULE),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
