//! Pods that ran before this node was watched: their containers go on from what their statuses say.
//!
//! Docs: Pod Lifecycle, "Container states". What a container does from there on is in `container.rs`; statuses are written in `status.rs`.

use api::{Text, Timestamp, time};
use serde::Deserialize;

use super::container::{Container, State, Termination, Waiting};
use super::runtime::{ContainerId, Delay, Runtime};
use crate::stored::Stored;

/// What a status tells of a pod that runs.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Report {
    start_time: Option<Text>,
    init_container_statuses: Vec<Known>,
    container_statuses: Vec<Known>,
}

/// A container's status.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Known {
    name: Text,
    restart_count: u32,
    ready: bool,
    state: Doing,
    last_state: Doing,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Doing {
    running: Option<Run>,
    terminated: Option<Run>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Run {
    exit_code: i32,
    reason: Text,
    message: Text,
    started_at: Option<Text>,
    finished_at: Option<Text>,
}

impl Report {
    /// What a pod's status says; nothing if it cannot be read.
    pub(super) fn of(pod: &Stored) -> Self {
        pod.pod().and_then(|pod| serde_json::from_str(pod.status.json()).ok()).unwrap_or_default()
    }

    /// When the pod was taken in by its node, if it was.
    pub(super) fn started_at(&self) -> Option<Timestamp> {
        parse(self.start_time.as_ref())
    }

    /// What it says of a container.
    pub(super) fn container(&self, name: &str) -> Option<&Known> {
        self.container_statuses.iter().chain(&self.init_container_statuses).find(|known| *known.name == *name)
    }
}

impl Run {
    fn ended(&self) -> Box<Termination> {
        let period = parse(self.started_at.as_ref()).zip(parse(self.finished_at.as_ref()));
        Box::new(Termination { exit_code: self.exit_code, reason: self.reason.clone(), message: self.message.clone(), period })
    }
}

impl Container {
    /// Goes on from its status. One that runs begins anew to do what it does, as nobody knows how far it is.
    pub(super) fn resume<R: Runtime>(&mut self, known: &Known, id: ContainerId, pod: &Stored, runtime: &mut R, now: Timestamp) {
        let Known { restart_count, ready, state, last_state, .. } = known;
        let last = last_state.terminated.as_ref().map(Run::ended);
        if let Some(run) = &state.running {
            self.starts = *restart_count;
            self.start(id, pod, if *ready { Delay::NONE } else { runtime.prepare(&self.next_start(id, pod)).ready }, runtime, now);
            if let State::Running { started_at, .. } = &mut self.state {
                *started_at = parse(run.started_at.as_ref()).unwrap_or(now);
            }
        } else if let Some(run) = &state.terminated {
            self.starts = restart_count + 1;
            self.state = State::Terminated(run.ended());
        } else if let Some(last) = &last {
            self.starts = restart_count + 1;
            self.wait(last, now);
        }
        self.last = last;
    }

    /// Waits for its next start as one does that was started so often.
    fn wait(&mut self, last: &Termination, now: Timestamp) {
        let mut wait = api::Duration::ZERO;
        for _ in 0..self.starts {
            wait = self.back_off.next(api::Duration::ZERO);
        }
        let finished_at = last.period.map_or(now, |(_, finished_at)| finished_at);
        self.state = State::Waiting(Waiting::BackOff { until: time::after(finished_at, wait), wait });
    }
}

fn parse(text: Option<&Text>) -> Option<Timestamp> {
    time::parse(text?)
}
