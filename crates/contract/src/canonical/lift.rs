//! Reads the contract's values from a memory.
//!
//! Docs: `crates/component/wit/controllers.wit`. Single values are read in `source.rs`.
//! Generated from it by `cargo xtask bindings`; do not edit.

use api::Timestamp;

use super::{AbiError, AbiSource, source};
use crate::decision::TextPart;
use crate::metrics::{Family, Histogram, Measure, Sample};
use crate::{
    ApiError, ApiResource, Cause, Command, ContentType, Decision, DecisionKind, Explanation, Forecast, Malformed, Method, Notice,
    ObjectRef, Obstacle, Outcome, Period, Plan, Related, Request, Requeue, Role, Sentence, Value, Versions, Wakeup, Written,
};

/// Reads a value of the type `api-resource`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn api_resource(from: AbiSource<'_>) -> Result<ApiResource, AbiError> {
    Ok(ApiResource {
        group: from.text(0)?,
        version: from.text(8)?,
        kind: from.text(16)?,
        plural: from.text(24)?,
        namespaced: from.bool(32),
    })
}

/// Reads a value of the type `object-ref`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn object_ref(from: AbiSource<'_>) -> Result<ObjectRef, AbiError> {
    Ok(ObjectRef { kind: from.text(0)?, namespace: from.text(8)?, name: from.text(16)?, uid: from.text(24)? })
}

/// Reads a value of the type `written`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn written(from: AbiSource<'_>) -> Result<Written, AbiError> {
    Ok(Written { name: from.text(0)?, uid: from.text(8)?, resource_version: from.text(16)?, deleting: from.bool(24) })
}

/// Reads a value of the type `cause`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn cause(from: AbiSource<'_>) -> Result<Cause, AbiError> {
    Ok(Cause { reason: from.text(0)?, field: from.text(8)?, message: from.text(16)? })
}

/// Reads a value of the type `api-error`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn api_error(from: AbiSource<'_>) -> Result<ApiError, AbiError> {
    Ok(ApiError { code: from.u16(0), reason: from.text(4)?, message: from.text(12)?, causes: from.list(20, 24, 4, cause)? })
}

/// Reads a value of the type `outcome`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn outcome(from: AbiSource<'_>) -> Result<Outcome, AbiError> {
    Ok(match from.case() {
        0 => Outcome::Done(written(from.at(4))?),
        1 => Outcome::Failed(api_error(from.at(4))?),
        2 => Outcome::Skipped,
        case => return Err(AbiError::Case { name: "outcome", case }),
    })
}

/// Reads a value of the type `malformed`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn malformed(from: AbiSource<'_>) -> Result<Malformed, AbiError> {
    Ok(Malformed { kind: from.text(0)?, name: from.text(8)?, reason: from.text(16)? })
}

/// Reads a value of the type `method`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn method(from: AbiSource<'_>) -> Result<Method, AbiError> {
    Ok(match from.case() {
        0 => Method::Get,
        1 => Method::Post,
        2 => Method::Put,
        3 => Method::Patch,
        4 => Method::Delete,
        case => return Err(AbiError::Case { name: "method", case }),
    })
}

/// Reads a value of the type `content-type`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn content_type(from: AbiSource<'_>) -> Result<ContentType, AbiError> {
    Ok(match from.case() {
        0 => ContentType::Json,
        1 => ContentType::MergePatch,
        2 => ContentType::StrategicMergePatch,
        case => return Err(AbiError::Case { name: "content-type", case }),
    })
}

/// Reads a value of the type `command`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn command(from: AbiSource<'_>) -> Result<Command, AbiError> {
    Ok(Command {
        request: Request { method: method(from)?, path: from.text(4)?, content_type: content_type(from.at(12))?, body: from.text(16)? },
        tolerates: from.list(24, 2, 2, |from| Ok(from.u16(0)))?,
        after: from.option(32, 36, |from| Ok(from.u32(0)))?,
    })
}

/// Reads a value of the type `decision-kind`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn decision_kind(from: AbiSource<'_>) -> Result<DecisionKind, AbiError> {
    Ok(DecisionKind {
        code: from.text(0)?,
        page: from.text(8)?,
        heading: from.text(16)?,
        url: from.text(24)?,
        rule: from.text(32)?,
        fields: from.list(40, 8, 4, |from| from.text(0))?,
    })
}

/// Reads a value of the type `notice`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn notice(from: AbiSource<'_>) -> Result<Notice, AbiError> {
    Ok(Notice {
        regarding: object_ref(from)?,
        reporting_controller: from.text(32)?,
        warning: from.bool(40),
        reason: from.text(44)?,
        message: from.text(52)?,
    })
}

/// Reads a value of the type `histogram`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn histogram(from: AbiSource<'_>) -> Result<Histogram, AbiError> {
    Ok(Histogram { buckets: from.list(0, 16, 8, |from| Ok((from.f64(0), from.u64(8))))?, sum: from.f64(8), count: from.u64(16) })
}

/// Reads a value of the type `measure`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn measure(from: AbiSource<'_>) -> Result<Measure, AbiError> {
    Ok(match from.case() {
        0 => Measure::Counter(from.u64(8)),
        1 => Measure::Gauge(from.s64(8)),
        2 => Measure::Histogram(histogram(from.at(8))?),
        case => return Err(AbiError::Case { name: "measure", case }),
    })
}

/// Reads a value of the type `sample`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn sample(from: AbiSource<'_>) -> Result<Sample, AbiError> {
    Ok(Sample { labels: from.list(0, 16, 4, |from| Ok((from.text(0)?, from.text(8)?)))?, value: measure(from.at(8))? })
}

