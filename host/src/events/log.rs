//! The Events that a cluster would store, for `kubectl describe` without a cluster.
//!
//! Docs: Kubernetes API Reference, "Event". What is counted, combined and dropped is decided in `mod.rs`.

use std::collections::BTreeMap;

use api::request::Method;
use api::{Duration, Kind, ObjectMeta, Text, Timestamp, time};
use contract::{ApiResource, Notice};
use serde_json::Value;

use super::{COMBINED, Recorder};

/// From how many Events about an object on old ones are deleted.
const MANY: usize = 20;
/// How long an API server keeps an Event.
const KEPT_FOR: Duration = Duration::from_hours(1);

/// Events as an API server would store them.
#[derive(Debug)]
pub struct EventLog {
    recorder: Recorder,
    /// The Events about each object, by its UID.
    events: BTreeMap<Text, Vec<Value>>,
    /// How many were dropped about each object.
    dropped: BTreeMap<Text, usize>,
}

/// An empty log of Events about objects of the cluster in memory.
impl Default for EventLog {
    fn default() -> Self {
        Self { recorder: Recorder::new(&Kind::ALL.map(ApiResource::from)), events: BTreeMap::new(), dropped: BTreeMap::new() }
    }
}

impl EventLog {
    /// Records an Event.
    pub fn record(&mut self, notice: &Notice, now: Timestamp) {
        let uid = &notice.regarding.uid;
        let Some(write) = self.recorder.record(notice, now) else {
            *self.dropped.entry(uid.clone()).or_default() += 1;
            return;
        };
        let body: Value = serde_json::from_str(&write.request.body).expect("the recorder writes JSON");
        let events = self.events.entry(uid.clone()).or_default();
        if write.request.method == Method::Post {
            if events.len() >= MANY {
                events.retain(|event| {
                    event["lastTimestamp"].as_str().and_then(time::parse).is_some_and(|last| now < time::after(last, KEPT_FOR))
                });
            }
            events.push(body);
            return;
        }
        let kind = if notice.warning { "Warning" } else { "Normal" };
        let (Value::Object(changes), combined) = (&body, is_combined(&body)) else { return };
        let same = |event: &&mut Value| {
            let message = event["message"] == body["message"] || combined && is_combined(event);
            event["type"] == kind && event["reason"] == *notice.reason && message
        };
        if let Some(event) = events.iter_mut().find(same) {
            changes.iter().for_each(|(field, value)| event[field] = value.clone());
        }
    }

    /// The Events about the object of this UID, in the order in which they were created.
    #[must_use]
    pub fn about(&self, uid: &str) -> &[Value] {
        self.events.get(uid).map(Vec::as_slice).unwrap_or_default()
    }

    /// Forgets the Events about an object that is gone and had a controller, which makes others in its place.
    pub fn forget_controlled(&mut self, gone: &ObjectMeta) {
        if gone.controller().is_some() {
            self.events.remove(&gone.uid);
            self.dropped.remove(&gone.uid);
        }
    }

    /// How many Events about the object of this UID were dropped, as there were too many.
    #[must_use]
    pub fn dropped(&self, uid: &str) -> usize {
        self.dropped.get(uid).copied().unwrap_or_default()
    }
}

fn is_combined(event: &Value) -> bool {
    event["message"].as_str().is_some_and(|message| message.starts_with(COMBINED))
}

#[cfg(test)]
mod tests {
    use contract::ObjectRef;

    use super::*;

    /// What a log holds of Events of this many messages, two of each, a second apart.
    fn log(messages: u32) -> (Vec<String>, usize) {
        let mut log = EventLog::default();
        for number in 0..2 * messages {
            let regarding = ObjectRef { kind: "Job".into(), namespace: "d".into(), name: "pi".into(), uid: "u".into() };
            let message = format!("m{}", number / 2);
            let now = Timestamp::from_second(1_700_000_000).unwrap() + Duration::from_secs(number.into());
            let reporting_controller = "job-controller".into();
            log.record(&Notice { regarding, reporting_controller, warning: false, reason: "R".to_owned(), message }, now);
        }
        let line = |event: &Value| format!("{} ×{} {}", event["message"].as_str().unwrap(), event["count"], event["lastTimestamp"]);
        assert!(log.about("v").is_empty());
        (log.about("u").iter().map(line).collect(), log.dropped("u"))
    }

    #[test]
    fn equal_events_are_one() {
        let expected = [r#"m0 ×2 "2023-11-14T22:13:21Z""#, r#"m1 ×2 "2023-11-14T22:13:23Z""#];
        assert_eq!(log(2), (expected.map(str::to_owned).to_vec(), 0));
    }

    #[test]
    fn many_similar_events_are_combined_and_too_many_dropped() {
        let (lines, dropped) = log(20);
        assert_eq!((lines.len(), dropped), (10, 15), "{lines:?}");
        assert_eq!(lines[9], r#"(combined from similar events): m12 ×7 "2023-11-14T22:13:44Z""#);
    }
}
