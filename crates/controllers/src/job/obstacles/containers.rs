//! What the containers of a pod that has a node wait for.
//!
//! Docs: Pod Lifecycle, "Container states"; Init Containers; Sidecar Containers, "Sidecar containers and Pod lifecycle". What keeps a pod before it has a node,
//! and once it is being deleted, is in `pods.rs`.

use api::pod::{ConditionStatus, ContainerProgress, ContainerStatus, Phase, StatusDetail};
use api::{Duration, Pod, Timestamp, WarningEvent};

use super::super::pod_template::{grace_period, restart_policy};
use super::Situation;
use super::cause::PodCause;
use super::pods::{STARTING, StuckPod, passed};

/// How long a container may run on after another one of its pod has ended.
const LINGERING: Duration = Duration::from_secs(60);
/// How long it may take to stop sidecars, beyond their grace period.
const STOPPING: Duration = Duration::from_secs(30);

/// Why a pod that has a node makes no progress: what its containers wait for.
pub(super) fn of_containers(pod: &Pod, at: &Situation<'_>) -> StuckPod {
    let Situation { warnings, now, .. } = *at;
    let not_ready = pod.condition("Ready").filter(|ready| ready.status == ConditionStatus::False);
    let scheduled_at =
        pod.condition("PodScheduled").and_then(|scheduled| scheduled.last_transition_time).or(pod.metadata.creation_timestamp);
    let waiting_since = not_ready.and_then(|ready| ready.last_transition_time).or(scheduled_at);
    if let Some(container) = unstarted_sidecar(pod, warnings) {
        let since = started_at(container).filter(|_| container.restart_count == 0).or(scheduled_at);
        let warning = probe_failure(pod, warnings).or_else(|| newest(warnings.iter(), &pod.metadata.uid));
        let message = warning.map(|warning| warning.message.clone()).unwrap_or_default();
        let cause = PodCause::SidecarNotStarted { container: container.name.clone(), message };
        return StuckPod { passes: !passed(since, STARTING, now), ..StuckPod::lasting(cause, since) };
    }
    let all = || pod.init_containers.iter().chain(&pod.containers);
    if let Some((cause, since)) = all().find_map(held) {
        return StuckPod::lasting(cause, since.or(waiting_since));
    }
    if let Some(container) = pod.containers.iter().find(|container| container.running()) {
        let ended = pod.containers.iter().find_map(|other| other.terminated().map(|end| (&other.name, end.finished_at)));
        let Some((ended, since)) = ended else { return StuckPod::passing(PodCause::Running, started_at(container)) };
        let cause = PodCause::ContainerKeepsPod { ended: ended.clone(), container: container.name.clone() };
        // Perhaps it only takes a little longer than the other one.
        return StuckPod { passes: !passed(since, LINGERING, now), ..StuckPod::lasting(cause, since) };
    }
    if let Some(container) = pod.init_containers.iter().find(|container| !container.sidecar && container.running()) {
        return StuckPod::passing(PodCause::Initializing { container: container.name.clone() }, started_at(container));
    }
    if let Some(kept) = kept_by_sidecar(pod, at) {
        return kept;
    }
    if pod.phase == Phase::Running || !passed(scheduled_at, STARTING, now) {
        return StuckPod::passing(PodCause::Starting, scheduled_at);
    }
    let message = newest(warnings.iter(), &pod.metadata.uid).map(|warning| warning.message.clone()).unwrap_or_default();
    StuckPod::lasting(PodCause::NotStarted { message }, scheduled_at)
}

/// The sidecar that the other containers wait for: it runs, and its startup probe has not succeeded, or it is restarted because that failed.
fn unstarted_sidecar<'p>(pod: &'p Pod, warnings: &[WarningEvent]) -> Option<&'p ContainerStatus> {
    let begun = |container: &ContainerStatus| !matches!(container.state, ContainerProgress::Waiting(_)) || container.restart_count > 0;
    if pod.containers.iter().any(begun) {
        return None;
    }
    let fails = |container: &ContainerStatus| container.restart_count > 0 && probe_failure(pod, warnings).is_some();
    let waits =
        |container: &&ContainerStatus| container.sidecar && container.started == Some(false) && (container.running() || fails(container));
    pod.init_containers.iter().find(waits)
}

/// The newest warning that a startup probe of the pod failed.
fn probe_failure<'w>(pod: &Pod, warnings: &'w [WarningEvent]) -> Option<&'w WarningEvent> {
    newest(warnings.iter().filter(|warning| warning.message.starts_with("Startup probe ")), &pod.metadata.uid)
}

/// A pod whose containers have ended, but which a sidecar keeps.
fn kept_by_sidecar(pod: &Pod, at: &Situation<'_>) -> Option<StuckPod> {
    let sidecar = pod.init_containers.iter().find(|container| container.sidecar && container.running())?;
    let ends: Option<Vec<_>> = pod.containers.iter().map(|container| Some((container, container.terminated()?))).collect();
    let ends = ends?;
    let (last, end) = ends.iter().max_by_key(|(_, end)| end.finished_at)?;
    let template = &at.job.spec.template;
    if ends.iter().any(|(_, end)| end.exit_code != 0) && restart_policy(template).as_deref() == Some("OnFailure") {
        return None;
    }
    let cause = PodCause::SidecarKeepsPod { ended: last.name.clone(), container: sidecar.name.clone() };
    let usual = grace_period(template).saturating_add(STOPPING);
    Some(StuckPod { passes: !passed(end.finished_at, usual, at.now), ..StuckPod::lasting(cause, end.finished_at) })
}

fn started_at(container: &ContainerStatus) -> Option<Timestamp> {
    match container.state {
        ContainerProgress::Running { started_at } => started_at,
        ContainerProgress::Waiting(_) | ContainerProgress::Terminated(_) => None,
    }
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
    let StatusDetail { reason, message } = last.and_then(|end| end.detail.as_deref()).cloned().unwrap_or_default();
    let exit_code = last.map_or(0, |end| end.exit_code);
    Some((PodCause::CrashLoop { container: name, exit_code, reason, message }, last.and_then(|end| end.finished_at)))
}

/// The newest of these warnings about an object.
fn newest<'w>(warnings: impl Iterator<Item = &'w WarningEvent>, uid: &str) -> Option<&'w WarningEvent> {
    warnings.filter(|warning| &*warning.uid == uid).max_by_key(|warning| warning.last_at)
}
