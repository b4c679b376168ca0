//! The sentences about pods that make no progress.
//!
//! Docs: Pod Lifecycle, "Container states", "Pod scheduling readiness", "Forced Pod termination". The causes are in `cause.rs`, and what helps is in
//! `remedies.rs`.

use api::{Pod, Timestamp};

use super::OUT_OF_REACH;
use super::cause::{PodCause, of_image};
use super::pods::StuckPod;
use crate::runtime::obstacle::{Prose, Stuck, in_one_line};

/// Pods for which one sentence holds. Methods that are called often are not inlined, so that the component stays small.
pub(super) struct AlikePods<'a> {
    pub(super) pods: &'a [(&'a Pod, StuckPod)],
    pub(super) stuck: &'a Stuck,
    /// Since when the first of them is in this state.
    pub(super) since: Option<Timestamp>,
    /// Until when the last of them is.
    pub(super) until: Option<Timestamp>,
    /// The restarts of their Job, if they count.
    pub(super) restarts: Option<CountedRestarts>,
    pub(super) now: Timestamp,
}

/// The restarts of a Job's containers.
#[derive(Clone, Copy)]
pub(super) struct CountedRestarts {
    /// How many there were.
    pub(super) made: i32,
    /// At which the Job fails.
    pub(super) limit: i32,
}

