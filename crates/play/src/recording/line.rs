//! The lines of a recording: one JSON value each, with objects as they came.
//!
//! Docs: `crates/component/wit/controllers.wit`. Lines are read in `mod.rs`; `host/embed/src/record.rs` decides when one is written.

use api::{Malformed, Timestamp};
use contract::{Event, Plan};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Line {
    /// The first one: what is recorded.
    Recording(Header),
    /// The manager handled an event.
    Handled(Handled),
    /// Its next plan was called for.
    Planned(Planned),
    /// It was restarted.
    Restarted,
    /// It lost its memory over the call before this line.
    Lost {
        /// Why.
        reason: String,
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

/// An event that the manager handled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Handled {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// The event.
    pub event: Event,
    /// The object in it that was malformed, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<Malformed>,
}

/// A call for the manager's next plan.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Planned {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// The plan as JSON, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Box<RawValue>>,
}

impl Planned {
    /// The answer to a call at this time.
    ///
    /// # Errors
    /// If the plan cannot be written as JSON.
    pub fn new(at: Timestamp, plan: Option<&Plan>) -> serde_json::Result<Self> {
        Ok(Self { at, plan: plan.map(serde_json::value::to_raw_value).transpose()? })
    }
}
