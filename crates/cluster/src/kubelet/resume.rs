//! Pods that were there before this node was watched: they go on from their statuses, and what was stuck stays stuck until the runtime says otherwise.
//!
//! Docs: Pod Lifecycle, "Container states", "Pod conditions". What a container does from there on is in `container.rs`; statuses are written in
//! `status.rs`.

use api::{Duration, Text, Timestamp, duration, time};
use serde_json::Value;

use super::back_off::RestartBackOff;
use super::container::{ContainerPhase, KubeletContainer, StopSignal, Termination, WaitingReason, numbered};
use super::disruption::TOLERATION;
use super::runtime::{ContainerId, ContainerRole, Delay, FormerRun, PodId, Runtime, continued};
use super::status::waiting_reason;
use super::stuck::StuckReason;
use crate::stored::Stored;

/// How long after its grace period a pod may still be there before its node counts as lost.
const LATE: Duration = Duration::from_secs(10);

/// The status of a pod that was there before.
#[derive(Debug, Clone)]
pub(super) struct FormerStatus {
    status: Value,
    /// Why the pod stays as it was found, if it does although its status does not say so.
    pub(super) held: Option<Text>,
}

/// How a pod that was there before is being stopped.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormerStop {
    /// Since when.
    pub(super) since: Timestamp,
    /// When what still runs of it is killed.
    pub(super) kill_at: Timestamp,
}

impl FormerStatus {
    /// What a pod's status reports; `None` if nothing was reported of the pod yet.
    pub(super) fn of(pod: &Stored) -> Option<Self> {
        let status = pod.pod()?.status.json();
        let Value::Object(fields) = serde_json::from_str(status).ok()? else { return None };
        fields.keys().any(|field| field != "phase").then_some(Self { status: fields.into(), held: None })
    }

    /// When the pod's node acknowledged it, if it did.
    pub(super) fn started_at(&self) -> Option<Timestamp> {
        moment(&self.status["startTime"])
    }

    /// Why the pod has no node, if that was tried; `gated`: it has a scheduling gate.
    pub(super) fn unscheduled(&self, gated: bool) -> Option<StuckReason> {
        let scheduled = self.condition("PodScheduled").filter(|condition| condition["status"] == "False")?;
        Some(StuckReason::of(scheduled)).filter(|stuck| gated || *stuck.reason != *"SchedulingGated")
    }

    /// Whether the pod's node does not respond: it was noticed, or it has not stopped the pod in time.
    pub(super) fn node_lost(&self, pod: &Stored, now: Timestamp) -> bool {
        let unknown = |ready: &Value| ready["status"] == "Unknown" || ready["reason"] == "NodeNotReady";
        let assigned = pod.pod().is_some_and(|pod| !pod.spec.node_name().is_empty());
        let overdue = pod.metadata().deletion_timestamp.is_some_and(|goes_at| time::after(goes_at, LATE) <= now);
        assigned && (overdue || self.status["phase"] == "Unknown" || self.condition("Ready").is_some_and(unknown))
    }

    /// When a pod whose node does not respond is evicted from it, if that is still to come.
    pub(super) fn evicted_at(&self, now: Timestamp) -> Option<Timestamp> {
        let noticed_at = moment(&self.condition("Ready")?["lastTransitionTime"])?;
        Some(time::after(noticed_at, TOLERATION)).filter(|at| *at > now)
    }

    fn condition(&self, kind: &str) -> Option<&Value> {
        self.status["conditions"].as_array()?.iter().find(|condition| condition["type"] == kind)
    }

    /// What it reports about a container: an object as in `containerStatuses`.
    fn container(&self, name: &str) -> Option<&Value> {
        let lists = ["containerStatuses", "initContainerStatuses"];
        lists.into_iter().filter_map(|list| self.status[list].as_array()).flatten().find(|status| status["name"] == name)
    }

    /// Has the containers of a pod be what they were.
    pub(super) fn resume<R: Runtime>(&self, id: PodId, containers: &mut [KubeletContainer], pod: &Stored, runtime: &mut R, now: Timestamp) {
        let mut turn = self.started_at();
        for (id, container) in numbered(id, containers) {
            if let Some(known) = self.container(&container.name) {
                container.resume(known, id, pod, turn, runtime, now);
            }
            turn = turn.zip(container.passed_at()).map(|(turn, passed_at)| turn.max(passed_at));
        }
        if let Some(message) = &self.held {
            hold(id, containers, message, pod, runtime);
        }
    }
}

