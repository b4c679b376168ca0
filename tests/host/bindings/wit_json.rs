//! Values of the contract as JSON that follows the WIT and not the contract's own serialization: what every language can compare.
//!
//! Docs: `tests/plugins/README.md`, "Values as JSON", describes the form.

use api::{Duration, Timestamp};
use contract::decision::{Sentence, TextPart};
use contract::metrics::{Family, Histogram, Measure, Sample};
use contract::{
    ApiResource, Change, Command, ContentType, Decision, Event, Explanation, Forecast, Listing, Malformed, Method, Notice, ObjectJson,
    ObjectRef, Obstacle, Outcome, Part, Period, Plan, Related, Report, Requeue, Role, Value, Wakeup,
};
use serde_json::{Value as Tree, json};

/// A whole number of 64 bits.
fn number(number: impl ToString) -> Tree {
    json!({"i64": number.to_string()})
}

/// A floating-point number, bit by bit.
fn float(number: f64) -> Tree {
    json!({"f64": format!("{:016x}", number.to_bits())})
}

fn case(tag: &str, value: Tree) -> Tree {
    json!({"tag": tag, "val": value})
}

fn all<T>(values: &[T], tree: impl Fn(&T) -> Tree) -> Tree {
    values.iter().map(tree).collect()
}

fn duration(length: Duration) -> Tree {
    number(api::time::milliseconds(length))
}

pub(super) fn result(result: Result<Tree, Tree>) -> Tree {
    match result {
        Ok(Tree::Null) => json!({"tag": "ok"}),
        Ok(value) => case("ok", value),
        Err(error) => case("err", error),
    }
}

pub(super) fn timestamp(time: Timestamp) -> Tree {
    let (seconds, nanoseconds) = api::time::parts(time);
    json!({"seconds": number(seconds), "nanoseconds": nanoseconds})
}

fn optional_time(time: Option<Timestamp>) -> Tree {
    time.map_or(Tree::Null, timestamp)
}

pub(super) fn object(ObjectRef { kind, namespace, name, uid }: &ObjectRef) -> Tree {
    json!({"kind": **kind, "namespace": **namespace, "name": **name, "uid": **uid})
}

pub(super) fn event(event: &Event) -> Tree {
    let json = |ObjectJson { kind, json: text }: &ObjectJson| json!({"kind": **kind, "json": **text});
    match event {
        Event::Changed(Change::Applied(object)) => case("changed", case("applied", json(object))),
        Event::Changed(Change::Deleted(object)) => case("changed", case("deleted", json(object))),
        Event::Listed(Listing { kind, part, resource_version, objects }) => {
            let part = match part {
                Part::Whole => "whole",
                Part::First => "first",
                Part::Middle => "middle",
                Part::Last => "last",
            };
            let objects = all(objects, |object| json!(**object));
            case("listed", json!({"kind": **kind, "part": part, "resourceVersion": **resource_version, "objects": objects}))
        }
        Event::Finished(Report { plan, outcomes }) => case("finished", json!({"plan": number(plan), "outcomes": all(outcomes, outcome)})),
    }
}

fn outcome(outcome: &Outcome) -> Tree {
    match outcome {
        Outcome::Done(written) => case(
            "done",
            json!({
                "name": *written.name, "uid": *written.uid, "resourceVersion": *written.resource_version, "deleting": written.deleting,
            }),
        ),
        Outcome::Failed(error) => {
            let cause = |cause: &contract::Cause| json!({"reason": cause.reason, "field": cause.field, "message": cause.message});
            let causes = all(&error.causes, cause);
            case("failed", json!({"code": error.code, "reason": error.reason, "message": error.message, "causes": causes}))
        }
        Outcome::Skipped => json!({"tag": "skipped"}),
    }
}

pub(super) fn malformed(Malformed { kind, name, reason }: &Malformed) -> Tree {
    json!({"kind": **kind, "name": name, "reason": reason})
}

pub(super) fn resource(resource: &ApiResource) -> Tree {
    let ApiResource { group, version, kind, plural, namespaced } = resource;
    json!({"group": **group, "version": **version, "kind": **kind, "plural": **plural, "namespaced": namespaced})
}

pub(super) fn plan(Plan { id, controller, object, batches, decisions, notices, requeue_at }: &Plan) -> Tree {
    json!({
        "id": number(id), "controller": **controller, "object": self::object(object), "batches": self::batches(batches),
        "decisions": all(decisions, decision), "notices": all(notices, notice), "requeueAt": requeue_at.as_ref().map(requeue),
    })
}

