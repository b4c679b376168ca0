//! What an ended pod counts as.
//!
//! Docs: Jobs, "Job tracking with finalizers", "Pod failure policy", "Backoff limit per index" (J-96…J-113, J-124, J-125).

use api::Text;
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, count};

/// How pods come into the counters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Counting {
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
        /// Why it counts, as part of a sentence.
        because: &'static str,
    },
    /// A pod counts as failed, by a rule of the pod failure policy.
    CountsFailureByPolicy {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
        /// The exit code of the first container that failed.
        exit_code: Option<i32>,
        /// The rule.
        rule: usize,
        /// Its action.
        action: &'static str,
    },
    /// A pod that failed does not count.
    IgnoresFailure {
        /// The pod.
        pod: Text,
        /// Its completion index.
        index: Option<u32>,
        /// The exit code of the first container that failed.
        exit_code: Option<i32>,
        /// The rule of the pod failure policy that says so.
        rule: usize,
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
    /// An index has failed by a rule: no more pods for it.
    FailsIndexByPolicy {
        /// The index.
        index: u32,
        /// Its last pod.
        pod: Text,
        /// The rule of the pod failure policy.
        rule: usize,
    },
    /// Pods whose finalizer is gone come into the counters.
    Records {
        /// How many succeeded.
        succeeded: usize,
        /// How many failed.
        failed: usize,
    },
}

impl Topic for Counting {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::CountsSuccess { pod, index: None } => format!("Counts pod {pod} as succeeded"),
            Self::CountsSuccess { pod, index: Some(index) } => format!("Counts index {index} as succeeded: pod {pod} succeeded"),
            Self::CountsFailure { pod, exit_code, because, .. } => {
                format!("Counts pod {pod} as failed{}: {because}", exit(*exit_code))
            }
            Self::CountsFailureByPolicy { pod, exit_code, rule, action, .. } => {
                format!("Counts pod {pod} as failed{}: rule {rule} of podFailurePolicy says {action}", exit(*exit_code))
            }
            Self::IgnoresFailure { pod, exit_code, rule, .. } => {
                format!("Does not count pod {pod}, which failed{}: rule {rule} of podFailurePolicy says Ignore", exit(*exit_code))
            }
            Self::HoldsFailure { pod, index } => {
                format!(
                    "Keeps the failed pod {pod} uncounted until the next pod of index {index} is there: it carries the number of failures"
                )
            }
            Self::DropsUnknownIndex { pod } => format!("Does not count pod {pod}: it has no index of this Job"),
            Self::ReleasesUncounted { pods } => {
                format!("Takes the finalizer from {} without counting: the Job is being deleted", count(*pods, "pod"))
            }
            Self::LimitsCounting { limit } => {
                format!("Counts no more than {} in one write of the status; the others follow", count(*limit, "pod"))
            }
            Self::FailsIndex { index, failures, limit, .. } => {
                format!("Index {index} has failed: {}; backoffLimitPerIndex allows {limit}", count(*failures, "failure"))
            }
            Self::FailsIndexByPolicy { index, pod, rule } => {
                format!("Index {index} has failed: rule {rule} of podFailurePolicy says FailIndex for pod {pod}")
            }
            Self::Records { succeeded, failed } => {
                format!("Adds {succeeded} to succeeded and {failed} to failed: the pods have lost their finalizer")
            }
        }
    }

    fn source(&self) -> Source {
        const TRACKING: &str = "Job tracking with finalizers";
        const POLICY: &str = "Pod failure policy";
        const PER_INDEX: &str = "Backoff limit per index";
        match self {
            Self::CountsSuccess { .. } => Source::new(true, TRACKING, "J-124", &["spec.completions"]),
            Self::CountsFailure { .. } => Source::new(true, "Pod backoff failure policy", "J-124", &["spec.backoffLimit"]),
            Self::CountsFailureByPolicy { .. } => Source::new(true, POLICY, "J-96", &["spec.podFailurePolicy.rules"]),
            Self::IgnoresFailure { .. } => Source::new(true, POLICY, "J-100", &["spec.podFailurePolicy.rules"]),
            Self::HoldsFailure { .. } => Source::new(false, PER_INDEX, "J-111", &["spec.backoffLimitPerIndex"]),
            Self::DropsUnknownIndex { .. } => Source::new(true, "Completion mode", "J-108", &["spec.completions"]),
            Self::ReleasesUncounted { .. } => Source::new(true, TRACKING, "J-51", &["metadata.deletionTimestamp"]),
            Self::LimitsCounting { .. } => Source::new(false, TRACKING, "J-125", &[]),
            Self::FailsIndex { .. } => Source::new(true, PER_INDEX, "J-113", &["spec.backoffLimitPerIndex"]),
            Self::FailsIndexByPolicy { .. } => {
                Source::new(true, POLICY, "J-113", &["spec.podFailurePolicy.rules", "spec.backoffLimitPerIndex"])
            }
            Self::Records { .. } => Source::new(true, TRACKING, "J-124", &[]),
        }
    }
}

fn exit(code: Option<i32>) -> String {
    code.map(|code| format!(" with exit code {code}")).unwrap_or_default()
}
