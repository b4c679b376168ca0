//! Conditions of a pod: one of each type, with the time at which its status last changed.
//!
//! Docs: Pod Lifecycle, "Pod conditions". Which of them holds is decided in `status.rs` and `disruption.rs`.

use api::{Timestamp, time};
use serde_json::{Map, Value};

/// A condition as it is to be.
pub(super) struct Condition<'a> {
    pub(super) kind: &'a str,
    pub(super) holds: bool,
    /// Why, in one word; may be empty.
    pub(super) reason: &'a str,
    /// Why, in a sentence; may be empty.
    pub(super) message: &'a str,
}

impl Condition<'_> {
    /// Sets the condition in a pod's status; those of other types are left as they are.
    pub(super) fn set(&self, status: &mut Map<String, Value>, now: Timestamp) {
        let conditions = status.entry("conditions").or_insert(Value::Null);
        if !conditions.is_array() {
            *conditions = Value::Array(Vec::new());
        }
        let conditions = conditions.as_array_mut().expect("what is no list was replaced by one");
        let held = conditions.iter_mut().find(|held| held["type"] == self.kind);
        let status = if self.holds { "True" } else { "False" };
        let same = |held: &Value, field: &str, wanted: &str| held[field].as_str().unwrap_or_default() == wanted;
        let stands = held.as_ref().is_some_and(|held| same(held, "status", status));
        if stands && held.as_ref().is_some_and(|held| same(held, "reason", self.reason) && same(held, "message", self.message)) {
            return;
        }
        let mut fields = Map::new();
        for (name, text) in [("type", self.kind), ("status", status), ("reason", self.reason), ("message", self.message)] {
            if !text.is_empty() {
                fields.insert(name.to_owned(), text.into());
            }
        }
        match held {
            None => {
                fields.insert("lastTransitionTime".to_owned(), seconds(now));
                conditions.push(Value::Object(fields));
            }
            Some(held) => {
                let since = if stands { held["lastTransitionTime"].take() } else { seconds(now) };
                fields.insert("lastTransitionTime".to_owned(), since);
                *held = Value::Object(fields);
            }
        }
    }
}

/// A time as statuses have it: in whole seconds.
pub(super) fn seconds(time: Timestamp) -> Value {
    time::text(time::whole_seconds(time)).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_time_is_that_of_the_last_change_of_status() {
        let Value::Object(mut status) = json!({"conditions": [{"type": "example.com/other", "status": "Unknown"}]}) else { unreachable!() };
        let mut check = |holds, reason, second, since: &str| {
            Condition { kind: "Ready", holds, reason, message: "" }.set(&mut status, Timestamp::from_second(second).unwrap());
            let conditions = status["conditions"].as_array().unwrap();
            assert_eq!(conditions[0], json!({"type": "example.com/other", "status": "Unknown"}));
            assert_eq!(conditions[1]["lastTransitionTime"], since);
            assert_eq!(conditions.len(), 2);
        };
        check(false, "ContainersNotReady", 1, "1970-01-01T00:00:01Z");
        check(false, "PodFailed", 2, "1970-01-01T00:00:01Z");
        check(true, "", 3, "1970-01-01T00:00:03Z");
        assert_eq!(status["conditions"][1], json!({"type": "Ready", "status": "True", "lastTransitionTime": "1970-01-01T00:00:03Z"}));
    }
}
