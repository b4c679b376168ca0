//! What keeps pods from making progress: one obstacle for all pods for which one sentence holds.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states", "Pod scheduling readiness", "Forced Pod termination"; Debug Pods. What keeps the Job itself is in
//! `mod.rs`.

use api::pod::{ConditionStatus, ContainerProgress, ContainerStatus, Phase};
use api::{Duration, Kind, Pod, Text, Timestamp, WarningEvent, time};
use contract::Obstacle;

use super::super::backoff;
use super::super::config::Config;
use super::super::pod_template::restart_policy;
use super::reasons::{never_started, of_image};
use super::{OUT_OF_REACH, Situation};
use crate::runtime::obstacle::{ObstacleParts, Prose, Stuck, in_one_line};
use crate::runtime::order;

/// How long a pod may be without a node, or without its containers, before that is an obstacle.
const STARTING: Duration = Duration::from_secs(30);
/// How long after its grace period a pod may still be there.
const LATE: Duration = Duration::from_secs(10);
/// How long a container may run on after another one of its pod has ended.
const LINGERING: Duration = Duration::from_secs(60);

/// Why a pod makes no progress; the first of these comes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PodCause {
    /// It is being deleted and has ended, and somebody's finalizer keeps it.
    Finalizer { finalizer: Text },
    /// Its node does not respond.
    NodeLost { node: Text },
    /// It should have been gone.
    DeletionOverdue,
    /// A container is not started, for a reason that does not pass.
    CannotStart { container: Text, reason: Text, message: Text },
    /// A container ends each time it is started.
    CrashLoop { container: Text, exit_code: i32, reason: Text },
    /// Scheduling gates hold it back.
    Gated { gates: Vec<Text> },
    /// No node takes it.
    Unschedulable { message: Text },
    /// No scheduler has looked at it.
    NotScheduled,
    /// Its containers are being created for a long time.
    NotStarted { message: Text },
    /// Some of its containers have ended, and this one runs on.
    ContainerKeepsPod { ended: Text, container: Text },
    /// It is being stopped.
    Terminating,
    /// It waits for an init container.
    Initializing { container: Text },
    /// It is being started.
    Starting,
    /// It runs.
    Running,
}

/// A pod with why it makes no progress.
struct StuckPod {
    cause: PodCause,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

/// The obstacles of a Job's pods, those that do not pass by themselves first.
pub(super) fn obstacles(at: &Situation<'_>) -> Vec<Obstacle> {
    let mut alike: Vec<Vec<(&Pod, StuckPod)>> = Vec::new();
    for pod in at.pods {
        let Some(state) = StuckPod::of(pod, at.config, at.warnings, at.now) else { continue };
        match alike.iter_mut().find(|group| group[0].1.like(&state)) {
            Some(group) => group.push((pod, state)),
            None => alike.push(vec![(pod, state)]),
        }
    }
    let counts = restart_policy(&at.job.spec.template).as_deref() == Some("OnFailure") && at.job.spec.backoff_limit_per_index.is_none();
    let limit = counts.then(|| backoff::limit(at.job));
    let groups: Vec<&Vec<(&Pod, StuckPod)>> = alike.iter().collect();
    let groups = order::sorted(&groups, |one, other| one[0].1.cause.cmp(&other[0].1.cause));
    groups.into_iter().map(|group| group[0].1.cause.obstacle(group, limit, at.now)).collect()
}

impl StuckPod {
    /// Whether one sentence holds for both.
    fn like(&self, other: &Self) -> bool {
        self.cause.like(&other.cause) && self.until.is_some() == other.until.is_some()
    }