impl FormerStop {
    /// How a pod is being stopped at a time, if it is: it is being deleted, it was active for too long, or all of its work is done.
    pub(super) fn of(pod: &Stored, containers: &[KubeletContainer], deadline: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        let metadata = pod.metadata();
        let own = Duration::from_secs(pod.pod().map_or(0, |pod| pod.spec.grace_period_seconds()));
        if let Some(kill_at) = metadata.deletion_timestamp {
            let grace = if metadata.deletion_grace_period_seconds.is_some() { metadata.deletion_grace() } else { own };
            return Some(Self { since: time::after(kill_at, -grace), kill_at });
        }
        let regular = containers.iter().filter(|container| container.role == ContainerRole::Regular);
        let ends: Option<Vec<Timestamp>> = regular.map(KubeletContainer::done_at).collect();
        let since = deadline.filter(|at| *at <= now).or_else(|| ends?.into_iter().max())?;
        Some(Self { since, kill_at: time::after(since, own) })
    }

    /// When each container that runs was told to stop: the sidecars one after the other, after all others.
    fn told(self, containers: &[KubeletContainer]) -> Vec<Option<Timestamp>> {
        let mut order: Vec<usize> = (0..containers.len()).rev().collect();
        order.sort_by_key(|place| containers[*place].role == ContainerRole::Sidecar);
        let (mut told, mut next) = (vec![None; containers.len()], Some(self.since));
        for place in order {
            let container = &containers[place];
            if container.running() {
                told[place] = if container.role == ContainerRole::Sidecar { next } else { Some(self.since) };
                next = None;
            } else {
                next = next.map(|next| container.ended_at().map_or(next, |ended_at| next.max(ended_at)));
            }
        }
        told
    }
}

/// Has the containers of a pod stay what they were: what has its turn waits on, and regular containers run on, unless the runtime knows better.
fn hold<R: Runtime>(id: PodId, containers: &mut [KubeletContainer], message: &Text, pod: &Stored, runtime: &mut R) {
    let stuck = StuckReason { reason: waiting_reason(containers).into(), message: message.clone() };
    for (id, container) in numbered(id, containers) {
        let course = runtime.prepare(&container.next_start(id, pod));
        match (&mut container.state, container.role) {
            (ContainerPhase::Waiting(WaitingReason::Turn), _) if course.starts.is_none() => {
                container.state = ContainerPhase::Waiting(WaitingReason::Stuck(Box::new(stuck.clone())));
            }
            (ContainerPhase::Running { .. }, ContainerRole::Regular) => container.held = !course.ends,
            (ContainerPhase::Running { ready_at, ready: false, .. }, ContainerRole::Sidecar) if course.ready == Delay::NONE => {
                *ready_at = None
            }
            (ContainerPhase::Waiting(_) | ContainerPhase::Running { .. } | ContainerPhase::Terminated(_), _) => {}
        }
        if container.role != ContainerRole::Regular && container.passed_at().is_none() {
            return;
        }
    }
}

/// Has the containers that run go on with their work, or with stopping.
pub(super) fn run_on<R: Runtime>(
    id: PodId,
    containers: &mut [KubeletContainer],
    stop: Option<FormerStop>,
    pod: &Stored,
    runtime: &mut R,
    now: Timestamp,
) {
    let told = stop.map_or_else(|| vec![None; containers.len()], |stop| stop.told(containers));
    for ((id, container), terminated_at) in numbered(id, containers).zip(told) {
        container.run_on(id, pod, terminated_at, runtime, now);
    }
}

impl KubeletContainer {
    /// Is what its status says. Its turn came at `turn`, if it has come.
    fn resume<R: Runtime>(
        &mut self,
        status: &Value,
        id: ContainerId,
        pod: &Stored,
        turn: Option<Timestamp>,
        runtime: &mut R,
        now: Timestamp,
    ) {
        let restarts = status["restartCount"].as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
        let (state, last) = (&status["state"], ended(&status["lastState"]));
        let period = last.as_ref().and_then(|last| last.period);
        let ran = period.map_or(Duration::ZERO, |(started_at, finished_at)| finished_at.duration_since(started_at));
        self.starts = restarts;
        self.back_off = RestartBackOff::after(restarts, if state["waiting"].is_null() { ran } else { Duration::ZERO });
        let ended_before = last.is_some();
        self.last = last;
        if let Some(run) = state.get("running") {
            let started_at = moment(&run["startedAt"]).unwrap_or(now);
            let ready = status["ready"] == true;
            let ready_at = match runtime.prepare(&self.next_start(id, pod)).ready {
                Delay::After(_) if ready => Some(now),
                Delay::After(delay) => Some(continued(started_at, delay, now)),
                Delay::Never => None,
            };
            self.state = ContainerPhase::Running { started_at, ready_at, ready };
        } else if let Some(end) = ended(state) {
            self.starts = restarts.saturating_add(1);
            self.state = ContainerPhase::Terminated(end);
        } else {
            let mut turn = turn;
            if ended_before {
                self.starts = restarts.saturating_add(1);
                let forecast = self.back_off.next(ran);
                let wait = reported_wait(&state["waiting"]).unwrap_or(forecast);
                let until = time::after(period.map_or(now, |(_, finished_at)| finished_at), wait);
                turn = turn.map(|turn| turn.max(until));
                self.state = ContainerPhase::Waiting(WaitingReason::BackOff { until, wait });
            }
            self.wait(StuckReason::of(&state["waiting"]), turn, id, pod, runtime, now);
        }
    }

