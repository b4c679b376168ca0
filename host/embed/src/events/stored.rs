//! An Event as the API server stores it: the fields that controllers fill in, in the order in which Kubernetes' own types write them.
//!
//! Docs: Kubernetes API Reference, "Event" (`v1`). What goes into the fields is decided in `mod.rs`.

use api::{Text, Timestamp};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredEvent {
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    pub(super) count: u32,
    pub(super) first_timestamp: Timestamp,
    pub(super) involved_object: InvolvedObject,
    pub(super) last_timestamp: Timestamp,
    pub(super) message: String,
    pub(super) metadata: EventMeta,
    pub(super) reason: String,
    pub(super) reporting_component: Text,
    /// Always there, and empty: Kubernetes' own controllers name no instance.
    pub(super) reporting_instance: &'static str,
    pub(super) source: EventSource,
    #[serde(rename = "type")]
    pub(super) type_: &'static str,
}

/// The object that an Event is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvolvedObject {
    /// Left out for a kind that the host does not list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) api_version: Option<String>,
    pub(super) kind: Text,
    pub(super) name: Text,
    pub(super) namespace: Text,
    pub(super) uid: Text,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct EventMeta {
    pub(super) name: String,
    pub(super) namespace: Text,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct EventSource {
    pub(super) component: Text,
}
