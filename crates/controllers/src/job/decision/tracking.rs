//! What an ended pod counts as.
//!
//! Docs: Jobs, "Job tracking with finalizers", "Pod failure policy", "Backoff limit per index" (J-96…J-113, J-124, J-125).

use api::annotation::RETRY_WITHIN;
use api::{Duration, Text};
use strum::{EnumIter, IntoStaticStr};

use super::{PendingMatch, PolicyMatch};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// A pod that counts as failed: with the exit code, and with the container if the pod has others.
const COUNTING_FAILURE: &str =
    "Counting pod {pod} as failed< with exit code {exitCode}>< of container {container}>< (DisruptionTarget: {reason})>: {because}";

/// How pods come into the counters.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum Tracking {
    /// A pod counts as succeeded.
    CountsSuccess {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
    },
    /// A pod counts as failed.
    CountsFailure {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
        /// The exit code of the first container that failed.
        exit_code: Option<i32>,
        /// That container, if the pod has others.
        container: Option<Text>,
        /// Why the pod was ended from outside, if it was: the reason of its condition DisruptionTarget.
        disruption: Option<Text>,
        /// Why it counts, as part of a sentence.
        because: &'static str,
    },
    /// A pod counts as failed, by a rule of the pod failure policy.
    CountsFailureByPolicy {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
        /// The rule.
        rule: usize,
        /// Its action.
        action: &'static str,
        /// What it matched.
        by: PolicyMatch,
    },
    /// A pod that failed does not count.
    IgnoresFailure {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
        /// The rule of the pod failure policy that decides it.
        rule: usize,
        /// What it matched.
        by: PolicyMatch,
    },
    /// A pod that failed is kept until the next pod of its index is there.
    HoldsFailure {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: u32,
    },
    /// A pod that ended has no index of this Job.
    DropsUnknownIndex {
        /// The pod.
        pod: Text,
    },
    /// Indexes that were counted are beyond the completions, which were lowered.
    DropsIndexes {
        /// The indexes, as in `1,3-5`.
        indexes: String,
        /// How many they are.
        count: u32,
        /// As what they were counted.
        counted: &'static str,
        /// How many completions there are to be.
        completions: u32,
    },
    /// A pod that is listed as counted shows another end than the one it was counted with.
    CountedOtherwise {
        /// The pod.
        pod: Text,
        /// As what it is listed.
        counted: &'static str,
    },
    /// Pods lose their finalizer without being counted.
    ReleasesUncounted {
        /// How many.
        pods: usize,
    },
    /// Not all ended pods fit into one status write.
    LimitsCounting {
        /// How many fit.
        limit: usize,
    },
    /// An index has failed: no more pods for it.
    FailsIndex {
        /// The index.
        index: u32,
        /// Its last pod.
        pod: Text,
        /// How often it failed, with that pod.
        failures: u32,
        /// The limit.
        limit: i32,
    },
    /// An index failed, because its pod has not started in time.
    FailsIndexByPending {
        /// The index.
        index: u32,
        /// The pod, and the line that it meets.
        matched: PendingMatch,
        /// How long it might wait.
        deadline: Duration,
    },
    /// An index failed, because a pod failed after the time in which failed pods are replaced.
    FailsIndexByTime {
        /// The index.
        index: u32,
        /// Its pod.
        pod: Text,
        /// The time, since the Job's start time.
        within: Duration,
    },
    /// An index has failed by a rule: no more pods for it.
    FailsIndexByPolicy {
        /// The index.
        index: u32,
        /// Its last pod.
        pod: Text,
        /// The rule of the pod failure policy.
        rule: usize,
        /// What it matched.
        by: PolicyMatch,
    },
    /// Pods whose finalizer is gone come into the counters.
    Records {
        /// How many succeeded.
        succeeded: usize,
        /// How many failed.
        failed: usize,
    },
}

