//! Writes the contract's values to a memory.
//!
//! Docs: `crates/component/wit/controllers.wit`. Single values are written in `target.rs`.
//! Generated from it by `cargo xtask bindings`; do not edit.

use api::{Timestamp, time};

use super::AbiTarget;
use crate::decision::TextPart;
use crate::metrics::{Family, Histogram, Measure, Sample};
use crate::{
    ApiError, ApiResource, Cause, Command, ContentType, Decision, DecisionKind, Explanation, Forecast, Malformed, Method, Notice,
    ObjectRef, Obstacle, Outcome, Period, Plan, Related, Requeue, Role, Value, Versions, Wakeup, Written,
};

/// Writes a value of the type `api-resource`.
pub fn api_resource(from: &ApiResource, mut to: AbiTarget<'_>) {
    to.text(0, &from.group);
    to.text(8, &from.version);
    to.text(16, &from.kind);
    to.text(24, &from.plural);
    to.bool(32, from.namespaced);
}

/// Writes a value of the type `object-ref`.
pub fn object_ref(from: &ObjectRef, mut to: AbiTarget<'_>) {
    to.text(0, &from.kind);
    to.text(8, &from.namespace);
    to.text(16, &from.name);
    to.text(24, &from.uid);
}

/// Writes a value of the type `written`.
pub fn written(from: &Written, mut to: AbiTarget<'_>) {
    to.text(0, &from.name);
    to.text(8, &from.uid);
    to.text(16, &from.resource_version);
    to.bool(24, from.deleting);
}

/// Writes a value of the type `cause`.
pub fn cause(from: &Cause, mut to: AbiTarget<'_>) {
    to.text(0, &from.reason);
    to.text(8, &from.field);
    to.text(16, &from.message);
}

/// Writes a value of the type `api-error`.
pub fn api_error(from: &ApiError, mut to: AbiTarget<'_>) {
    to.u16(0, from.code);
    to.text(4, &from.reason);
    to.text(12, &from.message);
    to.list(20, 24, 4, &from.causes, cause);
}

/// Writes a value of the type `outcome`.
pub fn outcome(from: &Outcome, mut to: AbiTarget<'_>) {
    match from {
        Outcome::Done(carried) => {
            to.case(0);
            written(carried, to.at(4));
        }
        Outcome::Failed(carried) => {
            to.case(1);
            api_error(carried, to.at(4));
        }
        Outcome::Skipped => to.case(2),
    }
}

/// Writes a value of the type `malformed`.
pub fn malformed(from: &Malformed, mut to: AbiTarget<'_>) {
    to.text(0, &from.kind);
    to.text(8, &from.name);
    to.text(16, &from.reason);
}

/// Writes a value of the type `method`.
pub fn method(from: &Method, mut to: AbiTarget<'_>) {
    to.case(match from {
        Method::Get => 0,
        Method::Post => 1,
        Method::Put => 2,
        Method::Patch => 3,
        Method::Delete => 4,
    });
}

/// Writes a value of the type `content-type`.
pub fn content_type(from: &ContentType, mut to: AbiTarget<'_>) {
    to.case(match from {
        ContentType::Json => 0,
        ContentType::MergePatch => 1,
        ContentType::StrategicMergePatch => 2,
    });
}

/// Writes a value of the type `command`.
pub fn command(from: &Command, mut to: AbiTarget<'_>) {
    method(&from.request.method, to.at(0));
    to.text(4, &from.request.path);
    content_type(&from.request.content_type, to.at(12));
    to.text(16, &from.request.body);
    to.list(24, 2, 2, &from.tolerates, |from, mut to| to.u16(0, *from));
    to.option(32, 36, from.after.as_ref(), |from, mut to| to.u32(0, *from));
}

/// Writes a value of the type `decision-kind`.
pub fn decision_kind(from: &DecisionKind, mut to: AbiTarget<'_>) {
    to.text(0, &from.code);
    to.text(8, &from.page);
    to.text(16, &from.heading);
    to.text(24, &from.url);
    to.text(32, &from.rule);
    to.list(40, 8, 4, &from.fields, |from, mut to| to.text(0, from));
}

/// Writes a value of the type `notice`.
pub fn notice(from: &Notice, mut to: AbiTarget<'_>) {
    object_ref(&from.regarding, to.at(0));
    to.text(32, &from.reporting_controller);
    to.bool(40, from.warning);
    to.text(44, &from.reason);
    to.text(52, &from.message);
}

/// Writes a value of the type `histogram`.
pub fn histogram(from: &Histogram, mut to: AbiTarget<'_>) {
    to.list(0, 16, 8, &from.buckets, |(one, two), mut to| {
        to.f64(0, *one);
        to.u64(8, *two);
    });
    to.f64(8, from.sum);
    to.u64(16, from.count);
}

/// Writes a value of the type `measure`.
pub fn measure(from: &Measure, mut to: AbiTarget<'_>) {
    match from {
        Measure::Counter(carried) => {
            to.case(0);
            to.u64(8, *carried);
        }
        Measure::Gauge(carried) => {
            to.case(1);
            to.s64(8, *carried);
        }
        Measure::Histogram(carried) => {
            to.case(2);
            histogram(carried, to.at(8));
        }
    }
}

/// Writes a value of the type `sample`.
pub fn sample(from: &Sample, mut to: AbiTarget<'_>) {
    to.list(0, 16, 4, &from.labels, |(one, two), mut to| {
        to.text(0, one);
        to.text(8, two);
    });
    measure(&from.value, to.at(8));
}

/// Writes a value of the type `family`.
pub fn family(from: &Family, mut to: AbiTarget<'_>) {
    to.text(0, &from.name);
    to.text(8, &from.help);
    to.list(16, 40, 8, &from.samples, sample);
}

