//! A Job: what was asked for, and what its controller reports.
//!
//! Docs: Jobs, "Writing a Job spec", "Job termination and cleanup". Defaults are in `defaults.rs`, the rules in `validation/`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::meta::{is_zero, or_default};
use crate::selector::LabelSelector;
use crate::{ObjectMeta, Text, Timestamp, time};

/// A Job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Metadata.
    #[serde(default, deserialize_with = "or_default")]
    pub metadata: ObjectMeta,
    /// What was asked for.
    #[serde(default, deserialize_with = "or_default")]
    pub spec: JobSpec,
    /// What the controller reports.
    #[serde(default, deserialize_with = "or_default")]
    pub status: JobStatus,
}

impl Job {
    /// The condition of this type, if it holds.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&JobCondition> {
        self.status.conditions.iter().find(|condition| &*condition.kind == kind && &*condition.status == "True")
    }

    /// Whether the Job is Complete or Failed; `FailureTarget` is not an end yet.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.condition(conditions::COMPLETE).or_else(|| self.condition(conditions::FAILED)).is_some()
    }

    /// Whether each completion has an index of its own.
    #[must_use]
    pub fn indexed(&self) -> bool {
        self.spec.completion_mode.as_deref() == Some(INDEXED)
    }

    /// Whether the Job is suspended.
    #[must_use]
    pub fn suspended(&self) -> bool {
        self.spec.suspend == Some(true)
    }
}

/// The completion mode in which all completions are alike.
pub const NON_INDEXED: &str = "NonIndexed";
/// The completion mode in which each completion has an index.
pub const INDEXED: &str = "Indexed";

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

/// `spec` of a Job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JobSpec {
    /// How many pods may run at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallelism: Option<i32>,
    /// How many pods must succeed; absent: one success ends the Job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completions: Option<i32>,
    /// Seconds that the Job may be active.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_deadline_seconds: Option<i64>,
    /// What failed pods mean for the Job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_failure_policy: Option<PodFailurePolicy>,
    /// When an Indexed Job has succeeded before all of its indexes have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success_policy: Option<SuccessPolicy>,
    /// How many failed pods the Job bears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_limit: Option<i32>,
    /// How many failed pods each index bears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_limit_per_index: Option<i32>,
    /// How many failed indexes the Job bears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_failed_indexes: Option<i32>,
    /// Which pods are the Job's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// Whether the selector is the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manual_selector: Option<bool>,
    /// What pods look like, as it came.
    #[serde(deserialize_with = "or_empty_template")]
    pub template: Template,
    /// Seconds after its end at which the Job is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_seconds_after_finished: Option<i32>,
    /// `NonIndexed` or `Indexed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion_mode: Option<Text>,
    /// Whether the Job's pods are to be taken away for now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspend: Option<bool>,
    /// When a pod that goes is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_replacement_policy: Option<Text>,
    /// Which controller the Job belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub managed_by: Option<Text>,
}

/// A pod template, kept as the JSON text that came.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Template(pub Box<RawValue>);

impl Template {
    /// The template's JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        self.0.get()
    }
}

impl Default for Template {
    fn default() -> Self {
        Self(RawValue::from_string("{}".to_owned()).expect("{} is JSON"))
    }
}

impl From<serde_json::Map<String, serde_json::Value>> for Template {
    fn from(fields: serde_json::Map<String, serde_json::Value>) -> Self {
        Self(serde_json::value::to_raw_value(&fields).expect("fields that were read can be written"))
    }
}

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

fn or_empty_template<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Template, D::Error> {
    let template = Template::deserialize(deserializer)?;
    Ok(if template.json() == "null" { Template::default() } else { template })
}

/// `spec.podFailurePolicy`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PodFailurePolicy {
    /// The rules; the first that matches a failed pod decides.
    #[serde(deserialize_with = "or_default")]
    pub rules: Vec<PodFailurePolicyRule>,
}

/// One rule of a pod failure policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodFailurePolicyRule {
    /// `FailJob`, `FailIndex`, `Ignore` or `Count`.
    #[serde(deserialize_with = "or_default")]
    pub action: Text,
    /// Matches by exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_exit_codes: Option<OnExitCodes>,
    /// Matches by pod condition; any of them.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub on_pod_conditions: Vec<OnPodCondition>,
}

/// Exit codes that a rule matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OnExitCodes {
    /// The only container that is looked at; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_name: Option<Text>,
    /// `In` or `NotIn`.
    #[serde(deserialize_with = "or_default")]
    pub operator: Text,
    /// The codes.
    #[serde(deserialize_with = "or_default")]
    pub values: Vec<i32>,
}

/// A pod condition that a rule matches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OnPodCondition {
    /// The condition's type.
    #[serde(rename = "type", deserialize_with = "or_default")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "or_default")]
    pub status: Text,
}

/// `spec.successPolicy`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SuccessPolicy {
    /// The rules; the first that is met ends the Job.
    #[serde(deserialize_with = "or_default")]
    pub rules: Vec<SuccessPolicyRule>,
}

/// One rule of a success policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SuccessPolicyRule {
    /// The indexes that are looked at, as in `1,3-5`; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_indexes: Option<Text>,
    /// How many of them must have succeeded; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub succeeded_count: Option<i32>,
}

/// `status` of a Job.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JobStatus {
    /// The conditions, in the order in which they came.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub conditions: Vec<JobCondition>,
    /// When the controller first acted on the Job while it was not suspended.
    #[serde(skip_serializing_if = "Option::is_none", with = "time::seconds")]
    pub start_time: Option<Timestamp>,
    /// When the Job was complete.
    #[serde(skip_serializing_if = "Option::is_none", with = "time::seconds")]
    pub completion_time: Option<Timestamp>,
    /// Pods that are pending or running and not being deleted.
    #[serde(skip_serializing_if = "is_zero", deserialize_with = "or_default")]
    pub active: i32,
    /// Pods (Indexed: indexes) that succeeded and are counted.
    #[serde(skip_serializing_if = "is_zero", deserialize_with = "or_default")]
    pub succeeded: i32,
    /// Pods that failed and are counted.
    #[serde(skip_serializing_if = "is_zero", deserialize_with = "or_default")]
    pub failed: i32,
    /// Pods that are being deleted and have not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminating: Option<i32>,
    /// Indexes that succeeded, as in `1,3-5,7`.
    #[serde(skip_serializing_if = "str::is_empty", deserialize_with = "or_default")]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UncountedTerminatedPods {
    /// Those that succeeded.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub succeeded: Vec<Text>,
    /// Those that failed.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JobCondition {
    /// Its type, one of [`conditions`].
    #[serde(rename = "type", deserialize_with = "or_default")]
    pub kind: Text,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "or_default")]
    pub status: Text,
    /// When it was last looked at.
    #[serde(with = "time::seconds")]
    pub last_probe_time: Option<Timestamp>,
    /// When its status last changed.
    #[serde(with = "time::seconds")]
    pub last_transition_time: Option<Timestamp>,
    /// Why, in one word.
    #[serde(skip_serializing_if = "str::is_empty", deserialize_with = "or_default")]
    pub reason: Text,
    /// Why, in a sentence.
    #[serde(skip_serializing_if = "str::is_empty", deserialize_with = "or_default")]
    pub message: Text,
}