impl Topic for Tracking {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::CountsSuccess { pod, index: None } => words("Counting pod {pod} as succeeded").pod(pod),
            Self::CountsSuccess { pod, index: Some(index) } => {
                words("Counting index {index} as succeeded: pod {pod} succeeded").pod(pod).with("index", *index)
            }
            Self::CountsFailure { pod, index, exit_code, container, disruption, because } => {
                words(COUNTING_FAILURE)
                    .with("exitCode", *exit_code)
                    .with("container", container.as_deref())
                    .with("reason", disruption.as_deref())
                    .pod(pod)
                    .with("index", *index)
                    .with("because", *because)
            }
            Self::CountsFailureByPolicy { pod, index, rule, action, by } => by
                .words(
                    "Counting pod {pod} as failed: container {container} exited with code {exitCode}, which matches rule {rule} of [podFailurePolicy] ({action})",
                    "Counting pod {pod} as failed: its condition {condition}< ({reason})> matches rule {rule} of [podFailurePolicy] ({action})",
                )
                .pod(pod)
                .with("index", *index)
                .with("rule", *rule)
                .with("action", *action),
            Self::IgnoresFailure { pod, index, rule, by } => by
                .words(
                    "Not counting failed pod {pod}: container {container} exited with code {exitCode}, which matches rule {rule} of [podFailurePolicy] (Ignore)",
                    "Not counting failed pod {pod}: its condition {condition}< ({reason})> matches rule {rule} of [podFailurePolicy] (Ignore)",
                )
                .pod(pod)
                .with("index", *index)
                .with("rule", *rule),
            Self::HoldsFailure { pod, index } => {
                words("Not counting failed pod {pod} until its replacement for index {index} exists and has inherited its failure count")
                    .pod(pod)
                    .with("index", *index)
            }
            Self::DropsUnknownIndex { pod } => words("Not counting pod {pod}: its completion index is not valid for this Job").pod(pod),
            Self::DropsIndexes { indexes, count, counted, completions } => dropping(indexes, *count, counted, *completions),
            Self::CountedOtherwise { pod, counted } => {
                words("Not counting pod {pod} again: it is already listed as {counted}, which is final").pod(pod).with("counted", *counted)
            }
            Self::ReleasesUncounted { pods } => {
                words("Removing the finalizer from {pods:pod} that will not be counted: the Job is being deleted").with("pods", *pods)
            }
            Self::LimitsCounting { limit } => {
                words("Counting at most {limit:pod} in one status write; the rest follow in later writes").with("limit", *limit)
            }
            Self::FailsIndex { index, pod, failures, limit } => {
                words("Index {index} failed: {failures:failure}; [backoffLimitPerIndex] allows {limit}")
                    .pod(pod)
                    .with("index", *index)
                    .with("failures", *failures)
                    .with("limit", *limit)
            }
            Self::FailsIndexByPending { index, matched, deadline } => matched
                .add_to(words("Index {index} failed: pod {pod} has waited for {awaited} for {deadline}< ({reason})>, which matches line {line} of the annotation {annotation} (fail the index)"), *deadline)
                .with("index", *index),
            Self::FailsIndexByTime { index, pod, within } => {
                words("Index {index} failed: pod {pod} failed more than {within} after the start time; the annotation {annotation} allows no later retry")
                    .pod(pod)
                    .with("index", *index)
                    .with("within", *within)
                    .with("annotation", RETRY_WITHIN)
            }
            Self::FailsIndexByPolicy { index, pod, rule, by } => by
                .words(
                    "Index {index} failed: container {container} of pod {pod} exited with code {exitCode}, which matches rule {rule} of [podFailurePolicy] (FailIndex)",
                    "Index {index} failed: condition {condition}< ({reason})> of pod {pod} matches rule {rule} of [podFailurePolicy] (FailIndex)",
                )
                .pod(pod)
                .with("index", *index)
                .with("rule", *rule),
            Self::Records { succeeded, failed } => {
                words("Adding {succeeded} to succeeded and {failed} to failed: the pods have lost their finalizer")
                    .with("succeeded", *succeeded)
                    .with("failed", *failed)
            }
        }
    }

    fn source(&self) -> Source {
        const TRACKING: &str = "Job tracking with finalizers";
        const POLICY: &str = "Pod failure policy";
        const RULES: &[&str] = &["spec.podFailurePolicy"];
        const PER_INDEX: &str = "Backoff limit per index";
        const LIMIT: &[&str] = &["spec.backoffLimitPerIndex"];
        match self {
            Self::CountsSuccess { .. } => Source::action(TRACKING, "J-124", &["spec.completions"]),
            Self::CountsFailure { .. } => Source::action("Pod backoff failure policy", "J-124", &["spec.backoffLimit"]),
            Self::CountsFailureByPolicy { .. } => Source::action(POLICY, "J-96", RULES),
            Self::IgnoresFailure { .. } => Source::action(POLICY, "J-100", RULES),
            Self::HoldsFailure { .. } => Source::wait(PER_INDEX, "J-111", LIMIT),
            Self::DropsUnknownIndex { .. } => Source::action("Completion mode", "J-108", &["spec.completions"]),
            Self::DropsIndexes { .. } => Source::action("Elastic Indexed Jobs", "J-106", &["spec.completions"]),
            Self::CountedOtherwise { .. } => Source::wait(TRACKING, "J-124", &[]),
            Self::ReleasesUncounted { .. } => Source::action(TRACKING, "J-51", &["metadata.deletionTimestamp"]),
            Self::LimitsCounting { .. } => Source::wait(TRACKING, "J-125", &[]),
            Self::FailsIndex { .. } => Source::action(PER_INDEX, "J-113", LIMIT),
            Self::FailsIndexByPending { .. } => Source::action(PER_INDEX, "X-7", &["metadata.annotations"]),
            Self::FailsIndexByTime { .. } => Source::action(PER_INDEX, "X-10", &["metadata.annotations"]),
            Self::FailsIndexByPolicy { .. } => Source::action(POLICY, "J-113", &["spec.podFailurePolicy", "spec.backoffLimitPerIndex"]),
            Self::Records { .. } => Source::routine(TRACKING, "J-124", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}

/// The words for indexes that are beyond the completions.
fn dropping(indexes: &str, count: u32, counted: &'static str, completions: u32) -> Wording {
    let wording = words(if count == 1 {
        "Not counting index {indexes} as {counted} any longer: [completions] is {completions}"
    } else {
        "Not counting indexes {indexes} as {counted} any longer: [completions] is {completions}"
    });
    wording.with("indexes", indexes).with("counted", counted).with("completions", completions)
}
