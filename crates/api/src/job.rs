//! A Job: its desired state, and what its controller reports.
//!
//! Docs: Jobs, "Writing a Job spec", "Job termination and cleanup". Policies are in `job_policy.rs`, the status
//! in `job_status.rs`; defaults and rules are in `admission`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use crate::job_policy::{OnExitCodes, OnPodCondition, PodFailurePolicy, PodFailurePolicyRule, SuccessPolicy, SuccessPolicyRule};
pub use crate::job_status::{JobCondition, JobStatus, UncountedTerminatedPods, conditions};
use crate::json::{JsonValue, Read, ReadError};
use crate::meta::names;
pub use crate::pod_failure::{MatchedPart, PodFailurePolicyAction, RuleMatch};
use crate::selector::LabelSelector;
use crate::{ObjectMeta, Text, Timestamp, time};

/// A Job.
#[derive(Debug, Clone, Default, PartialEq, Read, Serialize)]
pub struct Job {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: JobSpec,
    /// What the controller reports.
    pub status: JobStatus,
}

impl Job {
    /// The condition of this type, if it holds.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&JobCondition> {
        self.status.conditions.iter().find(|condition| &*condition.kind == kind && &*condition.status == "True")
    }

    /// Whether a controller other than Kubernetes' own and these manages it.
    #[must_use]
    pub fn managed_elsewhere(&self) -> bool {
        let known = |manager: &str| manager == names::BUILT_IN_CONTROLLER || manager.starts_with(names::OWN_DOMAIN);
        self.spec.managed_by.as_ref().is_some_and(|manager| !known(manager))
    }

    /// Whether the Job is Complete or Failed; `FailureTarget` is not an end yet.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finished_by().is_some()
    }

    /// The condition by which the Job finished: the first that says so.
    #[must_use]
    pub fn finished_by(&self) -> Option<&JobCondition> {
        let ends = |condition: &&JobCondition| matches!(&*condition.kind, conditions::COMPLETE | conditions::FAILED);
        self.status.conditions.iter().filter(|condition| &*condition.status == "True").find(ends)
    }

    /// The time that its CronJob scheduled it for, read from its annotation; `None` if there is no annotation, or if it is not a valid time.
    #[must_use]
    pub fn scheduled_at(&self) -> Option<Timestamp> {
        time::parse(self.metadata.annotations.get(names::SCHEDULED_TIMESTAMP)?)
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

/// `spec` of a Job.
#[derive(Debug, Clone, Default, PartialEq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
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
    /// How many failed pods the Job tolerates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_limit: Option<i32>,
    /// How many failed pods each index tolerates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff_limit_per_index: Option<i32>,
    /// How many failed indexes the Job tolerates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_failed_indexes: Option<i32>,
    /// Which pods are the Job's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// Whether the selector is the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manual_selector: Option<bool>,
    /// What pods look like, as it came.
    #[read(with = Template::read)]
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

/// A pod template, or a Job's `spec` in a template, kept as the JSON text that came.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Template(pub Box<RawValue>);

impl Template {
    /// Keeps the text that comes; for `null` that of an empty object.
    ///
    /// # Errors
    /// If it is not valid JSON.
    pub fn read(&mut self, value: JsonValue<'_>) -> Result<(), ReadError> {
        *self = value.raw()?.map(Self).unwrap_or_default();
        Ok(())
    }

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
