//! Reading fields of objects that other versions and other programs may have written: what is missing or of another type is absent.
//!
//! Docs: Kubernetes API Conventions, "Optional vs. Required". Which fields matter is known to `record.rs` and `life.rs`.

use api::{Text, Timestamp, time};
use serde_json::Value;

/// A time; the beginning of 1970 is none: container runtimes write it for a container that never started.
pub(crate) fn moment(value: &Value) -> Option<Timestamp> {
    time::parse(value.as_str()?).filter(|at| *at > Timestamp::UNIX_EPOCH)
}

/// A text; empty if there is none.
pub(crate) fn text(value: &Value) -> Text {
    value.as_str().unwrap_or_default().into()
}

/// The items of a list.
pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The condition of this type in a status.
pub(crate) fn condition<'v>(status: &'v Value, kind: &str) -> Option<&'v Value> {
    items(&status["conditions"]).find(|condition| condition["type"] == kind)
}

/// The time at which the condition of this type came into the status that it has.
pub(crate) fn transition(status: &Value, kind: &str) -> Option<Timestamp> {
    moment(&condition(status, kind)?["lastTransitionTime"])
}
