//! Conditions: what a Job's status states about it.
//!
//! Docs: Jobs, "Terminal Job conditions" (J-130…J-134i). Which of them a Job gets is decided in `verdict.rs` and `suspend.rs`.

use api::{JobCondition, Text, Timestamp};

/// How a Job ends: the interim condition and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) kind: EndingKind,
    pub(crate) reason: Text,
    pub(crate) message: Text,
}

/// Which end, and whether the interim condition is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndingKind {
    /// The Job succeeds; `SuccessCriteriaMet` is set unless it is there.
    Success,
    /// The Job fails; `FailureTarget` is to be set.
    Failure,
    /// The Job fails; `FailureTarget` was set before.
    KnownFailure,
}

impl Ending {
    pub(crate) fn new(kind: EndingKind, reason: &str, message: impl Into<Text>) -> Self {
        Self { kind, reason: reason.into(), message: message.into() }
    }

    /// The condition at the end.
    pub(crate) fn condition(&self) -> &'static str {
        match self.kind {
            EndingKind::Success => api::job::conditions::COMPLETE,
            EndingKind::Failure | EndingKind::KnownFailure => api::job::conditions::FAILED,
        }
    }
}

/// Sets a condition: there is at most one of a type, by any writer.
pub(crate) fn set(conditions: &mut Vec<JobCondition>, condition: JobCondition) {
    conditions.retain(|known| known.kind != condition.kind);
    conditions.push(condition);
}

/// A condition that holds from this time.
pub(crate) fn holding(kind: &str, reason: &Text, message: &Text, now: Timestamp) -> JobCondition {
    JobCondition {
        kind: kind.into(),
        status: "True".into(),
        last_probe_time: Some(now),
        last_transition_time: Some(now),
        reason: reason.clone(),
        message: message.clone(),
    }
}
