//! A whole pod as the cluster stores it: typed where the cluster reads it, JSON text elsewhere.
//!
//! Docs: Pods, "Pod templates", "Pod termination". The reduced pod that controllers read is `api::Pod`.

use api::{ObjectMeta, Text};
use serde_json::{Map, Value};

/// Seconds that a pod has to stop where its spec does not set it (A-30).
const DEFAULT_GRACE_PERIOD_SECONDS: i64 = 30;

/// A whole pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPod {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// The desired state.
    pub spec: StoredPodSpec,
    /// What its node reports.
    pub status: StoredPodStatus,
}

impl StoredPod {
    /// Whether the pod's containers have ended for good.
    #[must_use]
    pub fn ended(&self) -> bool {
        matches!(&*self.status.phase, "Succeeded" | "Failed")
    }

    /// Writes the fields of the pod as JSON text.
    pub(crate) fn write_fields(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(br#""metadata":"#);
        serde_json::to_writer(&mut *text, &self.metadata).expect("metadata has text keys only");
        text.extend_from_slice(br#","spec":"#);
        self.spec.write(text);
        text.extend_from_slice(br#","status":"#);
        text.extend_from_slice(self.status.json.as_bytes());
    }
}

/// `spec` of a pod: the node's name apart, the rest as JSON text that the pod's versions share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPodSpec {
    unassigned: Text,
    node_name: Text,
    grace_period_seconds: i64,
}

impl StoredPodSpec {
    /// Reads a spec; a missing grace period is filled in.
    pub(crate) fn read(mut fields: Map<String, Value>) -> Result<Self, String> {
        let node_name = match fields.remove("nodeName") {
            None | Some(Value::Null) => Text::default(),
            Some(Value::String(name)) => name.into(),
            Some(other) => return Err(format!("spec.nodeName must be a string, not {other}")),
        };
        let grace = fields.entry("terminationGracePeriodSeconds").or_insert(Value::Null);
        if grace.is_null() {
            *grace = DEFAULT_GRACE_PERIOD_SECONDS.into();
        }
        let Some(grace_period_seconds) = grace.as_i64() else {
            return Err(format!("spec.terminationGracePeriodSeconds must be a whole number, not {grace}"));
        };
        Ok(Self { unassigned: text(&fields), node_name, grace_period_seconds })
    }

    /// The name of the pod's node; empty if it has none.
    #[must_use]
    pub fn node_name(&self) -> &Text {
        &self.node_name
    }

    /// Seconds that the pod has to stop.
    #[must_use]
    pub fn grace_period_seconds(&self) -> i64 {
        self.grace_period_seconds
    }

    /// The spec as JSON text, without the name of the node.
    #[must_use]
    pub fn unassigned(&self) -> &Text {
        &self.unassigned
    }

    pub(crate) fn assign(&mut self, node_name: Text) {
        self.node_name = node_name;
    }

    /// The spec as JSON text.
    #[must_use]
    pub fn json(&self) -> String {
        let mut text = Vec::with_capacity(self.unassigned.len() + 40);
        self.write(&mut text);
        String::from_utf8(text).expect("JSON is UTF-8")
    }

    fn write(&self, text: &mut Vec<u8>) {
        text.extend_from_slice(self.unassigned.as_bytes());
        if !self.node_name.is_empty() {
            let end = text.pop();
            assert_eq!(end, Some(b'}'), "a spec is an object and has a grace period");
            text.extend_from_slice(br#","nodeName":"#);
            serde_json::to_writer(&mut *text, &*self.node_name).expect("a name is text");
            text.push(b'}');
        }
    }
}

/// `status` of a pod: the phase apart, all of it as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPodStatus {
    json: Text,
    phase: Text,
}

impl StoredPodStatus {
    /// The status of a pod that was just made.
    pub(crate) fn pending() -> Self {
        Self { json: r#"{"phase":"Pending"}"#.into(), phase: "Pending".into() }
    }

    /// Reads a status.
    pub(crate) fn read(fields: Map<String, Value>) -> Result<Self, String> {
        let phase = match fields.get("phase") {
            None | Some(Value::Null) => Text::default(),
            Some(Value::String(phase)) => phase.as_str().into(),
            Some(other) => return Err(format!("status.phase must be a string, not {other}")),
        };
        Ok(Self { json: text(&fields), phase })
    }

    /// How far the pod is: `Pending`, `Running`, `Succeeded`, `Failed` or whatever a node wrote.
    #[must_use]
    pub fn phase(&self) -> &Text {
        &self.phase
    }

    /// The status as JSON text.
    #[must_use]
    pub fn json(&self) -> &Text {
        &self.json
    }

    /// The status, to be changed.
    pub(crate) fn fields(&self) -> Map<String, Value> {
        serde_json::from_str(&self.json).expect("a status was written as a JSON object")
    }
}

/// Values as JSON text.
fn text(fields: &Map<String, Value>) -> Text {
    serde_json::to_string(fields).expect("values have text keys only").into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> Map<String, Value> {
        let Value::Object(fields) = value else { panic!("an object is needed") };
        fields
    }

    #[test]
    fn a_spec_is_written_as_it_was_read_with_its_node_and_grace_period() {
        let check = |given: Value, expected: &str| {
            let written = StoredPodSpec::read(fields(given)).map(|spec| spec.json());
            assert_eq!(written.unwrap_or_else(|error| error), expected);
        };
        check(json!({}), r#"{"terminationGracePeriodSeconds":30}"#);
        check(json!({"nodeName":"a\"b","containers":[]}), r#"{"containers":[],"terminationGracePeriodSeconds":30,"nodeName":"a\"b"}"#);
        check(json!({"terminationGracePeriodSeconds":0}), r#"{"terminationGracePeriodSeconds":0}"#);
        check(json!({"nodeName":1}), "spec.nodeName must be a string, not 1");
        check(json!({"terminationGracePeriodSeconds":"a"}), r#"spec.terminationGracePeriodSeconds must be a whole number, not "a""#);
    }

    #[test]
    fn a_status_has_a_phase() {
        let check = |given: Value, expected: Result<&str, &str>| {
            let phase = StoredPodStatus::read(fields(given)).map(|status| status.phase().to_string());
            assert_eq!(phase.as_deref().map_err(String::as_str), expected);
        };
        check(json!({}), Ok(""));
        check(json!({"phase":null}), Ok(""));
        check(json!({"phase":"Running"}), Ok("Running"));
        check(json!({"phase":1}), Err("status.phase must be a string, not 1"));
    }
}
