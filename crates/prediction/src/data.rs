//! Predictions as JSON: lengths of time in seconds, as Kubernetes writes them.
//!
//! Docs: API conventions, "Units". What there is to predict is in the files beside this one.

use api::{Duration, time};
use schedule::{MetClockChange, Zone};
use serde::Serializer;

/// Serde for a length of time in whole seconds.
pub(crate) fn seconds<S: Serializer>(length: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(length.as_secs())
}

/// Serde for one that may be absent.
pub(crate) fn some_seconds<S: Serializer>(length: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match length {
        Some(length) => seconds(length, serializer),
        None => serializer.serialize_none(),
    }
}

/// Serde for a time zone, by its name.
pub(crate) fn name<S: Serializer>(zone: &Zone, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(zone.name())
}

/// Serde for a clock change: when, and what it means for the schedule.
pub(crate) fn change<S: Serializer>(change: &MetClockChange, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("at", time::text(change.at)), ("effect", change.fact())])
}
