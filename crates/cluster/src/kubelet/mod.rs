//! The scheduler and the nodes of the cluster: they run pods as the API server has them, and report their status.
//!
//! Docs: Pod Lifecycle; Kubernetes Components, "kube-scheduler", "kubelet". One pod's life is in `resident.rs`, what runs containers behind
//! `runtime.rs`.
//!
//! ```text
//! API server ──watch──▶ observe ──▶ tick: attend to each pod that is due ──▶ update_pod
//!                                     │ start, terminate, kill   ▲ ended
//!                                     ▼                          │
//!                                   Runtime: scripted containers or local processes
//! ```

mod assignment;
mod back_off;
mod condition;
mod container;
mod disruption;
mod node;
mod pod_spec;
mod repetition;
mod resident;
mod resume;
mod runtime;
mod status;
mod stuck;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use api::{Kind, Text, Timestamp};

pub use self::back_off::RestartBackOff;
pub use self::container::{SentSignal, StopSignal};
pub use self::disruption::{PodDisruption, disrupt};
use self::node::Node;
pub use self::pod_spec::KubeletSpec;
use self::repetition::only_restarts;
use self::resident::{Next, PodStage, Resident};
pub use self::runtime::{ContainerId, ContainerRole, Delay, Ended, FormerRun, PodCourse, PodId, Runtime, Start, StartCourse, continued};
pub use self::stuck::{PodFoundStuck, StuckCause, StuckReason};
use crate::apiserver::{ApiServer, WatchId};
use crate::stored::Stored;

/// A scheduler and one node at a time.
///
/// [`observe`](Kubelet::observe) and [`tick`](Kubelet::tick) whenever the cluster may have changed and at the time of
/// [`next_due`](Kubelet::next_due). Work per pod does not depend on how many there are, and a pod that has ended costs nothing.
#[derive(Debug, Clone)]
pub struct Kubelet<R> {
    /// What runs the containers.
    pub runtime: R,
    watch: WatchId,
    /// The pods that have not ended.
    residents: BTreeMap<PodId, Resident>,
    by_uid: BTreeMap<Text, PodId>,
    /// Each resident that has something to wait for, once.
    timers: BTreeSet<(Timestamp, PodId)>,
    met: u32,
    node: Node,
    /// The signals of the last tick.
    sent: Vec<SentSignal>,
}

impl<R: Runtime> Kubelet<R> {
    /// A scheduler and a first node, `node-1` or the last of that kind that pods are on and that responds; pods that are there go on from their
    /// statuses.
    pub fn new(server: &mut ApiServer, runtime: R, now: Timestamp) -> Self {
        let watch = server.watch(Some(Kind::Pod));
        let (residents, by_uid, timers) = Default::default();
        let mut kubelet = Self { runtime, watch, residents, by_uid, timers, met: 0, node: Node(1), sent: Vec::new() };
        let mut there: Vec<&Arc<Stored>> = server.objects(Kind::Pod).collect();
        there.sort_by_key(|stored| stored.metadata().creation_timestamp);
        let last = there.iter().filter_map(|stored| Node::named(stored.pod()?.spec.node_name())).max();
        kubelet.node = last.unwrap_or(kubelet.node);
        for stored in there {
            kubelet.meet(stored, server.cron_job_of(stored.metadata()), now);
        }
        let lost = |resident: &Resident| resident.stuck().is_some_and(|stuck| stuck.cause == StuckCause::NodeLost);
        let node = kubelet.node_name();
        if there_on(server, &node).any(|uid| kubelet.by_uid.get(uid).is_some_and(|id| lost(&kubelet.residents[id]))) {
            kubelet.node = kubelet.node.next();
        }
        kubelet
    }

    /// Reads what changed since the last call; the next [`tick`](Kubelet::tick) acts on it.
    pub fn observe(&mut self, server: &mut ApiServer, now: Timestamp) {
        while let Some(write) = server.next_write(self.watch) {
            let metadata = write.after.metadata();
            match self.by_uid.get(&metadata.uid) {
                Some(&id) => self.look(id, &write.after, now),
                None if write.before.is_none() => self.meet(&write.after, server.cron_job_of(metadata), now),
                None => {}
            }
        }
    }

    /// Does all that is due: gives pods nodes, starts and stops containers, reports, and lets deleted pods go.
    pub fn tick(&mut self, server: &mut ApiServer, now: Timestamp) {
        self.sent.clear();
        loop {
            while let Some(ended) = self.runtime.next_ended(now) {
                let id = ended.container.pod;
                if let Some(resident) = self.residents.get_mut(&id) {
                    resident.record(ended);
                    self.set_timer(id, Some(now));
                }
            }
            let Some(&(_, id)) = self.timers.first().filter(|(at, _)| *at <= now) else { return };
            self.attend(id, server, now);
        }
    }

    /// The signals that containers were sent in the last tick, in order, of pods that have several.
    #[must_use]
    pub fn sent_signals(&self) -> &[SentSignal] {
        &self.sent
    }

