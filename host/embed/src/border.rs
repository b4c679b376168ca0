//! What crosses the border, from the manager's types to WIT's and back.
//!
//! Docs: `crates/component/wit/controllers.wit`. The component's half of this is `crates/component/src/border.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Duration, Timestamp};
use contract::decision::{self, Decision, DecisionKind, Period, Role, Sentence, Value};
use contract::{
    ApiError, ApiResource, Cause, Change, Command, ContentType, Event, Explanation, Forecast, Listing, Malformed, Method, Notice,
    ObjectJson, ObjectRef, Outcome, Part, Plan, Related, Report, Request, Requeue, Wakeup, metrics,
};

pub(crate) use generated::exports::jobsmith::controllers::manager as wit;
pub(crate) use generated::{Controllers, ControllersPre};

/// What is generated from the WIT.
mod generated {
    wasmtime::component::bindgen!({
        path: "wit",
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
        Event::Listed(Listing { kind, part, resource_version, objects }) => {
            let objects: Vec<&str> = objects.iter().map(|object| &**object).collect();
            call(wit::Event::Listed(wit::Listing { kind, part: (*part).into(), resource_version, objects: &objects }))
        }
        Event::Finished(Report { plan, outcomes }) => {
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

impl<'a> From<&'a ObjectJson> for wit::Object<'a> {
    fn from(object: &'a ObjectJson) -> Self {
        Self { kind: &object.kind, json: &object.json }
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

impl<'a> From<&'a ObjectRef> for wit::ObjectRefParam<'a> {
    fn from(object: &'a ObjectRef) -> Self {
        Self { kind: &object.kind, namespace: &object.namespace, name: &object.name, uid: &object.uid }
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

impl From<wit::ApiResource> for ApiResource {
    fn from(resource: wit::ApiResource) -> Self {
        let wit::ApiResource { group, version, kind, plural, namespaced } = resource;
        Self { group: group.into(), version: version.into(), kind: kind.into(), plural: plural.into(), namespaced }
    }
}

/// The kinds of decisions that a component knows, by their codes.
pub(crate) struct Kinds(BTreeMap<String, Arc<DecisionKind>>);

impl Kinds {
    /// The kinds that a component names.
    pub(crate) fn new(kinds: Vec<wit::DecisionKind>) -> Self {
        Self(kinds.into_iter().map(|kind| (kind.code.clone(), Arc::new(kind.into()))).collect())
    }

    /// All of them, sorted by code.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &DecisionKind> {
        self.0.values().map(|kind| &**kind)
    }

    /// A plan, whose decisions get what their kinds have in common.
    pub(crate) fn plan(&self, plan: wit::Plan) -> Plan {
        let wit::Plan { id, controller, object, batches, decisions, notices, requeue_at } = plan;
        Plan {
            id,
            controller: controller.into(),
            object: object.into(),
            batches: batches.into_iter().map(many).collect(),
            decisions: self.decisions(decisions),
            notices: many(notices),
            requeue_at: requeue_at.map(Into::into),
        }
    }

    /// An explanation, whose decisions get what their kinds have in common.
    pub(crate) fn explanation(&self, explanation: wit::Explanation) -> Explanation {
        let wit::Explanation { controllers, now, requeue_at, next, related: others } = explanation;
        let related = |wit::Related { object, decision }| Related { object: ObjectRef::from(object), decision: self.decision(decision) };
        Explanation {
            controllers,
            now: self.forecast(now),
            requeue_at: requeue_at.map(Into::into),
            next: next.map(|next| self.forecast(next)),
            related: others.into_iter().map(related).collect(),
        }
    }

    fn forecast(&self, forecast: wit::Forecast) -> Forecast {
        Forecast { decisions: self.decisions(forecast.decisions), batches: forecast.batches.into_iter().map(many).collect() }
    }

    fn decisions(&self, decisions: Vec<wit::Decision>) -> Vec<Decision> {
        decisions.into_iter().map(|decision| self.decision(decision)).collect()
    }

    fn decision(&self, decision: wit::Decision) -> Decision {
        let wit::Decision { code, role, sentence, values } = decision;
        // A kind that the component did not name is a foreign component's slip, and no reason to lose the plan.
        let kind = self.0.get(&code).cloned().unwrap_or_else(|| DecisionKind { code: code.into(), ..DecisionKind::default() }.into());
        let values = values.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Decision { kind, role: role.into(), sentence: Sentence(many(sentence)), values }
    }
}

impl From<wit::DecisionKind> for DecisionKind {
    fn from(kind: wit::DecisionKind) -> Self {
        let wit::DecisionKind { code, page, heading, url, rule, fields } = kind;
        Self { code: code.into(), page: page.into(), heading: heading.into(), url: url.into(), rule: rule.into(), fields: many(fields) }
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

impl From<wit::TextPart> for decision::TextPart {
    fn from(part: wit::TextPart) -> Self {
        match part {
            wit::TextPart::Text(text) => Self::Text(text.into()),
            wit::TextPart::Time(at) => Self::Time(at.into()),
            wit::TextPart::Duration(milliseconds) => Self::Duration(Duration::from_millis(milliseconds)),
            wit::TextPart::Object(object) => Self::Object(object.into()),
            wit::TextPart::Field(path) => Self::Field(path.into()),
        }
    }
}

impl From<wit::Value> for Value {
    fn from(value: wit::Value) -> Self {
        match value {
            wit::Value::Boolean(boolean) => Self::Boolean(boolean),
            wit::Value::Integer(number) => Self::Integer(number),
            wit::Value::Text(text) => Self::Text(text.into()),
            wit::Value::Time(at) => Self::Time(at.into()),
            wit::Value::Duration(milliseconds) => Self::Duration(Duration::from_millis(milliseconds)),
            wit::Value::Object(object) => Self::Object(object.into()),
        }
    }
}

impl From<wit::Command> for Command {
    fn from(command: wit::Command) -> Self {
        let wit::Command { method, path, content_type, body, tolerates, after } = command;
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
        Self { request: Request { method, path, content_type, body }, tolerates, after }
    }
}

impl From<wit::Notice> for Notice {
    fn from(notice: wit::Notice) -> Self {
        let wit::Notice { regarding, reporting_controller, warning, reason, message } = notice;
        Self { regarding: regarding.into(), reporting_controller: reporting_controller.into(), warning, reason, message }
    }
}

impl From<wit::ObjectRefResult> for ObjectRef {
    fn from(object: wit::ObjectRefResult) -> Self {
        let wit::ObjectRefResult { kind, namespace, name, uid } = object;
        Self { kind: kind.into(), namespace: namespace.into(), name: name.into(), uid: uid.into() }
    }
}

impl From<wit::Requeue> for Requeue {
    fn from(requeue: wit::Requeue) -> Self {
        Self { at: requeue.at.into(), reason: requeue.reason }
    }
}

impl From<wit::Wakeup> for Wakeup {
    fn from(wakeup: wit::Wakeup) -> Self {
        let wit::Wakeup { at, controller, object, reason } = wakeup;
        Self { at: at.into(), controller: controller.into(), object: object.into(), reason }
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
            wit::Measure::Histogram(wit::Histogram { buckets, sum, count }) => {
                metrics::Measure::Histogram(metrics::Histogram { buckets, sum, count })
            }
        };
        Self { labels: sample.labels, value }
    }
}
