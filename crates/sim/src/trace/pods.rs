//! What became of pods, as a person tells it: attempt by attempt.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". The other entries are in `mod.rs`.

use std::collections::BTreeMap;

use api::pod::ContainerStatus;
use api::{Pod, Text, Timestamp};
use serde::Serialize;
use serde_json::Value;

use crate::stored::Stored;

/// Something that became of a pod.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodEntry {
    /// The pod's name.
    pub pod: Text,
    /// The Job that it belongs to; empty if none.
    pub job: Text,
    /// Its completion index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Which pod it is of its index, or of its Job, from 1.
    pub attempt: u32,
    /// What it is from here on.
    pub state: PodState,
    /// How often its containers were started again in place.
    #[serde(skip_serializing_if = "is_zero")]
    pub restarts: i32,
    /// The containers that were started again just now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<StartAgain>,
    /// The exit code of the first container that ended otherwise than with 0, or 0 if all ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// When the pod was created.
    pub created_at: Timestamp,
    /// Why, as the node says it: `Evicted`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A container that was started again in its pod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StartAgain {
    /// Its name.
    pub container: Text,
    /// Which start it is, from 2.
    pub number: i32,
}

/// What a pod is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum PodState {
    /// It waits for a node or for its containers to start.
    Pending,
    /// It runs.
    Running,
    /// It runs and is ready.
    Ready,
    /// A container was started again.
    Restarted,
    /// Somebody asked for its deletion.
    Terminating,
    /// It ended well.
    Succeeded,
    /// It ended otherwise.
    Failed,
    /// It is gone.
    Gone,
}

/// Numbers the attempts of each index.
#[derive(Debug, Default)]
pub(super) struct Pods {
    attempts: BTreeMap<(Text, Option<u32>), u32>,
    known: BTreeMap<Text, Known>,
}

/// What is remembered of a pod, by its UID.
#[derive(Debug, Clone, Copy)]
struct Known {
    attempt: u32,
    /// When it was first seen: objects tell their creation in whole seconds only.
    created_at: Timestamp,
}

impl Pods {
    /// What became of a pod between two writes.
    pub(super) fn changes(&mut self, before: Option<&Stored>, after: &Stored, gone: bool, at: Timestamp) -> Vec<PodEntry> {
        let (Some(pod), old) = (read(after), before.and_then(read)) else { return Vec::new() };
        let known = self.known(&pod, at);
        let states = states(old.as_ref(), &pod, gone);
        let starts = starts(old.as_ref(), &pod);
        let starts = |state| if state == PodState::Restarted { starts.clone() } else { Vec::new() };
        states.into_iter().map(|state| PodEntry { starts: starts(state), ..entry(&pod, after, state, known) }).collect()
    }

    /// Which attempt the pod of this UID is; 0 if it was never seen.
    pub(super) fn attempt(&self, uid: &str) -> u32 {
        self.known.get(uid).map_or(0, |known| known.attempt)
    }

    fn known(&mut self, pod: &Pod, at: Timestamp) -> Known {
        let attempts = &mut self.attempts;
        *self.known.entry(pod.metadata.uid.clone()).or_insert_with(|| {
            let attempt = attempts.entry((job(pod), pod.completion_index)).or_default();
            *attempt += 1;
            Known { attempt: *attempt, created_at: at }
        })
    }
}

fn entry(pod: &Pod, stored: &Stored, state: PodState, known: Known) -> PodEntry {
    let ended = matches!(state, PodState::Succeeded | PodState::Failed);
    let codes = containers(pod).filter(|container| !container.sidecar).filter_map(|container| Some(container.terminated?.exit_code));
    PodEntry {
        pod: pod.metadata.name.clone(),
        job: job(pod),
        index: pod.completion_index,
        attempt: known.attempt,
        state,
        restarts: containers(pod).map(|container| container.restart_count).sum(),
        starts: Vec::new(),
        exit_code: if ended { codes.max_by_key(|code| *code != 0) } else { None },
        created_at: known.created_at,
        reason: if ended { reason(stored) } else { String::new() },
    }
}

/// The states that a pod came into.
fn states(before: Option<&Pod>, after: &Pod, gone: bool) -> Vec<PodState> {
    if gone {
        return vec![PodState::Gone];
    }
    let Some(before) = before else { return vec![phase(after)] };
    let mut states = Vec::new();
    if !before.metadata.deleting() && after.metadata.deleting() {
        states.push(PodState::Terminating);
    }
    if !starts(Some(before), after).is_empty() {
        states.push(PodState::Restarted);
    }
    if phase(after) != phase(before) && !(phase(after) == PodState::Running && phase(before) == PodState::Ready) {
        states.push(phase(after));
    }
    states
}

