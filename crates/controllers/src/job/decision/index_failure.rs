//! What a failure means for its index.
//!
//! Docs: Jobs, "Backoff limit per index", "Pod failure policy" (J-111, J-113). What its pods count as is in `tracking.rs`.

use api::annotation::RETRY_WITHIN;
use api::{Duration, Text};
use strum::{EnumIter, IntoStaticStr};

use super::failure_match::failed;
use super::{FailureMatch, PendingMatch, PolicyMatch};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Whether an index fails, and why.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum IndexFailure {
    /// A pod that failed is kept until the next pod of its index is there.
    HoldsFailure {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: u32,
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
    /// An index has failed by a rule of the pod failure policy: no more pods for it.
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
    /// An index has failed by a line of an annotation: no more pods for it.
    FailsIndexByRule {
        /// The index.
        index: u32,
        /// Its last pod, and the line.
        matched: FailureMatch,
    },
}

impl Topic for IndexFailure {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::HoldsFailure { pod, index } => {
                words("Not counting failed pod {pod} until its replacement for index {index} exists and has inherited its failure count")
                    .pod(pod)
                    .with("index", *index)
            }
            Self::FailsIndex { index, pod, failures, limit } => {
                words("Index {index} failed: {failures:failure}; [backoffLimitPerIndex] allows {limit}")
                    .pod(pod)
                    .with("index", *index)
                    .with("failures", *failures)
                    .with("limit", *limit)
            }
            Self::FailsIndexByPending { index, matched, deadline } => matched
                .add_to(words("Index {index} failed: pod {pod} has waited {deadline} for {awaited}< ({reason})>, which matches line {line} of the annotation {annotation} (fail the index)"), *deadline)
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
            Self::FailsIndexByRule { index, matched } => {
                matched.words(failed!("Index {index} failed: pod {pod}")).with("index", *index)
            }
        }
    }

    fn source(&self) -> Source {
        const PER_INDEX: &str = "Backoff limit per index";
        const POLICY: &str = "Pod failure policy";
        match self {
            Self::HoldsFailure { .. } => Source::wait(PER_INDEX, "J-111", &["spec.backoffLimitPerIndex"]),
            Self::FailsIndex { .. } => Source::action(PER_INDEX, "J-113", &["spec.backoffLimitPerIndex"]),
            Self::FailsIndexByPending { .. } => Source::action(PER_INDEX, "X-7", &["metadata.annotations"]),
            Self::FailsIndexByTime { .. } => Source::action(PER_INDEX, "X-10", &["metadata.annotations"]),
            Self::FailsIndexByPolicy { .. } => Source::action(POLICY, "J-113", &["spec.podFailurePolicy", "spec.backoffLimitPerIndex"]),
            Self::FailsIndexByRule { .. } => Source::action(POLICY, "X-6", &["metadata.annotations"]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