/// Reads a value of the type `family`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn family(from: AbiSource<'_>) -> Result<Family, AbiError> {
    Ok(Family { name: from.text(0)?, help: from.text(8)?, samples: from.list(16, 40, 8, sample)? })
}

/// Reads a value of the type `timestamp`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn timestamp(from: AbiSource<'_>) -> Result<Timestamp, AbiError> {
    source::timestamp(from.s64(0), from.u32(8))
}

/// Reads a value of the type `period`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn period(from: AbiSource<'_>) -> Result<Period, AbiError> {
    Ok(Period { since: from.option(0, 8, timestamp)?, until: from.option(24, 32, timestamp)? })
}

/// Reads a value of the type `role`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn role(from: AbiSource<'_>) -> Result<Role, AbiError> {
    Ok(match from.case() {
        0 => Role::Action,
        1 => Role::Wait(period(from.at(8))?),
        2 => Role::Invalid,
        3 => Role::Routine,
        case => return Err(AbiError::Case { name: "role", case }),
    })
}

/// Reads a value of the type `text-part`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn text_part(from: AbiSource<'_>) -> Result<TextPart, AbiError> {
    Ok(match from.case() {
        0 => TextPart::Text(from.text(8)?),
        1 => TextPart::Time(timestamp(from.at(8))?),
        2 => TextPart::Duration(from.s64(8)),
        3 => TextPart::Object(object_ref(from.at(8))?),
        4 => TextPart::Field(from.text(8)?),
        case => return Err(AbiError::Case { name: "text-part", case }),
    })
}

/// Reads a value of the type `value`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn value(from: AbiSource<'_>) -> Result<Value, AbiError> {
    Ok(match from.case() {
        0 => Value::Boolean(from.bool(8)),
        1 => Value::Integer(from.s64(8)),
        2 => Value::Text(from.text(8)?),
        3 => Value::Time(timestamp(from.at(8))?),
        4 => Value::Duration(from.s64(8)),
        5 => Value::Object(object_ref(from.at(8))?),
        case => return Err(AbiError::Case { name: "value", case }),
    })
}

/// Reads a value of the type `decision`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn decision(from: AbiSource<'_>) -> Result<Decision, AbiError> {
    Ok(Decision {
        kind: from.kind(0)?,
        role: role(from.at(8))?,
        sentence: Sentence(from.list(64, 40, 8, text_part)?),
        values: from.list(72, 48, 8, |from| Ok((from.text(0)?, value(from.at(8))?)))?,
    })
}

/// Reads a value of the type `requeue`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn requeue(from: AbiSource<'_>) -> Result<Requeue, AbiError> {
    Ok(Requeue { at: timestamp(from)?, reason: from.text(16)? })
}

/// Reads a value of the type `plan`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn plan(from: AbiSource<'_>) -> Result<Plan, AbiError> {
    Ok(Plan {
        id: from.u64(0),
        controller: from.text(8)?,
        object: object_ref(from.at(16))?,
        batches: from.list(48, 8, 4, |from| from.list(0, 40, 4, command))?,
        decisions: from.list(56, 80, 8, decision)?,
        notices: from.list(64, 60, 4, notice)?,
        requeue_at: from.option(72, 80, requeue)?,
    })
}

/// Reads a value of the type `wakeup`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn wakeup(from: AbiSource<'_>) -> Result<Wakeup, AbiError> {
    Ok(Wakeup { at: timestamp(from)?, controller: from.text(16)?, object: object_ref(from.at(24))?, reason: from.text(56)? })
}

/// Reads a value of the type `obstacle`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn obstacle(from: AbiSource<'_>) -> Result<Obstacle, AbiError> {
    Ok(Obstacle {
        code: from.text(0)?,
        objects: from.list(8, 32, 4, object_ref)?,
        count: from.u32(16),
        since: from.option(24, 32, timestamp)?,
        until: from.option(48, 56, timestamp)?,
        passes: from.bool(72),
        sentence: Sentence(from.list(76, 40, 8, text_part)?),
        remedy: Sentence(from.list(84, 40, 8, text_part)?),
    })
}

/// Reads a value of the type `forecast`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn forecast(from: AbiSource<'_>) -> Result<Forecast, AbiError> {
    Ok(Forecast { decisions: from.list(0, 80, 8, decision)?, batches: from.list(8, 8, 4, |from| from.list(0, 40, 4, command))? })
}

/// Reads a value of the type `related`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn related(from: AbiSource<'_>) -> Result<Related, AbiError> {
    Ok(Related { object: object_ref(from)?, decision: decision(from.at(32))? })
}

/// Reads a value of the type `explanation`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn explanation(from: AbiSource<'_>) -> Result<Explanation, AbiError> {
    Ok(Explanation {
        controllers: from.list(0, 8, 4, |from| from.text(0))?,
        headline: Sentence(from.list(8, 40, 8, text_part)?),
        obstacles: from.list(16, 96, 8, obstacle)?,
        now: forecast(from.at(24))?,
        requeue_at: from.option(40, 48, requeue)?,
        next: from.option(72, 76, forecast)?,
        related: from.list(92, 112, 8, related)?,
    })
}

/// Reads a value of the type `versions`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn versions(from: AbiSource<'_>) -> Result<Versions, AbiError> {
    Ok(Versions { component: from.text(0)?, kubernetes: from.text(8)?, time_zones: from.option(16, 20, |from| from.text(0))? })
}
