//! What an ended pod counts as.
//!
//! Docs: Jobs, "Job tracking with finalizers", "Pod failure policy", "Backoff limit per index" (J-96…J-111, J-124, J-125). Why indexes fail is in
//! `index_failure.rs`.

use std::borrow::Cow;

use api::Text;
use strum::{EnumIter, IntoStaticStr};

use super::failure_match::failed;
use super::{FailureMatch, PolicyMatch};
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
        because: Cow<'static, str>,
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
    /// A pod that failed matches a line of an annotation.
    RuleMatched {
        /// The pod, and the line.
        matched: FailureMatch,
        /// Whether it counts as failed, which another decision says then.
        counts: bool,
    },
    /// A failed pod that is being deleted is kept until another one carries what follows from it.
    KeepsFailedPod {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
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
                    .with("because", &**because)
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
            Self::RuleMatched { matched, counts } => {
                matched.words(if *counts { failed!("Pod {pod}") } else { failed!("Not counting failed pod {pod}: it") })
            }
            Self::KeepsFailedPod { pod, index } => {
                words("Keeping failed pod {pod}, which is being deleted, until another pod carries what follows from it")
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
        match self {
            Self::CountsSuccess { .. } => Source::action(TRACKING, "J-124", &["spec.completions"]),
            Self::CountsFailure { .. } => Source::action("Pod backoff failure policy", "J-124", &["spec.backoffLimit"]),
            Self::CountsFailureByPolicy { .. } => Source::action(POLICY, "J-96", RULES),
            Self::IgnoresFailure { .. } => Source::action(POLICY, "J-100", RULES),
            Self::RuleMatched { .. } => Source::action(POLICY, "X-6", &["metadata.annotations"]),
            Self::KeepsFailedPod { .. } => Source::wait(POLICY, "X-6", &["metadata.annotations"]),
            Self::DropsUnknownIndex { .. } => Source::action("Completion mode", "J-108", &["spec.completions"]),
            Self::DropsIndexes { .. } => Source::action("Elastic Indexed Jobs", "J-106", &["spec.completions"]),
            Self::CountedOtherwise { .. } => Source::wait(TRACKING, "J-124", &[]),
            Self::ReleasesUncounted { .. } => Source::action(TRACKING, "J-51", &["metadata.deletionTimestamp"]),
            Self::LimitsCounting { .. } => Source::wait(TRACKING, "J-125", &[]),
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
