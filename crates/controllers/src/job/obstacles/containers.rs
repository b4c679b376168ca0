//! What the containers of a pod that has a node wait for.
//!
//! Docs: Pod Lifecycle, "Container states"; Init Containers. What keeps a pod before it has a node, and once it is being deleted, is in `pods.rs`.

use api::pod::{ConditionStatus, ContainerProgress, ContainerStatus, Phase};
use api::{Pod, Timestamp, WarningEvent};

use super::cause::PodCause;
use super::pods::{STARTING, StuckPod, passed};

/// Why a pod that has a node makes no progress: what its containers wait for.
pub(super) fn of_containers(pod: &Pod, warnings: &[WarningEvent], now: Timestamp) -> StuckPod {
    let not_ready = pod.condition("Ready").filter(|ready| ready.status == ConditionStatus::False);
    let scheduled_at =
        pod.condition("PodScheduled").and_then(|scheduled| scheduled.last_transition_time).or(pod.metadata.creation_timestamp);
    let waiting_since = not_ready.and_then(|ready| ready.last_transition_time).or(scheduled_at);
    let state = |cause, since| StuckPod { cause, since, until: None };
    let all = || pod.init_containers.iter().chain(&pod.containers);
    if let Some((cause, since)) = all().find_map(held) {
        return state(cause, since.or(waiting_since));
    }
    let running = |container: &&ContainerStatus| matches!(container.state, ContainerProgress::Running { .. });
    let started_at = |container: &ContainerStatus| match container.state {
        ContainerProgress::Running { started_at } => started_at,
        ContainerProgress::Waiting(_) | ContainerProgress::Terminated(_) => None,
    };
    if let Some(container) = pod.containers.iter().find(running) {
        let ended = pod.containers.iter().find_map(|other| other.terminated().map(|end| (&other.name, end.finished_at)));
        return match ended {
            Some((ended, since)) => state(PodCause::ContainerKeepsPod { ended: ended.clone(), container: container.name.clone() }, since),
            None => state(PodCause::Running, started_at(container)),
        };
    }
    if let Some(container) = pod.init_containers.iter().filter(|container| !container.sidecar).find(running) {
        return state(PodCause::Initializing { container: container.name.clone() }, started_at(container));
    }
    if pod.phase == Phase::Running || !passed(scheduled_at, STARTING, now) {
        return state(PodCause::Starting, scheduled_at);
    }
    let message = newest(warnings, &pod.metadata.uid).map(|warning| warning.message.clone()).unwrap_or_default();
    state(PodCause::NotStarted { message }, scheduled_at)
}
/// Why a container is not started, if that does not pass, and since when, if it is known.
fn held(container: &ContainerStatus) -> Option<(PodCause, Option<Timestamp>)> {
    let ContainerProgress::Waiting(Some(detail)) = &container.state else { return None };
    let name = container.name.clone();
    if &*detail.reason != "CrashLoopBackOff" {
        let (reason, message) = (detail.reason.clone(), detail.message.clone());
        return Some((PodCause::CannotStart { container: name, reason, message }, None));
    }
    let last = container.last.as_deref();
    let reason = last.and_then(|end| Some(end.detail.as_ref()?.reason.clone())).unwrap_or_default();
    let exit_code = last.map_or(0, |end| end.exit_code);
    Some((PodCause::CrashLoop { container: name, exit_code, reason }, last.and_then(|end| end.finished_at)))
}
/// The newest warning about an object.
fn newest<'w>(warnings: &'w [WarningEvent], uid: &str) -> Option<&'w WarningEvent> {
    warnings.iter().filter(|warning| &*warning.uid == uid).max_by_key(|warning| warning.last_at)
}
