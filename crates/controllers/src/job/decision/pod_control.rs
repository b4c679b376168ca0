//! Which pods are created and deleted.
//!
//! Docs: Jobs, "Controlling parallelism", "Suspending a Job", "Elastic Indexed Jobs", "Delayed creation of replacement pods" (J-80…J-89, J-101, J-107).

use api::{Duration, Kind, Text};
use strum::{EnumIter, IntoStaticStr};

use super::PendingMatch;
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// How many pods there are, and how many there should be and why (J-81).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// How many are active.
    pub(crate) active: usize,
    /// How many are wanted.
    pub(crate) wanted: usize,
    /// How many pods may run at a time.
    pub(crate) parallelism: i32,
    /// How many completions there are to be.
    pub(crate) completions: Option<i32>,
    /// How many of them are reached.
    pub(crate) succeeded: i32,
}

impl Wanted {
    /// Adds the numbers; `remaining` is there only where it takes two of them to see why so many pods are wanted.
    fn add_to(self, wording: Wording) -> Wording {
        let remaining = self.completions.map(|completions| completions - self.succeeded).filter(|remaining| *remaining != self.parallelism);
        wording
            .with("active", self.active)
            .with("wanted", self.wanted)
            .with("parallelism", self.parallelism)
            .with("completions", self.completions)
            .with("succeeded", self.succeeded)
            .with("remaining", remaining)
    }
}

