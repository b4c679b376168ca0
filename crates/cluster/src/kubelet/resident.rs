//! One pod on its way: it waits for a node, runs, is stopped, or is on a node that stopped reporting.
//!
//! Docs: Pod Lifecycle, "Pod lifetime", "Termination of Pods"; Init Containers, "Understanding init containers"; Sidecar Containers,
//! "Sidecar containers and Pod lifecycle". What a single container does is in `container.rs`, which pods are due in `mod.rs`.

use std::sync::Arc;

use api::{Duration, Kind, Text, Timestamp, time};

use super::assignment::{assign, assigned_at, refuse, unscheduled};
use super::container::{ContainerPhase, KubeletContainer, SentSignal, StopSignal, WaitingReason, numbered};
use super::disruption::{Doer, NODE_PRESSURE_GRACE, NodeLoss, Prospects, SILENCE, TOLERATION, collect, delete, doubt, mark_and_delete};
use super::node::Node;
use super::pod_spec::KubeletSpec;
use super::resume::{FormerStatus, FormerStop, run_on};
use super::runtime::{ContainerRole, Ended, PodCourse, PodId, Runtime, continued};
use super::status::{PodEnd, initialized, report};
use super::stuck::{PodFoundStuck, StuckCause};
use crate::apiserver::{ApiServer, PodParts};
use crate::stored::Stored;

/// A pod that has not ended.
#[derive(Debug, Clone)]
pub(super) struct Resident {
    id: PodId,
    namespace: Text,
    name: Text,
    pub(super) uid: Text,
    pub(super) containers: Vec<KubeletContainer>,
    /// Why its spec cannot be read, if it cannot.
    unreadable: Option<String>,
    /// The scheduling gate that holds it back.
    gate: Option<Text>,
    active_deadline: Option<Duration>,
    /// What was reported of it before it was met, until it goes on from there.
    pub(super) former: Option<FormerStatus>,
    course: PodCourse,
    pub(super) prospects: Prospects,
    pub(super) stage: PodStage,
    /// Whether there is something to report.
    changed: bool,
    /// The signals that its containers were sent, if it has several.
    pub(super) sent: Vec<SentSignal>,
    /// The version that was last written from here, when all before it were known.
    written: u64,
    /// When it is to be attended to.
    pub(super) due: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PodStage {
    /// It waits for a node; forever, if no time is known.
    Unassigned { until: Option<Timestamp> },
    /// Its containers are kept up.
    Active { deadline: Option<Timestamp> },
    /// Its containers are stopped, and killed in the end.
    Stopping { kill_at: Timestamp, end: PodEnd },
    /// Its node is silent, which has not been noticed yet.
    Silent { noticed_at: Timestamp },
    /// Its node is known not to answer; it is evicted then, if it was not.
    Unreachable { evicted_at: Option<Timestamp> },
}

/// What comes next for a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It is to be attended to then, or when something happens to it.
    Due(Option<Timestamp>),
    /// Nothing: it has ended.
    Done,
}

impl Resident {
    pub(super) fn new(id: PodId, stored: &Stored, course: PodCourse, now: Timestamp) -> Self {
        let metadata = stored.metadata();
        let spec = stored.pod().map_or_else(|| Ok(KubeletSpec::default()), |pod| KubeletSpec::read(pod.spec.unassigned()));
        let assigned = stored.pod().is_some_and(|pod| !pod.spec.node_name().is_empty());
        let (KubeletSpec { containers, gate, active_deadline }, unreadable) = match spec {
            Ok(spec) => (spec, None),
            Err(reason) => (KubeletSpec::default(), Some(reason)),
        };
        let former = FormerStatus::of(stored);
        let unscheduled = former.as_ref().is_some_and(|former| former.unscheduled(gate.is_some()).is_some());
        let stage = match &former {
            Some(former) if former.node_lost(stored, now) => PodStage::Unreachable { evicted_at: former.evicted_at(now) },
            Some(_) | None if assigned => PodStage::Unassigned { until: Some(now) },
            Some(_) | None if gate.is_some() => PodStage::Unassigned { until: None },
            Some(_) | None => PodStage::Unassigned { until: assigned_at(course.scheduled, metadata, unscheduled, now) },
        };
        Self {
            id,
            namespace: metadata.namespace.clone(),
            name: metadata.name.clone(),
            uid: metadata.uid.clone(),
            containers,
            unreadable,
            active_deadline,
            course,
            prospects: Prospects::default(),
            former,
            stage,
            gate,
            changed: !unscheduled,
            sent: Vec::new(),
            written: 0,
            due: None,
        }
    }

