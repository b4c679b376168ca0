//! What became of pods, as a person tells it: attempt by attempt.
//!
//! Docs: Pod Lifecycle, "Pod phase", "Container states". The other entries are in `mod.rs`.

use std::collections::BTreeMap;

use api::{Pod, Text, Timestamp};
use serde::{Deserialize, Serialize};

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
    /// The exit code of the first container that ended otherwise than with 0, or 0 if all ended so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// When the pod was created.
    pub created_at: Timestamp,
    /// Why, as the node says it: `Evicted`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
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
    known: BTreeMap<Text, u32>,
}

impl Pods {
    /// What became of a pod between two writes.
    pub(super) fn changes(&mut self, before: Option<&Stored>, after: &Stored, gone: bool, at: Timestamp) -> Vec<PodEntry> {
        let (Some(pod), old) = (read(after), before.and_then(read)) else { return Vec::new() };
        let attempt = self.attempt(&pod);
        if gone {
            self.known.remove(&pod.metadata.uid);
        }
        let states = states(old.as_ref(), &pod, gone);
        states.into_iter().map(|state| entry(&pod, after, state, attempt, at)).collect()
    }

    fn attempt(&mut self, pod: &Pod) -> u32 {
        let attempts = &mut self.attempts;
        *self.known.entry(pod.metadata.uid.clone()).or_insert_with(|| {
            let attempt = attempts.entry((job(pod), pod.completion_index)).or_default();
            *attempt += 1;
            *attempt
        })
    }
}

fn entry(pod: &Pod, stored: &Stored, state: PodState, attempt: u32, at: Timestamp) -> PodEntry {
    let containers = || pod.containers.iter().chain(&pod.init_containers);
    let ended = matches!(state, PodState::Succeeded | PodState::Failed);
    let codes = containers().filter(|container| !container.sidecar).filter_map(|container| Some(container.terminated?.exit_code));
    PodEntry {
        pod: pod.metadata.name.clone(),
        job: job(pod),
        index: pod.completion_index,
        attempt,
        state,
        restarts: containers().map(|container| container.restart_count).sum(),
        exit_code: if ended { codes.max_by_key(|code| *code != 0) } else { None },
        created_at: pod.metadata.creation_timestamp.unwrap_or(at),
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
    let restarts = |pod: &Pod| pod.containers.iter().chain(&pod.init_containers).map(|container| container.restart_count).sum::<i32>();
    if restarts(after) > restarts(before) {
        states.push(PodState::Restarted);
    }
    if phase(after) != phase(before) && !(phase(after) == PodState::Running && phase(before) == PodState::Ready) {
        states.push(phase(after));
    }
    states
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

/// Why the pod ended, where the node has a word for it.
fn reason(stored: &Stored) -> String {
    #[derive(Deserialize)]
    struct Status {
        #[serde(default)]
        reason: String,
    }
    let status = stored.pod().and_then(|pod| serde_json::from_str::<Status>(pod.status.json()).ok());
    status.map(|status| status.reason).unwrap_or_default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &i32) -> bool {
    *number == 0
}
