//! What a controller wants done, and why.
//!
//! Docs: `crates/component/wit/controllers.wit`, `plan`. The reasons are in `decision.rs`; how a plan is carried out, in `execution.rs`.

use api::request::Request;
use api::{ObjectMeta, Text, Timestamp};
use serde::{Deserialize, Serialize};

use crate::decision::Decision;

/// The number of a plan, unique for one manager.
pub type PlanId = u64;

/// A plan for one object.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Its number, which comes back with the outcomes.
    pub id: PlanId,
    /// The controller that made it: `job`.
    pub controller: Text,
    /// The object that it is about.
    pub object: ObjectRef,
    /// The requests, batch by batch.
    pub batches: Vec<Vec<Command>>,
    /// Why; only decisions that the configuration asks for.
    pub decisions: Vec<Decision>,
    /// Kubernetes Events to record, best effort.
    pub notices: Vec<Notice>,
    /// When the object is synced again if nothing happens before.
    pub requeue_at: Option<Requeue>,
}

impl Plan {
    /// All commands, in order of batches and in their order.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.batches.iter().flatten()
    }

    /// Whether there is nothing to do and nothing to report.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.decisions.is_empty() && self.notices.is_empty()
    }
}

/// One object of the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectRef {
    /// Its kind: `Job`.
    pub kind: Text,
    /// Its namespace.
    pub namespace: Text,
    /// Its name.
    pub name: Text,
    /// Its UID; empty where any object of this name is meant.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub uid: Text,
}

impl ObjectRef {
    /// The object of this kind with this metadata.
    #[must_use]
    pub fn of(kind: &str, metadata: &ObjectMeta) -> Self {
        Self { kind: kind.into(), namespace: metadata.namespace.clone(), name: metadata.name.clone(), uid: metadata.uid.clone() }
    }
}

/// One request, and which refusals do not hold up the rest of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The request.
    pub request: Request,
    /// HTTP status codes that do not hold up the rest of the plan.
    pub tolerates: Vec<u16>,
}

/// A Kubernetes Event to record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// The object that it is about.
    pub regarding: ObjectRef,
    /// The controller that reports it: `job-controller`.
    pub reporting_controller: Text,
    /// Whether its type is `Warning` rather than `Normal`.
    pub warning: bool,
    /// The reason in one word.
    pub reason: String,
    /// The message.
    pub message: String,
}

/// When an object is synced again, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requeue {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// Why: "the back-off ends".
    pub reason: String,
}

/// When to call a manager's `next_plan` again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wakeup {
    /// When; it may have passed.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// The controller that has something to do then.
    pub controller: Text,
    /// The object.
    pub object: ObjectRef,
    /// Why.
    pub reason: String,
}
