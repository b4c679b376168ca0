//! The Events about an object, as `kubectl describe` lists them: the one that was seen last comes last.
//!
//! Docs: Kubernetes API Reference, "Event". Ages are written in `age.rs`.

use std::fmt::Write as _;

use api::Timestamp;
use serde_json::Value;

use crate::age::{age, moment};
use crate::value::{number, text};

/// Writes Events.
pub(crate) fn write(out: &mut String, events: &[Value], now: Timestamp) {
    if events.is_empty() {
        out.push_str("Events:\t<none>\n");
        return;
    }
    out.push_str("Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n");
    let mut events: Vec<&Value> = events.iter().collect();
    events.sort_by_key(|event| moment(&event["lastTimestamp"]));
    for event in events {
        let message = text(&event["message"]).trim();
        let _ = writeln!(out, "  {}\t{}\t{}\t{}\t{message}", text(&event["type"]), text(&event["reason"]), seen(event, now), from(event));
    }
}

/// How long ago an Event was seen: for one that was seen several times how often, and since when.
fn seen(event: &Value, now: Timestamp) -> String {
    let (first, series) = (&event["firstTimestamp"], &event["series"]);
    let first = if first.is_null() { &event["eventTime"] } else { first };
    let (count, last) =
        if series.is_object() { (&series["count"], &series["lastObservedTime"]) } else { (&event["count"], &event["lastTimestamp"]) };
    let (count, first) = (number(count), age(first, now));
    if count > 1 || series.is_object() { format!("{} (x{count} over {first})", age(last, now)) } else { first }
}

/// Who reported an Event.
fn from(event: &Value) -> &str {
    let component = text(&event["source"]["component"]);
    if component.is_empty() { text(&event["reportingComponent"]) } else { component }
}
