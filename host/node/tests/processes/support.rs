//! What the tests of local processes are written with: a node that waits for what it expects, and a look at what is alive.
//!
//! Docs: none of Kubernetes; proc(5).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use host_node::command::ContainerCommand;
use host_node::process::{ProcessEnd, ProcessEvent, ProcessId, Processes, Stream};

/// How long anything may take; only a failing test waits for it.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Node {
    pub(crate) processes: Processes,
    pub(crate) events: Receiver<ProcessEvent>,
}

/// All that was seen of a process.
pub(crate) struct Ended {
    pub(crate) started: bool,
    pub(crate) output: Vec<(Stream, Vec<u8>)>,
    pub(crate) end: ProcessEnd,
}

impl Ended {
    pub(crate) fn text(&self, of: Stream) -> String {
        let bytes: Vec<u8> = self.output.iter().filter(|(stream, _)| *stream == of).flat_map(|(_, lines)| lines.clone()).collect();
        String::from_utf8(bytes).unwrap()
    }
}

impl Node {
    pub(crate) fn new() -> Self {
        let (processes, events) = Processes::new(shim()).unwrap();
        Self { processes, events }
    }

    pub(crate) fn start(&mut self, command: ContainerCommand) -> ProcessId {
        self.processes.start(command, None).unwrap()
    }

    pub(crate) fn next(&self) -> ProcessEvent {
        match self.events.recv_timeout(PATIENCE) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => panic!("nothing happens"),
            Err(RecvTimeoutError::Disconnected) => panic!("the node is gone"),
        }
    }

    pub(crate) fn wait_for_start(&self, process: ProcessId) -> u32 {
        loop {
            match self.next() {
                ProcessEvent::Started { id, pid } if id == process => return pid,
                ProcessEvent::Exited { id, end, .. } if id == process => panic!("{end:?}"),
                ProcessEvent::Started { .. } | ProcessEvent::Output { .. } | ProcessEvent::Exited { .. } | ProcessEvent::LogLost { .. } => {
                }
            }
        }
    }

    pub(crate) fn wait_for_output(&self, process: ProcessId, text: &str) {
        let mut seen = String::new();
        while !seen.ends_with(text) {
            match self.next() {
                ProcessEvent::Output { id, lines, .. } if id == process => seen.push_str(&String::from_utf8(lines).unwrap()),
                ProcessEvent::Exited { id, end, .. } if id == process => panic!("{end:?}"),
                ProcessEvent::Started { .. } | ProcessEvent::Output { .. } | ProcessEvent::Exited { .. } | ProcessEvent::LogLost { .. } => {
                }
            }
        }
    }

    pub(crate) fn wait_for_end(&self, process: ProcessId) -> Ended {
        self.wait_for_ends(&[process]).remove(&process).unwrap()
    }

    pub(crate) fn wait_for_ends(&self, processes: &[ProcessId]) -> BTreeMap<ProcessId, Ended> {
        let mut seen = BTreeMap::<ProcessId, (bool, Vec<(Stream, Vec<u8>)>)>::new();
        let mut ended = BTreeMap::new();
        while ended.len() < processes.len() {
            match self.next() {
                ProcessEvent::Started { id, .. } => seen.entry(id).or_default().0 = true,
                ProcessEvent::Output { id, stream, lines } => seen.entry(id).or_default().1.push((stream, lines)),
                ProcessEvent::Exited { id, end, .. } if processes.contains(&id) => {
                    let (started, output) = seen.remove(&id).unwrap_or_default();
                    ended.insert(id, Ended { started, output, end });
                }
                ProcessEvent::Exited { .. } => {}
                other @ ProcessEvent::LogLost { .. } => panic!("{other:?}"),
            }
        }
        ended
    }
}

pub(crate) fn shim() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_jobsmith-node"))
}

pub(crate) fn command(argv: &[&str]) -> ContainerCommand {
    ContainerCommand {
        argv: argv.iter().map(|text| (*text).to_owned()).collect(),
        env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        working_dir: None,
    }
}

/// A shell script whose processes can be found by a variable.
pub(crate) fn marked(marker: &str, script: &str) -> ContainerCommand {
    let mut command = command(&["sh", "-c", script]);
    command.env.insert("MARKER".to_owned(), marker.to_owned());
    command
}

pub(crate) fn run(argv: &[&str]) -> Ended {
    run_command(command(argv))
}

pub(crate) fn run_command(command: ContainerCommand) -> Ended {
    let mut node = Node::new();
    let id = node.start(command);
    node.wait_for_end(id)
}

pub(crate) fn marker() -> String {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    format!("marker-{}-{}-end", std::process::id(), NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
}

/// The numbers of all processes but this one that have the marker in their environment.
pub(crate) fn alive(marker: &str) -> Vec<u32> {
    let own = std::process::id();
    let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let marked = |pid: &u32| {
        fs::read(format!("/proc/{pid}/environ")).is_ok_and(|text| text.windows(marker.len()).any(|window| window == marker.as_bytes()))
    };
    pids.filter(|pid| *pid != own && marked(pid)).collect()
}

pub(crate) fn parent(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().parse().unwrap()
}

pub(crate) fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten();
    tasks
        .flat_map(|task| {
            fs::read_to_string(task.path().join("children"))
                .unwrap()
                .split_ascii_whitespace()
                .map(|child| child.parse().unwrap())
                .collect::<Vec<u32>>()
        })
        .collect()
}

/// The files above 2 that the caller of the tests left open for every process below; not of the node's making.
pub(crate) fn inheritable_files() -> Vec<String> {
    const CLOSE_ON_EXEC: u32 = 0o2_000_000;
    let files = fs::read_dir("/proc/self/fdinfo").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let flags = |file: &u32| {
        let text = fs::read_to_string(format!("/proc/self/fdinfo/{file}")).ok()?;
        u32::from_str_radix(text.lines().find_map(|line| line.strip_prefix("flags:"))?.trim(), 8).ok()
    };
    files
        .filter(|file: &u32| *file > 2 && flags(file).is_some_and(|flags| flags & CLOSE_ON_EXEC == 0))
        .map(|file| file.to_string())
        .collect()
}

/// Writes a file. Another process does it: a copy of an open file that a test beside this one passes on for a moment would keep it from being executed.
pub(crate) fn script(directory: &Path, name: &str, content: &str, mode: &str) -> String {
    let path = directory.join(name).to_str().unwrap().to_owned();
    let written = std::process::Command::new("sh")
        .args(["-c", "printf %s \"$2\" >\"$1\" && chmod \"$3\" \"$1\"", "sh", &path, content, mode])
        .status();
    assert!(written.unwrap().success());
    path
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("jobsmith-processes-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

pub(crate) fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
