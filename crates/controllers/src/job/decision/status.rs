//! What is written to a Job's status.
//!
//! Docs: Jobs, "Suspending a Job", "Job tracking with finalizers" (J-46, J-50, J-120, J-121).

use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic};

/// Changes of the status that are not counts of ended pods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Status {
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
    /// The status tells already what there is to tell.
    StatusIsCurrent {
        /// Pods that are active.
        active: i32,
        /// Active pods that are ready.
        ready: i32,
        /// Pods that are being deleted.
        terminating: i32,
    },
}

impl Topic for Status {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::StartsClock => "The Job starts: startTime is set".to_owned(),
            Self::MarksSuspended => "Marks the Job as suspended and clears startTime".to_owned(),
            Self::MarksResumed => "Marks the Job as resumed and sets startTime again".to_owned(),
            Self::WritesStatus { active, ready, terminating } => {
                format!("Writes the status: {active} active, {ready} ready, {terminating} terminating")
            }
            Self::StatusIsCurrent { active, ready, terminating } => {
                format!("Writes no status: it says {active} active, {ready} ready, {terminating} terminating already")
            }
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::StartsClock => Source::new(true, "Job termination and cleanup", "J-46", &["spec.suspend"]),
            Self::MarksSuspended | Self::MarksResumed => Source::new(true, "Suspending a Job", "J-121", &["spec.suspend"]),
            Self::WritesStatus { .. } => Source::new(true, "Job tracking with finalizers", "J-50", &[]),
            Self::StatusIsCurrent { .. } => Source::new(false, "Job tracking with finalizers", "J-50", &[]),
        }
    }
}
