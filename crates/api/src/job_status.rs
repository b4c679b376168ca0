//! What a Job's controller reports.
//!
//! Docs: Jobs, "Terminal Job conditions", "Job tracking with finalizers" (J-134a…J-134i). Which of it the API server accepts is in `admission::validation`.

use serde::Serialize;

use crate::json::Read;
use crate::meta::is_default;
use crate::{Text, Timestamp, time};

/// Types of a Job's conditions.
pub mod conditions {
    /// No pods run because `spec.suspend` is set.
    pub const SUSPENDED: &str = "Suspended";
    /// The Job succeeded and its pods have ended.
    pub const COMPLETE: &str = "Complete";
    /// The Job failed and its pods have ended.
    pub const FAILED: &str = "Failed";
    /// The Job is about to fail: its pods are being ended.
    pub const FAILURE_TARGET: &str = "FailureTarget";
    /// The Job is about to be complete: its pods are being ended.
    pub const SUCCESS_CRITERIA_MET: &str = "SuccessCriteriaMet";
}

/// `status` of a Job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobStatus {
    /// The conditions, in the order in which they came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<JobCondition>,
    /// When the controller first acted on the Job while it was not suspended.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::seconds")]
    pub start_time: Option<Timestamp>,
    /// When the Job was complete.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::seconds")]
    pub completion_time: Option<Timestamp>,
    /// Pods that are pending or running and not being deleted.
    #[serde(skip_serializing_if = "is_default")]
    pub active: i32,
    /// Pods (Indexed: indexes) that succeeded and are counted.
    #[serde(skip_serializing_if = "is_default")]
    pub succeeded: i32,
    /// Pods that failed and are counted.
    #[serde(skip_serializing_if = "is_default")]
    pub failed: i32,
    /// Pods that are being deleted and have not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminating: Option<i32>,
    /// Indexes that succeeded, as in `1,3-5,7`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub completed_indexes: Text,
    /// Indexes that failed, with `backoffLimitPerIndex` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_indexes: Option<Text>,
    /// Pods that have ended, are not in the counters yet, and may still carry the finalizer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted_terminated_pods: Option<UncountedTerminatedPods>,
    /// Active pods that are ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<i32>,
}

/// UIDs of pods on their way into the counters (J-124).
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
pub struct UncountedTerminatedPods {
    /// Those that succeeded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub succeeded: Vec<Text>,
    /// Those that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Text>,
}

impl UncountedTerminatedPods {
    /// Whether nothing is on its way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.succeeded.is_empty() && self.failed.is_empty()
    }

    /// How many pods are on their way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.succeeded.len() + self.failed.len()
    }
}

/// One condition of a Job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobCondition {
    /// Its type, one of [`conditions`].
    #[serde(rename = "type")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    pub status: Text,
    /// When it was last probed.
    #[serde(serialize_with = "time::seconds")]
    pub last_probe_time: Option<Timestamp>,
    /// When its status last changed.
    #[serde(serialize_with = "time::seconds")]
    pub last_transition_time: Option<Timestamp>,
    /// Why, in one word.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: Text,
    /// Why, in a sentence.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub message: Text,
}

impl JobCondition {
    /// Whether its type is Complete.
    #[must_use]
    pub fn complete(&self) -> bool {
        &*self.kind == conditions::COMPLETE
    }
}
