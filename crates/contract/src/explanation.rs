//! The explanation of an object: what is decided about an object, what it waits for, and what comes next.
//!
//! Docs: `crates/component/wit/controllers.wit`, `explanation`; `jobsmith explain`. Nothing of it is carried out.

use serde::Serialize;

use crate::decision::Decision;
use crate::plan::{Command, ObjectRef, Requeue};

/// What is decided about one object at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The controller that decides.
    pub controller: String,
    /// What it decides at this moment.
    pub now: Forecast,
    /// When it looks at the object again, if nothing changes before.
    pub requeue_at: Option<Requeue>,
    /// What it decides then; none where that depends on what becomes of the requests of this moment.
    pub next: Option<Forecast>,
    /// What is decided, or was, about other objects that belong to this one: of a Job, about each failed pod that is there.
    pub related: Vec<Related>,
}

/// What is decided at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// Why.
    pub decisions: Vec<Decision>,
    /// The requests that would be sent, batch by batch.
    pub batches: Vec<Vec<Command>>,
}

/// A decision about an object that belongs to another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Related {
    /// The object.
    pub object: ObjectRef,
    /// The decision.
    pub decision: Decision,
}