    /// Whether this version of the pod holds nothing that is not known.
    pub(super) fn knows(&self, stored: &Stored) -> bool {
        version(stored) <= self.written
    }

    /// Records the end of a container.
    pub(super) fn record(&mut self, ended: Ended) {
        if let Some(container) = self.containers.get_mut(usize::from(ended.container.place)) {
            container.end(ended);
            self.changed = true;
        }
    }

    /// Makes its running containers ready at the next tick; returns whether one of them is not ready yet.
    pub(super) fn make_ready(&mut self, now: Timestamp) -> bool {
        self.containers.iter_mut().fold(false, |made, container| container.make_ready(now) | made)
    }

    /// Does what is due.
    pub(super) fn attend<R: Runtime>(&mut self, server: &mut ApiServer, runtime: &mut R, node: Node, now: Timestamp) -> Next {
        let Some(stored) = self.stored(server) else { return Next::Done };
        if stored.pod().is_some_and(crate::pod::StoredPod::ended) {
            leave(server, &stored, now);
            return Next::Done;
        }
        match self.stage {
            PodStage::Unassigned { until } => self.assign(&stored, until, server, runtime, node, now),
            PodStage::Active { deadline } => self.run(&stored, deadline, server, runtime, now),
            PodStage::Stopping { kill_at, end } => self.stop(&stored, kill_at, end, server, runtime, now),
            PodStage::Silent { noticed_at } if noticed_at <= now => {
                doubt(server, &stored, now);
                self.wait_for_eviction(time::after(now, TOLERATION))
            }
            PodStage::Silent { noticed_at } => Next::Due(Some(noticed_at)),
            PodStage::Unreachable { evicted_at: Some(at) } if at <= now => {
                self.stage = PodStage::Unreachable { evicted_at: None };
                if !stored.metadata().deleting() {
                    mark_and_delete(server, &stored, &NodeLoss::Unreachable.condition(), now);
                }
                Next::Due(None)
            }
            PodStage::Unreachable { evicted_at } => Next::Due(evicted_at),
        }
    }

    /// Why it stays stuck as it was found, if it does.
    pub(super) fn stuck(&self) -> Option<PodFoundStuck> {
        let stuck = |container: &KubeletContainer| match &container.state {
            ContainerPhase::Waiting(WaitingReason::Stuck(reason)) => {
                let init = container.role != ContainerRole::Regular;
                Some(StuckCause::Container { name: container.name.clone(), init, reason: (**reason).clone() })
            }
            ContainerPhase::Running { .. } if container.held => Some(StuckCause::KeptRunning { container: container.name.clone() }),
            ContainerPhase::Waiting(_) | ContainerPhase::Running { .. } | ContainerPhase::Terminated(_) => None,
        };
        let cause = match self.stage {
            PodStage::Unassigned { until: None } => {
                let reason = self.former.as_ref()?.unscheduled(self.gate.is_some())?;
                if self.gate.is_some() { StuckCause::Gated(reason) } else { StuckCause::Unscheduled(reason) }
            }
            PodStage::Active { .. } => self.containers.iter().find_map(stuck)?,
            PodStage::Unreachable { .. } => StuckCause::NodeLost,
            PodStage::Unassigned { .. } | PodStage::Stopping { .. } | PodStage::Silent { .. } => return None,
        };
        Some(PodFoundStuck { namespace: self.namespace.clone(), name: self.name.clone(), cause })
    }

    /// Loses its node, if it has one; returns whether it had.
    pub(super) fn lose_node(&mut self, now: Timestamp) -> bool {
        let had = matches!(self.stage, PodStage::Active { .. } | PodStage::Stopping { .. });
        if had {
            self.stage = PodStage::Silent { noticed_at: time::after(now, SILENCE) };
        }
        had
    }

    /// Is garbage-collected if its node is silent and no longer exists; returns whether it was.
    pub(super) fn collect(&mut self, server: &mut ApiServer, now: Timestamp) -> bool {
        let lost = matches!(self.stage, PodStage::Silent { .. } | PodStage::Unreachable { .. });
        if lost && let Some(stored) = self.stored(server) {
            collect(server, &stored, Some(NodeLoss::Missing), now);
        }
        lost
    }

