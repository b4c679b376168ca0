//! What happens to the containers of a pod: when each starts, what it is sent, how it ends, and which others keep the pod.
//!
//! Docs: Pod Lifecycle, "Container states", "Termination of Pods". Of a pod with one container only a restart that was cut off is distinguished from the pod,
//! whose entries are in `pods.rs`.

use api::{Duration, Text, Timestamp, time};
use cluster::kubelet::StopSignal;
use cluster::pod::StoredPod;
use serde::{Serialize, Serializer};

use super::pods::SECOND;
use super::report::{ContainerReport, Details, PodReport};
use script::job_of;

/// Something that happened to one container of a pod.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerEntry {
    /// The pod's namespace.
    pub namespace: Text,
    /// The pod's name.
    pub pod: Text,
    /// The Job that controls it; empty if none does.
    pub job: Text,
    /// The container.
    pub container: Text,
    /// Which start of it in the pod this is about, from 1.
    pub start: i32,
    /// What happened.
    #[serde(flatten)]
    pub change: ContainerChange,
}

/// What happened to a container.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContainerChange {
    /// Its node cannot start it.
    NotStarting {
        /// Why, in one word: `ImagePullBackOff`.
        reason: Text,
    },
    /// It was started for the first time.
    Started,
    /// It was sent TERM.
    SentTerm {
        /// When it is killed if it still runs.
        #[serde(serialize_with = "time::serialize")]
        kill_at: Timestamp,
    },
    /// It ended, and is not started again.
    Ended(ContainerEnding),
}

/// How a container ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerEnding {
    /// Its exit code, if that is reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why, if its node has a word for it that says more than the exit code: `OOMKilled`.
    #[serde(skip_serializing_if = "no_reason")]
    pub reason: Text,
    /// How long this start ran, in milliseconds, if that is known.
    #[serde(rename = "ranMilliseconds", serialize_with = "milliseconds", skip_serializing_if = "Option::is_none")]
    pub ran: Option<Duration>,
    /// Who ended it.
    pub by: EndedBy,
    /// The other containers that keep the pod from ending.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keepers: Vec<Text>,
}

/// Who ended a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum EndedBy {
    /// It exited by itself.
    Itself,
    /// It ended after it was asked to.
    Term,
    /// It was killed.
    Kill,
}

/// The containers of a pod that run, and which of them were sent what.
#[derive(Debug, Clone, Default)]
pub(super) struct RunningContainers(Vec<RunningContainer>);

#[derive(Debug, Clone)]
struct RunningContainer {
    name: Text,
    since: Timestamp,
    signal: Option<StopSignal>,
}

impl RunningContainers {
    /// How long the last start ran of a container that is reported to have ended.
    pub(super) fn ran(&self, container: &ContainerReport, at: Timestamp) -> Option<Duration> {
        let end = container.state.terminated.as_ref().or(container.last_state.terminated.as_ref())?;
        let since = self.get(&container.name).map(|running| running.since).or(end.started_at)?;
        Some(exact(end.finished_at, at).duration_since(since).max(Duration::ZERO))
    }

    /// Notes what runs according to a report.
    pub(super) fn update(&mut self, before: Option<&PodReport>, after: &PodReport, at: Timestamp) {
        for container in after.containers() {
            let again = before
                .and_then(|before| before.container(&container.name))
                .is_none_or(|known| known.restart_count < container.restart_count);
            match &container.state.running {
                Some(details) if again || self.get(&container.name).is_none() => {
                    self.0.retain(|running| running.name != container.name);
                    self.0.push(RunningContainer { name: container.name.clone(), since: exact(details.started_at, at), signal: None });
                }
                Some(_) => {}
                None => self.0.retain(|running| running.name != container.name),
            }
        }
    }

    /// Notes that a container was sent a signal.
    pub(super) fn signal(&mut self, container: &Text, signal: StopSignal) {
        if let Some(running) = self.0.iter_mut().find(|running| running.name == *container) {
            running.signal = Some(signal);
        }
    }

    fn get(&self, container: &Text) -> Option<&RunningContainer> {
        self.0.iter().find(|running| running.name == *container)
    }
}

/// What happened to a pod's containers between two reports, the second of which belongs to this state of the pod.
pub(super) fn changes(
    running: &RunningContainers,
    before: &PodReport,
    after: &PodReport,
    pod: &StoredPod,
    at: Timestamp,
) -> Vec<ContainerEntry> {
    let several = after.several();
    let stopped = pod.metadata.deleting() || !after.reason.is_empty();
    let mut entries = Vec::new();
    for container in after.init_container_statuses.iter().chain(&after.container_statuses) {
        let known = before.container(&container.name);
        let change = match (&container.state.running, &container.state.terminated) {
            (Some(_), _) if several && container.restart_count == 0 && known.is_none_or(|known| known.state.running.is_none()) => {
                ContainerChange::Started
            }
            (_, Some(end)) if known.is_none_or(|known| known.state.terminated.is_none() && !known.backs_off()) => {
                let by = match running.get(&container.name).and_then(|running| running.signal) {
                    Some(StopSignal::Kill) => EndedBy::Kill,
                    Some(StopSignal::Term) => EndedBy::Term,
                    None if stopped && !several => EndedBy::Term,
                    None => EndedBy::Itself,
                };
                let (exit_code, reason) = (Some(end.exit_code), if end.routine() { Text::default() } else { end.reason.clone() });
                let keepers = keepers(after, container);
                ContainerChange::Ended(ContainerEnding { exit_code, reason, ran: running.ran(container, at), by, keepers })
            }
            _ => continue,
        };
        entries.push(ContainerEntry::of(pod, container.name.clone(), container.restart_count + 1, change));
    }
    entries
}