impl AlikePods<'_> {
    /// What they do, in words.
    pub(super) fn sentence(&self, cause: &PodCause) -> Prose {
        match cause {
            PodCause::Finalizer { finalizer } => {
                let being = self.does(" is being deleted, but the finalizer ", " are being deleted, but the finalizer ");
                being.text(finalizer).text(self.form(" keeps it", " keeps them"))
            }
            PodCause::StillTracked { finalizer } => {
                let its = self.form("its", "their");
                self.begun(self.does(" ended", " ended"), "at")
                    .text(&format!(", but the controller has not removed {its} finalizer {finalizer}"))
            }
            PodCause::NodeLost { node } => self.lost(node),
            PodCause::DeletionOverdue => {
                let but = if self.differ() { ", but still exist" } else { self.form(" but still exists", " but still exist") };
                self.begun(self.does(" should have been gone", " should have been gone"), "by").text(but)
            }
            PodCause::CannotStart { container, reason, message } => {
                let what = if of_image(reason) { " cannot pull the image of container " } else { " cannot start container " };
                let cannot = self.does(what, what).text(container).text(" (").text(reason);
                self.begun(cannot, "since").text(&explained(")", message))
            }
            PodCause::CrashLoop { container, exit_code, reason, message } => self.crashing(container, *exit_code, reason, message),
            PodCause::SidecarNotStarted { container, message } => {
                let restarted = in_brackets(&self.restarted(&|name| name == &**container));
                let waiting = self.have(&format!("been waiting for sidecar {container} to start"));
                self.begun(waiting, "since").text(&explained(&restarted, message))
            }
            PodCause::Gated { gates } => {
                let s = if gates.len() == 1 { "" } else { "s" };
                self.begun(self.have(&format!("been held back by the scheduling gate{s} {}", gates.join(" and "))), "since")
            }
            PodCause::Unschedulable { message } => {
                let unschedulable = if self.since.is_some() { self.have("been") } else { self.does(" is", " are") }.text(" unschedulable");
                self.begun(unschedulable, "since").text(&explained("", message))
            }
            PodCause::NotScheduled => self.begun(self.have("been waiting for a scheduler"), "since"),
            PodCause::NotStarted { message } => {
                let waiting = self.have(&format!("been waiting for {} containers to be created", self.form("its", "their")));
                self.begun(waiting, "since").text(&explained("", message))
            }
            PodCause::ContainerKeepsPod { ended, container } => {
                let keep = self.does(" keeps running", " keep running").text(&format!(": container {ended} ended"));
                self.begun(keep, "at").text(&format!(", but container {container} is still running"))
            }
            PodCause::SidecarKeepsPod { ended, container } => self.kept(ended, container),
            PodCause::Terminating => {
                let terminating = self.does(" is terminating", " are terminating");
                match self.until {
                    Some(until) if until > self.now => terminating.since(", and will be gone by ", self.until).text(" at the latest"),
                    _ => terminating.since(", and should have been gone by ", self.until),
                }
            }
            PodCause::Initializing { container } => self.begun(self.have(&format!("been running init container {container}")), "since"),
            PodCause::Starting => self.does(" is starting", " are starting"),
            PodCause::Running => {
                let restarted = in_brackets(&self.restarted(&|_| true));
                self.begun(self.have("been running"), "since").text(&restarted)
            }
        }
    }

    /// Pods on a node that does not respond.
    fn lost(&self, node: &str) -> Prose {
        if self.until.is_none() {
            let node = if node.is_empty() { "a node".to_owned() } else { format!("node {node}") };
            return self.does(" is on ", " are on ").text(&format!("{node}, which has not responded")).since(" since ", self.since);
        }
        let node = if node.is_empty() { String::new() } else { format!(", {node},") };
        let but = format!(", but {} node{node} has not responded", self.form("its", "their"));
        let ahead = self.until.is_some_and(|until| until > self.now);
        let gone = self.stuck.pods().text(if ahead { " should be gone" } else { " should have been gone" });
        gone.since(" by ", self.until).text(&but).since(" since ", self.since)
    }

    /// Pods in which a container ends each time it is started.
    fn crashing(&self, container: &str, exit_code: i32, reason: &str, message: &str) -> Prose {
        let restarted = self.restarted(&|name| name == container);
        let then = |word: &str| if restarted.is_empty() { String::new() } else { format!("{word}{restarted}") };
        if never_ran(reason) {
            let cannot = self.does(" cannot start container ", " cannot start container ");
            return cannot.text(&explained(&format!("{container} ({reason}{})", then(", ")), message));
        }
        let keeps = match exit_code {
            0 => format!(" restarting container {container}"),
            _ => format!(" failing to run container {container}"),
        };
        let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
        let ended = format!(": it ended with exit code {exit_code}{reason}{}{}", self.form("", " in each"), then(" and was "));
        self.does(" keeps", " keep").text(&keeps).text(&ended)
    }

    /// Pods whose containers have ended, and which a sidecar keeps.
    fn kept(&self, ended: &str, sidecar: &str) -> Prose {
        let passes = self.pods.iter().all(|(_, state)| state.passes);
        let (ending, stops) = match passes {
            true => (self.does(" is ending", " are ending"), format!(", and sidecar {sidecar} is being stopped")),
            false => (self.does(" keeps running", " keep running"), format!(", but sidecar {sidecar} is still running")),
        };
        self.begun(ending.text(&format!(": container {ended} ended")), "at").text(&stops)
    }

    /// The pods, and what one of them does, or several do.
    #[inline(never)]
    fn does(&self, one: &'static str, several: &'static str) -> Prose {
        self.stuck.pods().text(self.form(one, several))
    }

    #[inline(never)]
    fn have(&self, what: &str) -> Prose {
        self.does(" has ", " have ").text(what)
    }

    fn form(&self, one: &'static str, several: &'static str) -> &'static str {
        self.stuck.form(one, several)
    }

    /// When that began: at different times, when it began in the first of them.
    #[inline(never)]
    fn begun(&self, prose: Prose, word: &str) -> Prose {
        let first = if self.differ() { ", the first" } else { "" };
        prose.since(&format!("{first} {word} "), self.since)
    }

    fn differ(&self) -> bool {
        self.pods.iter().any(|(_, state)| state.since != self.since)
    }

    /// `restarted twice; the Job fails at restart 6`, if these containers of the pods were restarted; where others of the Job were, too, with how often all
    /// were (J-82).
    #[inline(never)]
    fn restarted(&self, of: &dyn Fn(&str) -> bool) -> String {
        let all = self.pods.iter().flat_map(|(pod, _)| pod.init_containers.iter().chain(&pod.containers));
        let own = all.filter(|status| of(&status.name)).fold(0_i32, |sum, status| sum.saturating_add(status.restart_count));
        let times = match own {
            0 => return String::new(),
            1 => "restarted once".to_owned(),
            2 => "restarted twice".to_owned(),
            _ => format!("restarted {own} times"),
        };
        match self.restarts.filter(|CountedRestarts { made, limit }| limit.saturating_sub(*made) < OUT_OF_REACH) {
            None => times,
            Some(CountedRestarts { made, limit }) if made == own => format!("{times}; the Job fails at restart {}", limit.max(1)),
            Some(CountedRestarts { made, limit }) => {
                format!("{times}; the Job is at restart {made} and fails at restart {}", limit.max(1))
            }
        }
    }
}

/// Whether a container ended with this reason because it could not be started.
pub(super) fn never_ran(reason: &str) -> bool {
    matches!(reason, "StartError" | "ContainerCannotRun")
}

/// A message behind a colon, if there is one.
#[inline(never)]
fn explained(before: &str, message: &str) -> String {
    if message.is_empty() { before.to_owned() } else { format!("{before}: {}", in_one_line(message)) }
}

/// Words in brackets, if there are any.
#[inline(never)]
pub(super) fn in_brackets(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" ({words})") }
}
