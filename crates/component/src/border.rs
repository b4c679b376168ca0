//! What crosses the border, from WIT's types to the manager's and back.
//!
//! Docs: `wit/controllers.wit`; the manager's types are in the crate `contract`. The host's half of this is `host/src/border.rs`.

use contract::{
    ApiError, Change, Command, DecisionKind, Event, Explanation, Json, Key, LookAgain, Notice, Outcome, Part, Plan, Reconciled, Regarding,
    Wakeup,
};
use contract::{Cause, ContentType, Method, Written, metrics};

use crate::wit::exports::jobsmith::controllers::manager as wit;

/// Converts one by one.
pub(crate) fn many<Wide, Narrow: From<Wide>>(items: Vec<Wide>) -> Vec<Narrow> {
    items.into_iter().map(Into::into).collect()
}

impl From<wit::Event> for Event {
    fn from(event: wit::Event) -> Self {
        match event {
            wit::Event::Changed(change) => Self::Changed(change.into()),
            wit::Event::Listed(wit::Listing { kind, part, resource_version, objects }) => {
                let (kind, part) = (kind.into(), part.into());
                Self::Listed { kind, part, resource_version: resource_version.into(), objects: many(objects) }
            }
            wit::Event::Finished(wit::Report { plan, outcomes }) => Self::Finished { plan, outcomes: many(outcomes) },
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

impl From<wit::Object> for Json {
    fn from(object: wit::Object) -> Self {
        Self { kind: object.kind.into(), text: object.json.into() }
    }
}

impl From<wit::Kind> for api::Kind {
    fn from(kind: wit::Kind) -> Self {
        match kind {
            wit::Kind::Job => Self::Job,
            wit::Kind::Pod => Self::Pod,
        }
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
        Self::new(time.seconds, nanoseconds).unwrap_or_else(|_| panic!("the host told a time that does not exist: {} s", time.seconds))
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
        Self { kind: malformed.kind.into(), name: malformed.name, reason: malformed.reason }
    }
}

impl From<api::Kind> for wit::Kind {
    fn from(kind: api::Kind) -> Self {
        match kind {
            api::Kind::Job => Self::Job,
            api::Kind::Pod => Self::Pod,
        }
    }
}

impl From<Reconciled> for wit::Reconciled {
    fn from(reconciled: Reconciled) -> Self {
        Self { id: reconciled.id, key: reconciled.key.into(), plan: reconciled.plan.into() }
    }
}

impl From<Key> for wit::Key {
    fn from(key: Key) -> Self {
        Self { queue: (&*key.queue).into(), namespace: (&*key.namespace).into(), name: (&*key.name).into() }
    }
}

impl From<Plan> for wit::Plan {
    fn from(plan: Plan) -> Self {
        Self {
            batches: plan.batches.into_iter().map(many).collect(),
            decisions: many(plan.decisions),
            notices: many(plan.notices),
            look_again: plan.look_again.map(Into::into),
        }
    }
}

impl From<Command> for wit::Command {
    fn from(Command { request, tolerates }: Command) -> Self {
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
        Self { method, path: request.path, content_type, body: request.body, tolerates }
    }
}

impl From<Explanation> for wit::Explanation {
    fn from(Explanation { kind, sentence, values }: Explanation) -> Self {
        Self { code: (&*kind.code).into(), sentence, values }
    }
}

impl From<&DecisionKind> for wit::DecisionKind {
    fn from(kind: &DecisionKind) -> Self {
        let text = |text: &std::sync::Arc<str>| text.as_ref().to_owned();
        let DecisionKind { code, acts, page, heading, rule, fields } = kind;
        let fields = fields.iter().map(text).collect();
        Self { code: text(code), acts: *acts, page: text(page), heading: text(heading), rule: text(rule), fields }
    }
}

impl From<Notice> for wit::Notice {
    fn from(notice: Notice) -> Self {
        let Notice { regarding, warning, reason, message } = notice;
        Self { regarding: regarding.into(), warning, reason, message }
    }
}

impl From<Regarding> for wit::Regarding {
    fn from(regarding: Regarding) -> Self {
        let Regarding { kind, namespace, name, uid } = regarding;
        Self { kind: kind.into(), namespace: (&*namespace).into(), name: (&*name).into(), uid: (&*uid).into() }
    }
}

impl From<LookAgain> for wit::LookAgain {
    fn from(look_again: LookAgain) -> Self {
        Self { at: look_again.at.into(), because: look_again.because }
    }
}

impl From<Wakeup> for wit::Wakeup {
    fn from(wakeup: Wakeup) -> Self {
        Self { at: wakeup.at.into(), key: wakeup.key.into(), because: wakeup.because }
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
            metrics::Measure::Histogram { buckets, sum, count } => wit::Measure::Histogram(wit::Histogram { buckets, sum, count }),
        };
        Self { labels: sample.labels, value }
    }
}