    /// Why a pod makes no progress; `None` if nothing is to be waited for.
    fn of(pod: &Pod, config: &Config, warnings: &[WarningEvent], now: Timestamp) -> Option<Self> {
        let (metadata, ended) = (&pod.metadata, pod.phase.ended());
        let state = |cause, since| Some(Self { cause, since, until: None });
        if let Some(goes_at) = metadata.deletion_timestamp {
            let overdue = time::after(goes_at, LATE) <= now;
            let foreign = metadata.finalizers.iter().find(|finalizer| **finalizer != config.tracking_finalizer);
            let held = |finalizer: &Text| state(PodCause::Finalizer { finalizer: finalizer.clone() }, Some(goes_at));
            return match (foreign, node_lost(pod)) {
                (Some(finalizer), _) if ended => held(finalizer),
                (None, _) if ended => None,
                (_, Some((node, since))) => Some(Self { cause: PodCause::NodeLost { node }, since, until: Some(goes_at) }),
                (Some(finalizer), None) if overdue => held(finalizer),
                (None, None) if overdue => state(PodCause::DeletionOverdue, Some(goes_at)),
                (_, None) => Some(Self { cause: PodCause::Terminating, since: None, until: Some(goes_at) }),
            };
        }
        if ended {
            return None;
        }
        if let Some((node, since)) = node_lost(pod) {
            return state(PodCause::NodeLost { node }, since);
        }
        let created_at = metadata.creation_timestamp;
        if let Some(trouble) = pod.trouble.as_ref().filter(|trouble| !trouble.gates.is_empty()) {
            return state(PodCause::Gated { gates: trouble.gates.clone() }, created_at);
        }
        if !pod.assigned {
            let refused = pod.condition("PodScheduled").filter(|scheduled| scheduled.status == ConditionStatus::False);
            return match refused {
                Some(refused) => {
                    let message = refused.detail.as_ref().map(|detail| detail.message.clone()).unwrap_or_default();
                    state(PodCause::Unschedulable { message }, refused.last_transition_time.or(created_at))
                }
                None if passed(created_at, STARTING, now) => state(PodCause::NotScheduled, created_at),
                None => state(PodCause::Starting, created_at),
            };
        }
        Some(of_containers(pod, warnings, now))
    }
}

/// Why a pod that has a node makes no progress: what its containers wait for.
fn of_containers(pod: &Pod, warnings: &[WarningEvent], now: Timestamp) -> StuckPod {
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

/// Whether this much time has passed since then; of an unknown time it has.
fn passed(since: Option<Timestamp>, length: Duration, now: Timestamp) -> bool {
    since.is_none_or(|since| time::after(since, length) <= now)
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
    let detail = last.and_then(|end| end.detail.clone()).unwrap_or_default();
    let reason = if never_started(&detail.reason) { explained(&detail.reason, &detail.message).into() } else { detail.reason };
    let exit_code = last.map_or(0, |end| end.exit_code);
    Some((PodCause::CrashLoop { container: name, exit_code, reason }, last.and_then(|end| end.finished_at)))
}

/// The pod's node, if it does not respond, and since when.
fn node_lost(pod: &Pod) -> Option<(Text, Option<Timestamp>)> {
    let node = pod.trouble.as_ref()?.lost_node.clone()?;
    let not_ready = pod.condition("Ready").filter(|ready| ready.status != ConditionStatus::True);
    Some((node, not_ready.and_then(|ready| ready.last_transition_time)))
}

/// The newest warning about an object.
pub(super) fn newest<'w>(warnings: &'w [WarningEvent], uid: &str) -> Option<&'w WarningEvent> {
    warnings.iter().filter(|warning| &*warning.uid == uid).max_by_key(|warning| warning.last_at)
}

