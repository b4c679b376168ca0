//! Why a pod makes no progress.
//!
//! Docs: Pod Lifecycle, "Container states", "Pod scheduling readiness", "Forced Pod termination". Which cause a pod has is found in `pods.rs` and in
//! `containers.rs`; the sentences are in `sentences.rs`, and what helps is in `remedies.rs`.

use api::{Kind, Pod, Text};
use contract::Obstacle;

use super::Situation;
use super::pods::StuckPod;
use super::remedies::remedy;
use super::sentences::{AlikePods, CountedRestarts};
use crate::runtime::obstacle::{ObstacleParts, Stuck};

/// Why a pod makes no progress; the first of these comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PodCause {
    /// It is being deleted and has ended, and somebody's finalizer keeps it.
    Finalizer { finalizer: Text },
    /// It ended long ago, and its Job's controller has not removed its finalizer.
    StillTracked { finalizer: Text },
    /// Its node does not respond.
    NodeLost { node: Text },
    /// It should have been gone.
    DeletionOverdue,
    /// A container is not started, for a reason that does not pass.
    CannotStart { container: Text, reason: Text, message: Text },
    /// A container ends each time it is started.
    CrashLoop { container: Text, exit_code: i32, reason: Text, message: Text },
    /// Its containers wait for a sidecar whose startup probe has not succeeded.
    SidecarNotStarted { container: Text, message: Text },
    /// Scheduling gates hold it back.
    Gated { gates: Vec<Text> },
    /// No node takes it.
    Unschedulable { message: Text },
    /// It waits for a scheduler.
    NotScheduled,
    /// Its containers are being created for a long time.
    NotStarted { message: Text },
    /// Some of its containers have ended, and this one runs on.
    ContainerKeepsPod { ended: Text, container: Text },
    /// Its containers have ended, the last of them this one, and a sidecar runs on.
    SidecarKeepsPod { ended: Text, container: Text },
    /// It waits for an init container.
    Initializing { container: Text },
    /// It is being started.
    Starting,
    /// It runs.
    Running,
    /// It is being stopped.
    Terminating,
}

impl PodCause {
    /// Whether one sentence holds for pods with these causes: messages may name the pod.
    pub(super) fn like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::CannotStart { container, reason, .. }, Self::CannotStart { container: other_container, reason: other_reason, .. }) => {
                container == other_container && reason == other_reason
            }
            (
                Self::CrashLoop { container, exit_code, reason, .. },
                Self::CrashLoop { container: other_container, exit_code: other_code, reason: other_reason, .. },
            ) => container == other_container && exit_code == other_code && reason == other_reason,
            (Self::SidecarNotStarted { container, .. }, Self::SidecarNotStarted { container: other, .. }) => container == other,
            (Self::NotStarted { .. }, Self::NotStarted { .. }) | (Self::Unschedulable { .. }, Self::Unschedulable { .. }) => true,
            _ => self == other,
        }
    }

    /// The obstacle of pods that are in this state.
    pub(super) fn obstacle(&self, pods: &[(&Pod, StuckPod)], restarts: Option<CountedRestarts>, at: &Situation<'_>) -> Obstacle {
        let stuck = Stuck::of(Kind::Pod, pods.iter().map(|(pod, _)| &pod.metadata));
        let since = pods.iter().filter_map(|(_, state)| state.since).min();
        let until = pods.iter().filter_map(|(_, state)| state.until).max();
        let sentence = AlikePods { pods, stuck: &stuck, since, until, restarts, now: at.now }.sentence(self);
        let obstacle = stuck.obstacle(self.code(), sentence).since(since).remedy(remedy(self, pods, at));
        if pods.iter().all(|(_, state)| state.passes) { obstacle.passes(until) } else { obstacle }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Finalizer { .. } => "PodFinalizer",
            Self::StillTracked { .. } => "PodStillTracked",
            Self::NodeLost { .. } => "NodeLost",
            Self::DeletionOverdue => "DeletionOverdue",
            Self::CannotStart { reason, .. } if of_image(reason) => "ImageNotPulled",
            Self::CannotStart { .. } => "ContainerCannotStart",
            Self::CrashLoop { .. } => "CrashLoop",
            Self::SidecarNotStarted { .. } => "SidecarNotStarted",
            Self::Gated { .. } => "SchedulingGated",
            Self::Unschedulable { .. } => "Unschedulable",
            Self::NotScheduled => "NotScheduled",
            Self::NotStarted { .. } => "ContainersNotCreated",
            Self::ContainerKeepsPod { .. } => "ContainerKeepsPod",
            Self::SidecarKeepsPod { .. } => "SidecarKeepsPod",
            Self::Terminating => "PodTerminating",
            Self::Initializing { .. } => "PodInitializing",
            Self::Starting => "PodStarting",
            Self::Running => "PodRunning",
        }
    }
}

/// Whether a container waits for its image.
pub(super) fn of_image(reason: &str) -> bool {
    matches!(
        reason,
        "ErrImagePull"
            | "ImagePullBackOff"
            | "InvalidImageName"
            | "ErrImageNeverPull"
            | "ImageInspectError"
            | "RegistryUnavailable"
            | "SignatureValidationFailed"
    )
}
