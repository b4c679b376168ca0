//! The shim: the process between this program and one container, which outlives both just long enough to leave nothing behind.
//!
//! Docs: prctl(2), PR_SET_CHILD_SUBREAPER; Pod Lifecycle, "Termination of Pods". As in Kubernetes, the end of a container's first process is
//! the end of the container. Who gives the orders is `processes.rs`; who becomes the command is `launch.rs`.

use std::io::{self, BufReader, Read};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::io::{Errno, retry_on_intr};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group, set_child_subreaper, setsid,
    wait, waitid,
};

use super::descendants;
use super::process::ProcessEnd;
use super::protocol::{KILL, LAUNCH, Launch, OWN_EXECUTABLE, ShimReport, TERM, inherited_socket, receive, send};

/// The container's command while it may be signalled: `None` once it was reaped, after which its number may be another's.
type SignalTarget = Arc<Mutex<Option<Pid>>>;

/// Runs one container: the order to launch it comes over standard input, and reports go there.
pub(super) fn run() -> ExitCode {
    match shim() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn shim() -> io::Result<()> {
    // Another name than the program's, so that killing the program by name spares this one, and another session, so that Ctrl-C stays there.
    rustix::thread::set_name(c"container-shim")?;
    setsid()?;
    set_child_subreaper(Some(getpid()))?;

    let control = inherited_socket()?;
    let mut orders = BufReader::new(control.try_clone()?);
    let Some(launch) = receive::<Launch>(&mut orders)? else { return Ok(()) };
    let (ours, theirs) = UnixStream::pair()?;
    let main = match spawn(theirs) {
        Ok(main) => main,
        Err(error) => {
            let message = format!("cannot start a process: {error}");
            return send(&control, &ShimReport::Ended(ProcessEnd::NotStarted { message }));
        }
    };
    let target: SignalTarget = Arc::new(Mutex::new(Some(main)));
    let obeying = Arc::clone(&target);
    thread::Builder::new().stack_size(64 * 1024).spawn(move || obey(orders, &obeying))?;

    // The launcher closes its end by becoming the command; if it cannot, it reports why.
    let refused: Option<ProcessEnd> = send(&ours, &launch).and_then(|()| receive(&mut BufReader::new(&ours))).unwrap_or_default();
    if refused.is_none() {
        // This program may be gone already; its end comes as an order.
        let _ = send(&control, &ShimReport::Started { pid: main.as_raw_nonzero().get().unsigned_abs() });
    }
    let status = end_of(main, &target)?;
    end_descendants()?;
    let _ = send(&control, &ShimReport::Ended(refused.unwrap_or_else(|| end(status))));
    control.shutdown(Shutdown::Both)
}

/// Starts the launcher in a process group of its own, with the container's output and nothing else that is open here.
fn spawn(socket: UnixStream) -> io::Result<Pid> {
    let child = Command::new(OWN_EXECUTABLE)
        .arg0("container")
        .args([LAUNCH, &Pid::as_raw(Some(getpid())).to_string()])
        .stdin(Stdio::from(OwnedFd::from(socket)))
        .process_group(0)
        .spawn()?;
    Ok(Pid::from_child(&child))
}

/// Carries out orders until there are no more, which is an order to kill. Other processes of the container are killed after its command.
fn obey(orders: BufReader<UnixStream>, target: &SignalTarget) {
    for order in orders.bytes().map_while(Result::ok).chain([KILL]) {
        let target = target.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(main) = *target else { return };
        // The group is gone, or the command has left it, if this fails.
        match order {
            TERM => drop(kill_process_group(main, Signal::TERM)),
            _ => {
                let _ = kill_process_group(main, Signal::KILL);
                let _ = kill_process(main, Signal::KILL);
            }
        }
    }
}

/// Waits for the end of the command, taking in the ends of all that came here from it, as the first process of a container should.
fn end_of(main: Pid, target: &SignalTarget) -> io::Result<WaitStatus> {
    loop {
        retry_on_intr(|| waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT))?;
        let mut target = target.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((pid, status)) = wait(WaitOptions::NOHANG)?
            && pid == main
        {
            *target = None;
            return Ok(status);
        }
    }
}

/// Kills all that descends from here, until there is nothing.
fn end_descendants() -> io::Result<()> {
    loop {
        // A subreaper without children has no descendants.
        match wait(WaitOptions::NOHANG) {
            Err(Errno::CHILD) => return Ok(()),
            Ok(Some(_)) => continue,
            Ok(None) | Err(_) => {}
        }
        for process in descendants::of([Pid::as_raw(Some(getpid()))], &descendants::all()) {
            descendants::kill(&process);
        }
        // Each of them ends, and what it started meanwhile comes here then: one end is enough to look again.
        let _ = retry_on_intr(|| wait(WaitOptions::empty()));
    }
}

fn end(status: WaitStatus) -> ProcessEnd {
    match status.terminating_signal() {
        Some(signal) => ProcessEnd::Signaled(signal),
        None => ProcessEnd::Exited(status.exit_status().unwrap_or_default()),
    }
}
