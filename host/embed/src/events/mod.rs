//! Kubernetes Events, as they are recorded: equal ones are counted, similar ones combined, and what exceeds the limit is dropped.
//!
//! Docs: Kubernetes API Reference, "Event"; client-go's correlation (J-140…J-149). Which Events there
//! are to record is in a plan; `host/cluster/src/notices.rs` sends what is to be written here, one after the other and best effort.

mod log;
mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::num::NonZeroUsize;

use api::request::{ApiError, ContentType, Method, Request};
use api::{Duration, Text, Timestamp, time};
use contract::{ApiResource, Notice, ObjectRef};
use lru::LruCache;
use rustc_hash::FxBuildHasher;
use serde_json::json;

pub use self::log::EventLog;
use self::stored::{EventMeta, EventSource, InvolvedObject, StoredEvent};

/// How many objects, and how many kinds of Events, are remembered.
const ROOM: NonZeroUsize = NonZeroUsize::new(4096).expect("it is not 0");
/// How many messages that differ in nothing but words have Events of their own; the tenth is combined with all that follow.
const ALONE: usize = 9;
/// For how long after the last one an Event is similar to it.
const SIMILAR_FOR: Duration = Duration::from_secs(600);
/// What the message of a combined Event begins with.
const COMBINED: &str = "(combined from similar events): ";
/// How many writes there are at once about one object.
const BURST: i32 = 25;
/// After how long there is one more.
const REFILL: Duration = Duration::from_secs(300);

/// Decides which requests record the Events of controllers.
#[derive(Debug)]
pub struct Recorder {
    /// The `apiVersion` of each kind.
    api_versions: BTreeMap<Text, String>,
    messages: Recent<Similar, Messages>,
    recorded: Recent<Equal, Recorded>,
    budgets: Recent<EventSubject, Budget>,
}

/// An Event to write: one request, and the Event, which is created again if the one to be changed is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct EventWrite {
    /// The request: it creates an Event, or changes one that was created before.
    pub request: Request,
    event: StoredEvent,
}

/// Of more keys than there is room for, those that were used last.
type Recent<K, V> = LruCache<K, V, FxBuildHasher>;
/// The controller that reports, and the object that it reports about.
type EventSubject = (Text, ObjectRef);
/// What similar Events have in common: controller and object, whether it is a warning, the reason.
type Similar = (EventSubject, bool, String);
/// What equal Events have in common: the message too; there is none for combined ones, whose messages differ.
type Equal = (Similar, Option<String>);

/// The messages of similar Events that have Events of their own.
#[derive(Debug, Default)]
struct Messages {
    alone: BTreeSet<String>,
    last: Option<Timestamp>,
}

/// An Event that was seen before.
#[derive(Debug, Default)]
struct Recorded {
    /// Its name, and when it was seen first.
    first: Option<(String, Timestamp)>,
    count: u32,
    /// Whether it was to be created.
    created: bool,
}

/// How many writes about one object are left.
#[derive(Debug, Default)]
struct Budget {
    /// When the number is back at its maximum.
    full: Option<Timestamp>,
}

impl Recorder {
    /// A recorder of Events about objects of these resources.
    #[must_use]
    pub fn new(resources: &[ApiResource]) -> Self {
        let api_versions = resources.iter().map(|resource| (resource.kind.clone(), resource.api_version())).collect();
        Self { api_versions, messages: recent(), recorded: recent(), budgets: recent() }
    }

    /// The request that records an Event; none if there were too many about its object.
    pub fn record(&mut self, notice: &Notice, now: Timestamp) -> Option<EventWrite> {
        let about = (notice.reporting_controller.clone(), notice.regarding.clone());
        let similar = (about.clone(), notice.warning, notice.reason.clone());
        let alone = self.messages.get_or_insert_mut(similar.clone(), Messages::default).alone(&notice.message, now);
        let message = if alone { notice.message.clone() } else { format!("{COMBINED}{}", notice.message) };
        let recorded = self.recorded.get_or_insert_mut((similar, alone.then(|| notice.message.clone())), Recorded::default);
        recorded.count += 1;
        let first = recorded.first.get_or_insert_with(|| (format!("{}.{:x}", notice.regarding.name, now.as_nanosecond()), now)).clone();
        if !self.budgets.get_or_insert_mut(about, Budget::default).take(now) {
            return None;
        }
        let (count, created) = (recorded.count, std::mem::replace(&mut recorded.created, true));
        Some(self.write(notice, &message, &first, count, created, now))
    }

