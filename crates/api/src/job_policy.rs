//! A Job's policies: what its failed pods mean, and when it has succeeded early.
//!
//! Docs: Jobs, "Pod failure policy", "Success policy" (A-80…A-100, J-116). Which rule matches a failed pod is in `pod_failure.rs`; what follows for the
//! Job is decided in `controllers`.

use serde::Serialize;

use crate::Text;
use crate::indexes::IndexSet;
use crate::json::Read;

/// `spec.podFailurePolicy`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
pub struct PodFailurePolicy {
    /// The rules; the first that matches a failed pod decides.
    pub rules: Vec<PodFailurePolicyRule>,
}

/// One rule of a pod failure policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodFailurePolicyRule {
    /// `FailJob`, `FailIndex`, `Ignore` or `Count`.
    pub action: Text,
    /// Matches by exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_exit_codes: Option<OnExitCodes>,
    /// Matches by pod condition; any of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_pod_conditions: Vec<OnPodCondition>,
}

/// Exit codes that a rule matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OnExitCodes {
    /// The only container whose exit code counts; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_name: Option<Text>,
    /// `In` or `NotIn`.
    pub operator: Text,
    /// The codes.
    pub values: Vec<i32>,
}

/// A pod condition that a rule matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OnPodCondition {
    /// The condition's type.
    #[serde(rename = "type")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    pub status: Text,
}

/// `spec.successPolicy`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
pub struct SuccessPolicy {
    /// The rules; the first that is met ends the Job.
    pub rules: Vec<SuccessPolicyRule>,
}

/// One rule of a success policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SuccessPolicyRule {
    /// The indexes that count, as in `1,3-5`; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_indexes: Option<Text>,
    /// How many of them must have succeeded; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_count: Option<i32>,
}

impl SuccessPolicy {
    /// The first rule that is met when these of the Job's indexes have succeeded (J-116).
    #[must_use]
    pub fn met(&self, succeeded: &IndexSet, completions: u32) -> Option<usize> {
        if succeeded.is_empty() {
            return None;
        }
        self.rules.iter().position(|rule| {
            let enough = |succeeded: u32| rule.succeeded_count.is_some_and(|count| i64::from(succeeded) >= i64::from(count));
            let Some(text) = &rule.succeeded_indexes else { return enough(succeeded.len()) };
            let listed = IndexSet::parse_leniently(text, completions);
            let succeeded = succeeded.common(&listed);
            !listed.is_empty() && (succeeded == listed.len() || enough(succeeded))
        })
    }
}
