//! Which pods are created and deleted.
//!
//! Docs: Jobs, "Controlling parallelism", "Suspending a Job", "Elastic Indexed Jobs", "Delayed creation of replacement pods" (J-80…J-89, J-101, J-107).

use strum::{EnumIter, IntoStaticStr};

use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// How many pods there should be.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum PodControl {
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

impl Topic for PodControl {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::SuspendsPods { pods } => words("Deleting {pods:active pod}: the Job is suspended").with("pods", *pods),
            Self::StaysSuspended => words("Not creating pods: the Job is suspended"),
            Self::DeletesSurplus { pods, active, wanted } => words("Deleting {pods:pod}: {active} active, {wanted} wanted")
                .with("pods", *pods)
                .with("active", *active)
                .with("wanted", *wanted),
            Self::DeletesDuplicates { pods } => {
                words("Deleting {pods:pod} whose index is invalid or already has an active pod").with("pods", *pods)
            }
            Self::Creates { pods, active, wanted } => words("Creating {pods:pod}: {active} active, {wanted} wanted")
                .with("pods", *pods)
                .with("active", *active)
                .with("wanted", *wanted),
            Self::CreatesIndexes { pods, indexes, active, wanted } => words(if *pods == 1 {
                "Creating {pods:pod} for index {indexes}: {active} active, {wanted} wanted"
            } else {
                "Creating {pods:pod} for indexes {indexes}: {active} active, {wanted} wanted"
            })
            .with("pods", *pods)
            .with("indexes", indexes.as_str())
            .with("active", *active)
            .with("wanted", *wanted),
            Self::HasEnough { active, wanted, completions, succeeded, parallelism } => words(match completions {
                Some(completions) if completions - succeeded < *parallelism => {
                    "Not creating pods: {active} active and {succeeded} succeeded already cover {completions:completion}"
                }
                Some(_) | None => "Not creating pods: {active} active, and [parallelism] is {parallelism}",
            })
            .with("active", *active)
            .with("wanted", *wanted)
            .with("completions", *completions)
            .with("succeeded", *succeeded)
            .with("parallelism", *parallelism),
            Self::NoIndexLeft { active, wanted } => {
                words("Not creating pods: {active} active, {wanted} wanted, but every other index has finished")
                    .with("active", *active)
                    .with("wanted", *wanted)
            }
            Self::WaitsForTerminating { terminating, missing } => {
                words("Waiting for {terminating:pod} to finish before creating {missing:replacement}")
                    .with("terminating", *terminating)
                    .with("missing", *missing)
            }
            Self::DrainsWorkQueue { succeeded, active } => {
                words("Not creating pods: {succeeded:pod} succeeded, so the work is done; {active} active may finish on their own")
                    .with("succeeded", *succeeded)
                    .with("active", *active)
            }
            Self::LimitsCreation { missing, limit } => {
                words("Creating {limit} of the {missing} missing pods; the rest follow").with("missing", *missing).with("limit", *limit)
            }
            Self::HasNoLabels => words("Not creating pods: the pod template has no labels, so the Job could not find them"),
        }
    }

    fn source(&self) -> Source {
        const PARALLELISM: &str = "Controlling parallelism";
        const BOTH: &[&str] = &["spec.parallelism", "spec.completions"];
        match self {
            Self::SuspendsPods { .. } => Source::action("Suspending a Job", "J-80", &["spec.suspend"]),
            Self::StaysSuspended => Source::wait("Suspending a Job", "J-80", &["spec.suspend"]),
            Self::DeletesSurplus { .. } => Source::action(PARALLELISM, "J-81a", BOTH),
            Self::DeletesDuplicates { .. } => Source::action("Completion mode", "J-107", &["spec.completions", "spec.completionMode"]),
            Self::Creates { .. } => Source::action(PARALLELISM, "J-83", BOTH),
            Self::CreatesIndexes { .. } => Source::action("Completion mode", "J-101", BOTH),
            Self::HasEnough { .. } => Source::routine(PARALLELISM, "J-83", BOTH),
            Self::NoIndexLeft { .. } => Source::wait("Backoff limit per index", "J-101", &["spec.backoffLimitPerIndex"]),
            Self::WaitsForTerminating { .. } => {
                Source::wait("Delayed creation of replacement pods", "J-83", &["spec.podReplacementPolicy", "spec.podFailurePolicy"])
            }
            Self::DrainsWorkQueue { .. } => Source::wait("Parallel execution for Jobs", "J-81", BOTH),
            Self::LimitsCreation { .. } => Source::wait(PARALLELISM, "J-86", &["spec.parallelism"]),
            Self::HasNoLabels => Source::wait("Pod selector", "J-89", &["spec.template.metadata.labels", "spec.manualSelector"]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
