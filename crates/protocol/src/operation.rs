//! One operation of the session protocol, as a line of JSON: which fields it has, and what is wrong with a line that is not one.
//!
//! Docs: `upstream/cmd/oracle/session.go`, the comment at its head. What operations do is in `lib.rs`, those without a session in `question.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use api::{Duration, Kind, Timestamp};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

/// How much time may pass at once, in seconds: a bit less than 300 years.
const MOST_SECONDS: f64 = 9e9;

/// One operation. Absent and `null` are the same.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Operation<'a> {
    pub(super) op: Op,
    #[serde(borrow, default)]
    now: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    object: Option<&'a RawValue>,
    #[serde(borrow, default)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    merge: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) propagation: Option<RemovalPropagation>,
    #[serde(borrow, default)]
    pub(super) select: Option<Select<'a>>,
    #[serde(rename = "do", default)]
    pub(super) action: Option<NodeAction>,
    #[serde(default)]
    exit_code: Option<i32>,
    #[serde(default)]
    conditions: Option<Vec<Value>>,
    #[serde(default)]
    seconds: Option<f64>,
    #[serde(default)]
    pub(super) verb: Option<Verb>,
    #[serde(default)]
    pub(super) code: Option<u16>,
    #[serde(borrow, default)]
    old: Option<&'a RawValue>,
    #[serde(borrow, default)]
    yaml: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    schedule: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    time_zone: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    from: Option<Cow<'a, str>>,
    #[serde(default)]
    count: Option<usize>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Op {
    /// Begins with an empty cluster.
    Session,
    /// Creates an object.
    Apply,
    /// Patches an object.
    Edit,
    /// Deletes an object.
    Remove,
    /// Has a node do something to a pod.
    Pod,
    /// Has the API server refuse some requests of the controllers for a time.
    Refuse,
    /// Lets time pass.
    Advance,
    /// Restarts the controllers.
    Restart,
    /// Asks whether an object is admitted.
    Create,
    /// Asks whether an object is admitted in place of another.
    Update,
    /// Asks whether a status is admitted in place of another.
    Status,
    /// Asks what strict decoding finds.
    Decode,
    /// Asks what a YAML document means.
    Yaml,
    /// Asks when a schedule fires.
    Schedule,
}

/// What a node does to a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NodeAction {
    /// Starts it.
    Start,
    /// Reports it as ready.
    Ready,
    /// Starts its container again in place.
    Restart,
    /// Reports its success.
    Succeed,
    /// Reports its failure.
    Fail,
    /// Nothing: a client deletes the pod.
    Delete,
    /// Has stopped it, so that it disappears.
    Gone,
}

/// Which requests are refused, as clients of the API call them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verb {
    /// Creations, of whatever name.
    Create,
    /// Writes of a status.
    Update,
    /// Patches.
    Patch,
    /// Deletions.
    Delete,
}

/// What happens to the dependents of an object that is removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) enum RemovalPropagation {
    /// They go later.
    #[default]
    Background,
    /// They go first.
    Foreground,
    /// They stay.
    Orphan,
}

/// Which pod; every key but `nth` narrows.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Select<'a> {
    #[serde(borrow)]
    pub(super) job: Option<Cow<'a, str>>,
    pub(super) index: Option<i64>,
    #[serde(borrow)]
    pub(super) phase: Option<Cow<'a, str>>,
    pub(super) deleting: Option<bool>,
    pub(super) nth: Option<i64>,
}

impl Op {
    /// Whether it needs no session before it.
    pub(super) fn stands_alone(self) -> bool {
        match self {
            Self::Session | Self::Create | Self::Update | Self::Status | Self::Decode | Self::Yaml | Self::Schedule => true,
            Self::Apply | Self::Edit | Self::Remove | Self::Pod | Self::Refuse | Self::Advance | Self::Restart => false,
        }
    }

    /// The fields that it needs, and those that it takes besides.
    fn fields(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Session => (&[], &["now"]),
            Self::Apply => (&["object"], &[]),
            Self::Edit => (&["kind", "name", "merge"], &[]),
            Self::Remove => (&["kind", "name"], &["propagation"]),
            Self::Pod => (&["do"], &["select", "exitCode", "conditions"]),
            Self::Refuse => (&["kind", "verb", "seconds", "code"], &["select", "name"]),
            Self::Advance => (&["seconds"], &[]),
            Self::Restart => (&[], &[]),
            Self::Create | Self::Decode => (&["object"], &[]),
            Self::Update | Self::Status => (&["old", "object"], &[]),
            Self::Yaml => (&["yaml"], &[]),
            Self::Schedule => (&["schedule", "from", "count"], &["timeZone"]),
        }
    }
}

