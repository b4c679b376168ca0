//! Which pods are created and deleted.
//!
//! Docs: Jobs, "Controlling parallelism", "Suspending a Job", "Elastic Indexed Jobs", "Delayed creation of replacement pods" (J-80…J-89, J-101, J-107).

use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, count};

/// How many pods there are to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Pods {
    /// The active pods of a suspended Job are deleted.
    SuspendsPods {
        /// How many.
        pods: usize,
    },
    /// A suspended Job has no active pods.
    StaysSuspended,
    /// There are more active pods than wanted.
    DeletesSurplus {
        /// How many are deleted.
        pods: usize,
        /// How many are active.
        active: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// Active pods have no index of this Job, or one that another active pod has.
    DeletesDuplicates {
        /// How many.
        pods: usize,
    },
    /// Pods are created.
    Creates {
        /// How many.
        pods: usize,
        /// How many are active.
        active: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// Pods of an Indexed Job are created.
    CreatesIndexes {
        /// How many.
        pods: usize,
        /// Their indexes, as in `1,3-5`.
        indexes: String,
        /// How many are active.
        active: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// There are as many active pods as wanted.
    HasEnough {
        /// How many are active.
        active: usize,
        /// How many are wanted.
        wanted: usize,
        /// How many completions there are to be.
        completions: Option<i32>,
        /// How many of them are reached.
        succeeded: i32,
        /// How many pods may run at a time.
        parallelism: i32,
    },
    /// Pods are missing, but none of the indexes may have another.
    NoIndexLeft {
        /// How many pods are active.
        active: usize,
        /// How many are wanted.
        wanted: usize,
    },
    /// Pods are to be created, but first others must end.
    WaitsForTerminating {
        /// How many pods are being deleted.
        terminating: usize,
        /// How many pods are missing.
        missing: usize,
    },
    /// A pod of a work queue succeeded: no more pods are created.
    DrainsWorkQueue {
        /// How many pods succeeded.
        succeeded: i32,
        /// How many are active.
        active: usize,
    },
    /// Not all missing pods are created at a time.
    LimitsCreation {
        /// How many are missing.
        missing: usize,
        /// How many are created at a time.
        limit: usize,
    },
    /// Pods cannot be created, because the template has no labels.
    HasNoLabels,
}

impl Topic for Pods {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::SuspendsPods { pods } => format!("Deletes {}: the Job is suspended", count(*pods, "active pod")),
            Self::StaysSuspended => "Creates no pods: the Job is suspended".to_owned(),
            Self::DeletesSurplus { pods, active, wanted } => {
                format!("Deletes {}: {active} active, {wanted} wanted", count(*pods, "pod"))
            }
            Self::DeletesDuplicates { pods } => {
                format!("Deletes {} without an index of this Job or with one that another active pod has", count(*pods, "pod"))
            }
            Self::Creates { pods, active, wanted } => {
                format!("Creates {}: {active} active, {wanted} wanted", count(*pods, "pod"))
            }
            Self::CreatesIndexes { pods, indexes, active, wanted } => {
                let noun = if *pods == 1 { "index" } else { "indexes" };
                format!("Creates {} for {noun} {indexes}: {active} active, {wanted} wanted", count(*pods, "pod"))
            }
            Self::HasEnough { active, completions, succeeded, parallelism, .. } => match completions {
                Some(completions) if completions - succeeded < *parallelism => {
                    format!("Creates no pods: {active} active and {succeeded} succeeded make the {}", count(*completions, "completion"))
                }
                Some(_) | None => format!("Creates no pods: {active} active, and parallelism is {parallelism}"),
            },
            Self::NoIndexLeft { active, wanted } => {
                format!("Creates no pods: {active} active, {wanted} wanted, but no other index is left")
            }
            Self::WaitsForTerminating { terminating, missing } => {
                format!("Creates no pods yet: {missing} missing, but {} must end first", count(*terminating, "pod"))
            }
            Self::DrainsWorkQueue { succeeded, active } => format!(
                "Creates no pods: {} succeeded, so the work is done, and {active} may still end on their own",
                count(*succeeded, "pod")
            ),
            Self::LimitsCreation { missing, limit } => format!("Creates {limit} of the {missing} missing pods; the others follow"),
            Self::HasNoLabels => "Creates no pods: the pod template has no labels, so the Job could not find them".to_owned(),
        }
    }

    fn source(&self) -> Source {
        const PARALLELISM: &str = "Controlling parallelism";
        const BOTH: &[&str] = &["spec.parallelism", "spec.completions"];
        match self {
            Self::SuspendsPods { .. } => Source::new(true, "Suspending a Job", "J-80", &["spec.suspend"]),
            Self::StaysSuspended => Source::new(false, "Suspending a Job", "J-80", &["spec.suspend"]),
            Self::DeletesSurplus { .. } => Source::new(true, PARALLELISM, "J-81a", BOTH),
            Self::DeletesDuplicates { .. } => Source::new(true, "Completion mode", "J-107", &["spec.completions", "spec.completionMode"]),
            Self::Creates { .. } => Source::new(true, PARALLELISM, "J-83", BOTH),
            Self::CreatesIndexes { .. } => Source::new(true, "Completion mode", "J-101", BOTH),
            Self::HasEnough { .. } => Source::new(false, PARALLELISM, "J-83", BOTH),
            Self::NoIndexLeft { .. } => Source::new(false, "Backoff limit per index", "J-101", &["spec.backoffLimitPerIndex"]),
            Self::WaitsForTerminating { .. } => {
                Source::new(false, "Delayed creation of replacement pods", "J-83", &["spec.podReplacementPolicy", "spec.podFailurePolicy"])
            }
            Self::DrainsWorkQueue { .. } => Source::new(false, "Parallel execution for Jobs", "J-81", BOTH),
            Self::LimitsCreation { .. } => Source::new(false, PARALLELISM, "J-86", &["spec.parallelism"]),
            Self::HasNoLabels => Source::new(false, "Pod selector", "J-89", &["spec.template.metadata.labels", "spec.manualSelector"]),
        }
    }
}