fn batches(batches: &[Vec<Command>]) -> Tree {
    all(batches, |batch| all(batch, command))
}

fn command(Command { request, tolerates, after }: &Command) -> Tree {
    let method = match request.method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Patch => "patch",
        Method::Delete => "delete",
    };
    let content_type = match request.content_type {
        ContentType::Json => "json",
        ContentType::MergePatch => "merge-patch",
        ContentType::StrategicMergePatch => "strategic-merge-patch",
    };
    json!({"method": method, "path": request.path, "contentType": content_type, "body": request.body, "tolerates": tolerates, "after": after})
}

fn decision(Decision { kind, role, sentence, values }: &Decision) -> Tree {
    let role = match role {
        Role::Action => json!({"tag": "action"}),
        Role::Wait(Period { since, until }) => case("wait", json!({"since": optional_time(*since), "until": optional_time(*until)})),
        Role::Invalid => json!({"tag": "invalid"}),
        Role::Routine => json!({"tag": "routine"}),
    };
    let values = all(values, |(name, value)| json!([**name, self::value(value)]));
    json!({"code": *kind.code, "role": role, "sentence": self::sentence(sentence), "values": values})
}

fn part(part: &TextPart) -> Tree {
    match part {
        TextPart::Text(text) => case("text", json!(**text)),
        TextPart::Time(time) => case("time", timestamp(*time)),
        TextPart::Duration(length) => case("duration", duration(*length)),
        TextPart::Object(object) => case("object", self::object(object)),
        TextPart::Field(path) => case("field", json!(**path)),
    }
}

fn value(value: &Value) -> Tree {
    match value {
        Value::Boolean(boolean) => case("boolean", json!(boolean)),
        Value::Integer(integer) => case("integer", number(integer)),
        Value::Text(text) => case("text", json!(**text)),
        Value::Time(time) => case("time", timestamp(*time)),
        Value::Duration(length) => case("duration", duration(*length)),
        Value::Object(object) => case("object", self::object(object)),
    }
}

fn notice(Notice { regarding, reporting_controller, warning, reason, message }: &Notice) -> Tree {
    json!({
        "regarding": object(regarding), "reportingController": **reporting_controller, "warning": warning, "reason": reason,
        "message": message,
    })
}

fn requeue(Requeue { at, reason }: &Requeue) -> Tree {
    json!({"at": timestamp(*at), "reason": reason})
}

pub(super) fn wakeup(Wakeup { at, controller, object, reason }: &Wakeup) -> Tree {
    json!({"at": timestamp(*at), "controller": **controller, "object": self::object(object), "reason": reason})
}

pub(super) fn explanation(Explanation { controllers, headline, obstacles, now, requeue_at, next, related }: &Explanation) -> Tree {
    let of = |Related { object, decision }: &Related| json!({"object": self::object(object), "decision": self::decision(decision)});
    json!({
        "controllers": controllers, "headline": sentence(headline), "obstacles": all(obstacles, obstacle), "now": forecast(now), "requeueAt": requeue_at.as_ref().map(requeue),
        "next": next.as_ref().map(forecast), "related": all(related, of),
    })
}

fn sentence(sentence: &Sentence) -> Tree {
    all(&sentence.0, part)
}

fn obstacle(obstacle: &Obstacle) -> Tree {
    let Obstacle { code, objects, count, since, until, passes, sentence, remedy } = obstacle;
    json!({
        "code": **code, "objects": all(objects, object), "count": count, "since": since.map(timestamp), "until": until.map(timestamp), "passes": passes,
        "sentence": self::sentence(sentence), "remedy": self::sentence(remedy),
    })
}

fn forecast(Forecast { decisions, batches }: &Forecast) -> Tree {
    json!({"decisions": all(decisions, decision), "batches": self::batches(batches)})
}

pub(super) fn family(Family { name, help, samples }: &Family) -> Tree {
    let sample = |Sample { labels, value }: &Sample| json!({"labels": labels, "value": measure(value)});
    json!({"name": name, "help": help, "samples": all(samples, sample)})
}

fn measure(measure: &Measure) -> Tree {
    match measure {
        Measure::Counter(count) => case("counter", number(count)),
        Measure::Gauge(gauge) => case("gauge", number(gauge)),
        Measure::Histogram(Histogram { buckets, sum, count }) => {
            let buckets = all(buckets, |(bound, count)| json!([float(*bound), number(count)]));
            case("histogram", json!({"buckets": buckets, "sum": float(*sum), "count": number(count)}))
        }
    }
}
