//! The messages of this program, the shim and the launcher of a container to one another over sockets.
//!
//! Docs: Container Runtimes. The three are `processes.rs`, `shim.rs` and `launch.rs`. A message is one line of JSON; after the first, this
//! program sends the shim single bytes, which are orders. Each side takes the end of the stream for the end of the other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::command::ContainerCommand;
use super::process::ProcessEnd;

/// The executable that shim and launcher run.
pub(super) const OWN_EXECUTABLE: &str = "/proc/self/exe";
/// The first argument of a shim.
pub(super) const SHIM: &str = "__container-shim";
/// The first argument of a launcher; the second is the shim's process number.
pub(super) const LAUNCH: &str = "__container-launch";

/// The order to send `TERM` to the container's process group.
pub(super) const TERM: u8 = b'T';
/// The order to kill the container, as the end of the stream is.
pub(super) const KILL: u8 = b'K';

/// What is to be launched: the first message to the shim, which hands it on to the launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Launch {
    pub command: ContainerCommand,
    /// How many files the command may open; absent: as many as it likes.
    pub open_files: Option<u64>,
}

/// What the shim reports; `Ended` is the last, and comes when nothing of the container is left.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ShimReport {
    Started { pid: u32 },
    Ended(ProcessEnd),
}

/// Sends one message.
pub(super) fn send(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// Receives one message; `None` at the end of the stream.
pub(super) fn receive<T: DeserializeOwned>(from: &mut BufReader<impl Read>) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    if line.is_empty() { Ok(None) } else { Ok(Some(serde_json::from_slice(&line)?)) }
}

/// The socket that a shim or a launcher was given as its standard input.
pub(super) fn inherited_socket() -> io::Result<UnixStream> {
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}
