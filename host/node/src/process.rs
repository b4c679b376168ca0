//! Events of local processes: what they print, and how they end.
//!
//! Docs: Pod Lifecycle, "Container states"; Kubernetes API, ContainerStateTerminated. They are started and signalled in `processes.rs`.

use std::path::PathBuf;

use api::Timestamp;
use serde::{Deserialize, Serialize};

#[cfg(not(target_os = "linux"))]
pub use super::elsewhere::Processes;
#[cfg(target_os = "linux")]
pub use super::processes::Processes;

/// One run of a container's command, unique within a [`Processes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub(super) u64);

/// A signal that a node sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `TERM`, to the command's process group: the beginning of the grace period.
    Term,
    /// `KILL`, to everything that the container started.
    Kill,
}

/// Where a command prints to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Something that happened to a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEvent {
    /// The command runs; the first event about it, unless it could not be started.
    Started {
        /// The process.
        id: ProcessId,
        /// The operating system's number for the command.
        pid: u32,
    },
    /// The command, or something that it started, printed.
    Output {
        /// The process.
        id: ProcessId,
        /// Where it printed to.
        stream: Stream,
        /// One or more whole lines with their newlines, or a piece of a line longer than 64 KiB.
        lines: Vec<u8>,
    },
    /// The process ended and nothing of it is left; the last event about it.
    Exited {
        /// The process.
        id: ProcessId,
        /// How it ended.
        end: ProcessEnd,
        /// When its end was seen.
        at: Timestamp,
    },
    /// A log file could not be written; only the first failure is reported.
    LogLost {
        /// The file.
        path: PathBuf,
        /// Why, and that the output is not kept.
        reason: String,
    },
}

/// The exit code of a container that could not be started, as containerd reports it.
const NOT_STARTED: i32 = 128;

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProcessEnd {
    /// The command ended with this exit code.
    Exited(i32),
    /// A signal ended the command.
    Signaled(i32),
    /// The command could not be started.
    NotStarted {
        /// Why, in a sentence.
        message: String,
    },
}

impl ProcessEnd {
    /// `exitCode` as the API reports it: 128 + the signal's number if a signal ended the command.
    #[must_use]
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Exited(code) => *code,
            Self::Signaled(signal) => 128 + signal,
            Self::NotStarted { .. } => NOT_STARTED,
        }
    }

    /// `reason` as the API reports it.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Exited(0) => "Completed",
            Self::Exited(_) | Self::Signaled(_) => "Error",
            Self::NotStarted { .. } => "StartError",
        }
    }

    /// `message` as the API reports it: empty, unless the command could not be started.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Exited(_) | Self::Signaled(_) => "",
            Self::NotStarted { message, .. } => message,
        }
    }
}
