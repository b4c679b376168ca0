//! The lines of a recording: one JSON value each, with objects as they came.
//!
//! Docs: `crates/component/wit/controllers.wit`. Lines are read in `mod.rs`; `host/src/record.rs` decides when one is written.

use api::Timestamp;
use contract::{Event, Reconciled};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Line {
    /// The first one: what is recorded.
    Recording(Header),
    /// The manager was told something.
    Told(Told),
    /// It was asked for a plan.
    Asked(Asked),
    /// It was started anew.
    Restarted,
    /// It lost its memory over the call before this line.
    Lost {
        /// Why.
        because: String,
    },
}

/// What is recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// The version of the program that wrote it.
    pub jobsmith: String,
    /// The SHA-256 of the component, in hexadecimal.
    pub component: String,
    /// The version of Kubernetes that the component follows.
    pub kubernetes: String,
    /// What the manager was configured with: a JSON object.
    pub configuration: Box<RawValue>,
    /// When the recording was begun.
    #[serde(with = "api::time")]
    pub start: Timestamp,
}

/// What the manager was told, and when.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Told {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// What.
    pub event: Event,
    /// Why it was not understood, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// That the manager was asked for a plan, and when.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asked {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// What it answered: a plan as JSON, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Box<RawValue>>,
}

impl Asked {
    /// What was answered at a time.
    ///
    /// # Errors
    /// If the plan cannot be written as JSON.
    pub fn new(at: Timestamp, plan: Option<&Reconciled>) -> serde_json::Result<Self> {
        Ok(Self { at, plan: plan.map(serde_json::value::to_raw_value).transpose()? })
    }
}
