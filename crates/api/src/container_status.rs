//! The status of a container: what it does, how it ended, and why it is not started.
//!
//! Docs: Pod Lifecycle, "Container states". The pod that it belongs to is in `pod.rs`. Reasons and messages are out of line, so that a container that does
//! well does not pay for them.

use crate::json::{JsonValue, Read, ReadError};
use crate::{Text, Timestamp};

/// A reason and a message; at least one of them is not empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusDetail {
    /// The reason, in one word.
    pub reason: Text,
    /// The message; what is beyond [`MESSAGE_LIMIT`] is cut off.
    pub message: Text,
}

/// How many bytes of a message are kept.
pub const MESSAGE_LIMIT: usize = 512;

impl StatusDetail {
    /// Reads the reason or the message, one of which may make the detail.
    pub(crate) fn read(detail: &mut Option<Box<Self>>, value: JsonValue<'_>, field: fn(&mut Self) -> &mut Text) -> Result<(), ReadError> {
        let mut text = BoundedText::default();
        value.read(&mut text)?;
        if !text.0.is_empty() {
            *field(detail.get_or_insert_default()) = text.0;
        }
        Ok(())
    }

    /// Unless it says only that a container is being created, or has ended.
    fn of_interest(detail: Option<Box<Self>>) -> Option<Box<Self>> {
        let plain = |reason: &str| matches!(reason, "ContainerCreating" | "PodInitializing" | "Completed" | "Error");
        detail.filter(|detail| !detail.message.is_empty() || !plain(&detail.reason))
    }
}

/// Text of which no more than [`MESSAGE_LIMIT`] bytes are kept.
#[derive(Default)]
struct BoundedText(Text);

impl Read for BoundedText {
    fn wanted(&self) -> &'static str {
        "text"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        self.0.text(&value[..value.floor_char_boundary(MESSAGE_LIMIT)])
    }
}

/// What is known of one container.
#[derive(Debug, Clone, Default, PartialEq, Eq, Read)]
pub struct ContainerStatus {
    /// The container's name.
    pub name: Text,
    /// How often it was started again in place.
    pub restart_count: i32,
    /// What it does.
    #[read(with = ContainerProgress::read)]
    pub state: ContainerProgress,
    /// How it ended the last time, if it was started again or is to be.
    #[serde(rename = "lastState")]
    #[read(with = Terminated::read_last)]
    pub last: Option<Box<Terminated>>,
    /// Whether it has passed its startup probe, if its status says so.
    pub started: Option<bool>,
    /// Whether it is a sidecar: an init container with `restartPolicy: Always`.
    #[read(skip)]
    pub sidecar: bool,
}

impl ContainerStatus {
    /// Whether it runs.
    #[must_use]
    pub fn running(&self) -> bool {
        matches!(self.state, ContainerProgress::Running { .. })
    }

    /// How it ended, if it has ended and was not started again.
    #[must_use]
    pub fn terminated(&self) -> Option<&Terminated> {
        match &self.state {
            ContainerProgress::Terminated(end) => Some(end),
            ContainerProgress::Waiting(_) | ContainerProgress::Running { .. } => None,
        }
    }
}

/// What a container does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContainerProgress {
    /// It is not started yet, or not yet started again; why, unless it is being created.
    Waiting(Option<Box<StatusDetail>>),
    /// It runs.
    Running {
        /// Since when.
        started_at: Option<Timestamp>,
    },
    /// It has ended.
    Terminated(Box<Terminated>),
}

impl Default for ContainerProgress {
    fn default() -> Self {
        Self::Waiting(None)
    }
}

/// How a container ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terminated {
    /// Its exit code; 128 + the signal's number if a signal ended it.
    pub exit_code: i32,
    /// When it was started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Why, if its status says more than that it ended: `OOMKilled`, with a message perhaps.
    pub detail: Option<Box<StatusDetail>>,
}

/// `state` or `lastState` of a container.
#[derive(Default, Read)]
struct ContainerStateFields {
    waiting: Option<WaitingFields>,
    running: Option<RunningFields>,
    terminated: Option<Terminated>,
}

/// `waiting` of a state.
#[derive(Default)]
struct WaitingFields {
    detail: Option<Box<StatusDetail>>,
}

impl Read for WaitingFields {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "reason" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.reason),
            "message" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.message),
            _ => Ok(()),
        }
    }
}

/// `running` of a state.
#[derive(Default, Read)]
struct RunningFields {
    started_at: Option<Timestamp>,
}

impl ContainerProgress {
    /// Reads a state.
    fn read(&mut self, value: JsonValue<'_>) -> Result<(), ReadError> {
        let mut fields = ContainerStateFields::default();
        value.read(&mut fields)?;
        let ContainerStateFields { waiting, running, terminated } = fields;
        *self = match (terminated, running) {
            (Some(end), _) => Self::Terminated(Box::new(end.trimmed())),
            (None, Some(RunningFields { started_at })) => Self::Running { started_at },
            (None, None) => Self::Waiting(StatusDetail::of_interest(waiting.and_then(|waiting| waiting.detail))),
        };
        Ok(())
    }
}

impl Read for Terminated {
    fn field(&mut self, name: &str, value: JsonValue<'_>) -> Result<(), ReadError> {
        match name {
            "exitCode" => value.read(&mut self.exit_code),
            "startedAt" => value.read(&mut self.started_at),
            "finishedAt" => value.read(&mut self.finished_at),
            "reason" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.reason),
            "message" => StatusDetail::read(&mut self.detail, value, |detail| &mut detail.message),
            _ => Ok(()),
        }
    }
}

impl Terminated {
    /// Reads an end from the state before.
    fn read_last(last: &mut Option<Box<Self>>, value: JsonValue<'_>) -> Result<(), ReadError> {
        let mut fields = ContainerStateFields::default();
        value.read(&mut fields)?;
        *last = fields.terminated.map(|end| Box::new(end.trimmed()));
        Ok(())
    }

    fn trimmed(mut self) -> Self {
        self.detail = StatusDetail::of_interest(self.detail);
        self
    }
}
