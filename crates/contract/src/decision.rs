//! Decisions: why a controller does what it does, as values and in sentences.
//!
//! Docs: `crates/component/wit/controllers.wit`, `decision`. A sentence is a list of parts, so that each view renders times by its own clock.

use std::fmt;
use std::sync::Arc;

use api::{Duration, Text, Timestamp, time};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::plan::ObjectRef;

/// The value of a decision that is the number of the policy's rule on which it rests, from 0.
pub const RULE: &str = "rule";
/// The value of a decision that is the key of the annotation on which it rests.
pub const ANNOTATION: &str = "annotation";
/// The value of a decision that is the line of that annotation, from 1.
pub const LINE: &str = "line";

/// One decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What it has in common with others of its kind.
    #[serde(flatten)]
    pub kind: Arc<DecisionKind>,
    /// What it means for what happens next.
    #[serde(flatten)]
    pub role: Role,
    /// The decision in words.
    pub sentence: Sentence,
    /// The values in it, by name.
    #[serde(serialize_with = "as_map")]
    pub values: Vec<(Text, Value)>,
}

impl Decision {
    /// The value of this name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }

    /// If it ends its object's work: what it comes to, in a few words.
    #[must_use]
    pub fn verdict(&self) -> Option<&Text> {
        if let Some(Value::Text(verdict)) = self.value("verdict") { Some(verdict) } else { None }
    }

    /// The decision's code: `BackoffLimitExceeded`.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.kind.code
    }
}

/// What all decisions of one kind have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DecisionKind {
    /// Which decision, in one stable word: `BackoffLimitExceeded`.
    pub code: Text,
    /// The page of the Kubernetes documentation.
    pub page: Text,
    /// The heading on that page.
    pub heading: Text,
    /// Where that heading is on the web.
    pub url: Text,
    /// The rule of the specification: `J-46d`.
    pub rule: Text,
    /// The fields of the manifest that it rests on: `spec.backoffLimit`.
    pub fields: Vec<Text>,
}

/// What a decision means for what happens next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "role", rename_all = "camelCase")]
pub enum Role {
    /// Something is done (●).
    Action,
    /// Something is left alone, or waited for (○).
    Wait(Period),
    /// Something in the object is invalid, and what it asks for is not done (✗).
    Invalid,
    /// It follows from what can be seen anyway (·).
    #[default]
    Routine,
}

impl Role {
    /// The mark by which lists of decisions show the role.
    #[must_use]
    pub fn mark(self) -> char {
        match self {
            Self::Action => '●',
            Self::Wait(_) => '○',
            Self::Invalid => '✗',
            Self::Routine => '·',
        }
    }
}

/// How long something is waited for, where known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Period {
    /// Since when.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::optional")]
    pub since: Option<Timestamp>,
    /// Until when.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "time::optional")]
    pub until: Option<Timestamp>,
}

/// A value of a decision. In JSON times are RFC 3339, lengths of time milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Text.
    Text(Text),
    /// A point in time.
    #[serde(serialize_with = "time::serialize")]
    Time(Timestamp),
    /// A length of time.
    #[serde(serialize_with = "milliseconds")]
    Duration(Duration),
    /// An object of the cluster.
    Object(ObjectRef),
}

/// A sentence in parts. It displays with times as RFC 3339 writes them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Sentence(pub Vec<TextPart>);

/// A part of a sentence. In JSON plain text is a string, and everything else an object with one member.
#[derive(Debug, Clone, PartialEq)]
pub enum TextPart {
    /// Plain text.
    Text(Text),
    /// A point in time.
    Time(Timestamp),
    /// A length of time.
    Duration(Duration),
    /// An object of the cluster.
    Object(ObjectRef),
    /// A field of the manifest: `spec.backoffLimit`.
    Field(Text),
}

impl Sentence {
    /// The sentence with times as `clock` writes them.
    pub fn render(&self, clock: impl Fn(Timestamp) -> String) -> String {
        self.0.iter().map(|part| part.render(&clock)).collect()
    }
}

impl TextPart {
    /// The part in words, with a time as `clock` writes it.
    pub fn render(&self, clock: impl Fn(Timestamp) -> String) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::Time(at) => clock(*at),
            Self::Duration(length) => time::length(*length),
            Self::Object(object) => object.name.to_string(),
            Self::Field(path) => path.rsplit('.').next().unwrap_or(path).to_owned(),
        }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(time::text))
    }
}

impl Serialize for TextPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Self::Text(text) = self {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Text(text) => map.serialize_entry("text", text)?,
            Self::Time(at) => map.serialize_entry("time", &time::text(*at))?,
            Self::Duration(length) => map.serialize_entry("milliseconds", &time::milliseconds(*length))?,
            Self::Object(object) => map.serialize_entry("object", object)?,
            Self::Field(path) => map.serialize_entry("field", path)?,
        }
        map.end()
    }
}

fn as_map<S: Serializer>(values: &[(Text, Value)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn milliseconds<S: Serializer>(length: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(time::milliseconds(*length))
}
