//! What is written to a Job's status.
//!
//! Docs: Jobs, "Suspending a Job", "Job tracking with finalizers" (J-46, J-50, J-120, J-121).

use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Changes of the status that are not counts of ended pods.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum StatusUpdate {
    /// The Job's time begins.
    StartsClock,
    /// The Job is marked as suspended.
    MarksSuspended,
    /// The Job is marked as resumed.
    MarksResumed,
    /// The numbers of pods have changed.
    WritesStatus {
        /// Pods that are active.
        active: i32,
        /// Active pods that are ready.
        ready: i32,
        /// Pods that are being deleted.
        terminating: i32,
    },
    /// The status is up to date already.
    StatusIsCurrent {
        /// Pods that are active.
        active: i32,
        /// Active pods that are ready.
        ready: i32,
        /// Pods that are being deleted.
        terminating: i32,
    },
}

impl Topic for StatusUpdate {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::StartsClock => words("Starting the Job: startTime is set"),
            Self::MarksSuspended => words("Marking the Job as suspended: it has no startTime until it is resumed"),
            Self::MarksResumed => words("Marking the Job as resumed: its startTime is reset to the current time"),
            Self::WritesStatus { active, ready, terminating } => {
                words("Writing the status: {active} active, {ready} ready, {terminating} terminating")
                    .with("active", *active)
                    .with("ready", *ready)
                    .with("terminating", *terminating)
            }
            Self::StatusIsCurrent { active, ready, terminating } => {
                words("The status is up to date: {active} active, {ready} ready, {terminating} terminating")
                    .with("active", *active)
                    .with("ready", *ready)
                    .with("terminating", *terminating)
            }
        }
    }

    fn source(&self) -> Source {
        const TRACKING: &str = "Job tracking with finalizers";
        match self {
            Self::StartsClock => Source::action("Job termination and cleanup", "J-46", &["spec.suspend"]),
            Self::MarksSuspended | Self::MarksResumed => Source::action("Suspending a Job", "J-121", &["spec.suspend"]),
            Self::WritesStatus { .. } => Source::routine(TRACKING, "J-50", &[]),
            Self::StatusIsCurrent { .. } => Source::routine(TRACKING, "J-50", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
