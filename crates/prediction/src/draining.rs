//! What it costs a Job when one of its pods is evicted, as when a node is drained.
//!
//! Docs: Jobs, "Pod failure policy", "Handling retriable and non-retriable pod failures"; API-initiated Eviction (J-71, J-96…J-100, J-113). Which rule of a
//! policy matches is decided in `api`.

use api::Job;
use api::job::PodFailurePolicyAction;
use serde::Serialize;

use crate::failing::FailureReason;
use crate::pod_failure::{PodOutline, judged};

/// What follows if the first pod is evicted while its containers run, and they end when they are asked to, with 143.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Draining {
    /// The pod is replaced, and the failure does not count: the rule with this number ignores it, counted from 0.
    Ignored(usize),
    /// The pod is replaced, and counts as a failed one.
    Counts,
    /// The pod's index fails.
    FailsIndex,
    /// The Job fails.
    FailsJob(FailureReason),
}

impl Draining {
    /// What follows for a Job that runs pods, as the API server stores it.
    ///
    /// # Errors
    /// Why a node refuses its pods.
    pub fn of(job: &Job) -> Result<Self, String> {
        let pod = PodOutline::of(job)?.evicted_pod();
        let spec = &job.spec;
        let fails_index = match judged(job, &pod) {
            Some((PodFailurePolicyAction::Ignore, rule)) => return Ok(Self::Ignored(rule)),
            Some((PodFailurePolicyAction::FailJob, rule)) => return Ok(Self::FailsJob(FailureReason::PodFailurePolicy(rule))),
            Some((PodFailurePolicyAction::FailIndex, _)) => true,
            Some((PodFailurePolicyAction::Count, _)) | None => spec.backoff_limit_per_index == Some(0),
        };
        Ok(match () {
            () if spec.backoff_limit == Some(0) => Self::FailsJob(FailureReason::BackoffLimitExceeded),
            () if !fails_index => Self::Counts,
            () if spec.max_failed_indexes == Some(0) => Self::FailsJob(FailureReason::MaxFailedIndexesExceeded),
            () if spec.completions == Some(1) => Self::FailsJob(FailureReason::FailedIndexes),
            () => Self::FailsIndex,
        })
    }
}