    /// The pod as it is stored; `None` if it went.
    fn stored(&self, server: &ApiServer) -> Option<Arc<Stored>> {
        let stored = server.object(Kind::Pod, &self.namespace, &self.name)?;
        (stored.metadata().uid == self.uid).then(|| Arc::clone(stored))
    }

    fn wait_for_eviction(&mut self, at: Timestamp) -> Next {
        self.stage = PodStage::Unreachable { evicted_at: Some(at) };
        Next::Due(Some(at))
    }

    /// Gives the pod a node, if it is time.
    fn assign<R: Runtime>(
        &mut self,
        stored: &Arc<Stored>,
        until: Option<Timestamp>,
        server: &mut ApiServer,
        runtime: &mut R,
        node: Node,
        now: Timestamp,
    ) -> Next {
        let Some(pod) = stored.pod() else { return Next::Done };
        if stored.metadata().deleting() && pod.spec.node_name().is_empty() {
            collect(server, stored, None, now);
            return Next::Done;
        }
        if until.is_none_or(|until| until > now) {
            if until.is_none() && std::mem::take(&mut self.changed) {
                let gate = self.gate.clone();
                self.write(server, now, |parts| unscheduled(parts, gate.as_ref(), now));
            }
            return Next::Due(until);
        }
        if let Some(reason) = self.unreadable.take() {
            self.write(server, now, |parts| refuse(parts, &reason));
            return Next::Done;
        }
        if let Some(former) = self.former.take()
            && let Some(started_at) = former.started_at()
        {
            return self.resume(stored, &former, started_at, server, runtime, now);
        }
        let address = runtime.address();
        let (host, own) = (address.unwrap_or_else(|| node.address()), address.unwrap_or_else(|| Node::pod_address(self.id)));
        let Some(assigned) = self.write(server, now, |parts| assign(parts, node, host, own, now)) else { return Next::Done };
        let deadline = self.active_deadline.map(|length| time::after(now, length));
        self.prospects = Prospects::of(&self.course, |after| time::after(now, after));
        self.run(&assigned, deadline, server, runtime, now)
    }

    /// Continues with a pod that its node has acknowledged before.
    fn resume<R: Runtime>(
        &mut self,
        stored: &Arc<Stored>,
        former: &FormerStatus,
        started_at: Timestamp,
        server: &mut ApiServer,
        runtime: &mut R,
        now: Timestamp,
    ) -> Next {
        let deadline = self.active_deadline.map(|length| time::after(started_at, length));
        former.resume(self.id, &mut self.containers, stored, runtime, now);
        let stop = FormerStop::of(stored, &self.containers, deadline, now);
        run_on(self.id, &mut self.containers, stop, stored, runtime, now);
        self.changed = false;
        if let Some(FormerStop { kill_at, .. }) = stop {
            return self.stop(stored, kill_at, end_by(deadline, now), server, runtime, now);
        }
        self.prospects = Prospects::of(&self.course, |after| continued(started_at, after, now));
        self.run(stored, deadline, server, runtime, now)
    }

    /// Keeps the containers up, until they are to be stopped.
    fn run<R: Runtime>(
        &mut self,
        stored: &Arc<Stored>,
        deadline: Option<Timestamp>,
        server: &mut ApiServer,
        runtime: &mut R,
        now: Timestamp,
    ) -> Next {
        self.stage = PodStage::Active { deadline };
        if !stored.metadata().deleting() {
            match self.prospects.carry_out(stored, server, now) {
                Some(Doer::Others) => return Next::Due(Some(now)),
                Some(Doer::Kubelet) => {
                    return self.stop(stored, time::after(now, NODE_PRESSURE_GRACE), PodEnd::Evicted, server, runtime, now);
                }
                None => {}
            }
        }
        let end = end_by(deadline, now);
        if stored.metadata().deleting() || matches!(end, PodEnd::DeadlineExceeded) || self.keep_up(stored, runtime, now) {
            let own = stored.pod().map_or(0, |pod| pod.spec.grace_period_seconds());
            let kill_at = time::after(now, wished_grace(stored).unwrap_or_else(|| Duration::from_secs(own)));
            return self.stop(stored, kill_at, end, server, runtime, now);
        }
        self.report(server, None, now);
        let due = self.containers.iter().filter_map(KubeletContainer::due);
        Next::Due(due.chain(deadline).chain(self.prospects.next()).min())
    }