    /// When something is due if nothing changes before, if that is known.
    #[must_use]
    pub fn next_due(&self) -> Option<Timestamp> {
        let timer = self.timers.first().map(|(at, _)| *at);
        timer.into_iter().chain(self.runtime.next_end()).min()
    }

    /// Whether nothing is due but that containers which keep failing are started again, each after the longest back-off and after at least so many starts.
    #[must_use]
    pub fn only_restarts(&self, starts: u32) -> bool {
        let again = |(_, id): &(Timestamp, PodId)| self.residents.get(id).is_some_and(|resident| only_restarts(resident, starts));
        !self.timers.is_empty() && self.runtime.next_end().is_none() && self.timers.iter().all(again)
    }

    /// The name of the node that pods are given.
    #[must_use]
    pub fn node_name(&self) -> Text {
        self.node.name()
    }

    /// Whether it knows a pod that has not ended.
    #[must_use]
    pub fn has_residents(&self) -> bool {
        !self.residents.is_empty() || !self.by_uid.is_empty()
    }

    /// The pods that were found stuck and stay so, until something happens to them: as of the first tick.
    pub fn stuck(&self) -> impl Iterator<Item = PodFoundStuck> {
        self.residents.values().filter_map(Resident::stuck)
    }

    /// Has a pod that was found stay as it is, until the runtime knows how it goes on: containers that wait go on waiting, and those that run run on. Why
    /// is in `message`, which may be empty. This is to be known before the first tick.
    pub fn hold(&mut self, uid: &str, message: Text) {
        let resident = self.by_uid.get(uid).and_then(|id| self.residents.get_mut(id));
        if let Some(former) = resident.and_then(|resident| resident.former.as_mut()) {
            former.held = Some(message);
        }
    }

    /// The number of a pod that has not ended.
    #[must_use]
    pub fn pod_id(&self, uid: &str) -> Option<PodId> {
        self.by_uid.get(uid).copied()
    }

    /// Makes a pod's running containers ready; returns whether one of them was not ready yet.
    pub fn make_ready(&mut self, pod: PodId, now: Timestamp) -> bool {
        let made = self.residents.get_mut(&pod).is_some_and(|resident| resident.make_ready(now));
        if made {
            self.set_timer(pod, Some(now));
        }
        made
    }

    /// Has the kubelet evict a pod, because its node is short of something; returns whether the pod is on the node and not being stopped.
    pub fn evict(&mut self, pod: PodId, now: Timestamp) -> bool {
        let Some(resident) = self.residents.get_mut(&pod).filter(|resident| matches!(resident.stage, PodStage::Active { .. })) else {
            return false;
        };
        resident.prospects.evict(now);
        self.set_timer(pod, Some(now));
        true
    }

    /// Loses the node: nothing more is heard of it and its pods. Pods that come later are given another node.
    pub fn lose_node(&mut self, now: Timestamp) {
        let lost: Vec<PodId> = self.residents.iter_mut().filter_map(|(id, resident)| resident.lose_node(now).then_some(*id)).collect();
        for id in lost {
            self.runtime.forget(id);
            self.set_timer(id, Some(now));
        }
        self.node = self.node.next();
    }

    /// Removes the nodes that were lost, or the one that is there if none was: their pods have failed and go.
    pub fn remove_node(&mut self, server: &mut ApiServer, now: Timestamp) {
        let mut collected = self.collect(server, now);
        if collected.is_empty() {
            self.lose_node(now);
            collected = self.collect(server, now);
        }
        for id in collected {
            self.dismiss(id);
        }
    }

    fn collect(&mut self, server: &mut ApiServer, now: Timestamp) -> Vec<PodId> {
        self.residents.iter_mut().filter_map(|(id, resident)| resident.collect(server, now).then_some(*id)).collect()
    }

    fn meet(&mut self, stored: &Stored, cron_job: Option<&Text>, now: Timestamp) {
        self.met += 1;
        let id = PodId(self.met);
        let course = self.runtime.meet(id, stored.metadata(), cron_job);
        let resident = Resident::new(id, stored, course, now);
        self.by_uid.insert(resident.uid.clone(), id);
        self.residents.insert(id, resident);
        self.set_timer(id, Some(now));
    }

    /// Has a pod attended to if this version of it is not known.
    fn look(&mut self, id: PodId, stored: &Stored, now: Timestamp) {
        if self.residents.get(&id).is_some_and(|resident| !resident.knows(stored)) {
            self.set_timer(id, Some(now));
        }
    }

    fn attend(&mut self, id: PodId, server: &mut ApiServer, now: Timestamp) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        let next = resident.attend(server, &mut self.runtime, self.node, now);
        self.sent.append(&mut resident.sent);
        match next {
            Next::Due(due) => self.set_timer(id, due),
            Next::Done => self.dismiss(id),
        }
    }

    fn dismiss(&mut self, id: PodId) {
        self.set_timer(id, None);
        self.runtime.forget(id);
        if let Some(resident) = self.residents.remove(&id) {
            self.by_uid.remove(&resident.uid);
        }
    }

    fn set_timer(&mut self, id: PodId, due: Option<Timestamp>) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if let Some(before) = std::mem::replace(&mut resident.due, due) {
            self.timers.remove(&(before, id));
        }
        if let Some(at) = due {
            self.timers.insert((at, id));
        }
    }
}

