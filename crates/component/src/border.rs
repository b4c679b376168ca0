//! What crosses the border, from WIT's types to the manager's and back.
//!
//! Docs: `wit/controllers.wit`; the manager's types are in the crate `contract`. The host's half of this is `host/embed/src/border.rs`.

use contract::decision::{Decision, DecisionKind, Period, Role, TextPart, Value};
use contract::{
    ApiError, ApiResource, Cause, Change, Command, ContentType, Event, Explanation, Forecast, Listing, Method, Notice, ObjectJson,
    ObjectRef, Outcome, Part, Plan, Related, Report, Requeue, Wakeup, Written, metrics,
};

use crate::wit::exports::jobsmith::controllers::manager as wit;

/// Converts one by one.
pub(crate) fn many<Wide, Narrow: From<Wide>>(items: Vec<Wide>) -> Vec<Narrow> {
    items.into_iter().map(Into::into).collect()
}

impl From<wit::Event> for Event {
    fn from(event: wit::Event) -> Self {
        match event {
            wit::Event::Changed(change) => Self::Changed(change.into()),
            wit::Event::Listed(wit::Listing { kind, part, resource_version, objects }) => Self::Listed(Listing {
                kind: kind.into(),
                part: part.into(),
                resource_version: resource_version.into(),
                objects: many(objects),
            }),
            wit::Event::Finished(wit::Report { plan, outcomes }) => Self::Finished(Report { plan, outcomes: many(outcomes) }),
        }
    }
}

impl From<wit::Part> for Part {
    fn from(part: wit::Part) -> Self {
        match part {
            wit::Part::Whole => Self::Whole,
            wit::Part::First => Self::First,
            wit::Part::Middle => Self::Middle,
            wit::Part::Last => Self::Last,
        }
    }
}

impl From<wit::Change> for Change {
    fn from(change: wit::Change) -> Self {
        match change {
            wit::Change::Applied(object) => Self::Applied(object.into()),
            wit::Change::Deleted(object) => Self::Deleted(object.into()),
        }
    }
}

impl From<wit::Object> for ObjectJson {
    fn from(object: wit::Object) -> Self {
        Self { kind: object.kind.into(), json: object.json.into() }
    }
}

impl From<wit::Outcome> for Outcome {
    fn from(outcome: wit::Outcome) -> Self {
        match outcome {
            wit::Outcome::Done(wit::Written { name, uid, resource_version, deleting }) => {
                Self::Done(Written { name, uid, resource_version, deleting })
            }
            wit::Outcome::Failed(wit::ApiError { code, reason, message, causes }) => {
                Self::Failed(ApiError { code, reason, message, causes: many(causes) })
            }
            wit::Outcome::Skipped => Self::Skipped,
        }
    }
}

impl From<wit::Cause> for Cause {
    fn from(cause: wit::Cause) -> Self {
        Self { reason: cause.reason, field: cause.field, message: cause.message }
    }
}

impl From<wit::Timestamp> for api::Timestamp {
    fn from(time: wit::Timestamp) -> Self {
        let nanoseconds = i32::try_from(time.nanoseconds).unwrap_or(i32::MAX);
        Self::new(time.seconds, nanoseconds).unwrap_or_else(|_| panic!("the host sent a time that does not exist: {} s", time.seconds))
    }
}

impl From<api::Timestamp> for wit::Timestamp {
    fn from(time: api::Timestamp) -> Self {
        let (seconds, nanoseconds) = api::time::parts(time);
        Self { seconds, nanoseconds }
    }
}

impl From<api::Malformed> for wit::Malformed {
    fn from(malformed: api::Malformed) -> Self {
        Self { kind: text(&malformed.kind), name: malformed.name, reason: malformed.reason }
    }
}

impl From<ApiResource> for wit::ApiResource {
    fn from(ApiResource { group, version, kind, plural, namespaced }: ApiResource) -> Self {
        Self { group: text(&group), version: text(&version), kind: text(&kind), plural: text(&plural), namespaced }
    }
}

impl From<ObjectRef> for wit::ObjectRef {
    fn from(ObjectRef { kind, namespace, name, uid }: ObjectRef) -> Self {
        Self { kind: text(&kind), namespace: text(&namespace), name: text(&name), uid: text(&uid) }
    }
}

impl From<wit::ObjectRef> for ObjectRef {
    fn from(wit::ObjectRef { kind, namespace, name, uid }: wit::ObjectRef) -> Self {
        Self { kind: kind.into(), namespace: namespace.into(), name: name.into(), uid: uid.into() }
    }
}

impl From<Plan> for wit::Plan {
    fn from(Plan { id, controller, object, batches, decisions, notices, requeue_at }: Plan) -> Self {
        Self {
            id,
            controller: text(&controller),
            object: object.into(),
            batches: batches.into_iter().map(many).collect(),
            decisions: many(decisions),
            notices: many(notices),
            requeue_at: requeue_at.map(Into::into),
        }
    }
}

