//! Why a pod makes no progress, and the sentence for it.
//!
//! Docs: Pod Lifecycle, "Container states", "Pod scheduling readiness", "Forced Pod termination". Which cause a pod has is found in `pods.rs` and in
//! `containers.rs`; what helps is in `remedies.rs`.

use api::{Kind, Pod, Text, Timestamp};
use contract::Obstacle;

use super::pods::StuckPod;
use super::remedies::remedy;
use super::{OUT_OF_REACH, Situation};
use crate::runtime::obstacle::{ObstacleParts, Prose, Stuck, in_one_line};

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
    CrashLoop { container: Text, exit_code: i32, reason: Text },
    /// Its containers wait for a sidecar whose startup probe has not succeeded.
    SidecarNotStarted { container: Text, message: Text },
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
    /// Its containers have ended, the last of them this one, and a sidecar runs on.
    SidecarKeepsPod { ended: Text, container: Text },
    /// It is being stopped.
    Terminating,
    /// It waits for an init container.
    Initializing { container: Text },
    /// It is being started.
    Starting,
    /// It runs.
    Running,
}

impl PodCause {
    /// Whether one sentence holds for pods with these causes: messages may name the pod.
    pub(super) fn like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::CannotStart { container, reason, .. }, Self::CannotStart { container: other_container, reason: other_reason, .. }) => {
                container == other_container && reason == other_reason
            }
            (Self::SidecarNotStarted { container, .. }, Self::SidecarNotStarted { container: other, .. }) => container == other,
            (Self::NotStarted { .. }, Self::NotStarted { .. }) | (Self::Unschedulable { .. }, Self::Unschedulable { .. }) => true,
            _ => self == other,
        }
    }

    /// The obstacle of pods that are in this state.
    pub(super) fn obstacle(&self, pods: &[(&Pod, StuckPod)], restart_limit: Option<i32>, at: &Situation<'_>) -> Obstacle {
        let stuck = Stuck::of(Kind::Pod, pods.iter().map(|(pod, _)| &pod.metadata));
        let since = pods.iter().filter_map(|(_, state)| state.since).min();
        let until = pods.iter().filter_map(|(_, state)| state.until).max();
        let sentence = self.sentence(&stuck, pods, [since, until], restart_limit);
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
            Self::StillTracked { finalizer } => subject
                .text(" ended")
                .since(" at ", since)
                .text(&format!(", but the controller has not removed {} finalizer {finalizer}", stuck.form("its", "their"))),
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
                let in_each = stuck.form("", " in each");
                let ended = format!(": it ended with exit code {exit_code}{reason}{in_each} and was {restarted}");
                subject.text(stuck.form(" keeps", " keep")).text(&keeps).text(&ended)
            }
            Self::SidecarNotStarted { container, message } => {
                let restarts = in_brackets(restarts(pods, |name| name == &**container), restart_limit);
                let waits = format!("been waiting for sidecar {container} to start");
                subject.text(has).text(&waits).since(" since ", since).text(&explained(&restarts, message))
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
            Self::SidecarKeepsPod { ended, container } => {
                let passes = pods.iter().all(|(_, state)| state.passes);
                let (ending, stops) = match passes {
                    true => (stuck.form(" is ending", " are ending"), format!(", and sidecar {container} is being stopped")),
                    false => (stuck.form(" keeps running", " keep running"), format!(", but sidecar {container} is still running")),
                };
                subject.text(ending).text(&format!(": container {ended} ended")).since(" at ", since).text(&stops)
            }
            Self::Terminating => {
                let latest = if until.is_some() { " at the latest" } else { "" };
                subject.text(is).text("terminating").since(", and will be gone by ", until).text(latest)
            }
            Self::Initializing { container } => {
                subject.text(has).text(&format!("been running init container {container}")).since(" since ", since)
            }
            Self::Starting => subject.text(is).text("starting"),
            Self::Running => {
                let restarted = in_brackets(restarts(pods, |_| true), restart_limit);
                subject.text(has).text("been running").since(" since ", since).text(&restarted)
            }
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

/// How often containers were restarted, in brackets, if they were.
fn in_brackets(restarts: i32, limit: Option<i32>) -> String {
    if restarts == 0 { String::new() } else { format!(" ({})", restarted(restarts, limit)) }
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
