//! The kubelet's containers as local processes.
//!
//! Docs: Container Runtime Interface (CRI). When a container is started and stopped is decided in `cluster::kubelet`; a process is run in `process.rs`.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use std::path::PathBuf;

use api::{Text, Timestamp};
use cluster::kubelet::{ContainerId, Ended, PodId, Runtime, Start};
use serde_json::Value;

use super::command::{ContainerCommand, LocalNode};
use super::log;
use super::process::{ProcessEvent, ProcessId, Processes, Signal, Stream};

/// Containers whose commands are processes of this machine.
pub struct Local {
    processes: Processes,
    node: LocalNode,
    log_dir: Option<PathBuf>,
    running: BTreeMap<ContainerId, ProcessId>,
    containers: BTreeMap<ProcessId, LocalContainer>,
    ended: VecDeque<Ended>,
}

struct LocalContainer {
    id: ContainerId,
    pod: Text,
    name: Text,
    /// Whether its pod has others.
    one_of_several: bool,
    /// Whether the kubelet has forgotten its pod.
    forgotten: bool,
}

/// Something to be shown to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Log {
    /// A container printed.
    Lines {
        /// Its pod.
        pod: Text,
        /// The container.
        container: Text,
        /// Whether the pod has others.
        one_of_several: bool,
        /// Where it printed to.
        stream: Stream,
        /// Whole lines, or a piece of a long one.
        lines: Vec<u8>,
    },
    /// A log file could not be written; reported once.
    Lost(String),
}

impl Local {
    /// Runs containers with these processes; their output is kept in files under `log_dir`, if that is given.
    #[must_use]
    pub fn new(processes: Processes, node: LocalNode, log_dir: Option<PathBuf>) -> Self {
        let (running, containers, ended) = Default::default();
        Self { processes, node, log_dir, running, containers, ended }
    }

    /// Whether no process is left.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.containers.is_empty() && self.ended.is_empty()
    }

    /// Handles what a process did; returns what to show of it.
    pub fn handle(&mut self, event: ProcessEvent) -> Option<Log> {
        match event {
            ProcessEvent::Started { .. } => None,
            ProcessEvent::Output { id, stream, lines } => {
                let LocalContainer { pod, name, one_of_several, .. } = self.containers.get(&id)?;
                Some(Log::Lines { pod: pod.clone(), container: name.clone(), one_of_several: *one_of_several, stream, lines })
            }
            ProcessEvent::LogLost { path, reason } => Some(Log::Lost(format!("{}: {reason}", path.display()))),
            ProcessEvent::Exited { id, end, at } => {
                let LocalContainer { id: container, forgotten, .. } = self.containers.remove(&id)?;
                if !forgotten {
                    self.running.remove(&container);
                    let (exit_code, reason, message) = (end.exit_code(), end.reason(), end.message().into());
                    self.ended.push_back(Ended { container, exit_code, reason, message, at });
                }
                None
            }
        }
    }

    /// Starts the command of a container, and returns whether its pod has others; why that cannot be done, if it cannot.
    fn launch(&mut self, start: &Start<'_>) -> Result<(ProcessId, bool), String> {
        let pod: Value = serde_json::from_str(&start.pod.json()).map_err(|error| error.to_string())?;
        let lists = ["containers", "initContainers"].map(|list| pod["spec"][list].as_array().map(Vec::as_slice).unwrap_or_default());
        let one_of_several = lists.iter().map(|list| list.len()).sum::<usize>() > 1;
        let container = lists.concat().into_iter().find(|container| container["name"] == **start.name);
        let container = container.ok_or_else(|| format!("the pod has no container {}", start.name))?;
        let command = ContainerCommand::of(&pod, &container, &self.node).map_err(|unrunnable| unrunnable.to_string())?;
        let log_file = self.log_dir.as_ref().map(|directory| log::path(directory, &start.pod.metadata().name, start.name));
        let process = self.processes.start(command, log_file).map_err(|error| format!("cannot start a process: {error}"))?;
        Ok((process, one_of_several))
    }

    fn signal(&self, container: ContainerId, signal: Signal) {
        if let Some(process) = self.running.get(&container) {
            self.processes.signal(*process, signal);
        }
    }
}

impl Runtime for Local {
    fn address(&self) -> Option<Ipv4Addr> {
        Some(self.node.address)
    }

    fn start(&mut self, start: &Start<'_>, now: Timestamp) {
        match self.launch(start) {
            Ok((process, one_of_several)) => {
                self.running.insert(start.container, process);
                let (pod, name) = (start.pod.metadata().name.clone(), start.name.clone());
                self.containers.insert(process, LocalContainer { id: start.container, pod, name, one_of_several, forgotten: false });
            }
            Err(reason) => self.ended.push_back(Ended {
                container: start.container,
                exit_code: 128,
                reason: "StartError",
                message: reason.into(),
                at: now,
            }),
        }
    }

    fn terminate(&mut self, container: ContainerId, _now: Timestamp) {
        self.signal(container, Signal::Term);
    }

    fn kill(&mut self, container: ContainerId, _now: Timestamp) {
        self.signal(container, Signal::Kill);
    }

    fn forget(&mut self, pod: PodId) {
        let first = ContainerId { pod, place: 0 };
        let forgotten: Vec<ContainerId> = self.running.range(first..).map(|(id, _)| *id).take_while(|id| id.pod == pod).collect();
        for container in forgotten {
            self.signal(container, Signal::Kill);
            if let Some(process) = self.running.remove(&container).and_then(|process| self.containers.get_mut(&process)) {
                process.forgotten = true;
            }
        }
        self.ended.retain(|ended| ended.container.pod != pod);
    }

    fn next_ended(&mut self, now: Timestamp) -> Option<Ended> {
        let ended = self.ended.pop_front()?;
        Some(Ended { at: ended.at.min(now), ..ended })
    }

    fn next_end(&self) -> Option<Timestamp> {
        self.ended.front().map(|ended| ended.at)
    }
}
