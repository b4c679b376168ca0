//! A pod that has not started, and the line of an annotation that it meets.
//!
//! Docs: README, "Beyond Kubernetes".

use api::annotation::{ON_PENDING, PendingClass};
use api::{Duration, Text, duration};

use crate::runtime::wording::Wording;

/// A pod that meets a rule on pods that do not start.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingMatch {
    /// The pod.
    pub(crate) pod: Text,
    /// What it waits for, if that is known.
    pub(crate) class: Option<PendingClass>,
    /// Why, in one word; empty if nothing says it.
    pub(crate) reason: Text,
    /// Why, in a sentence; empty if nothing says it.
    pub(crate) message: Text,
    /// The line of the annotation.
    pub(crate) line: usize,
}

impl PendingMatch {
    /// What the pod waits for, in words.
    fn awaited(&self) -> &'static str {
        match self.class {
            Some(PendingClass::Image) => "an image",
            Some(PendingClass::Config) => "a container to be created",
            Some(PendingClass::Unschedulable) | None => "a node",
            Some(PendingClass::Starting) => "its containers to start",
        }
    }

    /// Adds the values of a template with `{pod}`, `{awaited}`, `{reason}`, `{line}` and `{annotation}`.
    pub(crate) fn add_to(&self, wording: Wording, deadline: Duration) -> Wording {
        wording
            .pod(&self.pod)
            .with("awaited", self.awaited())
            .with("deadline", deadline)
            .with("reason", Some(&*self.reason).filter(|reason| !reason.is_empty()))
            .with("message", Some(&*self.message).filter(|message| !message.is_empty()))
            .with("line", self.line)
            .with("annotation", ON_PENDING)
    }

    /// It as the message of a condition or an Event.
    pub(crate) fn message(&self, namespace: &str, deadline: Duration) -> String {
        let Self { pod, reason, message, line, .. } = self;
        let colon = if reason.is_empty() || message.is_empty() { "" } else { ": " };
        let why = if reason.is_empty() && message.is_empty() { String::new() } else { format!(" ({reason}{colon}{message})") };
        let (awaited, deadline) = (self.awaited(), duration::text(deadline));
        format!("Pod {namespace}/{pod} has waited {deadline} for {awaited}{why}, matching line {line} of {ON_PENDING}")
    }
}
