//! A node that runs containers' commands as local processes, and leaves none of them behind.
//!
//! Docs: Nodes; Pod Lifecycle, "Container states". When a container starts, restarts or is ended is decided by the kubelet in `cluster`:
//! here is only what it takes to do so with real processes.
//!
//! `admission.rs` finds what of a pod template cannot be done on this machine, `command.rs` makes a command of a container, and `process.rs`
//! runs it. Between this program and each container stands one small process, the shim, which is this same executable:
//!
//! ```text
//! jobsmith ── shim (own session, subreaper) ── the container's command (own process group) ── whatever it starts
//! ```
//!
//! | who ends | what takes the rest away |
//! |---|---|
//! | the container's command | the shim: it kills all of its descendants, and only then reports the exit code |
//! | this program, even by `KILL` | the shim: the socket between them is at its end, which is the order to kill |
//! | the shim, even by `KILL` | the kernel, which kills the command; what that had started comes to this program, which kills it |
//!
//! Only what a command started beside itself can survive, and only if this program and the shim are killed in one instant.

pub mod admission;
pub mod command;
mod environment;
mod expansion;
mod fields;
pub mod log;
pub mod process;
pub mod runtime;
pub mod terminal;

#[cfg(target_os = "linux")]
mod descendants;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod lines;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod protocol;
#[cfg(target_os = "linux")]
mod shim;
#[cfg(target_os = "linux")]
mod supervisor;

/// Does the work of a shim or a launcher, if this process was started as one: the first thing that `main` does.
///
/// `arguments` are those of the process, its own name included. The exit code is that of a process that has done its work.
#[must_use]
pub fn stand_in(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Option<std::process::ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    match arguments.next()?.to_str()? {
        #[cfg(target_os = "linux")]
        protocol::SHIM => Some(shim::run()),
        #[cfg(target_os = "linux")]
        protocol::LAUNCH => Some(launch::run(&arguments.next()?)),
        _ => None,
    }
}
