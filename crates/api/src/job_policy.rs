//! A Job's policies: what its failed pods mean, and when it has succeeded early.
//!
//! Docs: Jobs, "Pod failure policy", "Success policy" (A-80…A-100). What follows from them is decided in `controllers`.

use serde::Serialize;

use crate::Text;
use crate::json::{Fault, Read, Value};

/// `spec.podFailurePolicy`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PodFailurePolicy {
    /// The rules; the first that matches a failed pod decides.
    pub rules: Vec<PodFailurePolicyRule>,
}

impl Read for PodFailurePolicy {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "rules" => value.read(&mut self.rules),
            _ => Ok(()),
        }
    }
}

/// One rule of a pod failure policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
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

impl Read for PodFailurePolicyRule {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "action" => value.read(&mut self.action),
            "onExitCodes" => value.read(&mut self.on_exit_codes),
            "onPodConditions" => value.read(&mut self.on_pod_conditions),
            _ => Ok(()),
        }
    }
}

/// Exit codes that a rule matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OnExitCodes {
    /// The only container that is looked at; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_name: Option<Text>,
    /// `In` or `NotIn`.
    pub operator: Text,
    /// The codes.
    pub values: Vec<i32>,
}

impl Read for OnExitCodes {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "containerName" => value.read(&mut self.container_name),
            "operator" => value.read(&mut self.operator),
            "values" => value.read(&mut self.values),
            _ => Ok(()),
        }
    }
}

/// A pod condition that a rule matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OnPodCondition {
    /// The condition's type.
    #[serde(rename = "type")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    pub status: Text,
}

impl Read for OnPodCondition {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "type" => value.read(&mut self.kind),
            "status" => value.read(&mut self.status),
            _ => Ok(()),
        }
    }
}

/// `spec.successPolicy`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SuccessPolicy {
    /// The rules; the first that is met ends the Job.
    pub rules: Vec<SuccessPolicyRule>,
}

impl Read for SuccessPolicy {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "rules" => value.read(&mut self.rules),
            _ => Ok(()),
        }
    }
}

/// One rule of a success policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SuccessPolicyRule {
    /// The indexes that are looked at, as in `1,3-5`; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_indexes: Option<Text>,
    /// How many of them must have succeeded; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_count: Option<i32>,
}

impl Read for SuccessPolicyRule {
    fn field(&mut self, name: &str, value: Value<'_>) -> Result<(), Fault> {
        match name {
            "succeededIndexes" => value.read(&mut self.succeeded_indexes),
            "succeededCount" => value.read(&mut self.succeeded_count),
            _ => Ok(()),
        }
    }
}
