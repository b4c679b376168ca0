//! What was there before a play: which objects another cluster had, and when a play of them begins.
//!
//! Docs: Object Names and IDs, "UIDs". How such objects are stored is in `cluster::apiserver`, which of them stay stuck in `held.rs`.

use api::json::{self, Read};
use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta, Text, Timestamp, time};
use cluster::apiserver::last_moment;

/// The beginning of virtual time.
#[must_use]
pub fn start() -> Timestamp {
    time::parse("2026-01-01T00:00:00Z").expect("the beginning is a time")
}

/// When a play of these objects begins: at the last time in those that another cluster had, Events included, or at the beginning of virtual time.
#[must_use]
pub fn beginning(objects: &[Text]) -> Timestamp {
    let (mut any, mut of_objects, mut of_events) = (false, None, None);
    for object in objects {
        let head: ObjectHead = json::from_str(object).unwrap_or_default();
        if head.kind.as_deref() == Some("Event") {
            of_events = of_events.max(last_moment(object));
        } else if !head.metadata.uid.is_empty() {
            any = true;
            of_objects = of_objects.max(last_moment(object));
        }
    }
    of_objects.max(of_events.filter(|_| any)).unwrap_or_else(start)
}

/// Whether another cluster had an object, as JSON text: it has a UID.
#[must_use]
pub fn found(object: &str) -> bool {
    Identity::of(object).found()
}

/// Whether the objects include a CronJob of a real cluster. A CronJob can be idle for a long time, so its latest timestamp does not tell when it was read.
/// The UIDs of a play are not UUIDs.
#[must_use]
pub fn live_cron_job(objects: &[Text]) -> bool {
    objects.iter().map(|object| Identity::of(object)).any(|Identity { kind, uid, .. }| kind == Kind::CronJob && uuid(&uid))
}

/// Whether a UID is a UUID: those of plays are not.
#[must_use]
pub fn uuid(uid: &str) -> bool {
    uid.len() == 36
        && uid.bytes().enumerate().all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

/// What an object is, by its JSON.
pub(crate) struct Identity {
    pub(crate) kind: Kind,
    pub(crate) namespace: Text,
    pub(crate) name: Text,
    /// Empty unless another cluster had it.
    uid: Text,
}

impl Identity {
    pub(crate) fn of(object: &str) -> Self {
        let ObjectHead { kind, metadata: ObjectMeta { namespace, name, uid, .. } } = json::from_str(object).unwrap_or_default();
        Self {
            kind: kind.as_deref().and_then(Kind::of).unwrap_or(Kind::Job),
            namespace: if namespace.is_empty() { DEFAULT_NAMESPACE.into() } else { namespace },
            name,
            uid,
        }
    }

    /// Whether another cluster had it.
    pub(crate) fn found(&self) -> bool {
        !self.uid.is_empty()
    }
}

#[derive(Default, Read)]
struct ObjectHead {
    kind: Option<Text>,
    metadata: ObjectMeta,
}
