//! Why a Job ends.
//!
//! Docs: Jobs, "Job termination and cleanup", "Success policy" (J-46…J-49). How far it is on its way is in `ending_progress.rs`.

use api::annotation::RETRY_WITHIN;
use api::{Duration, Text};
use strum::{EnumIter, IntoStaticStr};

use super::failure_match::failed;
use super::{FailureMatch, PendingMatch, PolicyMatch};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Why a Job ends.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum EndingReason {
    /// A failed pod matches a rule that fails the Job.
    PodFailurePolicyMatched {
        /// The pod.
        pod: Text,
        /// The rule.
        rule: usize,
        /// What it matched.
        by: PolicyMatch,
    },
    /// A failed pod matches a line of an annotation that fails the Job.
    FailedByRule {
        /// The pod, and the line.
        matched: FailureMatch,
    },
    /// More pods failed than are allowed.
    BackoffLimitExceeded {
        /// How many failed.
        failed: i32,
        /// How many are allowed.
        limit: i32,
    },
    /// A pod has not started in time, which fails the Job.
    PendingDeadlinePassed {
        /// The pod, and the line that it meets.
        matched: PendingMatch,
        /// How long it might wait.
        deadline: Duration,
    },
    /// A pod failed after the time in which failed pods are replaced.
    RetryTimeExceeded {
        /// The pod.
        pod: Text,
        /// The time, since the Job's start time.
        within: Duration,
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
        active: Duration,
        /// How long is allowed.
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
    /// A rule of the success policy is met, but the Job fails all the same.
    SuccessPolicyLost {
        /// The rule.
        rule: usize,
        /// The reason for which the Job fails.
        reason: Text,
    },
    /// As many pods succeeded as are to succeed.
    CompletionsReached {
        /// How many succeeded.
        succeeded: i32,
        /// How many are to; none: one is enough when no other is active.
        completions: Option<i32>,
    },
}

const FAILED_BY_EXIT_CODE: &str = "The Job fails: container {container} of pod {pod} exited with code {exitCode}, which matches rule {rule} of [podFailurePolicy] (FailJob)";
const FAILED_BY_CONDITION: &str =
    "The Job fails: condition {condition}< ({reason})> of pod {pod} matches rule {rule} of [podFailurePolicy] (FailJob)";

impl Topic for EndingReason {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::PodFailurePolicyMatched { pod, rule, by } => {
                by.words(FAILED_BY_EXIT_CODE, FAILED_BY_CONDITION).pod(pod).with("rule", *rule)
            }
            Self::FailedByRule { matched } => matched.words(failed!("The Job fails: pod {pod}")),
            Self::BackoffLimitExceeded { failed, limit } => {
                words("The Job fails: {failed:pod} failed; [backoffLimit] allows {limit}").with("failed", *failed).with("limit", *limit)
            }
            Self::PendingDeadlinePassed { matched, deadline } => matched.add_to(
                words("The Job fails: pod {pod} has waited {deadline} for {awaited}< ({reason})>, which matches line {line} of the annotation {annotation} (fail the Job)"),
                *deadline,
            ),
            Self::RetryTimeExceeded { pod, within } => {
                words("The Job fails: pod {pod} failed more than {within} after the start time; the annotation {annotation} allows no later retry")
                    .pod(pod)
                    .with("within", *within)
                    .with("annotation", RETRY_WITHIN)
            }
            Self::RestartLimitReached { restarts, limit } => {
                words("The Job fails: its containers restarted {restarts:time}; [backoffLimit] is {limit}")
                    .with("restarts", *restarts)
                    .with("limit", *limit)
            }
            Self::DeadlineExceeded { active, deadline } => {
                words("The Job fails: it has been active for {active}; [activeDeadlineSeconds] allows {deadline}")
                    .with("active", *active)
                    .with("deadline", *deadline)
            }
            Self::MaxFailedIndexesExceeded { failed, limit } => {
                words("The Job fails: {failed:index} failed; [maxFailedIndexes] allows {limit}")
                    .with("failed", *failed)
                    .with("limit", *limit)
            }
            Self::FailedIndexes { failed, succeeded } => {
                words("The Job fails: all indexes have finished, {succeeded} succeeded and {failed} failed")
                    .with("failed", *failed)
                    .with("succeeded", *succeeded)
            }
            Self::SuccessPolicyMet { rule, succeeded } => {
                words("The Job succeeds: rule {rule} of [successPolicy] is met with {succeeded:succeeded index}")
                    .with("rule", *rule)
                    .with("succeeded", *succeeded)
            }
            Self::SuccessPolicyLost { rule, reason } => {
                words("Rule {rule} of [successPolicy] is also met, but failure takes precedence ({reason})")
                    .with("rule", *rule)
                    .with("reason", &**reason)
            }
            Self::CompletionsReached { succeeded, completions: Some(completions) } => {
                words("The Job succeeds: {succeeded} of {completions:completion} reached, and no pod is active")
                    .with("succeeded", *succeeded)
                    .with("completions", *completions)
            }
            Self::CompletionsReached { succeeded, completions: None } => {
                words("The Job succeeds: {succeeded:pod} succeeded, and no other is active").with("succeeded", *succeeded)
            }
        }
    }

    fn verdict(&self) -> Option<&'static str> {
        match self {
            Self::PodFailurePolicyMatched { .. } => Some("rule {rule} of [podFailurePolicy] matched"),
            Self::FailedByRule { .. } => Some("line {line} of {annotation} matched"),
            Self::BackoffLimitExceeded { .. } => Some("[backoffLimit] ({limit}) exceeded"),
            Self::PendingDeadlinePassed { .. } => Some("pod waited {deadline} for {awaited}"),
            Self::RetryTimeExceeded { .. } => Some("{annotation} ({within}) exceeded"),
            Self::RestartLimitReached { .. } => Some("[backoffLimit] ({limit}) reached after {restarts:restart}"),
            Self::DeadlineExceeded { .. } => Some("[activeDeadlineSeconds] ({deadline}) exceeded"),
            Self::MaxFailedIndexesExceeded { .. } => Some("[maxFailedIndexes] ({limit}) exceeded"),
            Self::FailedIndexes { .. } => Some("{failed:index} failed, {succeeded} succeeded"),
            Self::SuccessPolicyMet { .. } => Some("rule {rule} of [successPolicy] met"),
            Self::CompletionsReached { completions: Some(_), .. } => Some("{succeeded}/{completions} succeeded"),
            Self::CompletionsReached { completions: None, .. } => Some("{succeeded:pod} succeeded"),
            Self::SuccessPolicyLost { .. } => None,
        }
    }

    fn source(&self) -> Source {
        const BACKOFF: &str = "Pod backoff failure policy";
        const PER_INDEX: &str = "Backoff limit per index";
        match self {
            Self::PodFailurePolicyMatched { .. } => Source::action("Pod failure policy", "J-46c", &["spec.podFailurePolicy"]),
            Self::FailedByRule { .. } => Source::action("Pod failure policy", "X-6", &["metadata.annotations"]),
            Self::BackoffLimitExceeded { .. } => Source::action(BACKOFF, "J-46d", &["spec.backoffLimit"]),
            Self::PendingDeadlinePassed { .. } => Source::action("Handling Pod and container failures", "X-7", &["metadata.annotations"]),
            Self::RetryTimeExceeded { .. } => Source::action(BACKOFF, "X-10", &["metadata.annotations"]),
            Self::RestartLimitReached { .. } => Source::action(BACKOFF, "J-82", &["spec.backoffLimit", "spec.template.spec.restartPolicy"]),
            Self::DeadlineExceeded { .. } => Source::action("Job termination and cleanup", "J-46e", &["spec.activeDeadlineSeconds"]),
            Self::MaxFailedIndexesExceeded { .. } => Source::action(PER_INDEX, "J-46f", &["spec.maxFailedIndexes"]),
            Self::FailedIndexes { .. } => Source::action(PER_INDEX, "J-46g", &["spec.backoffLimitPerIndex"]),
            Self::SuccessPolicyMet { .. } => Source::action("Success policy", "J-46h", &["spec.successPolicy"]),
            Self::SuccessPolicyLost { .. } => Source::wait("Success policy", "J-46", &["spec.successPolicy"]),
            Self::CompletionsReached { .. } => Source::action("Parallel execution for Jobs", "J-49", &["spec.completions"]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
