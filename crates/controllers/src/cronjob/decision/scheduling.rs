//! Which run of a CronJob is started.
//!
//! Docs: CronJob, "Deadline for delayed Job start", "Job creation" (C-21…C-28, X-17, X-18).

use api::annotation::{DELAY_DURING, SKIP_DURING};
use api::{Duration, Kind, Text, Timestamp};
use strum::{EnumIter, IntoStaticStr};

use super::late_reason::{LateReason, because};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// How many runs were missed before the one that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missed {
    /// So many.
    Exactly(i64),
    /// Too many to count one by one.
    About(i64),
}

/// What happens to the run that is due, or why none is.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Scheduling {
    /// No run is due.
    NotDue {
        /// When the next one is.
        next: Option<Timestamp>,
    },
    /// The time has come for runs that windows leave out.
    SkipsRun {
        /// When the first of them was scheduled.
        scheduled_at: Timestamp,
        /// When the next one is that is not left out.
        next: Option<Timestamp>,
    },
    /// The run that is due waits for the end of windows.
    DelaysRun {
        /// When it was scheduled.
        scheduled_at: Timestamp,
        /// When it starts instead.
        until: Timestamp,
        /// How long after the end of the windows that is, if starts are spread.
        after: Option<Duration>,
        /// How late a run may be, if it is too late by then.
        deadline: Option<Duration>,
    },
    /// The last run is too late to start.
    MissedDeadline {
        /// When it was scheduled.
        scheduled_at: Timestamp,
        /// How late a run may be.
        deadline: Duration,
        /// Why it is late, if that is known.
        because: Option<LateReason>,
        /// When the next one is.
        next: Option<Timestamp>,
    },
    /// Runs were missed, but the estimate of the last one passes over them.
    PassedOver {
        /// How many there are by the estimate.
        missed: i64,
        /// When the next one is.
        next: Option<Timestamp>,
    },
    /// So many runs were missed that the clock may be wrong.
    TooManyMissed {
        /// How many.
        missed: i64,
    },
    /// The run was started before, or another one of the same minute.
    AlreadyStarted {
        /// The Job.
        job: Text,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
        /// When the next one is.
        next: Option<Timestamp>,
    },
    /// The Job of the run is created.
    StartsJob {
        /// The Job.
        job: Text,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
        /// By how much it is late.
        late: Option<Duration>,
        /// Why it is late, if that is known.
        because: Option<LateReason>,
        /// How many runs were missed before it, if any: they are not started.
        missed: Option<Missed>,
    },
    /// The Job of the run is there, but not in the status.
    RecordsExistingJob {
        /// The Job.
        job: Text,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
    },
    /// Somebody else's Job has the name.
    NameTaken {
        /// The Job.
        job: Text,
        /// When the run was scheduled.
        scheduled_at: Timestamp,
        /// When the next run is.
        next: Option<Timestamp>,
    },
}

