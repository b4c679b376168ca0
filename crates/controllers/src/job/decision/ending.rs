//! How a Job ends.
//!
//! Docs: Jobs, "Job termination and cleanup", "Terminal Job conditions", "Termination of Job pods", "Success policy" (J-46a…J-49, J-127).

use api::time::length;
use api::{Duration, Text};
use serde::Serialize;
use strum::{EnumIter, IntoStaticStr};

use super::{Source, Topic, count, milliseconds};

/// Why a Job ends, and how far it is on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, IntoStaticStr, EnumIter)]
#[serde(rename_all_fields = "camelCase")]
pub enum Ending {
    /// The Job was found to end before; that stands.
    StaysOnItsWay {
        /// The interim condition.
        condition: Text,
        /// Its reason.
        reason: Text,
    },
    /// A failed pod matches a rule that fails the Job.
    PodFailurePolicyMatched {
        /// The pod.
        pod: Text,
        /// The rule.
        rule: usize,
    },
    /// More pods failed than are allowed.
    BackoffLimitExceeded {
        /// How many failed.
        failed: i32,
        /// How many are allowed.
        limit: i32,
    },
    /// Containers were started again in place as often as is allowed.
    RestartLimitReached {
        /// How often.
        restarts: i32,
        /// How often is allowed.
        limit: i32,
    },
    /// The Job was active for too long.
    DeadlineExceeded {
        /// How long.
        #[serde(serialize_with = "milliseconds")]
        active: Duration,
        /// How long is allowed.
        #[serde(serialize_with = "milliseconds")]
        deadline: Duration,
    },
    /// More indexes failed than are allowed.
    MaxFailedIndexesExceeded {
        /// How many failed.
        failed: u32,
        /// How many are allowed.
        limit: i32,
    },
    /// All indexes ended, and some of them failed.
    FailedIndexes {
        /// How many failed.
        failed: u32,
        /// How many succeeded.
        succeeded: u32,
    },
    /// A rule of the success policy is met.
    SuccessPolicyMet {
        /// The rule.
        rule: usize,
        /// How many indexes succeeded.
        succeeded: u32,
    },
    /// As many pods succeeded as are to succeed.
    CompletionsReached {
        /// How many succeeded.
        succeeded: i32,
        /// How many are to; none: one is enough when no other is active.
        completions: Option<i32>,
    },
    /// Active pods of a Job that ends are deleted.
    EndsPods {
        /// How many.
        pods: usize,
    },
    /// The Job ends once its pods have ended.
    WaitsForPodsToEnd {
        /// The condition that it is to get.
        condition: &'static str,
        /// How many pods are being deleted.
        terminating: i32,
        /// How many pods are on their way into the counters.
        uncounted: usize,
    },
    /// The Job has succeeded while it was suspended and cannot end before it is resumed.
    WaitsForResumption,
    /// The Job gets its last condition.
    Finishes {
        /// The condition.
        condition: &'static str,
        /// Its reason.
        reason: Text,
    },
}

impl Topic for Ending {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn sentence(&self) -> String {
        match self {
            Self::StaysOnItsWay { condition, reason } => format!("The Job has {condition} with reason {reason}, and that stands"),
            Self::PodFailurePolicyMatched { pod, rule } => {
                format!("The Job fails: rule {rule} of podFailurePolicy says FailJob for pod {pod}")
            }
            Self::BackoffLimitExceeded { failed, limit } => {
                format!("The Job fails: {} failed; backoffLimit allows {limit}", count(*failed, "pod"))
            }
            Self::RestartLimitReached { restarts, limit } => {
                format!("The Job fails: containers were started again {}; backoffLimit is {limit}", times(*restarts))
            }
            Self::DeadlineExceeded { active, deadline } => {
                format!("The Job fails: it has been active for {}; activeDeadlineSeconds allows {}", length(*active), length(*deadline))
            }
            Self::MaxFailedIndexesExceeded { failed, limit } => {
                format!("The Job fails: {} failed; maxFailedIndexes allows {limit}", count(*failed, "index"))
            }
            Self::FailedIndexes { failed, succeeded } => {
                format!("The Job fails: all indexes have ended, {succeeded} succeeded and {failed} failed")
            }
            Self::SuccessPolicyMet { rule, succeeded } => {
                format!("The Job succeeds: rule {rule} of successPolicy is met, with {} that succeeded", count(*succeeded, "index"))
            }
            Self::CompletionsReached { succeeded, completions: Some(completions) } => {
                format!("The Job succeeds: {succeeded} of {} succeeded, and no pod is active", count(*completions, "completion"))
            }
            Self::CompletionsReached { succeeded, completions: None } => {
                format!("The Job succeeds: {} succeeded, and no other is active", count(*succeeded, "pod"))
            }
            Self::EndsPods { pods } => format!("Deletes {}: the Job ends", count(*pods, "active pod")),
            Self::WaitsForPodsToEnd { condition, terminating, uncounted } if *terminating > 0 => format!(
                "The Job is not {condition} yet: {} must end first{}",
                count(*terminating, "pod"),
                if *uncounted > 0 { format!(", and {} must be counted", count(*uncounted, "pod")) } else { String::new() }
            ),
            Self::WaitsForPodsToEnd { condition, uncounted, .. } => {
                format!("The Job is not {condition} yet: {} must be counted first", count(*uncounted, "pod"))
            }
            Self::WaitsForResumption => {
                "The Job is not Complete yet: it is suspended, and a Job without startTime cannot end before it is resumed".to_owned()
            }
            Self::Finishes { condition, reason } => format!("The Job is {condition}: {reason}"),
        }
    }

    fn source(&self) -> Source {
        const TERMINATION: &str = "Termination of Job pods";
        const BACKOFF: &str = "Pod backoff failure policy";
        const PER_INDEX: &str = "Backoff limit per index";
        match self {
            Self::StaysOnItsWay { .. } => Source::new(false, TERMINATION, "J-46a", &[]),
            Self::PodFailurePolicyMatched { .. } => Source::new(true, "Pod failure policy", "J-46c", &["spec.podFailurePolicy.rules"]),
            Self::BackoffLimitExceeded { .. } => Source::new(true, BACKOFF, "J-46d", &["spec.backoffLimit"]),
            Self::RestartLimitReached { .. } => {
                Source::new(true, BACKOFF, "J-82", &["spec.backoffLimit", "spec.template.spec.restartPolicy"])
            }
            Self::DeadlineExceeded { .. } => Source::new(true, "Job termination and cleanup", "J-46e", &["spec.activeDeadlineSeconds"]),
            Self::MaxFailedIndexesExceeded { .. } => Source::new(true, PER_INDEX, "J-46f", &["spec.maxFailedIndexes"]),
            Self::FailedIndexes { .. } => Source::new(true, PER_INDEX, "J-46g", &["spec.backoffLimitPerIndex"]),
            Self::SuccessPolicyMet { .. } => Source::new(true, "Success policy", "J-46h", &["spec.successPolicy.rules"]),
            Self::CompletionsReached { .. } => Source::new(true, "Parallel execution for Jobs", "J-49", &["spec.completions"]),
            Self::EndsPods { .. } => Source::new(true, TERMINATION, "J-47", &[]),
            Self::WaitsForPodsToEnd { .. } => Source::new(false, "Terminal Job conditions", "J-127", &[]),
            Self::WaitsForResumption => Source::new(false, "Suspending a Job", "J-122", &["spec.suspend"]),
            Self::Finishes { .. } => Source::new(true, "Terminal Job conditions", "J-127", &[]),
        }
    }
}

fn times(number: i32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}
