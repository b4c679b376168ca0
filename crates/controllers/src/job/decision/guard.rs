//! Whether a Job is synced at all.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller", "Terminal Job conditions" (J-41…J-45, J-51).

use api::{Text, Timestamp};
use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Why a Job is not synced, or not managed.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Guard {
    /// The Job is gone.
    Gone,
    /// The Job names another controller.
    ManagedByOther {
        /// The name.
        manager: Text,
    },
    /// The Job is Complete or Failed.
    AlreadyFinished {
        /// Which of them.
        condition: Text,
    },
    /// The completion mode does not exist.
    UnknownCompletionMode {
        /// The mode.
        mode: Text,
    },
    /// The Job is being deleted.
    BeingDeleted,
    /// Creations or deletions are not in the watch yet.
    WaitsForExpectations {
        /// Creations that are missing.
        creations: i64,
        /// Deletions that are missing.
        deletions: i64,
        /// When to stop waiting for them.
        until: Timestamp,
    },
}

impl Topic for Guard {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::Gone => words("The Job is gone: nothing is left to do for it"),
            Self::ManagedByOther { manager } => words("Leaving the Job alone: {manager} manages it").with("manager", &**manager),
            Self::AlreadyFinished { condition } => {
                words("Leaving the Job alone: it is {condition}, and a finished Job does not change").with("condition", &**condition)
            }
            Self::UnknownCompletionMode { mode } => {
                words("Leaving the Job alone: \"{mode}\" is not a valid completion mode").with("mode", &**mode)
            }
            Self::BeingDeleted => words("Neither creating nor deleting pods: the Job is being deleted"),
            Self::WaitsForExpectations { creations, deletions, until } => {
                words("Neither creating nor deleting pods: the watch has yet to show {creations:creation} and {deletions:deletion}, until {until} at the latest")
                    .with("creations", *creations)
                    .with("deletions", *deletions)
                    .with("until", *until)
            }
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::Gone => Source::routine("Job termination and cleanup", "J-41", &[]),
            Self::ManagedByOther { .. } => {
                Source::wait("Delegation of managing a Job object to external controller", "J-42", &["spec.managedBy"])
            }
            Self::AlreadyFinished { .. } => Source::routine("Terminal Job conditions", "J-43", &[]),
            Self::UnknownCompletionMode { .. } => Source::wait("Completion mode", "J-44", &["spec.completionMode"]),
            Self::BeingDeleted => Source::wait("Job termination and cleanup", "J-51", &["metadata.deletionTimestamp"]),
            Self::WaitsForExpectations { until, .. } => Source::wait("Controlling parallelism", "J-48", &[]).during(None, Some(*until)),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
