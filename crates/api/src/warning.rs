//! A Kubernetes Event of type `Warning`, reduced to what explains a stuck object.
//!
//! Docs: Event v1. Both forms are read: that of the core group (`involvedObject`, `message`) and that of `events.k8s.io` (`regarding`, `note`).

use crate::json::{self, JsonValue, Read, ReadError};
use crate::{Text, Timestamp};

/// A warning about an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WarningEvent {
    /// The kind of the object.
    pub kind: Text,
    /// The name of the object.
    pub name: Text,
    /// The UID of the object.
    pub uid: Text,
    /// The reason in one word: `FailedCreate`.
    pub reason: Text,
    /// The message.
    pub message: Text,
    /// How often it was reported.
    pub count: u32,
    /// When it was first reported, if that is known.
    pub first_at: Option<Timestamp>,
    /// When it was last reported, if that is known.
    pub last_at: Option<Timestamp>,
}

impl WarningEvent {
    /// The warning in an Event's JSON text; `None` if it is no warning, or cannot be read.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let EventFields {
            involved_object,
            regarding,
            kind,
            reason,
            message,
            note,
            count,
            first_timestamp,
            last_timestamp,
            event_time,
            series,
        } = json::from_str(text).ok()?;
        let object = if involved_object.uid.is_empty() { regarding } else { involved_object };
        (&*kind == "Warning").then(|| Self {
            kind: object.kind,
            name: object.name,
            uid: object.uid,
            reason,
            message: if message.is_empty() { note } else { message },
            count: u32::try_from(count.max(series.count)).unwrap_or(0).max(1),
            first_at: first_timestamp.or(event_time),
            last_at: series.last_observed_time.or(last_timestamp).or(event_time),
        })
    }

    /// Why the API server refused to create an object, in its own words, if the warning is about that.
    #[must_use]
    pub fn creation_refusal(&self) -> Option<&str> {
        let message = self.message.strip_prefix("(combined from similar events): ").unwrap_or(&self.message);
        let message = ["Error creating: ", "Error creating job: "].iter().find_map(|start| message.strip_prefix(start)).unwrap_or(message);
        (&*self.reason == "FailedCreate").then_some(message)
    }
}

/// An Event as it is written.
#[derive(Default)]
struct EventFields {
    involved_object: Regarding,
    regarding: Regarding,
    kind: Text,
    reason: Text,
    message: Text,
    note: Text,
    count: i32,
    first_timestamp: Option<Timestamp>,
    last_timestamp: Option<Timestamp>,
    event_time: Option<Timestamp>,
    series: Series,
}

impl Read for EventFields {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "involvedObject" => value.read(&mut self.involved_object),
            "regarding" => value.read(&mut self.regarding),
            "type" => value.read(&mut self.kind),
            "reason" => value.read(&mut self.reason),
            "message" => value.read(&mut self.message),
            "note" => value.read(&mut self.note),
            "count" | "deprecatedCount" => value.read(&mut self.count),
            "firstTimestamp" | "deprecatedFirstTimestamp" => value.read(&mut self.first_timestamp),
            "lastTimestamp" | "deprecatedLastTimestamp" => value.read(&mut self.last_timestamp),
            "eventTime" => value.read(&mut self.event_time),
            "series" => value.read(&mut self.series),
            _ => Ok(()),
        }
    }
}

/// The object that an Event is about.
#[derive(Default, Read)]
struct Regarding {
    kind: Text,
    name: Text,
    uid: Text,
}

/// How often an Event was repeated.
#[derive(Default, Read)]
struct Series {
    count: i32,
    last_observed_time: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_an_event_are_read() {
        let core = r#"{"kind":"Event","involvedObject":{"kind":"Job","name":"pi","uid":"u"},"type":"Warning","reason":"FailedCreate","message":"no","count":2,
            "firstTimestamp":"2026-01-02T12:00:00Z","lastTimestamp":"2026-01-02T12:05:00Z","eventTime":null,"series":null}"#;
        let newer = r#"{"regarding":{"kind":"Job","name":"pi","uid":"u"},"type":"Warning","reason":"FailedCreate","note":"no",
            "eventTime":"2026-01-02T12:00:00.000000Z","series":{"count":2,"lastObservedTime":"2026-01-02T12:05:00.000000Z"}}"#;
        let warning = WarningEvent::read(core).unwrap();
        assert_eq!((&*warning.kind, &*warning.name, &*warning.uid, &*warning.message, warning.count), ("Job", "pi", "u", "no", 2));
        assert!(warning.first_at < warning.last_at);
        assert_eq!(WarningEvent::read(newer), Some(warning));
    }

    #[test]
    fn a_refusal_is_in_the_words_of_the_api_server() {
        let refusal = |reason: &str, message: &str| {
            let warning = WarningEvent { reason: reason.into(), message: message.into(), ..WarningEvent::default() };
            warning.creation_refusal().map(str::to_owned)
        };
        let no = Some("no".to_owned());
        assert_eq!(refusal("FailedCreate", "(combined from similar events): Error creating: no"), no);
        assert_eq!(refusal("FailedCreate", "Error creating job: no"), no);
        assert_eq!(refusal("FailedCreate", "no"), no);
        assert_eq!(refusal("FailedMount", "no"), None);
    }

    #[test]
    fn what_is_no_warning_is_passed_over() {
        assert_eq!(WarningEvent::read(r#"{"type":"Normal","reason":"SuccessfulCreate"}"#), None);
        assert_eq!(WarningEvent::read("{"), None);
    }
}
