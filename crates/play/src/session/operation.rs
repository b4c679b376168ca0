//! One operation of the session protocol, as a line of JSON.
//!
//! Docs: `upstream/cmd/oracle/session.go`, the comment at its head. What operations do is in `session/mod.rs`.

use std::borrow::Cow;

use api::{Duration, Timestamp};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// One operation; which fields matter depends on `op`. Absent, `null` and zero are the same.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Operation<'a> {
    #[serde(borrow)]
    op: Option<Cow<'a, str>>,
    #[serde(borrow)]
    now: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) object: Option<&'a RawValue>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) merge: Option<&'a RawValue>,
    #[serde(borrow)]
    propagation: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) select: Option<Select<'a>>,
    #[serde(borrow, rename = "do")]
    action: Option<Cow<'a, str>>,
    exit_code: Option<i32>,
    conditions: Option<Vec<Value>>,
    seconds: Option<f64>,
}

/// Which pod; every key but `nth` narrows.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Select<'a> {
    #[serde(borrow)]
    pub(super) job: Option<Cow<'a, str>>,
    pub(super) index: Option<i64>,
    #[serde(borrow)]
    pub(super) phase: Option<Cow<'a, str>>,
    pub(super) deleting: Option<bool>,
    pub(super) nth: Option<i64>,
}

impl Operation<'_> {
    pub(super) fn op(&self) -> &str {
        self.op.as_deref().unwrap_or_default()
    }

    /// The time at which a session begins: without one, the first second of the year 1.
    pub(super) fn now(&self) -> Result<Timestamp, String> {
        let text = self.now.as_deref().unwrap_or("0001-01-01T00:00:00Z");
        text.parse().map_err(|error| format!("parsing time {text:?}: {error}"))
    }

    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    pub(super) fn propagation(&self) -> &str {
        self.propagation.as_deref().unwrap_or_default()
    }

    /// What a node does: `do`.
    pub(super) fn action(&self) -> &str {
        self.action.as_deref().unwrap_or_default()
    }

    pub(super) fn exit_code(&self) -> i32 {
        self.exit_code.unwrap_or(0)
    }

    pub(super) fn conditions(&self) -> &[Value] {
        self.conditions.as_deref().unwrap_or_default()
    }

    /// How much time passes, cut to nanoseconds.
    pub(super) fn seconds(&self) -> Duration {
        Duration::from_nanos((self.seconds.unwrap_or(0.0) * 1e9) as i64)
    }
}