impl From<Command> for wit::Command {
    fn from(Command { request, tolerates, after }: Command) -> Self {
        let method = match request.method {
            Method::Get => wit::Method::Get,
            Method::Post => wit::Method::Post,
            Method::Put => wit::Method::Put,
            Method::Patch => wit::Method::Patch,
            Method::Delete => wit::Method::Delete,
        };
        let content_type = match request.content_type {
            ContentType::Json => wit::ContentType::Json,
            ContentType::MergePatch => wit::ContentType::MergePatch,
            ContentType::StrategicMergePatch => wit::ContentType::StrategicMergePatch,
        };
        Self { method, path: request.path, content_type, body: request.body, tolerates, after }
    }
}

impl From<Decision> for wit::Decision {
    fn from(Decision { kind, role, sentence, values }: Decision) -> Self {
        let values = values.into_iter().map(|(name, value)| (text(&name), value.into())).collect();
        Self { code: text(&kind.code), role: role.into(), sentence: many(sentence.0), values }
    }
}

impl From<Role> for wit::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::Action => Self::Action,
            Role::Wait(Period { since, until }) => Self::Wait(wit::Period { since: since.map(Into::into), until: until.map(Into::into) }),
            Role::Invalid => Self::Invalid,
            Role::Routine => Self::Routine,
        }
    }
}

impl From<TextPart> for wit::TextPart {
    fn from(part: TextPart) -> Self {
        match part {
            TextPart::Text(plain) => Self::Text(text(&plain)),
            TextPart::Time(at) => Self::Time(at.into()),
            TextPart::Duration(length) => Self::Duration(api::time::milliseconds(length)),
            TextPart::Object(object) => Self::Object(object.into()),
            TextPart::Field(path) => Self::Field(text(&path)),
        }
    }
}

impl From<Value> for wit::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Boolean(boolean) => Self::Boolean(boolean),
            Value::Integer(number) => Self::Integer(number),
            Value::Text(plain) => Self::Text(text(&plain)),
            Value::Time(at) => Self::Time(at.into()),
            Value::Duration(length) => Self::Duration(api::time::milliseconds(length)),
            Value::Object(object) => Self::Object(object.into()),
        }
    }
}

impl From<&DecisionKind> for wit::DecisionKind {
    fn from(DecisionKind { code, page, heading, url, rule, fields }: &DecisionKind) -> Self {
        let fields = fields.iter().map(|field| text(field)).collect();
        Self { code: text(code), page: text(page), heading: text(heading), url: text(url), rule: text(rule), fields }
    }
}

impl From<Notice> for wit::Notice {
    fn from(Notice { regarding, reporting_controller, warning, reason, message }: Notice) -> Self {
        Self { regarding: regarding.into(), reporting_controller: text(&reporting_controller), warning, reason, message }
    }
}

impl From<Requeue> for wit::Requeue {
    fn from(Requeue { at, reason }: Requeue) -> Self {
        Self { at: at.into(), reason }
    }
}

impl From<Explanation> for wit::Explanation {
    fn from(Explanation { controllers, now, requeue_at, next, related }: Explanation) -> Self {
        let (requeue_at, next) = (requeue_at.map(Into::into), next.map(Into::into));
        Self { controllers, now: now.into(), requeue_at, next, related: many(related) }
    }
}

impl From<Forecast> for wit::Forecast {
    fn from(Forecast { decisions, batches }: Forecast) -> Self {
        Self { decisions: many(decisions), batches: batches.into_iter().map(many).collect() }
    }
}

impl From<Related> for wit::Related {
    fn from(Related { object, decision }: Related) -> Self {
        Self { object: object.into(), decision: decision.into() }
    }
}

impl From<Wakeup> for wit::Wakeup {
    fn from(Wakeup { at, controller, object, reason }: Wakeup) -> Self {
        Self { at: at.into(), controller: text(&controller), object: object.into(), reason }
    }
}

impl From<metrics::Family> for wit::Family {
    fn from(family: metrics::Family) -> Self {
        Self { name: family.name, help: family.help, samples: many(family.samples) }
    }
}

impl From<metrics::Sample> for wit::Sample {
    fn from(sample: metrics::Sample) -> Self {
        let value = match sample.value {
            metrics::Measure::Counter(count) => wit::Measure::Counter(count),
            metrics::Measure::Gauge(number) => wit::Measure::Gauge(number),
            metrics::Measure::Histogram(metrics::Histogram { buckets, sum, count }) => {
                wit::Measure::Histogram(wit::Histogram { buckets, sum, count })
            }
        };
        Self { labels: sample.labels, value }
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}