/// The containers that a pod's node cannot start, if the report before did not have that.
pub(super) fn not_starting(before: Option<&PodReport>, after: &PodReport, pod: &StoredPod) -> Vec<ContainerEntry> {
    if pod.ended() {
        return Vec::new();
    }
    let known = |name: &str| before.and_then(|before| before.container(name)).is_some_and(|known| known.hindrance().is_some());
    let hindered = after.containers().filter(|container| !known(&container.name));
    let entries = hindered.filter_map(|container| {
        let change = ContainerChange::NotStarting { reason: container.hindrance()?.clone() };
        Some(ContainerEntry::of(pod, container.name.clone(), container.restart_count + 1, change))
    });
    entries.collect()
}

/// The containers that were killed when their pod went; their nodes have reported nothing more of them.
pub(super) fn killed(running: &RunningContainers, report: &PodReport, pod: &StoredPod, at: Timestamp) -> Vec<ContainerEntry> {
    if pod.ended() || report.node_lost() {
        return Vec::new();
    }
    let ends = report.containers().filter_map(|container| {
        let ran = Some(at.duration_since(running.get(&container.name)?.since));
        let ending = ContainerEnding { exit_code: None, reason: Text::default(), ran, by: EndedBy::Kill, keepers: Vec::new() };
        Some(ContainerEntry::of(pod, container.name.clone(), container.restart_count + 1, ContainerChange::Ended(ending)))
    });
    ends.collect()
}

/// The other regular containers that have not ended, if this one is regular.
fn keepers(report: &PodReport, ended: &ContainerReport) -> Vec<Text> {
    if !report.container_statuses.iter().any(|container| container.name == ended.name) {
        return Vec::new();
    }
    let others = report.container_statuses.iter().filter(|container| container.state.terminated.is_none());
    others.map(|container| container.name.clone()).collect()
}

impl ContainerEntry {
    /// Whether it says more than the entries of its pod do, which has several containers or one.
    pub(super) fn shown(&self, several: bool) -> bool {
        match &self.change {
            ContainerChange::NotStarting { .. } => true,
            ContainerChange::Ended(ending) => several || self.start > 1 && ending.by != EndedBy::Itself,
            ContainerChange::Started | ContainerChange::SentTerm { .. } => several,
        }
    }

    pub(super) fn of(pod: &StoredPod, container: Text, start: i32, change: ContainerChange) -> Self {
        let metadata = &pod.metadata;
        let job = job_of(metadata).cloned().unwrap_or_default();
        Self { namespace: metadata.namespace.clone(), pod: metadata.name.clone(), job, container, start, change }
    }
}

impl Details {
    /// Whether the reason of an end follows from its exit code.
    pub(super) fn routine(&self) -> bool {
        matches!(&*self.reason, "" | "Completed" | "Error")
    }
}

/// A reported time, which has whole seconds, or the time at which it is seen if that can be the same.
fn exact(reported: Option<Timestamp>, at: Timestamp) -> Timestamp {
    reported.filter(|reported| time::after(*reported, SECOND) <= at).unwrap_or(at)
}

pub(super) fn milliseconds<S: Serializer>(length: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    length.map(time::milliseconds).serialize(serializer)
}

pub(super) fn no_reason(reason: &Text) -> bool {
    reason.is_empty()
}

#[cfg(test)]
mod tests {
    use cluster::Dependence;
    use cluster::testing::{job, noon, owned_by, pod, send_line, server};
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use super::super::{Trace, Transcript, What};
    use super::*;
    use crate::world::turn::Effect;