    fn write(&self, notice: &Notice, message: &str, first: &(String, Timestamp), count: u32, created: bool, now: Timestamp) -> EventWrite {
        let ObjectRef { kind, namespace, name, uid } = &notice.regarding;
        let [first_timestamp, last_timestamp] = [first.1, now].map(time::whole_seconds);
        let event = StoredEvent {
            api_version: "v1",
            kind: "Event",
            count,
            first_timestamp,
            involved_object: InvolvedObject {
                api_version: self.api_versions.get(kind).cloned(),
                kind: kind.clone(),
                name: name.clone(),
                namespace: namespace.clone(),
                uid: uid.clone(),
            },
            last_timestamp,
            message: message.to_owned(),
            metadata: EventMeta { name: first.0.clone(), namespace: namespace.clone() },
            reason: notice.reason.clone(),
            reporting_component: notice.reporting_controller.clone(),
            reporting_instance: "",
            source: EventSource { component: notice.reporting_controller.clone() },
            type_: if notice.warning { "Warning" } else { "Normal" },
        };
        if !created {
            return EventWrite { request: creation(&event), event };
        }
        let body = json!({"count": count, "lastTimestamp": last_timestamp, "message": message}).to_string();
        let path = format!("{}/{}", events(namespace), first.0);
        EventWrite { request: Request { method: Method::Patch, path, content_type: ContentType::StrategicMergePatch, body }, event }
    }
}

/// A memory with nothing in it yet.
fn recent<K: Eq + Hash, V>() -> Recent<K, V> {
    LruCache::with_hasher(ROOM, FxBuildHasher)
}

/// The path of the Events of a namespace.
fn events(namespace: &str) -> String {
    format!("/api/v1/namespaces/{namespace}/events")
}

/// The request that creates an Event.
fn creation(event: &StoredEvent) -> Request {
    let body = serde_json::to_string(event).expect("an Event has text keys only");
    Request { method: Method::Post, path: events(&event.metadata.namespace), content_type: ContentType::Json, body }
}

impl EventWrite {
    /// What is to be written after the request failed: the Event again, if it was to be changed and is gone; otherwise nothing.
    #[must_use]
    pub fn after(self, error: &ApiError) -> Option<Self> {
        let again = self.request.method == Method::Patch && error.not_found();
        again.then(|| Self { request: creation(&self.event), event: self.event })
    }
}

impl Messages {
    /// Whether an Event with this message is not combined with others.
    fn alone(&mut self, message: &str, now: Timestamp) -> bool {
        if self.last.is_some_and(|last| now > time::after(last, SIMILAR_FOR)) {
            self.alone.clear();
        }
        self.last = Some(now);
        self.alone.contains(message) || self.alone.len() < ALONE && self.alone.insert(message.to_owned())
    }
}

