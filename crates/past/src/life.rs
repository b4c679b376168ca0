//! The life of a pod, from its last status: what its status was at each time at which it changed.
//!
//! Docs: Pod Lifecycle, "Pod conditions", "Container states", "Pod phase". Runs of containers are in `runs.rs`. The last status is the recorded one, as it
//! is; each one before it is that without what came later.

use std::collections::BTreeSet;

use api::{Duration, Timestamp, time};
use serde_json::{Map, Value, json};

use crate::fields::{condition, items, moment, transition};
use crate::runs::{RecordedRun, runs};

/// The lists of container statuses.
const LISTS: [&str; 3] = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];
/// What a node reports of a pod once it has acknowledged it.
const ACKNOWLEDGED: [&str; 5] = ["startTime", "hostIP", "hostIPs", "podIP", "podIPs"];

/// A status that a pod had from some time on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    /// From when on.
    pub(crate) at: Timestamp,
    /// The status.
    pub(crate) status: Map<String, Value>,
    /// Whether the pod had its node.
    pub(crate) assigned: bool,
    /// Whether nothing recorded what changed then.
    pub(crate) estimated: bool,
}

impl Frame {
    /// Has the pod be ready from so much later on, if it is.
    pub(crate) fn ready_late(&mut self, late: Duration) {
        let conditions = self.status.get_mut("conditions").and_then(Value::as_array_mut);
        let ready = conditions.into_iter().flatten().find(|condition| condition["type"] == "Ready" && condition["status"] == "True");
        if let Some((ready, at)) = ready.and_then(|ready| moment(&ready["lastTransitionTime"]).map(|at| (ready, at))) {
            ready["lastTransitionTime"] = time::text(time::after(at, late)).into();
        }
    }
}

/// The statuses of a pod one after the other, without the first, in which it waits for a node.
///
/// `ends_at`: when it ended, if that is known from elsewhere; `until`: nothing is later.
pub(crate) fn frames(status: &Value, assigned: bool, created_at: Timestamp, ends_at: Option<Timestamp>, until: Timestamp) -> Vec<Frame> {
    let life = Life::read(status, assigned, created_at, ends_at, until);
    let moments = life.moments();
    let last = moments.last().copied();
    let frame = |at: Timestamp| {
        let last = Some(at) == last;
        let status = if last { status.as_object().cloned().unwrap_or_default() } else { life.status(at) };
        Frame { at, status, assigned: assigned && (last || life.scheduled_at <= at), estimated: life.estimated(at) }
    };
    moments.into_iter().map(frame).collect()
}

/// When a status came to be, as it shows itself.
struct Life<'v> {
    status: &'v Value,
    created_at: Timestamp,
    scheduled_at: Timestamp,
    started_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    /// The containers: their list, their status, their runs.
    containers: Vec<(&'static str, &'v Value, Vec<RecordedRun>)>,
}

impl<'v> Life<'v> {
    fn read(status: &'v Value, assigned: bool, created_at: Timestamp, ends_at: Option<Timestamp>, until: Timestamp) -> Self {
        let started_at = moment(&status["startTime"]).map(|at| at.max(created_at));
        let scheduled = condition(status, "PodScheduled").filter(|scheduled| scheduled["status"] == "True");
        let scheduled_at = scheduled.and_then(|scheduled| moment(&scheduled["lastTransitionTime"])).or(started_at);
        let scheduled_at = scheduled_at.unwrap_or(if assigned { created_at } else { until }).max(created_at);
        let reported = ["Ready", "DisruptionTarget"].into_iter().filter_map(|kind| transition(status, kind)).max();
        let (from, until) = (started_at.unwrap_or(created_at), ends_at.or(reported).unwrap_or(until).max(created_at));
        let containers =
            LISTS.into_iter().flat_map(|list| items(&status[list]).filter(|item| item.is_object()).map(move |container| (list, container)));
        let containers = containers.map(|(list, container)| (list, container, runs(container, from, until))).collect();
        Self { status, created_at, scheduled_at, started_at, ends_at, containers }
    }

    /// When something changed.
    fn moments(&self) -> Vec<Timestamp> {
        let conditions = items(&self.status["conditions"]).filter_map(|condition| moment(&condition["lastTransitionTime"]));
        let runs = self.runs().flat_map(|run| [Some(run.start), run.end.as_ref().map(|(at, _)| *at)]).flatten();
        let all = conditions.chain(runs).chain(self.started_at).chain(self.ends_at).map(|at| at.max(self.created_at));
        let mut moments: BTreeSet<Timestamp> = all.collect();
        if moments.is_empty() && self.status["phase"] != "Pending" {
            moments.insert(self.created_at);
        }
        moments.into_iter().collect()
    }

    fn runs(&self) -> impl Iterator<Item = &RecordedRun> {
        self.containers.iter().flat_map(|(_, _, runs)| runs)
    }

    /// Whether all that changed at a time is estimated.
    fn estimated(&self, at: Timestamp) -> bool {
        let changes = |run: &&RecordedRun| run.start == at || run.end.as_ref().is_some_and(|(end, _)| *end == at);
        let known = items(&self.status["conditions"]).any(|condition| moment(&condition["lastTransitionTime"]) == Some(at));
        let mut changed = self.runs().filter(changes).peekable();
        !known && self.started_at != Some(at) && changed.peek().is_some() && changed.all(|run| run.estimated)
    }