impl Topic for Scheduling {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::NotDue { next: Some(next) } => words("Not starting a Job: the next run is at {next}").with("next", *next),
            Self::NotDue { next: None } => words("Not starting a Job: [schedule] has no run within five years"),
            Self::SkipsRun { scheduled_at, next } => {
                words("Not starting a Job: the run scheduled for {scheduledAt} is in a window of the annotation {annotation}<; the next run outside its windows is at {next}>")
                    .with("scheduledAt", *scheduled_at)
                    .with("annotation", SKIP_DURING)
                    .with("next", *next)
            }
            Self::DelaysRun { scheduled_at, until, after, deadline } => delays(*after)
            .with("scheduledAt", *scheduled_at)
            .with("until", *until)
            .with("annotation", DELAY_DURING)
            .with("deadline", *deadline),
            Self::MissedDeadline { scheduled_at, deadline, because, .. } => {
                let wording = words(if because.is_some() {
                    because!(
                        "Not starting a Job: the run scheduled for {scheduledAt} is more than {deadline} late",
                        "; [startingDeadlineSeconds] allows no more"
                    )
                } else {
                    "Not starting a Job: the run scheduled for {scheduledAt} is more than {deadline} late, the most that [startingDeadlineSeconds] allows"
                });
                LateReason::add_to(because.as_ref(), wording.with("scheduledAt", *scheduled_at).with("deadline", *deadline))
            }
            Self::PassedOver { missed, .. } => {
                words("Not starting a Job: the schedule is irregular, so the estimate of {missed} missed runs misses the last one")
                    .with("missed", *missed)
            }
            Self::TooManyMissed { missed } => {
                words("About {missed} runs were missed: set or lower [startingDeadlineSeconds], or check for clock skew")
                    .with("missed", *missed)
            }
            Self::AlreadyStarted { job, scheduled_at, .. } => {
                words("Not starting a Job for the run scheduled for {scheduledAt}: Job {job} was already started for that minute")
                    .object("job", Kind::Job, job)
                    .with("scheduledAt", *scheduled_at)
            }
            Self::StartsJob { job, scheduled_at, late, because, missed } => {
                let wording = words(because!(
                    "Starting Job {job} for the run scheduled for {scheduledAt}<, {late} late>",
                    "<, and not for {missed:run} missed before it><, and not for about {estimate:run} missed before it>"
                ));
                let wording = wording.object("job", Kind::Job, job).with("scheduledAt", *scheduled_at).with("late", *late);
                let (exactly, about) = match missed {
                    None => (None, None),
                    Some(Missed::Exactly(missed)) => (Some(*missed), None),
                    Some(Missed::About(missed)) => (None, Some(*missed)),
                };
                LateReason::add_to(because.as_ref(), wording).with("missed", exactly).with("estimate", about)
            }
            Self::RecordsExistingJob { job, scheduled_at } => {
                words("Job {job} for the run scheduled for {scheduledAt} already exists; recording it as started")
                    .object("job", Kind::Job, job)
                    .with("scheduledAt", *scheduled_at)
            }
            Self::NameTaken { job, scheduled_at, .. } => words(
                "Not starting a Job for the run scheduled for {scheduledAt}: Job {job} already exists, and does not belong to this CronJob",
            )
            .object("job", Kind::Job, job)
            .with("scheduledAt", *scheduled_at),
        }
    }

    fn source(&self) -> Source {
        const CREATION: &str = "Job creation";
        const ANNOTATIONS: &[&str] = &["metadata.annotations"];
        const SCHEDULE: &[&str] = &["spec.schedule"];
        const DEADLINE: &[&str] = &["spec.startingDeadlineSeconds"];
        const LATE: &[&str] = &["spec.startingDeadlineSeconds", "spec.concurrencyPolicy"];
        match self {
            Self::NotDue { next } => Source::wait("Schedule syntax", "C-21", SCHEDULE).during(None, *next),
            Self::SkipsRun { scheduled_at, next } => {
                Source::wait("Schedule syntax", "X-17", ANNOTATIONS).during(Some(*scheduled_at), *next)
            }
            Self::DelaysRun { scheduled_at, until, .. } => {
                Source::wait("Deadline for delayed Job start", "X-18", &["metadata.annotations", "spec.startingDeadlineSeconds"])
                    .during(Some(*scheduled_at), Some(*until))
            }
            Self::MissedDeadline { scheduled_at, next, .. } => {
                Source::wait("Deadline for delayed Job start", "C-40", LATE).during(Some(*scheduled_at), *next)
            }
            Self::PassedOver { next, .. } => Source::wait(CREATION, "C-44", SCHEDULE).during(None, *next),
            Self::TooManyMissed { .. } => Source::action(CREATION, "C-44", DEADLINE),
            Self::AlreadyStarted { next, .. } => Source::wait(CREATION, "C-23", SCHEDULE).during(None, *next),
            Self::StartsJob { .. } => Source::action(CREATION, "C-26", &["spec.schedule", "spec.concurrencyPolicy"]),
            Self::RecordsExistingJob { .. } => Source::action(CREATION, "C-29", SCHEDULE),
            Self::NameTaken { next, .. } => Source::wait(CREATION, "C-26", &["metadata.name"]).during(None, *next),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}

/// That windows delay a run to their end, or to so much after it.
fn delays(after: Option<Duration>) -> Wording {
    let template = if after.is_some() {
        "Not starting the run scheduled for {scheduledAt} before {until}, {after} after a window of the annotation {annotation} \
         ends<; it will be too late by then: [startingDeadlineSeconds] allows {deadline}>"
    } else {
        "Not starting the run scheduled for {scheduledAt} before {until}, when a window of the annotation {annotation} \
         ends<; it will be too late by then: [startingDeadlineSeconds] allows {deadline}>"
    };
    words(template).with("after", after)
}