    /// Keeps up what has its turn: one init container after another, then the regular ones together. Returns whether there is nothing left
    /// to keep up.
    fn keep_up<R: Runtime>(&mut self, stored: &Stored, runtime: &mut R, now: Timestamp) -> bool {
        let mut over = true;
        let last_begun = self.containers.iter().rposition(KubeletContainer::begun);
        for (id, container) in numbered(self.id, &mut self.containers) {
            self.changed |= container.keep_up(id, stored, runtime, now);
            match container.role {
                ContainerRole::Init if container.succeeded() => {}
                ContainerRole::Init => return container.terminated(),
                ContainerRole::Sidecar if container.running() || container.terminated() => {}
                // What has begun after it goes on.
                ContainerRole::Sidecar if last_begun > Some(usize::from(id.place)) => {}
                ContainerRole::Sidecar => return false,
                ContainerRole::Regular => over &= container.terminated(),
            }
        }
        over
    }

    /// Stops the containers, sidecars last and in reverse order; when none runs, the pod ends.
    fn stop<R: Runtime>(
        &mut self,
        stored: &Arc<Stored>,
        kill_at: Timestamp,
        end: PodEnd,
        server: &mut ApiServer,
        runtime: &mut R,
        now: Timestamp,
    ) -> Next {
        let kill_at = wished_grace(stored).map_or(kill_at, |grace| time::after(now, grace).min(kill_at));
        self.stage = PodStage::Stopping { kill_at, end };
        if !self.containers.iter().any(KubeletContainer::running) {
            return self.finish(stored, end, server, now);
        }
        self.report(server, None, now);
        let last_sidecar = self.containers.iter().rposition(|container| container.running() && container.role == ContainerRole::Sidecar);
        let sidecars_only = self.containers.iter().all(|container| !container.running() || container.role == ContainerRole::Sidecar);
        let several = self.containers.len() > 1;
        for (id, container) in numbered(self.id, &mut self.containers) {
            let signal = if kill_at <= now {
                StopSignal::Kill
            } else if container.role != ContainerRole::Sidecar || sidecars_only && last_sidecar == Some(usize::from(id.place)) {
                StopSignal::Term
            } else {
                continue;
            };
            if container.signal(signal, id, runtime, now) && several {
                let (pod, container) = (Arc::clone(stored), container.name.clone());
                self.sent.push(SentSignal { pod, container, signal, kill_at, version: server.version() });
            }
        }
        Next::Due(Some(kill_at).filter(|at| *at > now))
    }

    fn finish(&mut self, stored: &Stored, end: PodEnd, server: &mut ApiServer, now: Timestamp) -> Next {
        let initialized = initialized(&self.containers);
        for container in &mut self.containers {
            container.settle(initialized);
        }
        self.changed = true;
        self.report(server, Some(end), now);
        leave(server, stored, now);
        Next::Done
    }

    fn report(&mut self, server: &mut ApiServer, outcome: Option<PodEnd>, now: Timestamp) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        let containers = std::mem::take(&mut self.containers);
        self.write(server, now, |parts| report(&mut parts.status, &containers, outcome, now));
        self.containers = containers;
    }

    fn write(&mut self, server: &mut ApiServer, now: Timestamp, change: impl FnOnce(&mut PodParts)) -> Option<Arc<Stored>> {
        let written = server.update_pod(&self.namespace, &self.name, now, change)?;
        self.written = version(&written);
        Some(written)
    }
}

/// Lets go of a pod that has ended: if it is being deleted, it need not be waited for any longer.
fn leave(server: &mut ApiServer, stored: &Stored, now: Timestamp) {
    if stored.metadata().deleting() {
        delete(server, stored, Some(0), now);
    }
}

/// How long a pod that is being deleted has to stop.
fn wished_grace(stored: &Stored) -> Option<Duration> {
    let metadata = stored.metadata();
    metadata.deletion_grace_period_seconds.filter(|_| metadata.deleting()).map(Duration::from_secs)
}

fn version(stored: &Stored) -> u64 {
    stored.metadata().resource_version.parse().expect("the server numbers its versions")
}

/// How a pod ends that is stopped now.
fn end_by(deadline: Option<Timestamp>, now: Timestamp) -> PodEnd {
    if deadline.is_some_and(|at| at <= now) { PodEnd::DeadlineExceeded } else { PodEnd::OfContainers }
}
