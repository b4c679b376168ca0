//! Running containers' commands as local processes: starting and signalling them, and leaving none behind.
//!
//! Docs: Pod Lifecycle, "Container states", "Termination of Pods". When to do so is decided by the kubelet in `cluster`. What is watched of a
//! running process is in `supervisor.rs`; the other side is `shim.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Resource, Rlimit, WaitOptions, getpid, getrlimit, getsid, set_child_subreaper, setrlimit, waitpid};

use super::command::ContainerCommand;
use super::descendants::{self, Process};
use super::log::LogFile;
use super::process::{ProcessEvent, ProcessId, Signal};
use super::protocol::{KILL, Launch, SHIM, TERM, send};
use super::supervisor::Supervisor;

/// How many events wait to be received before containers that print have to wait too; the largest hold 128 KiB.
const WAITING_EVENTS: usize = 64;

/// How long the end of this value waits for processes that were signalled to end. They only outlast it if this user may not kill them.
const PATIENCE: Duration = Duration::from_secs(5);

/// The local processes of a node. Dropping it kills all of them.
///
/// Where a value of this type is made, orphans of a killed shim become children of the program, which kills them. They are distinguished from other
/// children of the program by their session: those must stay in the session of the program.
#[derive(Debug)]
pub struct Processes {
    shim: PathBuf,
    events: SyncSender<ProcessEvent>,
    running: Arc<RunningProcesses>,
    last: u64,
    /// How many files a command may open, as this program could before it raised its own limit.
    open_files: Option<u64>,
}

/// The control sockets of what runs, and whether a log file was lost.
#[derive(Debug, Default)]
pub(super) struct RunningProcesses {
    controls: Mutex<BTreeMap<ProcessId, Arc<UnixStream>>>,
    pub log_lost: std::sync::atomic::AtomicBool,
}

impl RunningProcesses {
    fn controls(&self) -> MutexGuard<'_, BTreeMap<ProcessId, Arc<UnixStream>>> {
        self.controls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn remove(&self, id: ProcessId) {
        self.controls().remove(&id);
    }
}

impl Processes {
    /// A node without processes, and the channel of their events. Somebody must keep receiving, or drop the receiver: commands whose output
    /// nobody takes wait.
    ///
    /// `shim` is the executable whose `main` begins with [`stand_in`](super::stand_in): `/proc/self/exe`, where that is this program.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn new(shim: &Path) -> io::Result<(Self, Receiver<ProcessEvent>)> {
        set_child_subreaper(Some(getpid()))?;
        let limit = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit })?;
        let (events, receiver) = sync_channel(WAITING_EVENTS);
        Ok((Self { shim: shim.to_owned(), events, running: Arc::default(), last: 0, open_files: limit.current }, receiver))
    }

    /// Starts a command, whose output is also kept in `log_file` if there is one. Its events show whether it could be executed.
    ///
    /// # Errors
    /// If this machine cannot start another process; there are no events then.
    pub fn start(&mut self, command: ContainerCommand, log_file: Option<PathBuf>) -> io::Result<ProcessId> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut shim = spawn(&self.shim, theirs)?;
        self.last += 1;
        let id = ProcessId(self.last);
        let control = Arc::new(ours);
        let outputs = [shim.stdout.take().map(OwnedFd::from), shim.stderr.take().map(OwnedFd::from)];
        let supervisor =
            Supervisor::new(id, Arc::clone(&control), outputs, log_file.map(LogFile::at), self.events.clone(), Arc::clone(&self.running));

        self.running.controls().insert(id, Arc::clone(&control));
        // A shim that ends before it has heard of its command reports nothing, and that is noticed by its supervisor.
        let _ = send(&*control, &Launch { command, open_files: self.open_files });
        let supervised = thread::Builder::new().name("container".to_owned()).stack_size(256 * 1024).spawn(move || supervisor.run(shim));
        if let Err(error) = supervised {
            self.running.remove(id);
            control.shutdown(Shutdown::Both)?;
            return Err(error);
        }
        Ok(id)
    }

    /// Signals a process; one that has ended is left alone.
    pub fn signal(&self, id: ProcessId, signal: Signal) {
        let Some(control) = self.running.controls().get(&id).cloned() else { return };
        let order = match signal {
            Signal::Term => TERM,
            Signal::Kill => KILL,
        };
        // A shim that takes no orders is at its end.
        let _ = (&*control).write_all(&[order]);
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        let controls: Vec<_> = self.running.controls().values().cloned().collect();
        for control in &controls {
            // The end of orders is the order to kill.
            let _ = control.shutdown(Shutdown::Write);
        }
        let deadline = Instant::now() + PATIENCE;
        for control in &controls {
            wait_for_hangup(control, deadline.saturating_duration_since(Instant::now()));
        }
    }
}

/// Waits until the other side of a socket is closed, as it is once nothing of the container is left.
fn wait_for_hangup(control: &UnixStream, patience: Duration) {
    let Ok(timeout) = Timespec::try_from(patience) else { return };
    // No event is requested: a hang-up is always reported, and reports that wait to be read are not of interest.
    let _ = poll(&mut [PollFd::new(control, PollFlags::empty())], Some(&timeout));
}

/// The numbers of all shims that this program has started and not seen the end of.
static SHIMS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn spawn(shim: &Path, control: UnixStream) -> io::Result<Child> {
    // Locked over both steps, so that every shim that is a child is registered.
    let mut shims = SHIMS.lock().unwrap_or_else(PoisonError::into_inner);
    let child = std::process::Command::new(shim)
        .arg0("container-shim")
        .arg(SHIM)
        .stdin(Stdio::from(OwnedFd::from(control)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    shims.insert(number(&child));
    Ok(child)
}

/// Handles the end of a shim, and if it was `killed` itself, kills what it left behind.
pub(super) fn bury(mut shim: Child, killed: bool) {
    // It fails only if the child was waited for before.
    let _ = shim.wait();
    let mut shims = SHIMS.lock().unwrap_or_else(PoisonError::into_inner);
    shims.remove(&number(&shim));
    if killed {
        end_orphans(&shims);
    }
}

/// Kills the children that this program was left by shims, with all that descends from them, until there are none.
fn end_orphans(shims: &BTreeSet<i32>) {
    let own = Pid::as_raw(Some(getpid()));
    let session = getsid(None).map_or(own, |session| Pid::as_raw(Some(session)));
    loop {
        let all = descendants::all();
        let orphan = |process: &&Process| process.parent == own && process.session != session && !shims.contains(&process.pid);
        let orphans: Vec<Process> = all.iter().filter(orphan).copied().collect();
        for process in descendants::of(orphans.iter().map(|orphan| orphan.pid), &all) {
            descendants::kill(&process);
        }
        let killed: Vec<Process> = orphans.into_iter().filter(descendants::kill).collect();
        if killed.is_empty() {
            return;
        }
        for orphan in killed {
            // What it had started comes here with its end.
            let _ = waitpid(Pid::from_raw(orphan.pid), WaitOptions::empty());
        }
    }
}

fn number(child: &Child) -> i32 {
    Pid::as_raw(Some(Pid::from_child(child)))
}
