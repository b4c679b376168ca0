//! Writing to standard output and standard error: a closed pipe is not an error, and at the end a reader that does not read is not waited for.
//!
//! Docs: none of Kubernetes'. Colours are used on a terminal, unless `NO_COLOR` is set.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

/// How what happens is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Whether the reader of standard output is known to read.
static READ: AtomicBool = AtomicBool::new(true);
/// Whether something was lost because standard output could not be written to.
static LOST: AtomicBool = AtomicBool::new(false);
/// Whether readers that do not read are no longer waited for.
static HURRIED: AtomicBool = AtomicBool::new(false);

/// Standard output, written to at once. After the first error nothing is written.
pub(crate) struct Out;

impl Write for Out {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if !READ.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        patience::write(io::stdout(), text).inspect_err(|error| {
            READ.store(false, Ordering::Relaxed);
            if !matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::TimedOut) {
                LOST.store(true, Ordering::Relaxed);
                self::error(&format!("cannot write to standard output: {error}"));
            }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the reader of standard output has gone; always false once readers are no longer waited for.
pub(crate) fn reader_gone() -> bool {
    !READ.load(Ordering::Relaxed) && !HURRIED.load(Ordering::Relaxed)
}

/// Whether something was lost because standard output could not be written to.
pub(crate) fn lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// From here on, nothing waits long for a reader.
pub(crate) fn hurry() {
    HURRIED.store(true, Ordering::Relaxed);
}

/// Writes text to standard output. Does nothing once the reader has gone.
pub(crate) fn text(text: &str) {
    bytes(text.as_bytes());
}

/// The same with bytes.
pub(crate) fn bytes(bytes: &[u8]) {
    let _ = Out.write_all(bytes);
}

/// Writes text to standard error.
pub(crate) fn complain(text: &str) {
    let mut rest = text.as_bytes();
    while let Ok(written @ 1..) = patience::write(io::stderr(), rest) {
        rest = &rest[written..];
    }
}

/// Prints what is wrong, on one line.
pub(crate) fn error(message: &str) {
    complain(&format!("error: {message}\n"));
}

/// As in `1 Job`, `2 Jobs`.
pub(crate) fn number(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Whether what is written here may have colours.
pub(crate) fn colour(to: &impl IsTerminal) -> bool {
    to.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Whether a picture can be drawn: on a terminal that can move its cursor.
pub(crate) fn picture() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal() && std::env::var_os("TERM").is_some_and(|kind| kind != "dumb")
}

/// Writes only what fits, so that a reader that does not read cannot block an interruption.
#[cfg(target_os = "linux")]
mod patience {
    use std::io;
    use std::os::fd::AsFd;
    use std::sync::atomic::Ordering;
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    /// How much is written at a time: a pipe that has room accepts this many bytes at once.
    const ROOM: usize = 4096;
    /// How often to check whether there is a hurry.
    const GLANCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    /// How long to wait for a reader in a hurry.
    const HASTE: Duration = Duration::from_secs(1);

    pub(super) fn write(to: impl AsFd, text: &[u8]) -> io::Result<usize> {
        let begin = Instant::now();
        loop {
            let mut polled = [PollFd::new(&to, PollFlags::OUT)];
            let ready = poll(&mut polled, Some(&GLANCE)).unwrap_or(0) > 0;
            if ready {
                match rustix::io::write(&to, &text[..text.len().min(ROOM)]) {
                    Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
                    written => return Ok(written?),
                }
            }
            if super::HURRIED.load(Ordering::Relaxed) && begin.elapsed() > HASTE {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }
}

/// Writing where there is no Linux, and no process to be left behind.
#[cfg(not(target_os = "linux"))]
mod patience {
    use std::io::{self, Write};

    pub(super) fn write(mut to: impl Write, text: &[u8]) -> io::Result<usize> {
        to.write(text).and_then(|written| to.flush().map(|()| written))
    }
}
