//! Metadata that every object has: name, labels, owners, finalizers, times.
//!
//! Docs: Objects in Kubernetes, "Owners and Dependents", "Finalizers". Selection by labels is in `selector.rs`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::json::Read;
use crate::sharing::Shared;
use crate::{Duration, Text, Timestamp, time};

/// The namespace of objects that name none.
pub const DEFAULT_NAMESPACE: &str = "default";

/// The longest grace period, in seconds, that is believed: of longer ones, no time could be computed.
const LONGEST_GRACE: i64 = 1_000_000_000;

/// Labels or annotations, sorted by key.
pub type Labels = BTreeMap<Text, Text>;

/// Names of the labels, annotations and finalizers that Jobs use.
pub mod names {
    /// The finalizer of a pod whose result has not been counted.
    pub const JOB_TRACKING: &str = "batch.kubernetes.io/job-tracking";
    /// The label and annotation with a pod's completion index.
    pub const COMPLETION_INDEX: &str = "batch.kubernetes.io/job-completion-index";
    /// The annotation with the failures of an index that count, before this pod (J-110).
    pub const INDEX_FAILURE_COUNT: &str = "batch.kubernetes.io/job-index-failure-count";
    /// The annotation with the failures of an index that a policy ignored, before this pod (J-110).
    pub const INDEX_IGNORED_FAILURE_COUNT: &str = "batch.kubernetes.io/job-index-ignored-failure-count";
    /// The generated label with the Job's UID.
    pub const CONTROLLER_UID: &str = "batch.kubernetes.io/controller-uid";
    /// The older label with the Job's UID.
    pub const LEGACY_CONTROLLER_UID: &str = "controller-uid";
    /// The generated label with the Job's name.
    pub const JOB_NAME: &str = "batch.kubernetes.io/job-name";
    /// The older label with the Job's name.
    pub const LEGACY_JOB_NAME: &str = "job-name";
    /// The environment variable with a pod's completion index (J-103).
    pub const INDEX_VARIABLE: &str = "JOB_COMPLETION_INDEX";
    /// The annotation of a CronJob's Job with the time for which it was scheduled (C-31).
    pub const SCHEDULED_TIMESTAMP: &str = "batch.kubernetes.io/cronjob-scheduled-timestamp";
    /// The label of a Job that names its queue in Kueue.
    pub const QUEUE_NAME: &str = "kueue.x-k8s.io/queue-name";
    /// The `managedBy` value of the built-in Job controller.
    pub const BUILT_IN_CONTROLLER: &str = "kubernetes.io/job-controller";
    /// The finalizer that stands in for [`JOB_TRACKING`] where a Job controller has a name of its own.
    pub const OWN_JOB_TRACKING: &str = "jobsmith.dev/job-tracking";
    /// The finalizers of pods whose result has not been counted.
    pub const TRACKING_FINALIZERS: [&str; 2] = [JOB_TRACKING, OWN_JOB_TRACKING];
    /// The finalizer of an object that is deleted after its dependents.
    pub const FOREGROUND: &str = "foregroundDeletion";
    /// The finalizer of an object that is deleted while its dependents stay.
    pub const ORPHAN: &str = "orphan";
    /// The finalizers of a deletion, which the garbage collector removes itself.
    pub const DELETION_FINALIZERS: [&str; 2] = [FOREGROUND, ORPHAN];
    /// What the names begin with under which these controllers act beside Kubernetes' own.
    pub const OWN_DOMAIN: &str = "jobsmith.dev/";
}

/// `metadata` of an object. Empty text and absent are the same, as in the API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMeta {
    /// The name, unique in the namespace and kind.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: Text,
    /// What a generated name starts with.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub generate_name: Text,
    /// The namespace.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub namespace: Text,
    /// The identity: no two objects, not even of one name, share it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub uid: Text,
    /// The version of the stored object: another one with each write.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub resource_version: Text,
    /// How often the wanted state changed, from 1.
    #[serde(skip_serializing_if = "is_default")]
    pub generation: i64,
    /// When the object was made.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::seconds")]
    pub creation_timestamp: Option<Timestamp>,
    /// When the object goes, or went, at the latest; set once its deletion was requested.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::seconds")]
    pub deletion_timestamp: Option<Timestamp>,
    /// Seconds between the request to delete and `deletionTimestamp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_grace_period_seconds: Option<i64>,
    /// Labels.
    #[serde(skip_serializing_if = "is_default")]
    pub labels: Shared<Labels>,
    /// Annotations.
    #[serde(skip_serializing_if = "Labels::is_empty")]
    pub annotations: Labels,
    /// The objects that this one depends on.
    #[serde(skip_serializing_if = "is_default")]
    pub owner_references: Shared<Vec<OwnerReference>>,
    /// What must be done before the object may go.
    #[serde(skip_serializing_if = "is_default")]
    pub finalizers: Shared<Vec<Text>>,
}

impl ObjectMeta {
    /// The owner that controls this object, if one does.
    #[must_use]
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller == Some(true))
    }

    /// The UID of the owner that controls this object; empty if none does.
    #[must_use]
    pub fn controller_uid(&self) -> &str {
        self.controller().map_or("", |controller| &controller.uid)
    }

    /// Whether the object's deletion was requested.
    #[must_use]
    pub fn deleting(&self) -> bool {
        self.deletion_timestamp.is_some()
    }

    /// How long the object had to stop when its deletion was requested.
    #[must_use]
    pub fn deletion_grace(&self) -> Duration {
        Duration::from_secs(self.deletion_grace_period_seconds.unwrap_or(0).clamp(0, LONGEST_GRACE))
    }

    /// When the object's deletion was requested, if it was: `deletionTimestamp` is the end of the grace period.
    #[must_use]
    pub fn deletion_requested_at(&self) -> Option<Timestamp> {
        Some(time::after(self.deletion_timestamp?, -self.deletion_grace()))
    }

    /// Whether the object carries the finalizer.
    #[must_use]
    pub fn has_finalizer(&self, finalizer: &str) -> bool {
        self.finalizers.iter().any(|held| &**held == finalizer)
    }
}

/// One of an object's owners.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// API group and version of the owner.
    pub api_version: Text,
    /// Kind of the owner.
    pub kind: Text,
    /// Name of the owner.
    pub name: Text,
    /// UID of the owner.
    pub uid: Text,
    /// Whether this owner controls the object; at most one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
    /// Whether the owner may go in the foreground only after this object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_owner_deletion: Option<bool>,
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
