//! Pods that were found stuck, and why.
//!
//! Docs: Pod Lifecycle, "Container states", "Pod conditions"; Debug Pods. That they stay so is decided in `resume.rs` and `resident.rs`.

use api::Text;
use serde_json::Value;

/// A pod that was found stuck and stays so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PodFoundStuck {
    /// Its namespace.
    pub namespace: Text,
    /// Its name.
    pub name: Text,
    /// Why.
    pub cause: StuckCause,
}

/// Why a pod is stuck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StuckCause {
    /// No node takes it.
    Unscheduled(StuckReason),
    /// A scheduling gate holds it back.
    Gated(StuckReason),
    /// A container does not start.
    Container {
        /// Its name.
        name: Text,
        /// Whether it is one of `spec.initContainers`.
        init: bool,
        /// Why.
        reason: StuckReason,
    },
    /// A container runs on although the others have ended.
    KeptRunning {
        /// Its name.
        container: Text,
    },
    /// Its node does not respond.
    NodeLost,
}

/// Why a pod or a container is stuck, as its status has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StuckReason {
    /// In one word: `ImagePullBackOff`.
    pub reason: Text,
    /// In a sentence; may be empty.
    pub message: Text,
}

impl StuckReason {
    /// The reason in a condition or a container's state.
    pub(super) fn of(status: &Value) -> Self {
        let text = |name: &str| status[name].as_str().unwrap_or_default().into();
        Self { reason: text("reason"), message: text("message") }
    }
}