    /// The status at a time before the last one.
    fn status(&self, at: Timestamp) -> Map<String, Value> {
        let mut status = Map::new();
        let acknowledged = self.started_at.is_some_and(|started_at| started_at <= at);
        for field in ["qosClass"].iter().chain(ACKNOWLEDGED.iter().filter(|_| acknowledged)) {
            if let Some(value) = self.status.get(*field) {
                status.insert((*field).to_owned(), value.clone());
            }
        }
        let conditions: Vec<Value> = items(&self.status["conditions"]).filter_map(|condition| self.condition(condition, at)).collect();
        status.insert("conditions".to_owned(), conditions.into());
        for list in LISTS.into_iter().filter(|_| acknowledged) {
            let listed = self.containers.iter().filter(|(of, _, _)| *of == list);
            let containers: Vec<Value> = listed.map(|(_, container, runs)| self.container(container, runs, at)).collect();
            if !containers.is_empty() {
                status.insert(list.to_owned(), containers.into());
            }
        }
        status.insert("phase".to_owned(), if self.running(at) { "Running" } else { "Pending" }.into());
        status
    }

    /// Whether all regular containers were started, or are again and again.
    fn running(&self, at: Timestamp) -> bool {
        self.regular(|runs| runs.first().is_some_and(|run| run.start <= at && (run.ran || runs.len() > 1)))
    }

    /// Whether all regular containers ran.
    fn ran(&self, at: Timestamp) -> bool {
        self.regular(|runs| runs.iter().any(|run| run.start <= at && run.ran))
    }

    fn regular(&self, all: impl Fn(&[RecordedRun]) -> bool) -> bool {
        let mut regular = self.containers.iter().filter(|(list, _, _)| *list == LISTS[1]).peekable();
        regular.peek().is_some() && regular.all(|(_, _, runs)| all(runs))
    }

    /// A condition as it was at a time.
    fn condition(&self, last: &Value, at: Timestamp) -> Option<Value> {
        let since = moment(&last["lastTransitionTime"]).unwrap_or(self.created_at).max(self.created_at);
        if since <= at {
            return Some(last.clone());
        }
        let kind = last["type"].as_str()?;
        let (holds, since) = match kind {
            "Initialized" | "ContainersReady" | "Ready" | "PodReadyToStartContainers"
                if self.started_at.is_some_and(|start| start <= at) =>
            {
                // A pod that ended was ready before, unless it never ran.
                let held = last["status"] == "False" && self.ran(at);
                (held, if held { self.first_run() } else { self.started_at })
            }
            _ => return None,
        };
        let status = if holds { "True" } else { "False" };
        Some(json!({"type": kind, "status": status, "lastTransitionTime": time::text(time::whole_seconds(since.unwrap_or(at)))}))
    }

    /// When all regular containers had been started for the first time.
    fn first_run(&self) -> Option<Timestamp> {
        self.containers.iter().filter(|(list, _, _)| *list == LISTS[1]).filter_map(|(_, _, runs)| Some(runs.first()?.start)).max()
    }

    /// A container's status as it was at a time.
    fn container(&self, last: &Value, runs: &[RecordedRun], at: Timestamp) -> Value {
        let mut status = last.clone();
        let (place, run) = match runs.iter().rposition(|run| run.start <= at) {
            None => (0, None),
            Some(place) => (place, runs.get(place)),
        };
        let before = place.checked_sub(1).and_then(|before| runs[before].end.as_ref()).map(|(_, end)| end);
        let ended = |end: &Value| json!({"terminated": end});
        let (state, last_state, running) = match run {
            None => (json!({"waiting": {"reason": if self.initializes() { "PodInitializing" } else { "ContainerCreating" }}}), None, false),
            Some(RecordedRun { start, end, .. }) => match end.as_ref().filter(|(end, _)| *end <= at) {
                None => (json!({"running": {"startedAt": time::text(time::whole_seconds(*start))}}), before.map(ended), true),
                Some((_, end)) if place + 1 == runs.len() && last["state"]["waiting"].is_null() => (ended(end), before.map(ended), false),
                Some((_, end)) => (json!({"waiting": {"reason": "CrashLoopBackOff"}}), Some(ended(end)), false),
            },
        };
        status["restartCount"] = run.map_or(0, |run| run.restarts).into();
        status["ready"] = (running && condition_holds(&self.condition_at("Ready", at))).into();
        status["started"] = running.into();
        status["state"] = state;
        status["lastState"] = last_state.unwrap_or_else(|| json!({}));
        status
    }

    fn condition_at(&self, kind: &str, at: Timestamp) -> Option<Value> {
        self.condition(condition(self.status, kind)?, at)
    }

    fn initializes(&self) -> bool {
        self.containers.iter().any(|(list, _, _)| *list == LISTS[0])
    }
}

fn condition_holds(condition: &Option<Value>) -> bool {
    condition.as_ref().is_some_and(|condition| condition["status"] == "True")
}