    /// Waits for what it waited for.
    fn wait<R: Runtime>(
        &mut self,
        stuck: StuckReason,
        turn: Option<Timestamp>,
        id: ContainerId,
        pod: &Stored,
        runtime: &mut R,
        now: Timestamp,
    ) {
        let course = runtime.prepare(&self.next_start(id, pod));
        let waiting = match (&*stuck.reason, course.starts) {
            ("CrashLoopBackOff", _) => return,
            ("" | "ContainerCreating" | "PodInitializing", Some(Delay::After(delay))) => match turn {
                Some(turn) if !delay.is_zero() => WaitingReason::Image { until: continued(turn, delay, now), ready: course.ready },
                Some(_) | None => WaitingReason::Turn,
            },
            ("" | "ContainerCreating" | "PodInitializing", None | Some(Delay::Never)) | (_, Some(Delay::After(_))) => WaitingReason::Turn,
            (_, None | Some(Delay::Never)) => WaitingReason::Stuck(Box::new(stuck)),
        };
        self.state = ContainerPhase::Waiting(waiting);
    }

    /// Goes on with its work, if it runs.
    fn run_on<R: Runtime>(&mut self, id: ContainerId, pod: &Stored, terminated_at: Option<Timestamp>, runtime: &mut R, now: Timestamp) {
        let ContainerPhase::Running { started_at, .. } = self.state else { return };
        runtime.resume(&self.next_start(id, pod), FormerRun { started_at, terminated_at, held: self.held }, now);
        self.starts += 1;
        if terminated_at.is_some() {
            self.signal = Some(StopSignal::Term);
        }
    }

    /// When it was the turn of those after it, if it does not keep them waiting.
    fn passed_at(&self) -> Option<Timestamp> {
        match (self.role, &self.state) {
            (ContainerRole::Regular, _) => Some(Timestamp::MIN),
            (ContainerRole::Init, _) => self.ended_at().filter(|_| self.succeeded()),
            (ContainerRole::Sidecar, ContainerPhase::Running { started_at, .. }) => Some(*started_at),
            (ContainerRole::Sidecar, ContainerPhase::Waiting(_) | ContainerPhase::Terminated(_)) => self.ended_at(),
        }
    }

    /// When it ended, if it has and that is known.
    fn ended_at(&self) -> Option<Timestamp> {
        let ContainerPhase::Terminated(end) = &self.state else { return None };
        end.period.map(|(_, finished_at)| finished_at)
    }

    /// When it ended, if it has for good.
    fn done_at(&self) -> Option<Timestamp> {
        let ContainerPhase::Terminated(end) = &self.state else { return None };
        self.ended_at().filter(|_| !self.restarts.restarts(end.exit_code))
    }
}

/// How long a container waits before it is started again, as kubelets report it: `back-off 10s restarting failed container=main`.
fn reported_wait(waiting: &Value) -> Option<Duration> {
    duration::parse(waiting["message"].as_str()?.strip_prefix("back-off ")?.split(' ').next()?)
}

/// How a container ended, if its state shows it.
fn ended(state: &Value) -> Option<Box<Termination>> {
    let end = state.get("terminated").filter(|end| end.is_object())?;
    let text = |name: &str| end[name].as_str().unwrap_or_default().into();
    let finished_at = moment(&end["finishedAt"]);
    // Of a container that never started, runtimes write the beginning of 1970.
    let started_at = moment(&end["startedAt"]).filter(|at| *at > Timestamp::UNIX_EPOCH).or(finished_at);
    Some(Box::new(Termination {
        exit_code: end["exitCode"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or_default(),
        reason: text("reason"),
        message: text("message"),
        period: started_at.zip(finished_at),
    }))
}

fn moment(value: &Value) -> Option<Timestamp> {
    time::parse(value.as_str()?)
}
