//! What a manager is shown: changes, lists, and the outcomes of its plans.
//!
//! Docs: `crates/component/wit/controllers.wit`, `event`. Objects cross as the JSON text that came.

use api::Text;
use api::request::Outcome;
use serde::{Deserialize, Serialize};

use crate::embedded;
use crate::plan::PlanId;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// A watch showed a change.
    Changed(Change),
    /// A list of a kind, or a part of one.
    Listed(Listing),
    /// A plan was carried out, perhaps only in part.
    Finished(Report),
}

/// All objects of a kind, or a part of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listing {
    /// The kind: `Pod`.
    pub kind: Text,
    /// Which part of the list it is.
    pub part: Part,
    /// The version of the list itself; it matters on the last part.
    pub resource_version: Text,
    /// The objects in this part.
    #[serde(with = "embedded::many")]
    pub objects: Vec<Text>,
}

/// The outcome of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The plan.
    pub plan: PlanId,
    /// One outcome for each command, in order of batches and in their order.
    pub outcomes: Vec<Outcome>,
}

/// Which part of a list it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// All of it.
    Whole,
    /// The first of several parts.
    First,
    /// One between the first and the last.
    Middle,
    /// The one that ends the list.
    Last,
}

impl Part {
    /// Whether a list begins with this part.
    #[must_use]
    pub fn begins(self) -> bool {
        matches!(self, Self::Whole | Self::First)
    }

    /// Whether the list ends with this part.
    #[must_use]
    pub fn ends(self) -> bool {
        matches!(self, Self::Whole | Self::Last)
    }
}

/// One change that a watch showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// The object is there, in this state.
    Applied(ObjectJson),
    /// The object is gone; this was its last state.
    Deleted(ObjectJson),
}

/// One object as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectJson {
    /// Its kind: `Pod`; the text need not name it.
    pub kind: Text,
    /// The text.
    #[serde(with = "embedded", rename = "object")]
    pub json: Text,
}
