//! What runs containers for the kubelet: all in which scripted containers and local processes differ.
//!
//! Docs: Container Runtime Interface (CRI); Container Lifecycle Hooks. When a container starts, restarts or is stopped is decided in
//! `resident.rs`; scripted containers are in `script`.

use std::net::Ipv4Addr;

use api::{Duration, ObjectMeta, Text, Timestamp, time};

use super::disruption::PodDisruption;
use crate::stored::Stored;

/// What runs containers.
///
/// A container is started, perhaps stopped, perhaps killed, and ends: its end is reported once by [`next_ended`](Runtime::next_ended). It
/// may be started again then. A pod is forgotten when the kubelet has no more to do with it, whatever state its containers are in.
pub trait Runtime {
    /// The address of the node and all its pods, if they share one; by default each has an address that is made up.
    fn address(&self) -> Option<Ipv4Addr> {
        None
    }

    /// Registers a pod that was just created; pods come in order of creation. By default the pod has a node at once and is left
    /// there. The CronJob is the one that controls the pod's Job, if one does.
    fn meet(&mut self, _pod: PodId, _metadata: &ObjectMeta, _cron_job: Option<&Text>) -> PodCourse {
        PodCourse::default()
    }

    /// How a start will go that is due. By default the container starts at once and is ready at once.
    fn prepare(&mut self, _start: &Start<'_>) -> StartCourse {
        StartCourse::default()
    }

    /// Starts a container that is not running. One that cannot be started has ended.
    fn start(&mut self, start: &Start<'_>, now: Timestamp);

    /// Goes on with a container that ran before this runtime was there. By default it is started, because its progress is unknown.
    fn resume(&mut self, start: &Start<'_>, _run: FormerRun, now: Timestamp) {
        self.start(start, now);
    }

    /// Sends `TERM` to a running container.
    fn terminate(&mut self, container: ContainerId, now: Timestamp);

    /// Sends `KILL` to a running container; it may have got `TERM` before.
    fn kill(&mut self, container: ContainerId, now: Timestamp);

    /// Forgets a pod, and kills what still runs of it; nothing more is reported about it.
    fn forget(&mut self, pod: PodId);

    /// The next container that has ended by this time and was not reported before.
    fn next_ended(&mut self, now: Timestamp) -> Option<Ended>;

    /// When the next container ends, if that is known in advance.
    fn next_end(&self) -> Option<Timestamp>;
}

/// The number of a pod among those that a kubelet has met, from 1, in the order in which they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PodId(pub u32);

/// One container of a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContainerId {
    /// The pod.
    pub pod: PodId,
    /// The container's place in the pod, from 0: init containers come first.
    pub place: u16,
}

/// What a container is in its pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContainerRole {
    /// An init container: it runs to its end before the next one starts.
    Init,
    /// A sidecar: an init container with `restartPolicy: Always`.
    Sidecar,
    /// One of `spec.containers`.
    Regular,
}

/// A start of a container.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The container.
    pub container: ContainerId,
    /// Its pod as it is stored; it has a node and addresses.
    pub pod: &'a Stored,
    /// The container's name.
    pub name: &'a Text,
    /// What it is in its pod.
    pub role: ContainerRole,
    /// Which start of the container in its pod this is, from 1.
    pub number: u32,
}

/// A run of a container that began before its runtime was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormerRun {
    /// When it began.
    pub started_at: Timestamp,
    /// When it was sent `TERM`, if it was.
    pub terminated_at: Option<Timestamp>,
    /// Whether it was found stuck, and runs on.
    pub held: bool,
}

/// When something comes to an end that takes this long and began before: if it should have ended by now, its progress is unknown, and it begins again.
#[must_use]
pub fn continued(since: Timestamp, length: Duration, now: Timestamp) -> Timestamp {
    let end = time::after(since, length);
    if end > now { end } else { time::after(now, length) }
}

/// How long something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delay {
    /// So long.
    After(Duration),
    /// It does not come to pass.
    Never,
}

impl Delay {
    /// No time at all.
    pub const NONE: Self = Self::After(Duration::ZERO);
}

/// What happens to a pod, apart from its containers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PodCourse {
    /// How long the pod waits for a node, if that is known: otherwise it has one at once, unless it was found without.
    pub scheduled: Option<Delay>,
    /// How it is disrupted, if it is, and how long it has had a node then.
    pub disrupted: Option<(PodDisruption, Duration)>,
    /// The type of the condition that becomes True, if one does, and how long the pod has had a node then.
    pub condition: Option<(Text, Duration)>,
}

/// How the start of a container goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartCourse {
    /// How long its image is pulled, if that is known: otherwise it is there at once, unless the container was found stuck.
    pub starts: Option<Delay>,
    /// How long it runs before it is ready.
    pub ready: Delay,
    /// Whether it is known how it ends: otherwise a container that was found stuck runs on.
    pub ends: bool,
}

impl Default for StartCourse {
    fn default() -> Self {
        Self { starts: None, ready: Delay::NONE, ends: false }
    }
}

/// The end of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The container.
    pub container: ContainerId,
    /// Its exit code; 128 + the signal's number if a signal ended it.
    pub exit_code: i32,
    /// Why, in one word, as the API reports it: `Completed`, `Error`, `StartError`.
    pub reason: &'static str,
    /// A message about it; may be empty.
    pub message: Text,
    /// When it ended.
    pub at: Timestamp,
}