/// The UIDs of the pods on a node.
fn there_on<'s>(server: &'s ApiServer, node: &str) -> impl Iterator<Item = &'s Text> {
    let on_node = move |stored: &&Arc<Stored>| stored.pod().is_some_and(|pod| **pod.spec.node_name() == *node);
    server.objects(Kind::Pod).filter(on_node).map(|stored| &stored.metadata().uid)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use api::{Duration, time};
    use expect_test::expect;

    use super::*;
    use crate::garbage_collector::Dependence;
    use crate::testing::{noon, send_line, server};

    #[test]
    fn containers_that_end_in_their_own_time_are_waited_for() {
        let mut cluster =
            cluster(r#"{"metadata":{"name":"pi"},"spec":{"terminationGracePeriodSeconds":5,"containers":[{"name":"main"}]}}"#);
        cluster.tick(0);
        send_line(&mut cluster.server, "DELETE pods/pi", 3);
        assert_eq!([3, 4, 8, 9, 20].map(|second| cluster.tick(second)), [Some(8), Some(8), None, None, None]);
        let container = ContainerId { pod: PodId(1), place: 0 };
        cluster.kubelet.runtime.ended.push(Ended { container, exit_code: 137, reason: "Error", message: "gone".into(), at: at(21) });
        assert_eq!(cluster.tick(22), None);
        expect!["start main 1, TERM, KILL, forget"].assert_eq(&cluster.kubelet.runtime.calls.join(", "));
        assert!(cluster.server.object(Kind::Pod, "default", "pi").is_none());
    }

    #[test]
    fn pods_that_share_the_address_of_their_node_have_it() {
        let mut cluster = cluster(r#"{"metadata":{"name":"pi"},"spec":{"containers":[{"name":"main"}]}}"#);
        cluster.tick(0);
        let stored = cluster.server.object(Kind::Pod, "default", "pi").unwrap();
        let status = stored.pod().unwrap().status.json();
        assert!(status.contains(r#""hostIP":"127.0.0.1""#) && status.contains(r#""podIP":"127.0.0.1""#), "{status}");
    }

    #[test]
    fn another_pod_of_the_same_name_is_another_pod() {
        let pod = r#"{"metadata":{"name":"pi"},"spec":{"containers":[{"name":"main"}]}}"#;
        let mut cluster = cluster(pod);
        cluster.tick(0);
        send_line(&mut cluster.server, r#"DELETE pods/pi {"gracePeriodSeconds":0}"#, 1);
        send_line(&mut cluster.server, &format!("POST pods {pod}"), 1);
        cluster.kubelet.runtime.ended.push(Ended {
            container: ContainerId { pod: PodId(1), place: 0 },
            exit_code: 1,
            reason: "Error",
            message: Text::default(),
            at: at(1),
        });
        cluster.kubelet.tick(&mut cluster.server, at(1));
        cluster.tick(1);
        expect!["start main 1, forget, start main 1"].assert_eq(&cluster.kubelet.runtime.calls.join(", "));
    }

    struct Cluster {
        server: ApiServer,
        kubelet: Kubelet<Processes>,
    }

    fn cluster(pod: &str) -> Cluster {
        let mut server = server(Dependence::OnController);
        let kubelet = Kubelet::new(&mut server, Processes::default(), noon());
        send_line(&mut server, &format!("POST pods {pod}"), 0);
        Cluster { server, kubelet }
    }

    impl Cluster {
        /// Does what is due at this many seconds from the start, and returns when the next thing is due.
        fn tick(&mut self, second: i64) -> Option<i64> {
            self.kubelet.observe(&mut self.server, at(second));
            self.kubelet.tick(&mut self.server, at(second));
            self.kubelet.next_due().map(|due| due.duration_since(noon()).as_secs())
        }
    }

    fn at(second: i64) -> Timestamp {
        time::after(noon(), Duration::from_secs(second))
    }

    /// Containers that end when a test ends them, as processes do.
    #[derive(Default)]
    struct Processes {
        calls: Vec<String>,
        ended: Vec<Ended>,
    }

    impl Runtime for Processes {
        fn address(&self) -> Option<Ipv4Addr> {
            Some([127, 0, 0, 1].into())
        }

        fn start(&mut self, start: &Start<'_>, _: Timestamp) {
            self.calls.push(format!("start {} {}", start.name, start.number));
        }

        fn terminate(&mut self, _: ContainerId, _: Timestamp) {
            self.calls.push("TERM".to_owned());
        }

        fn kill(&mut self, _: ContainerId, _: Timestamp) {
            self.calls.push("KILL".to_owned());
        }

        fn forget(&mut self, _: PodId) {
            self.calls.push("forget".to_owned());
        }

        fn next_ended(&mut self, _: Timestamp) -> Option<Ended> {
            self.ended.pop()
        }

        fn next_end(&self) -> Option<Timestamp> {
            None
        }
    }
}
