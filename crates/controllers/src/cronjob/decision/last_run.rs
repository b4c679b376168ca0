//! What happened at the last scheduled times of a CronJob: only `jobsmith explain` reports it.
//!
//! Docs: CronJob, "Job creation", "Jobs history limits" (C-18…C-28, C-71, X-17…X-20). What the cluster shows of them is looked up in `last_runs.rs`.

use api::annotation::{MAX_ACTIVE, PAUSE_AFTER_FAILURES, SKIP_DURING};
use api::{Duration, Kind, Text, Timestamp};
use strum::{EnumIter, IntoStaticStr};

use super::late_reason::{LateReason, because};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// What happened at a scheduled time, according to what the cluster shows.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum LastRun {
    /// Its Job is there.
    HasJob(Run),
    /// Its Job is gone, and the status records that there was one.
    JobIsGone(Run),
    /// It has no Job, and nothing records whether there was one.
    LeftNoRecord(Run),
    /// It was in a window of an annotation that skips runs.
    WasSkipped(Run),
    /// As many Jobs were active as an annotation allows, for as long as it could have started.
    WasLimited(Run, u32),
    /// Another Job was active for as long as it could have started.
    WasHeldUp(Run),
    /// It was not started; the CronJob is suspended.
    WasSuspended(Run),
    /// It was not started; runs failed, and an annotation pauses the CronJob.
    WasPaused(Run),
    /// It was not started within the deadline.
    WasTooLate(Run),
    /// It was not started before the next run was due.
    WasMissed(Run),
    /// It may still be started.
    IsDue(Run),
}

/// The run of a scheduled time.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// The scheduled time.
    pub(crate) scheduled_at: Timestamp,
    /// Its Job, or the one that held it up.
    pub(crate) job: Text,
    /// How far its Job has come, if it is there.
    pub(crate) state: Option<Text>,
    /// How late it was started, or may be started at most.
    pub(crate) late: Option<Duration>,
    /// Why it was started late, if that is known.
    pub(crate) because: Option<LateReason>,
}

impl LastRun {
    fn run(&self) -> &Run {
        match self {
            Self::HasJob(run)
            | Self::JobIsGone(run)
            | Self::LeftNoRecord(run)
            | Self::WasSkipped(run)
            | Self::WasLimited(run, _)
            | Self::WasHeldUp(run)
            | Self::WasSuspended(run)
            | Self::WasPaused(run)
            | Self::WasTooLate(run)
            | Self::WasMissed(run)
            | Self::IsDue(run) => run,
        }
    }
}

impl Topic for LastRun {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        let template = match self {
            Self::HasJob(Run { late: Some(Duration::ZERO), .. }) => {
                "The run scheduled for {scheduledAt} was started on time: Job {job} is {state}"
            }
            Self::HasJob(_) => because!("The run scheduled for {scheduledAt} was started {late} late", ": Job {job} is {state}"),
            Self::JobIsGone(_) => "The run scheduled for {scheduledAt} was started; its Job {job} has been deleted since",
            Self::LeftNoRecord(_) => {
                "The run scheduled for {scheduledAt} has no Job: either its Job was deleted, for example by the history limits, or the run was not started"
            }
            Self::WasSkipped(_) => "The run scheduled for {scheduledAt} was skipped: it is in a window of the annotation {annotation}",
            Self::WasLimited(..) => {
                "The run scheduled for {scheduledAt} was not started: {most:Job} had not finished, the most that the annotation {annotation} allows"
            }
            Self::WasHeldUp(_) => {
                "The run scheduled for {scheduledAt} was not started: Job {job} had not finished, and [concurrencyPolicy] is Forbid"
            }
            Self::WasSuspended(_) => "The run scheduled for {scheduledAt} was not started; the CronJob is suspended",
            Self::WasPaused(_) => {
                "The run scheduled for {scheduledAt} was not started: runs failed, and the annotation {annotation} pauses the CronJob"
            }
            Self::WasTooLate(_) => {
                because!("The run scheduled for {scheduledAt} was not started within the {late} that [startingDeadlineSeconds] allows", "")
            }
            Self::WasMissed(_) => {
                because!("The run scheduled for {scheduledAt} was missed", ": no Job was created before the next run was due")
            }
            Self::IsDue(_) => because!("The run scheduled for {scheduledAt} is due, and has no Job yet", ""),
        };
        let Run { scheduled_at, job, state, late, because } = self.run();
        let wording = words(template).with("scheduledAt", *scheduled_at).object("job", Kind::Job, job);
        let wording = wording.with("state", state.as_deref()).with("late", *late);
        let annotation = match self {
            Self::WasSkipped(_) => Some(SKIP_DURING),
            Self::WasLimited(..) => Some(MAX_ACTIVE),
            Self::WasPaused(_) => Some(PAUSE_AFTER_FAILURES),
            Self::HasJob(_)
            | Self::JobIsGone(_)
            | Self::LeftNoRecord(_)
            | Self::WasHeldUp(_)
            | Self::WasSuspended(_)
            | Self::WasTooLate(_)
            | Self::WasMissed(_)
            | Self::IsDue(_) => None,
        };
        let most = if let Self::WasLimited(_, limit) = self { Some(*limit) } else { None };
        let wording = wording.with("annotation", annotation).with("most", most);
        LateReason::add_to(because.as_ref(), wording)
    }

    fn source(&self) -> Source {
        const CREATION: &str = "Job creation";
        const ANNOTATIONS: &[&str] = &["metadata.annotations"];
        match self {
            Self::HasJob(_) => Source::action(CREATION, "C-27", &["spec.concurrencyPolicy"]),
            Self::JobIsGone(_) => Source::action(CREATION, "C-27", &[]),
            Self::LeftNoRecord(_) => Source::routine("Jobs history limits", "C-71", &[]),
            Self::WasSkipped(_) => Source::wait("Schedule syntax", "X-17", ANNOTATIONS),
            Self::WasLimited(..) => Source::wait("Concurrency policy", "X-19", ANNOTATIONS),
            Self::WasPaused(_) => Source::wait("Schedule suspension", "X-20", ANNOTATIONS),
            Self::WasHeldUp(_) => Source::wait("Concurrency policy", "C-24", &["spec.concurrencyPolicy"]),
            Self::WasSuspended(_) => Source::wait("Schedule suspension", "C-18", &["spec.suspend"]),
            Self::WasTooLate(_) => Source::wait("Deadline for delayed Job start", "C-40", &["spec.startingDeadlineSeconds"]),
            Self::WasMissed(_) | Self::IsDue(_) => Source::wait(CREATION, "C-28", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
