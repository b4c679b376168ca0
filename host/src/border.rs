//! What crosses the border, from the manager's types to WIT's and back.
//!
//! Docs: `crates/component/wit/controllers.wit`. The component's half of this is `crates/component/src/border.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Kind, Malformed, Timestamp};
use contract::{
    ApiError, Change, Command, DecisionKind, Event, Explanation, Json, Key, LookAgain, Notice, Outcome, Part, Plan, Reconciled, Regarding,
    Wakeup,
};
use contract::{Cause, ContentType, Method, Request, metrics};

pub(crate) use generated::exports::jobsmith::controllers::manager as wit;
pub(crate) use generated::{Controllers, ControllersPre};

/// What is generated from the WIT.
mod generated {
    wasmtime::component::bindgen!({
        path: "../crates/component/wit",
        world: "controllers",
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

/// Converts one by one.
pub(crate) fn many<Wide, Narrow: From<Wide>>(items: Vec<Wide>) -> Vec<Narrow> {
    items.into_iter().map(Into::into).collect()
}

/// Calls with the event as it crosses: a view, so that no text is copied on this side.
pub(crate) fn lower<Answer>(event: &Event, call: impl FnOnce(wit::Event<'_>) -> Answer) -> Answer {
    match event {
        Event::Changed(Change::Applied(object)) => call(wit::Event::Changed(wit::Change::Applied(object.into()))),
        Event::Changed(Change::Deleted(object)) => call(wit::Event::Changed(wit::Change::Deleted(object.into()))),
        Event::Listed { kind, part, resource_version, objects } => {
            let objects: Vec<&str> = objects.iter().map(|object| &**object).collect();
            let (kind, part) = ((*kind).into(), (*part).into());
            call(wit::Event::Listed(wit::Listing { kind, part, resource_version, objects: &objects }))
        }
        Event::Finished { plan, outcomes } => {
            let causes: Vec<Vec<wit::Cause<'_>>> = outcomes.iter().map(causes).collect();
            let outcomes: Vec<wit::Outcome<'_>> =
                outcomes.iter().zip(&causes).map(|(outcome, causes)| lower_outcome(outcome, causes)).collect();
            call(wit::Event::Finished(wit::Report { plan: *plan, outcomes: &outcomes }))
        }
    }
}

fn causes(outcome: &Outcome) -> Vec<wit::Cause<'_>> {
    match outcome {
        Outcome::Failed(error) => error.causes.iter().map(Into::into).collect(),
        Outcome::Done(_) | Outcome::Skipped => Vec::new(),
    }
}

fn lower_outcome<'a>(outcome: &'a Outcome, causes: &'a [wit::Cause<'a>]) -> wit::Outcome<'a> {
    match outcome {
        Outcome::Done(written) => wit::Outcome::Done(wit::Written {
            name: &written.name,
            uid: &written.uid,
            resource_version: &written.resource_version,
            deleting: written.deleting,
        }),
        Outcome::Failed(ApiError { code, reason, message, causes: _ }) => {
            wit::Outcome::Failed(wit::ApiError { code: *code, reason, message, causes })
        }
        Outcome::Skipped => wit::Outcome::Skipped,
    }
}

impl<'a> From<&'a Cause> for wit::Cause<'a> {
    fn from(cause: &'a Cause) -> Self {
        Self { reason: &cause.reason, field: &cause.field, message: &cause.message }
    }
}

impl<'a> From<&'a Json> for wit::Object<'a> {
    fn from(object: &'a Json) -> Self {
        Self { kind: object.kind.into(), json: &object.text }
    }
}

impl From<Part> for wit::Part {
    fn from(part: Part) -> Self {
        match part {
            Part::Whole => Self::Whole,
            Part::First => Self::First,
            Part::Middle => Self::Middle,
            Part::Last => Self::Last,
        }
    }
}

impl From<Kind> for wit::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Job => Self::Job,
            Kind::Pod => Self::Pod,
        }
    }
}

impl From<wit::Kind> for Kind {
    fn from(kind: wit::Kind) -> Self {
        match kind {
            wit::Kind::Job => Self::Job,
            wit::Kind::Pod => Self::Pod,
        }
    }
}

