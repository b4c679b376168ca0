//! One container of a pod: waiting, running or ended, and restarted by its restart policy and rules.
//!
//! Docs: Pod Lifecycle, "Container states", "Container restarts". Which containers of a pod have their turn is decided in `resident.rs`,
//! what is reported of them in `status.rs`.

use std::sync::Arc;

use api::{Duration, Text, Timestamp, time};

use super::back_off::RestartBackOff;
use super::pod_spec::ContainerRestarts;
use super::runtime::{ContainerId, ContainerRole, Delay, Ended, PodId, Runtime, Start};
use super::stuck::StuckReason;
use crate::stored::Stored;

/// A container of a pod that has a node.
#[derive(Debug, Clone)]
pub(super) struct KubeletContainer {
    pub(super) name: Text,
    pub(super) image: Text,
    pub(super) role: ContainerRole,
    pub(super) restarts: ContainerRestarts,
    /// How often it was started.
    pub(super) starts: u32,
    pub(super) state: ContainerPhase,
    /// How the run before this state ended.
    pub(super) last: Option<Box<Termination>>,
    pub(super) back_off: RestartBackOff,
    /// The last signal that it was sent.
    pub(super) signal: Option<StopSignal>,
    /// Whether it was found running, and runs on.
    pub(super) held: bool,
}

/// What a container is doing.
#[derive(Debug, Clone)]
pub(super) enum ContainerPhase {
    /// It does not run.
    Waiting(WaitingReason),
    /// It runs.
    Running {
        /// Since when.
        started_at: Timestamp,
        /// When it is ready; `None`: never.
        ready_at: Option<Timestamp>,
        /// Whether it is.
        ready: bool,
    },
    /// It has ended.
    Terminated(Box<Termination>),
}

/// What a container waits for.
#[derive(Debug, Clone)]
pub(super) enum WaitingReason {
    /// Its turn.
    Turn,
    /// Its image, which comes.
    Image {
        /// When.
        until: Timestamp,
        /// How long it will run before it is ready.
        ready: Delay,
    },
    /// Its image, which does not come.
    UnknownImage,
    /// What it waited for when it was found, which does not come.
    Stuck(Box<StuckReason>),
    /// The end of its back-off.
    BackOff {
        /// When.
        until: Timestamp,
        /// How long that is.
        wait: Duration,
    },
}

/// How a run ended.
#[derive(Debug, Clone)]
pub(super) struct Termination {
    pub(super) exit_code: i32,
    pub(super) reason: Text,
    pub(super) message: Text,
    /// When the run began and ended, if it is known.
    pub(super) period: Option<(Timestamp, Timestamp)>,
}

/// A signal that stops a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopSignal {
    /// It asks the container to end.
    Term,
    /// It ends the container.
    Kill,
}

/// A signal that one of several containers of a pod was sent.
#[derive(Debug, Clone)]
pub struct SentSignal {
    /// The pod, as it was stored.
    pub pod: Arc<Stored>,
    /// The container.
    pub container: Text,
    /// The signal.
    pub signal: StopSignal,
    /// When the container is killed if it still runs.
    pub kill_at: Timestamp,
    /// The version of the last write before.
    pub version: u64,
}

impl KubeletContainer {
    pub(super) fn new(name: Text, image: Text, role: ContainerRole, restarts: ContainerRestarts) -> Self {
        let state = ContainerPhase::Waiting(WaitingReason::Turn);
        Self { name, image, role, restarts, starts: 0, state, last: None, back_off: RestartBackOff::NONE, signal: None, held: false }
    }

    /// Whether its turn has come, even if it still waits to be started.
    pub(super) fn begun(&self) -> bool {
        self.starts > 0 || !matches!(self.state, ContainerPhase::Waiting(WaitingReason::Turn))
    }

    pub(super) fn running(&self) -> bool {
        matches!(self.state, ContainerPhase::Running { .. })
    }

    pub(super) fn ready(&self) -> bool {
        matches!(self.state, ContainerPhase::Running { ready: true, .. })
    }

    /// Whether it has ended with 0, and is not started again.
    pub(super) fn succeeded(&self) -> bool {
        matches!(&self.state, ContainerPhase::Terminated(end) if end.exit_code == 0)
    }

    /// Whether it has ended, and is not started again.
    pub(super) fn terminated(&self) -> bool {
        matches!(self.state, ContainerPhase::Terminated(_))
    }

    /// When something is due for it.
    pub(super) fn due(&self) -> Option<Timestamp> {
        match self.state {
            ContainerPhase::Waiting(WaitingReason::Image { until, .. } | WaitingReason::BackOff { until, .. }) => Some(until),
            ContainerPhase::Running { ready_at, ready: false, .. } => ready_at,
            ContainerPhase::Waiting(WaitingReason::Turn | WaitingReason::UnknownImage | WaitingReason::Stuck(_))
            | ContainerPhase::Running { .. }
            | ContainerPhase::Terminated(_) => None,
        }
    }

