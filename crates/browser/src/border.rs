//! What crosses the border to the component, as JavaScript has it: records are objects with names in camel case, variants `{tag, val}`.
//!
//! Docs: `crates/component/wit/controllers.wit`; the Canonical ABI of JavaScript is jco's. The same for wasmtime is `host/src/border.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Malformed, Text};
use contract::{
    Cause, Change, Command, ContentType, DecisionKind, Event, Explanation, Json, Key, LookAgain, Method, Notice, Outcome, Part, Plan,
    Reconciled, Regarding, Request, Wakeup,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// The kinds of decisions that a component knows, by their codes.
pub(crate) type Kinds = BTreeMap<Text, Arc<DecisionKind>>;

/// An event, as `handle` takes it.
pub(crate) fn event(event: &Event) -> JsValue {
    lower(&match event {
        Event::Changed(Change::Applied(object)) => Told::Changed(Changed::Applied(object.into())),
        Event::Changed(Change::Deleted(object)) => Told::Changed(Changed::Deleted(object.into())),
        Event::Listed { kind, part, resource_version, objects } => {
            Told::Listed { kind: word(*kind), part: *part, resource_version, objects }
        }
        Event::Finished { plan, outcomes } => Told::Finished { plan: *plan, outcomes: outcomes.iter().map(Into::into).collect() },
    })
}

/// A point in time.
pub(crate) fn timestamp(time: api::Timestamp) -> JsValue {
    let (seconds, nanoseconds) = api::time::parts(time);
    lower(&Timestamp { seconds, nanoseconds })
}

/// All kinds of decisions.
pub(crate) fn kinds(kinds: JsValue) -> Kinds {
    let mut by_code = Kinds::new();
    by_code.extend(raise::<Vec<DecisionKind>>(kinds).into_iter().map(|kind| (kind.code.clone(), Arc::new(kind))));
    by_code
}

/// Why an object was refused.
pub(crate) fn malformed(refusal: JsValue) -> Malformed {
    let Refused { kind, name, reason } = raise(refusal);
    Malformed { kind: if kind == word(Kind::Job) { Kind::Job } else { Kind::Pod }, name, reason }
}

/// A plan, whose decisions get what their kinds say.
pub(crate) fn reconciled(planned: JsValue, kinds: &Kinds) -> Reconciled {
    let Planned { id, key, plan: ToDo { batches, decisions, notices, look_again } } = raise(planned);
    let explained = |Explained { code, sentence, values }| {
        // A kind that the component did not name is a foreign component's slip, and no reason to lose the plan.
        let kind = kinds.get(&code).cloned().unwrap_or_else(|| DecisionKind { code, ..DecisionKind::default() }.into());
        Explanation { kind, sentence, values }
    };
    let plan = Plan {
        batches: batches.into_iter().map(|batch| batch.into_iter().map(Into::into).collect()).collect(),
        decisions: decisions.into_iter().map(explained).collect(),
        notices: notices.into_iter().map(Into::into).collect(),
        look_again: look_again.map(|Look { at, because }| LookAgain { at: at.into(), because }),
    };
    Reconciled { id, key, plan }
}

/// When the manager wants to be asked again.
pub(crate) fn wakeup(wakeup: JsValue) -> Wakeup {
    let Wake { at, key, because } = raise(wakeup);
    Wakeup { at: at.into(), key, because }
}

fn lower(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).expect("what is told are objects, lists, texts and numbers")
}

fn raise<Answer: DeserializeOwned>(value: JsValue) -> Answer {
    serde_wasm_bindgen::from_value(value).expect("the component answers as its interface says")
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Job => "job",
        Kind::Pod => "pod",
    }
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Told<'a> {
    Changed(Changed<'a>),
    Listed { kind: &'static str, part: Part, resource_version: &'a str, objects: &'a [Text] },
    Finished { plan: u64, outcomes: Vec<Came<'a>> },
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase")]
enum Changed<'a> {
    Applied(Object<'a>),
    Deleted(Object<'a>),
}

#[derive(Serialize)]
struct Object<'a> {
    kind: &'static str,
    json: &'a str,
}

impl<'a> From<&'a Json> for Object<'a> {
    fn from(object: &'a Json) -> Self {
        Self { kind: word(object.kind), json: &object.text }
    }
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Came<'a> {
    Done { name: &'a str, uid: &'a str, resource_version: &'a str, deleting: bool },
    Failed { code: u16, reason: &'a str, message: &'a str, causes: &'a [Cause] },
    Skipped,
}

impl<'a> From<&'a Outcome> for Came<'a> {
    fn from(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Done(written) => Self::Done {
                name: &written.name,
                uid: &written.uid,
                resource_version: &written.resource_version,
                deleting: written.deleting,
            },
            Outcome::Failed(error) => {
                Self::Failed { code: error.code, reason: &error.reason, message: &error.message, causes: &error.causes }
            }
            Outcome::Skipped => Self::Skipped,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}

impl From<Timestamp> for api::Timestamp {
    fn from(time: Timestamp) -> Self {
        Self::new(time.seconds, i32::try_from(time.nanoseconds).unwrap_or_default()).unwrap_or(Self::MAX)
    }
}

#[derive(Deserialize)]
struct Refused {
    kind: String,
    name: String,
    reason: String,
}

#[derive(Deserialize)]
struct Planned {
    id: u64,
    key: Key,
    plan: ToDo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToDo {
    batches: Vec<Vec<Asked>>,
    decisions: Vec<Explained>,
    notices: Vec<Noticed>,
    look_again: Option<Look>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    method: Verb,
    path: String,
    content_type: Body,
    body: String,
    tolerates: Vec<u16>,
}

impl From<Asked> for Command {
    fn from(asked: Asked) -> Self {
        let Asked { method, path, content_type, body, tolerates } = asked;
        let method = match method {
            Verb::Get => Method::Get,
            Verb::Post => Method::Post,
            Verb::Put => Method::Put,
            Verb::Patch => Method::Patch,
            Verb::Delete => Method::Delete,
        };
        let content_type = match content_type {
            Body::Json => ContentType::Json,
            Body::MergePatch => ContentType::MergePatch,
            Body::StrategicMergePatch => ContentType::StrategicMergePatch,
        };
        Self { request: Request { method, path, content_type, body }, tolerates }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Verb {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Body {
    Json,
    MergePatch,
    StrategicMergePatch,
}

#[derive(Deserialize)]
struct Explained {
    code: Text,
    sentence: String,
    values: String,
}

#[derive(Deserialize)]
struct Noticed {
    regarding: About,
    warning: bool,
    reason: String,
    message: String,
}

#[derive(Deserialize)]
struct About {
    kind: String,
    namespace: Text,
    name: Text,
    uid: Text,
}

impl From<Noticed> for Notice {
    fn from(noticed: Noticed) -> Self {
        let Noticed { regarding: About { kind, namespace, name, uid }, warning, reason, message } = noticed;
        let kind = if kind == word(Kind::Job) { Kind::Job } else { Kind::Pod };
        Self { regarding: Regarding { kind, namespace, name, uid }, warning, reason, message }
    }
}

#[derive(Deserialize)]
struct Look {
    at: Timestamp,
    because: String,
}

#[derive(Deserialize)]
struct Wake {
    at: Timestamp,
    key: Key,
    because: String,
}