impl<'a> Operation<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, and what it may be instead.
    pub(super) fn read(line: &'a str) -> Result<Self, String> {
        let given: BTreeMap<String, Option<IgnoredAny>> = serde_json::from_str(line).map_err(|error| {
            if error.is_data() {
                "the line is not a JSON object".to_owned()
            } else {
                format!("the line is not valid JSON: {}", reason(&error))
            }
        })?;
        let operation: Self = serde_json::from_str(line).map_err(|error| reason(&error))?;
        let (needed, optional) = operation.op.fields();
        let op = format!("{:?}", operation.op).to_lowercase();
        let mut known = ["op"].iter().chain(needed).chain(optional);
        if let Some(unknown) = given.keys().find(|field| !known.clone().any(|known| known == field)) {
            let known = known.by_ref().map(|field| format!("{field:?}")).collect::<Vec<_>>().join(", ");
            return Err(format!("{op:?} takes no field {unknown:?}; its fields are {known}"));
        }
        if let Some(missing) = needed.iter().find(|field| given.get(**field).is_none_or(Option::is_none)) {
            return Err(format!("{op:?} needs {missing:?}"));
        }
        Ok(operation)
    }

    /// The time at which a session begins: without one, the first second of the year 1.
    pub(super) fn now(&self) -> Result<Timestamp, String> {
        time(self.now.as_deref().unwrap_or("0001-01-01T00:00:00Z"))
    }

    /// The time after which a schedule fires.
    pub(super) fn from(&self) -> Result<Timestamp, String> {
        time(self.from.as_deref().unwrap_or_default())
    }

    /// The object, JSON text.
    pub(super) fn object(&self) -> &'a str {
        self.object.map_or("", RawValue::get)
    }

    /// The object that is stored, JSON text.
    pub(super) fn old(&self) -> &'a str {
        self.old.map_or("", RawValue::get)
    }

    pub(super) fn yaml(&self) -> &str {
        self.yaml.as_deref().unwrap_or_default()
    }

    pub(super) fn schedule(&self) -> &str {
        self.schedule.as_deref().unwrap_or_default()
    }

    /// The time zone of a schedule; empty if it has none.
    pub(super) fn time_zone(&self) -> &str {
        self.time_zone.as_deref().unwrap_or_default()
    }

    /// How many times of a schedule are asked for.
    pub(super) fn count(&self) -> usize {
        self.count.unwrap_or_default()
    }

    pub(super) fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    pub(super) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// The patch, JSON text.
    pub(super) fn merge(&self) -> &'a str {
        self.merge.map_or("", RawValue::get)
    }

    pub(super) fn exit_code(&self) -> i32 {
        self.exit_code.unwrap_or(0)
    }

    pub(super) fn conditions(&self) -> &[Value] {
        self.conditions.as_deref().unwrap_or_default()
    }

    /// How much time passes, cut to nanoseconds.
    pub(super) fn seconds(&self) -> Result<Duration, String> {
        let seconds = self.seconds.unwrap_or_default();
        if (0.0..=MOST_SECONDS).contains(&seconds) {
            Ok(Duration::from_nanos((seconds * 1e9) as i64))
        } else {
            Err(format!(r#""seconds" must be from 0 to {MOST_SECONDS}"#))
        }
    }
}

fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|error| format!("parsing time {text:?}: {error}"))
}

/// The kind of this name.
pub(super) fn known_kind(name: &str) -> Result<Kind, String> {
    Kind::of(name).ok_or_else(|| format!("no kind {name:?}; the kinds are CronJob, Job and Pod"))
}

/// What is wrong with JSON, and in which column of its line, if it cannot be read as JSON at all.
fn reason(error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    let reason = text.strip_suffix(&format!(" at line {} column {column}", error.line())).unwrap_or(&text);
    if error.is_data() {
        reason.replace("unknown variant", "unknown value").replace("f64", "a number")
    } else {
        format!("{reason} in column {column}")
    }
}