impl PodCause {
    /// Whether one sentence holds for pods with these causes: messages may name the pod.
    fn like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::CannotStart { container, reason, .. }, Self::CannotStart { container: other_container, reason: other_reason, .. }) => {
                container == other_container && reason == other_reason
            }
            (Self::NotStarted { .. }, Self::NotStarted { .. }) | (Self::Unschedulable { .. }, Self::Unschedulable { .. }) => true,
            _ => self == other,
        }
    }

    /// The obstacle of pods that are in this state.
    fn obstacle(&self, pods: &[(&Pod, StuckPod)], restart_limit: Option<i32>, now: Timestamp) -> Obstacle {
        let stuck = Stuck::of(Kind::Pod, pods.iter().map(|(pod, _)| &pod.metadata));
        let since = pods.iter().filter_map(|(_, state)| state.since).min();
        let until = pods.iter().filter_map(|(_, state)| state.until).max();
        let sentence = self.sentence(&stuck, pods, [since, until], restart_limit);
        let obstacle = stuck.obstacle(self.code(), sentence).since(since).remedy(self.remedy(pods));
        match self {
            Self::Terminating => obstacle.passes(until),
            Self::Initializing { .. } | Self::Starting | Self::Running => obstacle.passes(None),
            // Perhaps it only takes a little longer than the other one.
            Self::ContainerKeepsPod { .. } if !passed(since, LINGERING, now) => obstacle.passes(None),
            Self::Finalizer { .. }
            | Self::NodeLost { .. }
            | Self::DeletionOverdue
            | Self::CannotStart { .. }
            | Self::CrashLoop { .. }
            | Self::Gated { .. }
            | Self::Unschedulable { .. }
            | Self::NotScheduled
            | Self::NotStarted { .. }
            | Self::ContainerKeepsPod { .. } => obstacle,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Finalizer { .. } => "PodFinalizer",
            Self::NodeLost { .. } => "NodeLost",
            Self::DeletionOverdue => "DeletionOverdue",
            Self::CannotStart { reason, .. } if of_image(reason) => "ImageNotPulled",
            Self::CannotStart { .. } => "ContainerCannotStart",
            Self::CrashLoop { .. } => "CrashLoop",
            Self::Gated { .. } => "SchedulingGated",
            Self::Unschedulable { .. } => "Unschedulable",
            Self::NotScheduled => "NotScheduled",
            Self::NotStarted { .. } => "ContainersNotCreated",
            Self::ContainerKeepsPod { .. } => "ContainerKeepsPod",
            Self::Terminating => "PodTerminating",
            Self::Initializing { .. } => "PodInitializing",
            Self::Starting => "PodStarting",
            Self::Running => "PodRunning",
        }
    }

    /// What these pods do, in words; the limit is that of restarts which the Job may have.
    fn sentence(
        &self,
        stuck: &Stuck,
        pods: &[(&Pod, StuckPod)],
        [since, until]: [Option<Timestamp>; 2],
        restart_limit: Option<i32>,
    ) -> Prose {
        let (is, has, subject) = (stuck.form(" is ", " are "), stuck.form(" has ", " have "), stuck.pods());
        match self {
            Self::Finalizer { finalizer } => {
                subject.text(is).text("being deleted, but the finalizer ").text(finalizer).text(stuck.form(" keeps it", " keeps them"))
            }
            Self::NodeLost { node } if until.is_some() => {
                let node = if node.is_empty() { String::new() } else { format!(", {node},") };
                let but = format!(", but {} node{node} has not responded", stuck.form("its", "their"));
                subject.text(stuck.form(" was", " were")).since(" to be gone by ", until).text(&but).since(" since ", since)
            }
            Self::NodeLost { node } => {
                let node = if node.is_empty() { "a node".to_owned() } else { format!("node {node}") };
                subject.text(is).text(&format!("on {node}, which has not responded")).since(" since ", since)
            }
            Self::DeletionOverdue => {
                subject.text(" should have been gone").since(" by ", since).text(stuck.form(" but still exists", " but still exist"))
            }
            Self::CannotStart { container, reason, message } => {
                let what = if of_image(reason) { " cannot pull the image of container " } else { " cannot start container " };
                subject.text(what).text(container).text(" (").text(reason).since(" since ", since).text(&explained(")", message))
            }
            Self::CrashLoop { container, exit_code, reason } => {
                let keeps = match exit_code {
                    0 => format!(" restarting container {container}"),
                    _ => format!(" failing to run container {container}"),
                };
                let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                let restarted = restarted(restarts(pods, |name| name == &**container), restart_limit);
                let (in_each, total) = (stuck.form("", " in each"), stuck.form("", " in total"));
                let ended = format!(": it ended with exit code {exit_code}{reason}{in_each} and was {restarted}");
                subject.text(stuck.form(" keeps", " keep")).text(&keeps).text(&ended)
            }
            Self::Gated { gates } => {
                let s = if gates.len() == 1 { "" } else { "s" };
                subject.text(has).text(&format!("been held back by the scheduling gate{s} {}", gates.join(" and "))).since(" since ", since)
            }
            Self::Unschedulable { message } => {
                let been = if since.is_some() { stuck.form(" has been", " have been") } else { stuck.form(" is", " are") };
                subject.text(been).text(" unschedulable").since(" since ", since).text(&explained("", message))
            }
            Self::NotScheduled => subject.text(has).text("been waiting for a scheduler").since(" since ", since),
            Self::NotStarted { message } => subject
                .text(has)
                .text("been waiting for ")
                .text(stuck.form("its", "their"))
                .text(" containers to be created")
                .since(" since ", since)
                .text(&explained("", message)),
            Self::ContainerKeepsPod { ended, container } => subject
                .text(stuck.form(" keeps", " keep"))
                .text(&format!(" running: container {ended} ended"))
                .since(" at ", since)
                .text(&format!(", but container {container} is still running")),
            Self::Terminating => {
                let latest = if until.is_some() { " at the latest" } else { "" };
                subject.text(is).text("terminating").since(", and will be gone by ", until).text(latest)
            }
            Self::Initializing { container } => {
                subject.text(has).text(&format!("been running init container {container}")).since(" since ", since)
            }
            Self::Starting => subject.text(is).text("starting"),
            Self::Running => {
                let restarts = restarts(pods, |_| true);
                let restarted = if restarts == 0 { String::new() } else { format!(" ({})", restarted(restarts, restart_limit)) };
                subject.text(has).text("been running").since(" since ", since).text(&restarted)
            }
        }
    }

    /// What helps on a cluster.
    fn remedy(&self, pods: &[(&Pod, StuckPod)]) -> Prose {
        let pod = pods.first().map(|(pod, _)| &pod.metadata);
        let (name, namespace) = pod.map_or(("", ""), |pod| (&*pod.name, &*pod.namespace));
        let describe = |advice: &str| Prose::new(&format!("{advice}: kubectl describe pod {name} -n {namespace}"));
        match self {
            Self::Finalizer { finalizer } => Prose::new(&format!("the controller that set {finalizer} has to remove it: is it running?")),
            Self::NodeLost { .. } | Self::DeletionOverdue => {
                Prose::new(&format!("if the node does not come back: kubectl delete pod {name} -n {namespace} --force"))
            }
            Self::CannotStart { reason, .. } if of_image(reason) => {
                Prose::new("correct the image in the Pod template and create the Job again, or make the image available")
            }
            Self::CannotStart { .. } => Prose::new("create what is missing, or correct the Pod template and create the Job again"),
            Self::CrashLoop { exit_code: 0, container, .. } => Prose::new(&format!(
                "a container with restartPolicy Always is restarted whenever it ends; if {container} serves the others, make it a sidecar (an init container)"
            )),
            Self::CrashLoop { reason, .. } if never_started(reason) => Prose::new("correct the Pod template and create the Job again"),
            Self::CrashLoop { container, .. } => {
                Prose::new(&format!("read what it printed: kubectl logs {name} -c {container} -n {namespace} --previous"))
            }
            Self::Gated { .. } => Prose::new("the controller that set the gate has to remove it: is it running?"),
            Self::Unschedulable { .. } => describe("free resources on the nodes, or lower the pod's requests; for details"),
            Self::NotScheduled => Prose::new("is the scheduler that ").field("spec.template.spec.schedulerName").text(" names running?"),
            Self::NotStarted { .. } => describe("its volumes or its network may not be ready; for details"),
            Self::ContainerKeepsPod { container, .. } => Prose::new(&format!(
                "make {container} a sidecar, an init container with restartPolicy Always: it is stopped once the others have ended"
            )),
            Self::Terminating | Self::Initializing { .. } | Self::Starting | Self::Running => Prose::default(),
        }
    }
}

/// A message behind a colon, if there is one.
fn explained(before: &str, message: &str) -> String {
    if message.is_empty() { before.to_owned() } else { format!("{before}: {}", in_one_line(message)) }
}

/// How often these containers of the pods were restarted.
fn restarts(pods: &[(&Pod, StuckPod)], of: impl Fn(&str) -> bool) -> i32 {
    let all = pods.iter().flat_map(|(pod, _)| pod.init_containers.iter().chain(&pod.containers));
    all.filter(|status| of(&status.name)).fold(0, |sum, status| sum.saturating_add(status.restart_count))
}

/// `restarted twice; the Job fails at 6 restarts` (J-82).
fn restarted(restarts: i32, limit: Option<i32>) -> String {
    let times = match restarts {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{restarts} times"),
    };
    limit
        .filter(|limit| limit.saturating_sub(restarts) < OUT_OF_REACH)
        .map_or_else(|| format!("restarted {times}"), |limit| format!("restarted {times}; at {} the Job fails", limit.max(1)))
}