/// Writes a value of the type `timestamp`.
pub fn timestamp(from: &Timestamp, mut to: AbiTarget<'_>) {
    let (seconds, nanoseconds) = time::parts(*from);
    to.s64(0, seconds);
    to.u32(8, nanoseconds);
}

/// Writes a value of the type `period`.
pub fn period(from: &Period, mut to: AbiTarget<'_>) {
    to.option(0, 8, from.since.as_ref(), timestamp);
    to.option(24, 32, from.until.as_ref(), timestamp);
}

/// Writes a value of the type `role`.
pub fn role(from: &Role, mut to: AbiTarget<'_>) {
    match from {
        Role::Action => to.case(0),
        Role::Wait(carried) => {
            to.case(1);
            period(carried, to.at(8));
        }
        Role::Invalid => to.case(2),
        Role::Routine => to.case(3),
    }
}

/// Writes a value of the type `text-part`.
pub fn text_part(from: &TextPart, mut to: AbiTarget<'_>) {
    match from {
        TextPart::Text(carried) => {
            to.case(0);
            to.text(8, carried);
        }
        TextPart::Time(carried) => {
            to.case(1);
            timestamp(carried, to.at(8));
        }
        TextPart::Duration(carried) => {
            to.case(2);
            to.s64(8, *carried);
        }
        TextPart::Object(carried) => {
            to.case(3);
            object_ref(carried, to.at(8));
        }
        TextPart::Field(carried) => {
            to.case(4);
            to.text(8, carried);
        }
    }
}

/// Writes a value of the type `value`.
pub fn value(from: &Value, mut to: AbiTarget<'_>) {
    match from {
        Value::Boolean(carried) => {
            to.case(0);
            to.bool(8, *carried);
        }
        Value::Integer(carried) => {
            to.case(1);
            to.s64(8, *carried);
        }
        Value::Text(carried) => {
            to.case(2);
            to.text(8, carried);
        }
        Value::Time(carried) => {
            to.case(3);
            timestamp(carried, to.at(8));
        }
        Value::Duration(carried) => {
            to.case(4);
            to.s64(8, *carried);
        }
        Value::Object(carried) => {
            to.case(5);
            object_ref(carried, to.at(8));
        }
    }
}

/// Writes a value of the type `decision`.
pub fn decision(from: &Decision, mut to: AbiTarget<'_>) {
    to.text(0, &from.kind.code);
    role(&from.role, to.at(8));
    to.list(64, 40, 8, &from.sentence.0, text_part);
    to.list(72, 48, 8, &from.values, |(one, two), mut to| {
        to.text(0, one);
        value(two, to.at(8));
    });
}

/// Writes a value of the type `requeue`.
pub fn requeue(from: &Requeue, mut to: AbiTarget<'_>) {
    timestamp(&from.at, to.at(0));
    to.text(16, &from.reason);
}

/// Writes a value of the type `plan`.
pub fn plan(from: &Plan, mut to: AbiTarget<'_>) {
    to.u64(0, from.id);
    to.text(8, &from.controller);
    object_ref(&from.object, to.at(16));
    to.list(48, 8, 4, &from.batches, |from, mut to| to.list(0, 40, 4, from, command));
    to.list(56, 80, 8, &from.decisions, decision);
    to.list(64, 60, 4, &from.notices, notice);
    to.option(72, 80, from.requeue_at.as_ref(), requeue);
}

/// Writes a value of the type `wakeup`.
pub fn wakeup(from: &Wakeup, mut to: AbiTarget<'_>) {
    timestamp(&from.at, to.at(0));
    to.text(16, &from.controller);
    object_ref(&from.object, to.at(24));
    to.text(56, &from.reason);
}

/// Writes a value of the type `obstacle`.
pub fn obstacle(from: &Obstacle, mut to: AbiTarget<'_>) {
    to.text(0, &from.code);
    to.list(8, 32, 4, &from.objects, object_ref);
    to.u32(16, from.count);
    to.option(24, 32, from.since.as_ref(), timestamp);
    to.option(48, 56, from.until.as_ref(), timestamp);
    to.bool(72, from.passes);
    to.list(76, 40, 8, &from.sentence.0, text_part);
    to.list(84, 40, 8, &from.remedy.0, text_part);
}

/// Writes a value of the type `forecast`.
pub fn forecast(from: &Forecast, mut to: AbiTarget<'_>) {
    to.list(0, 80, 8, &from.decisions, decision);
    to.list(8, 8, 4, &from.batches, |from, mut to| to.list(0, 40, 4, from, command));
}

/// Writes a value of the type `related`.
pub fn related(from: &Related, mut to: AbiTarget<'_>) {
    object_ref(&from.object, to.at(0));
    decision(&from.decision, to.at(32));
}

/// Writes a value of the type `explanation`.
pub fn explanation(from: &Explanation, mut to: AbiTarget<'_>) {
    to.list(0, 8, 4, &from.controllers, |from, mut to| to.text(0, from));
    to.list(8, 40, 8, &from.headline.0, text_part);
    to.list(16, 96, 8, &from.obstacles, obstacle);
    forecast(&from.now, to.at(24));
    to.option(40, 48, from.requeue_at.as_ref(), requeue);
    to.option(72, 76, from.next.as_ref(), forecast);
    to.list(92, 112, 8, &from.related, related);
}

/// Writes a value of the type `versions`.
pub fn versions(from: &Versions, mut to: AbiTarget<'_>) {
    to.text(0, &from.component);
    to.text(8, &from.kubernetes);
    to.option(16, 20, from.time_zones.as_ref(), |from, mut to| to.text(0, from));
}
