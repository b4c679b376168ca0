//! What crosses the border to the component, from its types in JavaScript to the manager's and back.
//!
//! Docs: `crates/component/wit/controllers.wit`; the types are in `wit.rs`. The same for wasmtime is `host/src/border.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Duration, Text};
use contract::decision::TextPart;
use contract::{
    Change, Command, ContentType, Decision, DecisionKind, Event, Explanation, Forecast, Json, Method, ObjectRef, Outcome, Period, Plan,
    Related, Request, Requeue, Role, Sentence, Value, Wakeup,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

use crate::wit;

/// The kinds of decisions that a component knows, by their codes.
pub(crate) type Kinds = BTreeMap<Text, Arc<DecisionKind>>;

/// A value as JavaScript takes it.
pub(crate) fn lower(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or_else(|_| unreachable!("what is sent are objects, lists, texts and numbers"))
}

/// A value that JavaScript answered with.
///
/// # Panics
/// If it is none of the interface: the component was built for another version of it.
pub(crate) fn lift<T: DeserializeOwned>(value: JsValue) -> T {
    serde_wasm_bindgen::from_value(value).unwrap_or_else(|error| panic!("the answer of the component does not fit its interface: {error}"))
}

/// A point in time.
pub(crate) fn timestamp(time: api::Timestamp) -> wit::Timestamp {
    let (seconds, nanoseconds) = api::time::parts(time);
    wit::Timestamp { seconds, nanoseconds }
}

/// All kinds of decisions, by their codes.
pub(crate) fn kinds(kinds: Vec<wit::DecisionKind>) -> Kinds {
    let kind = |wit::DecisionKind { code, page, heading, url, rule, fields }| DecisionKind { code, page, heading, url, rule, fields };
    kinds.into_iter().map(|each| (each.code.clone(), Arc::new(kind(each)))).collect()
}

/// A plan, whose decisions get what their kinds have in common.
pub(crate) fn plan(plan: wit::Plan, kinds: &Kinds) -> Plan {
    let wit::Plan { id, controller, object, batches, decisions, notices, requeue_at } = plan;
    let (batches, decisions) = (self::batches(batches), self::decisions(decisions, kinds));
    Plan { id, controller, object, batches, decisions, notices, requeue_at: requeue_at.map(Into::into) }
}

/// What is decided about an object.
pub(crate) fn explanation(explanation: wit::Explanation, kinds: &Kinds) -> Explanation {
    let wit::Explanation { controllers, now, requeue_at, next, related } = explanation;
    let forecast =
        |wit::Forecast { decisions, batches }| Forecast { decisions: self::decisions(decisions, kinds), batches: self::batches(batches) };
    let related =
        related.into_iter().map(|wit::Related { object, decision }| Related { object, decision: self::decision(decision, kinds) });
    Explanation {
        controllers,
        now: forecast(now),
        requeue_at: requeue_at.map(Into::into),
        next: next.map(forecast),
        related: related.collect(),
    }
}

fn batches(batches: Vec<Vec<wit::Command>>) -> Vec<Vec<Command>> {
    batches.into_iter().map(|batch| batch.into_iter().map(Into::into).collect()).collect()
}

fn decisions(decisions: Vec<wit::Decision>, kinds: &Kinds) -> Vec<Decision> {
    decisions.into_iter().map(|each| decision(each, kinds)).collect()
}

fn decision(wit::Decision { code, role, sentence, values }: wit::Decision, kinds: &Kinds) -> Decision {
    // A component may forget to list a kind; that is no reason to lose the plan.
    let kind = kinds.get(&code).cloned().unwrap_or_else(|| DecisionKind { code, ..DecisionKind::default() }.into());
    let values = values.into_iter().map(|(name, value)| (name, value.into())).collect();
    Decision { kind, role: role.into(), sentence: Sentence(sentence.into_iter().map(Into::into).collect()), values }
}

impl<'a> From<&'a Event> for wit::Event<'a> {
    fn from(event: &'a Event) -> Self {
        match event {
            Event::Changed(Change::Applied(object)) => Self::Changed(wit::Change::Applied(object.into())),
            Event::Changed(Change::Deleted(object)) => Self::Changed(wit::Change::Deleted(object.into())),
            Event::Listed { kind, part, resource_version, objects } => Self::Listed { kind, part: *part, resource_version, objects },
            Event::Finished { plan, outcomes } => Self::Finished { plan: *plan, outcomes: outcomes.iter().map(Into::into).collect() },
        }
    }
}