    /// Does what is due to start it and keep it running; returns whether its state changed.
    pub(super) fn keep_up<R: Runtime>(&mut self, id: ContainerId, pod: &Stored, runtime: &mut R, now: Timestamp) -> bool {
        match &mut self.state {
            ContainerPhase::Waiting(WaitingReason::Turn) => self.prepare(id, pod, runtime, now),
            ContainerPhase::Waiting(WaitingReason::Image { until, ready }) if *until <= now => {
                let ready = *ready;
                self.start(id, pod, ready, runtime, now);
            }
            ContainerPhase::Waiting(WaitingReason::BackOff { until, .. }) if *until <= now => self.prepare(id, pod, runtime, now),
            ContainerPhase::Terminated(end) if self.restarts.restarts(end.exit_code) => self.restart(id, pod, runtime, now),
            ContainerPhase::Running { ready_at: Some(at), ready, .. } if !*ready && *at <= now => *ready = true,
            ContainerPhase::Waiting(_) | ContainerPhase::Running { .. } | ContainerPhase::Terminated(_) => return false,
        }
        true
    }

    /// Records that it ended; a late report is ignored.
    pub(super) fn end(&mut self, ended: Ended) {
        let ContainerPhase::Running { started_at, .. } = self.state else { return };
        let Ended { exit_code, reason, message, at, .. } = ended;
        let period = Some((started_at, at.max(started_at)));
        self.state = ContainerPhase::Terminated(Box::new(Termination { exit_code, reason: reason.into(), message, period }));
    }

    /// Makes it ready; returns whether it was running and not ready yet.
    pub(super) fn make_ready(&mut self, now: Timestamp) -> bool {
        let ContainerPhase::Running { ready_at, ready: false, .. } = &mut self.state else { return false };
        *ready_at = Some(now);
        true
    }

    /// Sends it a signal, once, if it runs; returns whether it was sent.
    pub(super) fn signal<R: Runtime>(&mut self, signal: StopSignal, id: ContainerId, runtime: &mut R, now: Timestamp) -> bool {
        let sent = self.running() && self.signal < Some(signal);
        if sent {
            self.signal = Some(signal);
            match signal {
                StopSignal::Term => runtime.terminate(id, now),
                StopSignal::Kill => runtime.kill(id, now),
            }
        }
        sent
    }

    /// Settles how it ended, as it is not started again; `due`: it should have run by now.
    pub(super) fn settle(&mut self, due: bool) {
        let ContainerPhase::Waiting(_) = self.state else { return };
        if let Some(last) = self.last.take() {
            self.state = ContainerPhase::Terminated(last);
        } else if due {
            self.state = ContainerPhase::Terminated(Box::new(Termination {
                exit_code: 137,
                reason: "ContainerStatusUnknown".into(),
                message: "the container was not running when its pod was stopped".into(),
                period: None,
            }));
        }
    }

    fn restart<R: Runtime>(&mut self, id: ContainerId, pod: &Stored, runtime: &mut R, now: Timestamp) {
        let turn = ContainerPhase::Waiting(WaitingReason::Turn);
        let ContainerPhase::Terminated(end) = std::mem::replace(&mut self.state, turn) else { return };
        let (started_at, finished_at) = end.period.unwrap_or((now, now));
        let wait = self.back_off.next(finished_at.duration_since(started_at));
        self.last = Some(end);
        let until = time::after(finished_at, wait);
        if until <= now {
            self.prepare(id, pod, runtime, now);
        } else {
            self.state = ContainerPhase::Waiting(WaitingReason::BackOff { until, wait });
        }
    }

    fn prepare<R: Runtime>(&mut self, id: ContainerId, pod: &Stored, runtime: &mut R, now: Timestamp) {
        let course = runtime.prepare(&self.next_start(id, pod));
        match course.starts {
            Some(Delay::Never) => self.state = ContainerPhase::Waiting(WaitingReason::UnknownImage),
            None | Some(Delay::NONE) => self.start(id, pod, course.ready, runtime, now),
            Some(Delay::After(delay)) => {
                self.state = ContainerPhase::Waiting(WaitingReason::Image { until: time::after(now, delay), ready: course.ready })
            }
        }
    }

    pub(super) fn start<R: Runtime>(&mut self, id: ContainerId, pod: &Stored, ready: Delay, runtime: &mut R, now: Timestamp) {
        runtime.start(&self.next_start(id, pod), now);
        self.starts += 1;
        let ready_at = match ready {
            Delay::After(delay) => Some(time::after(now, delay)),
            Delay::Never => None,
        };
        self.state = ContainerPhase::Running { started_at: now, ready_at, ready: ready == Delay::NONE };
    }

    pub(super) fn next_start<'a>(&'a self, container: ContainerId, pod: &'a Stored) -> Start<'a> {
        Start { container, pod, name: &self.name, role: self.role, number: self.starts + 1 }
    }
}

/// The containers of a pod with their ids.
pub(super) fn numbered(pod: PodId, containers: &mut [KubeletContainer]) -> impl Iterator<Item = (ContainerId, &mut KubeletContainer)> {
    (0..).zip(containers).map(move |(place, container)| (ContainerId { pod, place }, container))
}