    /// The lines about a pod whose node reports these phases and container statuses at their seconds; at the last one it is deleted with this grace period.
    fn check(reports: &[(i64, &str, Value)], deleted: Option<(i64, i64)>, expected: Expect) {
        let mut server = server(Dependence::OnOwners);
        let watch = server.watch(None);
        let (mut trace, mut transcript, mut lines) = (Trace::default(), Transcript::new(noon()), Vec::new());
        // Without its Job, it would be deleted.
        send_line(&mut server, &job("pi", ""), 0);
        send_line(&mut server, &pod("a", &owned_by("pi", true), "node"), 0);
        let moments = reports.iter().map(|(second, phase, containers)| (*second, Some((*phase, containers))));
        for (second, reported) in moments.chain(deleted.map(|(second, _)| (second, None))) {
            let now = time::after(noon(), Duration::from_secs(second));
            if let Some((phase, containers)) = reported {
                server.update_pod("default", "a", now, |parts| {
                    parts.status.insert("phase".to_owned(), phase.into());
                    parts.status.insert("containerStatuses".to_owned(), containers.clone());
                });
            } else {
                let grace = deleted.map_or(0, |(_, grace)| grace);
                send_line(&mut server, &format!(r#"DELETE pods/a {{"gracePeriodSeconds":{grace}}}"#), second);
            }
            let written: Vec<Effect> = std::iter::from_fn(|| server.next_write(watch)).map(Effect::Written).collect();
            let entries = trace.entries(&written, now).into_iter();
            lines.extend(
                entries
                    .filter(|entry| matches!(entry.what, What::Container(_)))
                    .map(|entry| transcript.text(&entry).trim_start().to_owned()),
            );
        }
        expected.assert_eq(&lines.join("\n"));
    }

    fn running(name: &str, restarts: i32) -> Value {
        json!({"name": name, "restartCount": restarts, "state": {"running": {}}})
    }

    fn ended(name: &str, restarts: i32, code: i32, reason: &str) -> Value {
        json!({"name": name, "restartCount": restarts, "state": {"terminated": {"exitCode": code, "reason": reason}}})
    }

    fn waiting(name: &str, restarts: i32) -> Value {
        let last = json!({"terminated": {"exitCode": 1, "reason": "Error"}});
        json!({"name": name, "restartCount": restarts, "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": last})
    }

    #[test]
    fn each_of_several_containers_has_a_line_for_its_start_and_its_end() {
        let (a, b, c) = (running("a", 0), running("b", 0), running("c", 0));
        check(
            &[
                (1, "Running", json!([a, b, c])),
                (4, "Running", json!([ended("a", 0, 137, "OOMKilled"), b, c])),
                (6, "Running", json!([ended("a", 0, 137, "OOMKilled"), ended("b", 0, 0, "Completed"), c])),
                (9, "Failed", json!([ended("a", 0, 137, "OOMKilled"), ended("b", 0, 0, "Completed"), ended("c", 0, 3, "Error")])),
            ],
            None,
            expect![[r#"
                   0:01 pod a: container a started
                   0:01 pod a: container b started
                   0:01 pod a: container c started
                   0:04 pod a: container a exited with code 137 after 3 s: OOMKilled; containers b and c keep the pod running
                   0:06 pod a: container b exited with code 0 after 5 s; container c keeps the pod running
                   0:09 pod a: container c exited with code 3 after 8 s"#]],
        );
    }

    #[test]
    fn a_pod_with_one_container_has_a_line_only_for_a_restart_that_was_cut_off() {
        check(&[(1, "Running", json!([running("a", 0)])), (4, "Failed", json!([ended("a", 0, 1, "Error")]))], None, expect![""]);
        check(&[(1, "Running", json!([running("a", 0)]))], Some((4, 0)), expect![""]);
        check(&[(1, "Running", json!([running("a", 3)])), (4, "Failed", json!([ended("a", 3, 1, "Error")]))], None, expect![""]);
        check(
            &[(1, "Running", json!([running("a", 3)]))],
            Some((4, 0)),
            expect!["0:04 pod a: start 4 of container a was killed after 3 s"],
        );
    }

    #[test]
    fn a_container_that_waits_for_its_restart_has_ended_before() {
        let both = |first| json!([first, running("b", 0)]);
        check(
            &[
                (1, "Running", both(running("a", 0))),
                (3, "Running", both(waiting("a", 0))),
                (5, "Running", json!([ended("a", 0, 1, "Error"), ended("b", 0, 143, "Error")])),
            ],
            None,
            expect![[r#"
                   0:01 pod a: container a started
                   0:01 pod a: container b started
                   0:05 pod a: container b exited with code 143 after 4 s"#]],
        );
    }

    #[test]
    fn a_container_that_cannot_be_started_has_a_line_that_says_why() {
        let stuck = |reason: &str| json!({"name": "a", "restartCount": 0, "state": {"waiting": {"reason": reason}}});
        check(
            &[
                (1, "Pending", json!([stuck("ContainerCreating")])),
                (2, "Pending", json!([stuck("ErrImagePull")])),
                (4, "Pending", json!([stuck("ImagePullBackOff")])),
                (9, "Running", json!([running("a", 0)])),
            ],
            None,
            expect!["0:02 pod a: container a cannot be started: ErrImagePull"],
        );
    }

    #[test]
    fn the_containers_of_a_pod_that_goes_were_killed_with_it() {
        check(
            &[(1, "Running", json!([running("a", 0), running("b", 1)]))],
            Some((4, 0)),
            expect![[r#"
                   0:01 pod a: container a started
                   0:04 pod a: container a was killed after 3 s
                   0:04 pod a: start 2 of container b was killed after 3 s"#]],
        );
        check(
            &[(1, "Running", json!([running("a", 0), running("b", 1)])), (3, "Failed", json!([]))],
            Some((4, 0)),
            expect!["0:01 pod a: container a started"],
        );
    }
}
