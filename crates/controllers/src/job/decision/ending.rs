//! How a Job ends.
//!
//! Docs: Jobs, "Job termination and cleanup", "Terminal Job conditions", "Termination of Job pods", "Success policy" (J-46a…J-49, J-127).

use api::annotation::RETRY_WITHIN;
use api::{Duration, Text};
use strum::{EnumIter, IntoStaticStr};

use super::{PendingMatch, PolicyMatch};
use crate::runtime::decision::{Kinds, Source, Topic};
use crate::runtime::wording::{Wording, words};

/// Why a Job ends, and how far it is on its way.
#[derive(Debug, IntoStaticStr, EnumIter)]
pub(crate) enum EndingReason {
    /// An earlier sync found that the Job ends; that is final.
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
        /// What it matched.
        by: PolicyMatch,
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

const FAILED_BY_EXIT_CODE: &str = "The Job fails: container {container} of pod {pod} exited with code {exitCode}, which matches rule {rule} of [podFailurePolicy] (FailJob)";
const FAILED_BY_CONDITION: &str =
    "The Job fails: condition {condition}< ({reason})> of pod {pod} matches rule {rule} of [podFailurePolicy] (FailJob)";

impl Topic for EndingReason {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::StaysOnItsWay { condition, reason } => words("The Job is ending: it already has the condition {condition} ({reason})")
                .with("condition", &**condition)
                .with("reason", &**reason),
            Self::PodFailurePolicyMatched { pod, rule, by } => {
                by.words(FAILED_BY_EXIT_CODE, FAILED_BY_CONDITION).pod(pod).with("rule", *rule)
            }
            Self::BackoffLimitExceeded { failed, limit } => {
                words("The Job fails: {failed:pod} failed; [backoffLimit] allows {limit}").with("failed", *failed).with("limit", *limit)
            }
            Self::PendingDeadlinePassed { matched, deadline } => matched.add_to(
                words("The Job fails: pod {pod} has waited for {awaited} for {deadline}< ({reason})>, which matches line {line} of the annotation {annotation} (fail the Job)"),
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
            Self::EndsPods { pods } => words("Deleting {pods:active pod}: the Job is ending").with("pods", *pods),
            Self::WaitsForPodsToEnd { condition, terminating, uncounted } => {
                let template = match (*terminating > 0, *uncounted > 0) {
                    (true, true) => {
                        "Waiting for {terminating:pod} to finish and {uncounted:pod} to be counted before the Job is {condition}"
                    }
                    (true, false) => "Waiting for {terminating:pod} to finish before the Job is {condition}",
                    (false, _) => "Waiting for {uncounted:pod} to be counted before the Job is {condition}",
                };
                words(template).with("condition", *condition).with("terminating", *terminating).with("uncounted", *uncounted)
            }
            Self::WaitsForResumption => {
                words("Waiting for the Job to be resumed: a suspended Job without startTime cannot become Complete")
            }
            Self::Finishes { condition, reason } => {
                words("The Job is {condition} ({reason})").with("condition", *condition).with("reason", &**reason)
            }
        }
    }

    fn verdict(&self) -> Option<&'static str> {
        match self {
            Self::PodFailurePolicyMatched { .. } => Some("rule {rule} of [podFailurePolicy] matched"),
            Self::BackoffLimitExceeded { .. } => Some("[backoffLimit] ({limit}) exceeded"),
            Self::PendingDeadlinePassed { .. } => Some("pod waited for {awaited} for {deadline}"),
            Self::RetryTimeExceeded { .. } => Some("{annotation} ({within}) exceeded"),
            Self::RestartLimitReached { .. } => Some("[backoffLimit] ({limit}) reached after {restarts:restart}"),
            Self::DeadlineExceeded { .. } => Some("[activeDeadlineSeconds] ({deadline}) exceeded"),
            Self::MaxFailedIndexesExceeded { .. } => Some("[maxFailedIndexes] ({limit}) exceeded"),
            Self::FailedIndexes { .. } => Some("{failed:index} failed, {succeeded} succeeded"),
            Self::SuccessPolicyMet { .. } => Some("rule {rule} of [successPolicy] met"),
            Self::CompletionsReached { completions: Some(_), .. } => Some("{succeeded}/{completions} succeeded"),
            Self::CompletionsReached { completions: None, .. } => Some("{succeeded:pod} succeeded"),
            Self::StaysOnItsWay { .. }
            | Self::SuccessPolicyLost { .. }
            | Self::EndsPods { .. }
            | Self::WaitsForPodsToEnd { .. }
            | Self::WaitsForResumption
            | Self::Finishes { .. } => None,
        }
    }

    fn source(&self) -> Source {
        const TERMINATION: &str = "Termination of Job pods";
        const BACKOFF: &str = "Pod backoff failure policy";
        const PER_INDEX: &str = "Backoff limit per index";
        match self {
            Self::StaysOnItsWay { .. } => Source::wait(TERMINATION, "J-46a", &[]),
            Self::PodFailurePolicyMatched { .. } => Source::action("Pod failure policy", "J-46c", &["spec.podFailurePolicy"]),
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
            Self::EndsPods { .. } => Source::action(TERMINATION, "J-47", &[]),
            Self::WaitsForPodsToEnd { .. } => Source::wait("Terminal Job conditions", "J-127", &[]),
            Self::WaitsForResumption => Source::wait("Suspending a Job", "J-122", &["spec.suspend"]),
            Self::Finishes { .. } => Source::action("Terminal Job conditions", "J-127", &[]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        super::kinds()
    }
}