impl<'a> From<&'a Json> for wit::Object<'a> {
    fn from(object: &'a Json) -> Self {
        Self { kind: &object.kind, json: &object.text }
    }
}

impl<'a> From<&'a Outcome> for wit::Outcome<'a> {
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

impl<'a> From<&'a ObjectRef> for wit::Question<'a> {
    fn from(ObjectRef { kind, namespace, name, uid }: &'a ObjectRef) -> Self {
        Self { kind, namespace, name, uid }
    }
}

impl From<wit::Timestamp> for api::Timestamp {
    fn from(wit::Timestamp { seconds, nanoseconds }: wit::Timestamp) -> Self {
        let nanoseconds = i32::try_from(nanoseconds).unwrap_or(i32::MAX);
        Self::new(seconds, nanoseconds).unwrap_or_else(|_| panic!("the component answers with a time that does not exist: {seconds} s"))
    }
}

impl From<wit::Command> for Command {
    fn from(wit::Command { method, path, content_type, body, tolerates }: wit::Command) -> Self {
        let method = match method {
            wit::Method::Get => Method::Get,
            wit::Method::Post => Method::Post,
            wit::Method::Put => Method::Put,
            wit::Method::Patch => Method::Patch,
            wit::Method::Delete => Method::Delete,
        };
        let content_type = match content_type {
            wit::ContentType::Json => ContentType::Json,
            wit::ContentType::MergePatch => ContentType::MergePatch,
            wit::ContentType::StrategicMergePatch => ContentType::StrategicMergePatch,
        };
        Self { request: Request { method, path, content_type, body }, tolerates }
    }
}

impl From<wit::Role> for Role {
    fn from(role: wit::Role) -> Self {
        match role {
            wit::Role::Action => Self::Action,
            wit::Role::Wait(wit::Period { since, until }) => {
                Self::Wait(Period { since: since.map(Into::into), until: until.map(Into::into) })
            }
            wit::Role::Invalid => Self::Invalid,
            wit::Role::Routine => Self::Routine,
        }
    }
}

impl From<wit::TextPart> for TextPart {
    fn from(part: wit::TextPart) -> Self {
        match part {
            wit::TextPart::Text(text) => Self::Text(text),
            wit::TextPart::Time(at) => Self::Time(at.into()),
            wit::TextPart::Duration(milliseconds) => Self::Duration(Duration::from_millis(milliseconds)),
            wit::TextPart::Object(object) => Self::Object(object),
            wit::TextPart::Field(path) => Self::Field(path),
        }
    }
}

impl From<wit::Value> for Value {
    fn from(value: wit::Value) -> Self {
        match value {
            wit::Value::Boolean(boolean) => Self::Boolean(boolean),
            wit::Value::Integer(number) => Self::Integer(number),
            wit::Value::Text(text) => Self::Text(text),
            wit::Value::Time(at) => Self::Time(at.into()),
            wit::Value::Duration(milliseconds) => Self::Duration(Duration::from_millis(milliseconds)),
            wit::Value::Object(object) => Self::Object(object),
        }
    }
}

impl From<wit::Requeue> for Requeue {
    fn from(wit::Requeue { at, reason }: wit::Requeue) -> Self {
        Self { at: at.into(), reason }
    }
}

impl From<wit::Wakeup> for Wakeup {
    fn from(wit::Wakeup { at, controller, object, reason }: wit::Wakeup) -> Self {
        Self { at: at.into(), controller, object, reason }
    }
}
