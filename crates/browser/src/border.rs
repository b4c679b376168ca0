//! What crosses the border to the component, as JavaScript has it: records are objects with names in camel case, variants `{tag, val}`.
//!
//! Docs: `crates/component/wit/controllers.wit`; the Canonical ABI of JavaScript is jco's. The same for wasmtime is `host/src/border.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Malformed, Text, Timestamp};
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
        Event::Changed(Change::Applied(object)) => JsEvent::Changed(JsChange::Applied(object.into())),
        Event::Changed(Change::Deleted(object)) => JsEvent::Changed(JsChange::Deleted(object.into())),
        Event::Listed { kind, part, resource_version, objects } => {
            JsEvent::Listed { kind: *kind, part: *part, resource_version, objects }
        }
        Event::Finished { plan, outcomes } => JsEvent::Finished { plan: *plan, outcomes: outcomes.iter().map(Into::into).collect() },
    })
}

/// A point in time.
pub(crate) fn timestamp(time: Timestamp) -> JsValue {
    let (seconds, nanoseconds) = api::time::parts(time);
    lower(&JsTimestamp { seconds, nanoseconds })
}

/// All kinds of decisions.
pub(crate) fn kinds(kinds: JsValue) -> Kinds {
    lift::<Vec<DecisionKind>>(kinds).into_iter().map(|kind| (kind.code.clone(), Arc::new(kind))).collect()
}

/// Why an object was refused.
pub(crate) fn malformed(refusal: JsValue) -> Malformed {
    let JsMalformed { kind, name, reason } = lift(refusal);
    Malformed { kind, name, reason }
}

/// A plan, whose decisions get what their kinds say.
pub(crate) fn reconciled(planned: JsValue, kinds: &Kinds) -> Reconciled {
    let JsReconciled { id, key, plan } = lift(planned);
    let decision = |JsExplanation { code, sentence, values }| {
        // A kind that the component did not name is a foreign component's slip, and no reason to lose the plan.
        let kind = kinds.get(&code).cloned().unwrap_or_else(|| DecisionKind { code, ..DecisionKind::default() }.into());
        Explanation { kind, sentence, values }
    };
    let plan = Plan {
        batches: plan.batches.into_iter().map(|batch| batch.into_iter().map(Into::into).collect()).collect(),
        decisions: plan.decisions.into_iter().map(decision).collect(),
        notices: plan.notices.into_iter().map(Into::into).collect(),
        look_again: plan.look_again.map(|JsLookAgain { at, because }| LookAgain { at: at.into(), because }),
    };
    Reconciled { id, key, plan }
}

/// When the manager wants to be asked again.
pub(crate) fn wakeup(wakeup: JsValue) -> Wakeup {
    let JsWakeup { at, key, because } = lift(wakeup);
    Wakeup { at: at.into(), key, because }
}

fn lift<T: DeserializeOwned>(value: JsValue) -> T {
    serde_wasm_bindgen::from_value(value).expect("the component answers as its interface says")
}

fn lower(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or_else(|_| unreachable!("what is told are objects, lists, texts and numbers"))
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Kind", rename_all = "kebab-case")]
enum JsKind {
    Job,
    Pod,
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum JsEvent<'a> {
    Changed(JsChange<'a>),
    Listed {
        #[serde(with = "JsKind")]
        kind: Kind,
        part: Part,
        resource_version: &'a str,
        objects: &'a [Text],
    },
    Finished { plan: u64, outcomes: Vec<JsOutcome<'a>> },
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase")]
enum JsChange<'a> {
    Applied(JsObject<'a>),
    Deleted(JsObject<'a>),
}

#[derive(Serialize)]
struct JsObject<'a> {
    #[serde(with = "JsKind")]
    kind: Kind,
    json: &'a str,
}

impl<'a> From<&'a Json> for JsObject<'a> {
    fn from(object: &'a Json) -> Self {
        Self { kind: object.kind, json: &object.text }
    }
}

#[derive(Serialize)]
#[serde(tag = "tag", content = "val", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum JsOutcome<'a> {
    Done { name: &'a str, uid: &'a str, resource_version: &'a str, deleting: bool },
    Failed { code: u16, reason: &'a str, message: &'a str, causes: &'a [Cause] },
    Skipped,
}

impl<'a> From<&'a Outcome> for JsOutcome<'a> {
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
struct JsTimestamp {
    seconds: i64,
    nanoseconds: u32,
}

impl From<JsTimestamp> for Timestamp {
    fn from(time: JsTimestamp) -> Self {
        i32::try_from(time.nanoseconds).ok().and_then(|nanoseconds| Self::new(time.seconds, nanoseconds).ok()).unwrap_or(Self::MAX)
    }
}

#[derive(Deserialize)]
struct JsMalformed {
    #[serde(with = "JsKind")]
    kind: Kind,
    name: String,
    reason: String,
}

#[derive(Deserialize)]
struct JsReconciled {
    id: u64,
    key: Key,
    plan: JsPlan,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsPlan {
    batches: Vec<Vec<JsCommand>>,
    decisions: Vec<JsExplanation>,
    notices: Vec<JsNotice>,
    look_again: Option<JsLookAgain>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsCommand {
    #[serde(with = "JsMethod")]
    method: Method,
    path: String,
    #[serde(with = "JsContentType")]
    content_type: ContentType,
    body: String,
    tolerates: Vec<u16>,
}

impl From<JsCommand> for Command {
    fn from(JsCommand { method, path, content_type, body, tolerates }: JsCommand) -> Self {
        Self { request: Request { method, path, content_type, body }, tolerates }
    }
}

#[derive(Deserialize)]
#[serde(remote = "Method", rename_all = "kebab-case")]
enum JsMethod {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

#[derive(Deserialize)]
#[serde(remote = "ContentType", rename_all = "kebab-case")]
enum JsContentType {
    Json,
    MergePatch,
    StrategicMergePatch,
}

#[derive(Deserialize)]
struct JsExplanation {
    code: Text,
    sentence: String,
    values: String,
}

#[derive(Deserialize)]
struct JsNotice {
    regarding: JsRegarding,
    warning: bool,
    reason: String,
    message: String,
}

#[derive(Deserialize)]
struct JsRegarding {
    #[serde(with = "JsKind")]
    kind: Kind,
    namespace: Text,
    name: Text,
    uid: Text,
}

impl From<JsNotice> for Notice {
    fn from(JsNotice { regarding: JsRegarding { kind, namespace, name, uid }, warning, reason, message }: JsNotice) -> Self {
        Self { regarding: Regarding { kind, namespace, name, uid }, warning, reason, message }
    }
}

#[derive(Deserialize)]
struct JsLookAgain {
    at: JsTimestamp,
    because: String,
}

#[derive(Deserialize)]
struct JsWakeup {
    at: JsTimestamp,
    key: Key,
    because: String,
}