/// The containers that were started again between two states of their pod.
fn starts(before: Option<&Pod>, after: &Pod) -> Vec<StartAgain> {
    let Some(before) = before else { return Vec::new() };
    let counts: BTreeMap<&Text, i32> = containers(before).map(|container| (&container.name, container.restart_count)).collect();
    let again = |container: &&ContainerStatus| counts.get(&container.name).is_some_and(|count| *count < container.restart_count);
    let start = |container: &ContainerStatus| StartAgain { container: container.name.clone(), number: container.restart_count + 1 };
    containers(after).filter(again).map(start).collect()
}

fn containers(pod: &Pod) -> impl Iterator<Item = &ContainerStatus> {
    pod.containers.iter().chain(&pod.init_containers)
}

fn phase(pod: &Pod) -> PodState {
    match pod.phase {
        api::pod::Phase::Pending | api::pod::Phase::Unknown => PodState::Pending,
        api::pod::Phase::Running if pod.ready() => PodState::Ready,
        api::pod::Phase::Running => PodState::Running,
        api::pod::Phase::Succeeded => PodState::Succeeded,
        api::pod::Phase::Failed => PodState::Failed,
    }
}

fn read(stored: &Stored) -> Option<Pod> {
    serde_json::from_str(&stored.json()).ok()
}

fn job(pod: &Pod) -> Text {
    pod.metadata.controller().map(|controller| controller.name.clone()).unwrap_or_default()
}

/// Why the pod ended, where the node has a word for it, or why a container could not be started.
fn reason(stored: &Stored) -> String {
    let status: Value = stored.pod().and_then(|pod| serde_json::from_str(pod.status.json()).ok()).unwrap_or_default();
    let containers = ["initContainerStatuses", "containerStatuses"].into_iter().filter_map(|list| status[list].as_array()).flatten();
    let mut ends = containers.map(|container| &container["state"]["terminated"]);
    let mut not_started = || ends.find(|end| end["reason"] == "StartError").map(|end| &end["message"]);
    let reason = status["reason"].as_str().or_else(|| not_started().and_then(Value::as_str));
    reason.unwrap_or_default().to_owned()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &i32) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use expect_test::{Expect, expect};

    use super::*;
    use crate::apiserver::ApiServer;
    use crate::garbage_collector::Dependence;
    use crate::testing::{ask, noon, owned_by, pod, server};

    fn create(server: &mut ApiServer, name: &str, index: &str) -> Arc<Stored> {
        let annotations = format!(r#","annotations":{{"batch.kubernetes.io/job-completion-index":"{index}"}}{}"#, owned_by("pi", true));
        ask(server, &pod(name, &annotations, "node"), 0);
        server.object(api::Kind::Pod, "default", name).unwrap().clone()
    }

    fn report(server: &mut ApiServer, name: &str, status: &str) -> Arc<Stored> {
        let Value::Object(status) = serde_json::from_str(status).unwrap() else { unreachable!() };
        server.update_pod("default", name, noon(), |parts| parts.status = status).unwrap()
    }

    #[test]
    fn attempts_are_numbered_by_index() {
        let (mut server, mut pods) = (server(Dependence::OnOwners), Pods::default());
        let mut attempt = |name, index| {
            let entries = pods.changes(None, &create(&mut server, name, index), false, noon());
            (entries[0].index, entries[0].attempt)
        };
        assert_eq!(
            [("a", "0"), ("b", "1"), ("c", "0"), ("d", "x"), ("e", "x")].map(|(name, index)| attempt(name, index)),
            [(Some(0), 1), (Some(1), 1), (Some(0), 2), (None, 1), (None, 2)]
        );
    }

    fn check(statuses: &[&str], expected: Expect) {
        let (mut server, mut pods) = (server(Dependence::OnOwners), Pods::default());
        let mut before = create(&mut server, "a", "0");
        let mut told = Vec::new();
        for status in statuses {
            let after = report(&mut server, "a", status);
            for entry in pods.changes(Some(&before), &after, false, noon()) {
                told.push(format!("{:?} {:?} {} {:?} {:?}", entry.state, entry.starts, entry.restarts, entry.exit_code, entry.reason));
            }
            before = after;
        }
        told.extend(pods.changes(Some(&before), &before, true, noon()).iter().map(|entry| format!("{:?}", entry.state)));
        expected.assert_eq(&told.join("\n"));
    }

    #[test]
    fn states_are_told_when_they_change() {
        let running =
            r#"{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"main","restartCount":0}]}"#;
        let unready = running.replace("True", "False");
        let restarted = running.replace(":0", ":2");
        let failed = r#"{"phase":"Failed","reason":"Evicted","containerStatuses":[
            {"name":"other","restartCount":0,"state":{"terminated":{"exitCode":0}}},
            {"name":"main","restartCount":2,"state":{"terminated":{"exitCode":7}}}]}"#;
        check(
            &[running, &unready, running, &restarted, failed],
            expect![[r#"
            Ready [] 0 None ""
            Ready [] 0 None ""
            Restarted [StartAgain { container: "main", number: 3 }] 2 None ""
            Failed [] 2 Some(7) "Evicted"
            Gone"#]],
        );
    }
}
