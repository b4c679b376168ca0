//! The types of the component's interface as JavaScript has them: records are objects with names in camel case, variants `{tag, val}`.
//!
//! Docs: `crates/component/wit/controllers.wit` documents them; the Canonical ABI of JavaScript is jco's. Types that are the same in the crate
//! `contract` are taken from there; the others are converted in `border.rs`.

use api::Text;
use contract::{Cause, Notice, ObjectRef, Part};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Event<'a> {
    Changed(Change<'a>),
    Listed { kind: &'a str, part: Part, resource_version: &'a str, objects: &'a [Text] },
    Finished { plan: u64, outcomes: Vec<Outcome<'a>> },
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase")]
pub(crate) enum Change<'a> {
    Applied(Object<'a>),
    Deleted(Object<'a>),
}

#[derive(Serialize)]
pub(crate) struct Object<'a> {
    pub(crate) kind: &'a str,
    pub(crate) json: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Outcome<'a> {
    Done { name: &'a str, uid: &'a str, resource_version: &'a str, deleting: bool },
    Failed { code: u16, reason: &'a str, message: &'a str, causes: &'a [Cause] },
    Skipped,
}

/// An `object-ref` with all its fields, also an empty UID.
#[derive(Serialize)]
pub(crate) struct Question<'a> {
    pub(crate) kind: &'a str,
    pub(crate) namespace: &'a str,
    pub(crate) name: &'a str,
    pub(crate) uid: &'a str,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Timestamp {
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Plan {
    pub(crate) id: u64,
    pub(crate) controller: Text,
    pub(crate) object: ObjectRef,
    pub(crate) batches: Vec<Vec<Command>>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) requeue_at: Option<Requeue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Command {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) content_type: ContentType,
    pub(crate) body: String,
    pub(crate) tolerates: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ContentType {
    Json,
    MergePatch,
    StrategicMergePatch,
}

#[derive(Deserialize)]
pub(crate) struct Decision {
    pub(crate) code: Text,
    pub(crate) role: Role,
    pub(crate) sentence: Vec<TextPart>,
    pub(crate) values: Vec<(Text, Value)>,
}

#[derive(Deserialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
pub(crate) enum Role {
    Action,
    Wait(Period),
    Invalid,
    Routine,
}

#[derive(Deserialize)]
pub(crate) struct Period {
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
pub(crate) enum TextPart {
    Text(Text),
    Time(Timestamp),
    Duration(i64),
    Object(ObjectRef),
    Field(Text),
}

#[derive(Deserialize)]
#[serde(tag = "tag", content = "val", rename_all = "kebab-case")]
pub(crate) enum Value {
    Boolean(bool),
    Integer(i64),
    Text(Text),
    Time(Timestamp),
    Duration(i64),
    Object(ObjectRef),
}

#[derive(Deserialize)]
pub(crate) struct DecisionKind {
    pub(crate) code: Text,
    pub(crate) page: Text,
    pub(crate) heading: Text,
    pub(crate) url: Text,
    pub(crate) rule: Text,
    pub(crate) fields: Vec<Text>,
}

#[derive(Deserialize)]
pub(crate) struct Requeue {
    pub(crate) at: Timestamp,
    pub(crate) reason: String,
}

#[derive(Deserialize)]
pub(crate) struct Wakeup {
    pub(crate) at: Timestamp,
    pub(crate) controller: Text,
    pub(crate) object: ObjectRef,
    pub(crate) reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Explanation {
    pub(crate) controllers: Vec<String>,
    pub(crate) now: Forecast,
    pub(crate) requeue_at: Option<Requeue>,
    pub(crate) next: Option<Forecast>,
    pub(crate) related: Vec<Related>,
}

#[derive(Deserialize)]
pub(crate) struct Forecast {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) batches: Vec<Vec<Command>>,
}

#[derive(Deserialize)]
pub(crate) struct Related {
    pub(crate) object: ObjectRef,
    pub(crate) decision: Decision,
}