impl From<Timestamp> for wit::Timestamp {
    fn from(time: Timestamp) -> Self {
        let (seconds, nanoseconds) = api::time::parts(time);
        Self { seconds, nanoseconds }
    }
}

impl From<wit::Timestamp> for Timestamp {
    fn from(time: wit::Timestamp) -> Self {
        let nanoseconds = i32::try_from(time.nanoseconds).unwrap_or_default();
        Self::new(time.seconds, nanoseconds).unwrap_or(Self::MAX)
    }
}

impl From<wit::Malformed> for Malformed {
    fn from(malformed: wit::Malformed) -> Self {
        Self { kind: malformed.kind.into(), name: malformed.name, reason: malformed.reason }
    }
}

/// The kinds of decisions that a component knows, by their codes.
pub(crate) type Kinds = BTreeMap<String, Arc<DecisionKind>>;

/// A plan, whose decisions get what their kinds say.
pub(crate) fn reconciled(reconciled: wit::Reconciled, kinds: &Kinds) -> Reconciled {
    let wit::Reconciled { id, key, plan: wit::Plan { batches, decisions, notices, look_again } } = reconciled;
    let explained = |wit::Explanation { code, sentence, values }| {
        // A kind that the component did not name is a foreign component's slip, and no reason to lose the plan.
        let kind = kinds.get(&code).cloned().unwrap_or_else(|| DecisionKind { code: code.into(), ..DecisionKind::default() }.into());
        Explanation { kind, sentence, values }
    };
    let plan = Plan {
        batches: batches.into_iter().map(many).collect(),
        decisions: decisions.into_iter().map(explained).collect(),
        notices: many(notices),
        look_again: look_again.map(Into::into),
    };
    Reconciled { id, key: key.into(), plan }
}

impl From<wit::DecisionKind> for DecisionKind {
    fn from(kind: wit::DecisionKind) -> Self {
        let wit::DecisionKind { code, acts, page, heading, rule, fields } = kind;
        Self { code: code.into(), acts, page: page.into(), heading: heading.into(), rule: rule.into(), fields: many(fields) }
    }
}

impl From<wit::Key> for Key {
    fn from(key: wit::Key) -> Self {
        Self { queue: key.queue.into(), namespace: key.namespace.into(), name: key.name.into() }
    }
}

impl From<wit::Command> for Command {
    fn from(command: wit::Command) -> Self {
        let wit::Command { method, path, content_type, body, tolerates } = command;
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

impl From<wit::Notice> for Notice {
    fn from(notice: wit::Notice) -> Self {
        let wit::Notice { regarding, warning, reason, message } = notice;
        Self { regarding: regarding.into(), warning, reason, message }
    }
}

impl From<wit::Regarding> for Regarding {
    fn from(regarding: wit::Regarding) -> Self {
        let wit::Regarding { kind, namespace, name, uid } = regarding;
        Self { kind: kind.into(), namespace: namespace.into(), name: name.into(), uid: uid.into() }
    }
}

impl From<wit::LookAgain> for LookAgain {
    fn from(look_again: wit::LookAgain) -> Self {
        Self { at: look_again.at.into(), because: look_again.because }
    }
}

impl From<wit::Wakeup> for Wakeup {
    fn from(wakeup: wit::Wakeup) -> Self {
        Self { at: wakeup.at.into(), key: wakeup.key.into(), because: wakeup.because }
    }
}

impl From<wit::Family> for metrics::Family {
    fn from(family: wit::Family) -> Self {
        Self { name: family.name, help: family.help, samples: many(family.samples) }
    }
}

impl From<wit::Sample> for metrics::Sample {
    fn from(sample: wit::Sample) -> Self {
        let value = match sample.value {
            wit::Measure::Counter(count) => metrics::Measure::Counter(count),
            wit::Measure::Gauge(number) => metrics::Measure::Gauge(number),
            wit::Measure::Histogram(wit::Histogram { buckets, sum, count }) => metrics::Measure::Histogram { buckets, sum, count },
        };
        Self { labels: sample.labels, value }
    }
}