/// A template about pods with why so many are wanted.
macro_rules! wanted {
    ($what:literal) => {
        concat!($what, ": {active} active, {wanted} wanted< ([parallelism] {parallelism}, {remaining:completion} still to come)>")
    };
}

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
        /// The first of them, and the rule by which each goes before those that stay.
        first: Vec<(Text, Option<&'static str>)>,
        /// How many there are and should be.
        numbers: Wanted,
    },
    /// Active pods have indexes that the Job does not have, since it was scaled down.
    DeletesBeyondCompletions {
        /// How many.
        pods: usize,
        /// Their indexes, as in `1,3-5`.
        indexes: String,
        /// How many indexes there are.
        completions: i32,
    },
    /// Active pods have an index that another active pod has.
    DeletesDuplicates {
        /// How many.
        pods: usize,
        /// Their indexes, as in `1,3-5`.
        indexes: String,
    },
    /// Active pods have no index.
    DeletesWithoutIndex {
        /// How many.
        pods: usize,
    },
    /// A pod that has not started in time is deleted.
    DeletesPending {
        /// The pod, and the line that it meets.
        matched: PendingMatch,
        /// How long it might wait.
        deadline: Duration,
        /// Whether another takes its place, and nothing counts.
        replaced: bool,
    },
    /// Pods are created.
    Creates {
        /// How many.
        pods: usize,
        /// How many at a time, as in `1, 2 and 4`, where it is not one by one.
        batches: Option<String>,
        /// How many there are and should be.
        numbers: Wanted,
    },
    /// Pods of an Indexed Job are created.
    CreatesIndexes {
        /// How many.
        pods: usize,
        /// Their indexes, as in `1,3-5`.
        indexes: String,
        /// How many at a time, as in `1, 2 and 4`, where it is not one by one.
        batches: Option<String>,
        /// How many there are and should be.
        numbers: Wanted,
    },
    /// There are as many active pods as wanted.
    HasEnough(Wanted),
    /// Pods are missing, but none of the indexes may have another.
    NoIndexLeft(Wanted),
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
            Self::DeletesSurplus { pods, first, numbers } => surplus(*pods, first, *numbers),
            Self::DeletesBeyondCompletions { pods, indexes, completions } => words(if *pods == 1 {
                "Deleting {pods:pod} with index {indexes}: [completions] is {completions}"
            } else {
                "Deleting {pods:pod} with indexes {indexes}: [completions] is {completions}"
            })
            .with("pods", *pods)
            .with("indexes", indexes.as_str())
            .with("completions", *completions),
            Self::DeletesDuplicates { pods, indexes } => words(if *pods == 1 {
                "Deleting {pods:pod} with index {indexes}: another active pod has the same index"
            } else {
                "Deleting {pods:pod} with indexes {indexes}: other active pods have the same indexes"
            })
            .with("pods", *pods)
            .with("indexes", indexes.as_str()),
            Self::DeletesWithoutIndex { pods } => words("Deleting {pods:pod} without a valid index").with("pods", *pods),
            Self::DeletesPending { matched, deadline, replaced } => matched.add_to(
                words(if *replaced {
                    "Replacing pod {pod}, which has waited {deadline} for {awaited}< ({reason})>: line {line} of the annotation {annotation}"
                } else {
                    "Failing pod {pod}, which has waited {deadline} for {awaited}< ({reason})>: line {line} of the annotation {annotation}"
                }),
                *deadline,
            ),
            Self::Creates { pods, batches, numbers } => {
                let wording = words(wanted!("Creating {pods:pod}< in batches of {batches}>")).with("pods", *pods);
                numbers.add_to(wording.with("batches", batches.as_deref()))
            }
            Self::CreatesIndexes { pods, indexes, batches, numbers } => {
                let wording = words(if *pods == 1 {
                    wanted!("Creating {pods:pod} for index {indexes}")
                } else {
                    wanted!("Creating {pods:pod} for indexes {indexes}< in batches of {batches}>")
                });
                numbers.add_to(wording.with("pods", *pods).with("indexes", indexes.as_str()).with("batches", batches.as_deref()))
            }
            Self::HasEnough(numbers) => numbers.add_to(words(match numbers.completions {
                Some(completions) if completions - numbers.succeeded < numbers.parallelism => {
                    "Not creating pods: {active} active and {succeeded} succeeded already cover {completions:completion}"
                }
                Some(_) | None => "Not creating pods: {active} active, and [parallelism] is {parallelism}",
            })),
            Self::NoIndexLeft(numbers) => {
                numbers.add_to(words("Not creating pods: {active} active, {wanted} wanted, but every other index has finished"))
            }
            Self::WaitsForTerminating { terminating, missing } => {
                words("Waiting for {terminating:pod} to finish before creating {missing:replacement}")
                    .with("terminating", *terminating)
                    .with("missing", *missing)
            }
            Self::DrainsWorkQueue { succeeded, active } => {
                let wording = words(if *active == 0 {
                    "Not creating pods: {succeeded:pod} succeeded, so the work is done"
                } else {
                    "Not creating pods: {succeeded:pod} succeeded, so the work is done; {active} active may finish on their own"
                });
                wording.with("succeeded", *succeeded).with("active", *active)
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
            Self::DeletesBeyondCompletions { .. } => Source::action("Elastic Indexed Jobs", "J-107", BOTH),
            Self::DeletesDuplicates { .. } | Self::DeletesWithoutIndex { .. } => {
                Source::action("Completion mode", "J-107", &["spec.completions", "spec.completionMode"])
            }
            Self::DeletesPending { .. } => Source::action("Handling Pod and container failures", "X-7", &["metadata.annotations"]),
            Self::Creates { .. } => Source::action(PARALLELISM, "J-83", BOTH),
            Self::CreatesIndexes { .. } => Source::action("Completion mode", "J-101", BOTH),
            Self::HasEnough(_) => Source::routine(PARALLELISM, "J-83", BOTH),
            Self::NoIndexLeft(_) => Source::wait("Backoff limit per index", "J-101", &["spec.backoffLimitPerIndex"]),
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

/// The words for surplus pods; the first few are named.
fn surplus(pods: usize, first: &[(Text, Option<&'static str>)], numbers: Wanted) -> Wording {
    let names = [("pod", "because"), ("pod2", "because2"), ("pod3", "because3")];
    let mut wording = words(wanted!("Deleting< {pod}>< ({because})><, {pod2}>< ({because2})><, {pod3}>< ({because3})>< and {more} more>"));
    for ((pod, because), (name, rule)) in names.into_iter().zip(first) {
        wording = wording.object(pod, Kind::Pod, name).with(because, *rule);
    }
    let more = Some(pods - first.len()).filter(|more| *more > 0);
    numbers.add_to(wording.with("pods", pods).with("more", more))
}