impl Budget {
    /// Uses up one write, if one is left.
    fn take(&mut self, now: Timestamp) -> bool {
        let full = time::after(self.full.map_or(now, |full| full.max(now)), REFILL);
        let left = full <= time::after(now, REFILL * BURST);
        if left {
            self.full = Some(full);
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn notice(object: &str, reason: &str, message: &str) -> Notice {
        let regarding = ObjectRef { kind: "Job".into(), namespace: "d".into(), name: object.into(), uid: "u".into() };
        Notice {
            regarding,
            reporting_controller: "job-controller".into(),
            warning: false,
            reason: reason.to_owned(),
            message: message.to_owned(),
        }
    }

    fn recorder() -> Recorder {
        Recorder::new(&[api::Kind::Job.into()])
    }

    /// The result of a series of Events, each this long after the one before: what is created or changed, and the count.
    fn row(number: i32, step: Duration, notice: impl Fn(i32) -> Notice) -> Vec<String> {
        let mut recorder = recorder();
        let write = |at: i32| {
            let now = Timestamp::from_second(1_700_000_000).unwrap() + step * at;
            let Some(write) = recorder.record(&notice(at), now) else { return "dropped".to_owned() };
            let body: Value = serde_json::from_str(&write.request.body).unwrap();
            format!("{} {} ×{}", write.request.method.name(), body["message"].as_str().unwrap(), body["count"])
        };
        (0..number).map(write).collect()
    }

    #[test]
    fn equal_events_are_counted_until_there_are_too_many() {
        let rows = row(28, SECOND, |_| notice("pi", "R", "m"));
        assert_eq!((&*rows[0], &*rows[1], &*rows[24]), ("POST m ×1", "PATCH m ×2", "PATCH m ×25"));
        assert_eq!(rows[25..], ["dropped", "dropped", "dropped"]);
    }

    #[test]
    fn every_300_seconds_there_is_one_more() {
        let rows = row(44, SECOND * 100, |_| notice("pi", "R", "m"));
        let dropped: Vec<usize> = (1..).zip(&rows).filter(|(_, row)| *row == "dropped").map(|(number, _)| number).collect();
        assert_eq!(dropped, [38, 39, 41, 42, 44], "client-go's figures");
        assert_eq!((&*rows[39], &*rows[42]), ("PATCH m ×40", "PATCH m ×43"), "what is dropped is counted");
    }

    #[test]
    fn the_tenth_similar_event_is_combined_with_those_that_follow() {
        let rows = row(13, SECOND * 600, |number| notice("pi", "R", &format!("m{}", number % 12)));
        let combined = |row: &String| row.contains(COMBINED);
        assert_eq!(rows.iter().position(combined), Some(9));
        assert_eq!(
            rows[8..],
            [
                "POST m8 ×1",
                "POST (combined from similar events): m9 ×1",
                "PATCH (combined from similar events): m10 ×2",
                "PATCH (combined from similar events): m11 ×3",
                "PATCH m0 ×2",
            ]
        );
        assert!(!row(12, SECOND * 601, |number| notice("pi", "R", &format!("m{number}"))).iter().any(combined));
        assert!(!row(12, SECOND, |number| notice("pi", &format!("R{number}"), &format!("m{number}"))).iter().any(combined));
    }

    #[test]
    fn each_object_has_a_budget_of_its_own() {
        let of = |objects: i32| row(60, Duration::from_millis(1), move |number| notice(&format!("pi{}", number % objects), "R", "m"));
        assert_eq!(of(3).iter().filter(|row| *row == "dropped").count(), 0);
        assert_eq!(of(2).iter().filter(|row| *row == "dropped").count(), 10);
    }

    #[test]
    fn controllers_do_not_share_events() {
        let by = |number: i32| Notice { reporting_controller: format!("c{}", number % 2).into(), ..notice("pi", "R", "m") };
        assert_eq!(row(4, SECOND, by), ["POST m ×1", "POST m ×1", "PATCH m ×2", "PATCH m ×2"]);
    }

    #[test]
    fn an_event_is_created_and_changed_and_created_again_if_it_is_gone() {
        let (mut recorder, now) = (recorder(), "2026-01-02T03:04:05.5Z".parse().unwrap());
        let warning =
            Notice { warning: true, reporting_controller: "example.com/jobs".into(), ..notice("pi", "FailedCreate", "Error creating: no") };
        let created = recorder.record(&warning, now).unwrap();
        let expected = concat!(
            r#"{"apiVersion":"v1","kind":"Event","count":1,"firstTimestamp":"2026-01-02T03:04:05Z","#,
            r#""involvedObject":{"apiVersion":"batch/v1","kind":"Job","name":"pi","namespace":"d","uid":"u"},"#,
            r#""lastTimestamp":"2026-01-02T03:04:05Z","message":"Error creating: no","metadata":{"name":"pi.1886caf23a639700","namespace":"d"},"#,
            r#""reason":"FailedCreate","reportingComponent":"example.com/jobs","reportingInstance":"","#,
            r#""source":{"component":"example.com/jobs"},"type":"Warning"}"#,
        );
        assert_eq!(created.request.body, expected, "the bytes that Kubernetes' own types make");
        assert_eq!((created.request.method, &*created.request.path), (Method::Post, "/api/v1/namespaces/d/events"));

        let changed = recorder.record(&warning, now + SECOND).unwrap();
        assert_eq!((changed.request.method, &*changed.request.path), (Method::Patch, "/api/v1/namespaces/d/events/pi.1886caf23a639700"));
        assert_eq!(changed.request.body, r#"{"count":2,"lastTimestamp":"2026-01-02T03:04:06Z","message":"Error creating: no"}"#);
        let error = |code| ApiError { code, reason: String::new(), message: String::new(), causes: Vec::new() };
        assert_eq!(changed.clone().after(&error(500)), None);
        let again = changed.after(&error(404)).unwrap();
        let body: Value = serde_json::from_str(&again.request.body).unwrap();
        assert_eq!(
            (again.request.method, &body["count"], &body["lastTimestamp"]),
            (Method::Post, &json!(2), &json!("2026-01-02T03:04:06Z"))
        );
        assert_eq!(again.after(&error(404)), None, "the namespace is gone");
    }
}
