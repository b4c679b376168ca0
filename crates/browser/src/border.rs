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
use js_sys::Array;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

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
pub(crate) fn kinds(kinds: &JsValue) -> Kinds {
    let mut by_code = Kinds::new();
    for kind in records(kinds.unchecked_ref()) {
        let fields = kind.list("fields").iter().filter_map(|field| field.as_string()).map(Text::from).collect();
        let [code, page, heading, rule] = ["code", "page", "heading", "rule"].map(|name| Text::from(kind.text(name)));
        by_code.insert(code.clone(), Arc::new(DecisionKind { code, acts: kind.flag("acts"), page, heading, rule, fields }));
    }
    by_code
}

/// Why an object was refused.
pub(crate) fn malformed(refusal: &JsValue) -> Malformed {
    let refusal: &Record = refusal.unchecked_ref();
    Malformed { kind: kind(refusal), name: refusal.text("name"), reason: refusal.text("reason") }
}

/// A plan, whose decisions get what their kinds say.
pub(crate) fn reconciled(planned: &JsValue, kinds: &Kinds) -> Reconciled {
    let planned: &Record = planned.unchecked_ref();
    let plan = planned.record("plan");
    let look_again = plan.record("lookAgain");
    let plan = Plan {
        batches: plan.list("batches").iter().map(|batch| records(batch.unchecked_ref()).map(|asked| command(&asked)).collect()).collect(),
        decisions: records(&plan.list("decisions")).map(|decision| explanation(&decision, kinds)).collect(),
        notices: records(&plan.list("notices")).map(|noticed| notice(&noticed)).collect(),
        look_again: (!look_again.is_undefined()).then(|| LookAgain { at: at(&look_again), because: look_again.text("because") }),
    };
    Reconciled { id: planned.number("id"), key: key(planned), plan }
}

/// When the manager wants to be asked again.
pub(crate) fn wakeup(wakeup: &JsValue) -> Wakeup {
    let wakeup: &Record = wakeup.unchecked_ref();
    Wakeup { at: at(wakeup), key: key(wakeup), because: wakeup.text("because") }
}

#[wasm_bindgen]
extern "C" {
    /// What the component answers, as its interface says. Deserializers would take as much room as all that is decoded from JSON.
    type Record;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn text(this: &Record, name: &str) -> String;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn flag(this: &Record, name: &str) -> bool;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn number(this: &Record, name: &str) -> u64;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn part(this: &Record, name: &str) -> i32;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn statuses(this: &Record, name: &str) -> Vec<u16>;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn list(this: &Record, name: &str) -> Array;

    #[wasm_bindgen(method, structural, indexing_getter)]
    fn record(this: &Record, name: &str) -> Record;
}

fn records(list: &Array) -> impl Iterator<Item = Record> {
    list.iter().map(JsCast::unchecked_into)
}

fn command(asked: &Record) -> Command {
    let method = match &*asked.text("method") {
        "get" => Method::Get,
        "post" => Method::Post,
        "put" => Method::Put,
        "patch" => Method::Patch,
        _ => Method::Delete,
    };
    let content_type = match &*asked.text("contentType") {
        "merge-patch" => ContentType::MergePatch,
        "strategic-merge-patch" => ContentType::StrategicMergePatch,
        _ => ContentType::Json,
    };
    Command {
        request: Request { method, path: asked.text("path"), content_type, body: asked.text("body") },
        tolerates: asked.statuses("tolerates"),
    }
}

fn explanation(decision: &Record, kinds: &Kinds) -> Explanation {
    let code = Text::from(decision.text("code"));
    // A kind that the component did not name is a foreign component's slip, and no reason to lose the plan.
    let kind = kinds.get(&code).cloned().unwrap_or_else(|| DecisionKind { code, ..DecisionKind::default() }.into());
    Explanation { kind, sentence: decision.text("sentence"), values: decision.text("values") }
}

fn notice(noticed: &Record) -> Notice {
    let about = noticed.record("regarding");
    let [namespace, name, uid] = ["namespace", "name", "uid"].map(|name| about.text(name).into());
    let regarding = Regarding { kind: kind(&about), namespace, name, uid };
    Notice { regarding, warning: noticed.flag("warning"), reason: noticed.text("reason"), message: noticed.text("message") }
}

fn key(record: &Record) -> Key {
    let key = record.record("key");
    let [queue, namespace, name] = ["queue", "namespace", "name"].map(|name| key.text(name).into());
    Key { queue, namespace, name }
}

fn kind(record: &Record) -> Kind {
    if record.text("kind") == word(Kind::Job) { Kind::Job } else { Kind::Pod }
}

fn at(record: &Record) -> api::Timestamp {
    let at = record.record("at");
    api::Timestamp::new(at.number("seconds").cast_signed(), at.part("nanoseconds")).unwrap_or(api::Timestamp::MAX)
}

fn lower(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or_else(|_| unreachable!("what is told are objects, lists, texts and numbers"))
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

#[derive(Serialize)]
struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}
