//! Whether a Job is looked at, at all.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller", "Terminal Job conditions" (J-35, J-41…J-45, J-51).

use api::Text;
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, count};

/// Why a Job is not looked at, or not managed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Guard {
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
    /// The completion mode is none that exists.
    UnknownCompletionMode {
        /// The mode.
        mode: Text,
    },
    /// The Job is being deleted.
    BeingDeleted,
    /// A write is not in the watch yet.
    WaitsForWatch {
        /// The kind of the written object.
        kind: &'static str,
        /// The version that was written.
        written: u64,
        /// The newest version that the watch showed.
        seen: u64,
    },
    /// Creations or deletions are not in the watch yet.
    WaitsForExpectations {
        /// Creations that are missing.
        creations: i64,
        /// Deletions that are missing.
        deletions: i64,
    },
}

impl Topic for Guard {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::Gone => "The Job is gone, so what was remembered of it is forgotten".to_owned(),
            Self::ManagedByOther { manager } => format!("Leaves the Job alone: it is managed by {manager}"),
            Self::AlreadyFinished { condition } => format!("Leaves the Job alone: it is {condition}, and a finished Job does not change"),
            Self::UnknownCompletionMode { mode } => format!("Leaves the Job alone: {mode:?} is no completion mode"),
            Self::BeingDeleted => "Neither creates nor deletes pods: the Job is being deleted".to_owned(),
            Self::WaitsForWatch { kind, written, seen } => {
                format!("Waits: version {written} of a {kind} was written and the watch has come to {seen}")
            }
            Self::WaitsForExpectations { creations, deletions } => format!(
                "Neither creates nor deletes pods: the watch has yet to show {} and {}",
                count(*creations, "creation"),
                count(*deletions, "deletion")
            ),
        }
    }

    fn source(&self) -> Source {
        match self {
            Self::Gone => Source::new(true, "Job termination and cleanup", "J-41", &[]),
            Self::ManagedByOther { .. } => {
                Source::new(false, "Delegation of managing a Job object to external controller", "J-42", &["spec.managedBy"])
            }
            Self::AlreadyFinished { .. } => Source::new(false, "Terminal Job conditions", "J-43", &[]),
            Self::UnknownCompletionMode { .. } => Source::new(false, "Completion mode", "J-44", &["spec.completionMode"]),
            Self::BeingDeleted => Source::new(false, "Job termination and cleanup", "J-51", &["metadata.deletionTimestamp"]),
            Self::WaitsForWatch { .. } => Source::new(false, "Job tracking with finalizers", "J-35", &[]),
            Self::WaitsForExpectations { .. } => Source::new(false, "Controlling parallelism", "J-48", &[]),
        }
    }
}
