//! The times that objects record, Events included: the latest of them is the least time at which they were read.
//!
//! Docs: Kubernetes API Conventions, "Metadata"; Event v1; Pod Lifecycle, "Termination of Pods". What is made of objects that another cluster had is in `restore.rs`.

use api::{Duration, ObjectMeta, Timestamp, time};
use serde_json::Value;

/// The fields with the times at which something happened.
const TIMES: [&str; 15] = [
    "creationTimestamp",
    "startTime",
    "completionTime",
    "lastScheduleTime",
    "lastSuccessfulTime",
    "lastTransitionTime",
    "lastProbeTime",
    "startedAt",
    "finishedAt",
    "firstTimestamp",
    "lastTimestamp",
    "deprecatedFirstTimestamp",
    "deprecatedLastTimestamp",
    "eventTime",
    "lastObservedTime",
];

/// The longest deadline of a pod, in seconds, that is believed.
const LONGEST: i64 = 1_000_000_000;

/// The latest time that an object, as JSON text, records.
#[must_use]
pub fn last_moment(json: &str) -> Option<Timestamp> {
    let object: Value = serde_json::from_str(json).ok()?;
    recorded(&object).into_iter().chain(deletion_requested_at(&object)).chain(stopped_at(&object)).max()
}

fn recorded(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Object(fields) => {
            let times = fields.iter().filter(|(name, _)| TIMES.contains(&&***name)).filter_map(|(_, at)| moment(at));
            times.chain(fields.values().filter_map(recorded)).max()
        }
        Value::Array(items) => items.iter().filter_map(recorded).max(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// When the deletion of an object was requested.
fn deletion_requested_at(object: &Value) -> Option<Timestamp> {
    let metadata = &object["metadata"];
    let deletion_timestamp = moment(&metadata["deletionTimestamp"]);
    let deletion_grace_period_seconds = metadata["deletionGracePeriodSeconds"].as_i64();
    ObjectMeta { deletion_timestamp, deletion_grace_period_seconds, ..ObjectMeta::default() }.deletion_requested_at()
}

/// When a pod was stopped because it was on its node for too long: its status does not record that.
#[must_use]
pub fn stopped_at(pod: &Value) -> Option<Timestamp> {
    let started_at = moment(&pod["status"]["startTime"]).filter(|_| pod["status"]["reason"] == "DeadlineExceeded")?;
    let seconds = pod["spec"]["activeDeadlineSeconds"].as_i64()?.clamp(0, LONGEST);
    Some(time::after(started_at, Duration::from_secs(seconds)))
}

fn moment(value: &Value) -> Option<Timestamp> {
    time::parse(value.as_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_moment_may_be_that_of_an_event_or_of_a_deletion() {
        let check = |json: &str, expected: &str| assert_eq!(last_moment(json).map(time::text).as_deref(), Some(expected), "{json}");
        check(r#"{"kind":"Event","firstTimestamp":"2026-01-01T00:00:01Z","lastTimestamp":"2026-01-01T00:00:05Z"}"#, "2026-01-01T00:00:05Z");
        check(
            r#"{"kind":"Event","eventTime":"2026-01-01T00:00:01.5Z","series":{"lastObservedTime":"2026-01-01T00:00:07Z"}}"#,
            "2026-01-01T00:00:07Z",
        );
        check(
            r#"{"metadata":{"creationTimestamp":"2026-01-01T00:00:00Z","deletionTimestamp":"2026-01-01T00:01:30Z","deletionGracePeriodSeconds":30}}"#,
            "2026-01-01T00:01:00Z",
        );
        check(r#"{"metadata":{"deletionTimestamp":"2026-01-01T00:01:30Z"}}"#, "2026-01-01T00:01:30Z");
    }
}
