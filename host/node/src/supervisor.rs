//! Watching one process: its output on the way to the log file and the terminal, its reports, its end.
//!
//! Docs: Logging Architecture, "How nodes handle container logs". The reports are described in `protocol.rs`; starting and signalling is
//! in `processes.rs`.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

use api::Timestamp;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::lines::LineBuffer;
use super::log::LogFile;
use super::process::{ProcessEnd, ProcessEvent, ProcessId, Stream};
use super::processes::{RunningProcesses, bury};
use super::protocol::ShimReport;

/// How much is read at a time, in bytes: what a pipe holds.
const CHUNK: usize = 64 * 1024;

/// What is watched of one process.
pub(super) struct Supervisor {
    id: ProcessId,
    control: Arc<UnixStream>,
    /// The beginning of a report whose end has not come.
    report: Vec<u8>,
    /// Whether the first report has come; until then no output is read, so that no event of a command comes before its start.
    reported: bool,
    end: Option<ProcessEnd>,
    outputs: [Output; 2],
    log: Option<LogFile>,
    events: SyncSender<ProcessEvent>,
    running: Arc<RunningProcesses>,
}

/// One of the streams that a process prints to.
struct Output {
    stream: Stream,
    /// `None` after its end.
    pipe: Option<File>,
    lines: LineBuffer,
}

/// Whether the control socket and each of the outputs have something to read.
struct Readable {
    control: bool,
    outputs: [bool; 2],
}

impl Supervisor {
    pub(super) fn new(
        id: ProcessId,
        control: Arc<UnixStream>,
        outputs: [Option<OwnedFd>; 2],
        log: Option<LogFile>,
        events: SyncSender<ProcessEvent>,
        running: Arc<RunningProcesses>,
    ) -> Self {
        let [stdout, stderr] = outputs;
        let output = |stream, pipe: Option<OwnedFd>| Output { stream, pipe: pipe.map(File::from), lines: LineBuffer::default() };
        let outputs = [output(Stream::Stdout, stdout), output(Stream::Stderr, stderr)];
        Self { id, control, report: Vec::new(), reported: false, end: None, outputs, log, events, running }
    }

    /// Watches until nothing of the process is left, and sends its end last.
    pub(super) fn run(mut self, shim: Child) {
        let mut buffer = vec![0; CHUNK];
        loop {
            let readable = self.readable(None);
            self.forward(readable.outputs, &mut buffer);
            if readable.control && !self.take_reports(&mut buffer) {
                break;
            }
        }
        self.running.remove(self.id);
        let at = Timestamp::now();
        bury(shim, self.end.is_none());

        // All that was printed is in the pipes, also if the shim was killed before it reported. Their ends need not come: a process that may
        // not be killed may hold them open.
        self.reported = true;
        loop {
            let readable = self.readable(Some(&Timespec::default()));
            if readable.outputs == [false; 2] {
                break;
            }
            self.forward(readable.outputs, &mut buffer);
        }
        for output in 0..self.outputs.len() {
            let last = self.outputs[output].lines.finish();
            self.print(output, last);
        }
        // Without a report, the shim was killed, and its container with it.
        let end = self.end.take().unwrap_or(ProcessEnd::Signaled(rustix::process::Signal::KILL.as_raw()));
        self.send(ProcessEvent::Exited { id: self.id, end, at });
    }

    fn readable(&self, timeout: Option<&Timespec>) -> Readable {
        let [stdout, stderr] =
            [&self.outputs[0], &self.outputs[1]].map(|output| output.pipe.as_ref().filter(|_| self.reported).map(File::as_fd));
        let sources: [Option<BorrowedFd<'_>>; 3] = [Some(self.control.as_fd()), stdout, stderr];
        let mut polled: Vec<PollFd<'_>> = sources.iter().flatten().map(|source| PollFd::from_borrowed_fd(*source, PollFlags::IN)).collect();
        let nothing = poll(&mut polled, timeout).is_err();
        let mut answers = polled.iter().map(|polled| !nothing && !polled.revents().is_empty());
        let [control, stdout, stderr] = sources.map(|source| source.is_some() && answers.next() == Some(true));
        Readable { control, outputs: [stdout, stderr] }
    }

    /// Passes on what can be read from the outputs, one chunk of each.
    fn forward(&mut self, readable: [bool; 2], buffer: &mut [u8]) {
        for (output, _) in readable.into_iter().enumerate().filter(|(_, readable)| *readable) {
            let Output { pipe, lines, .. } = &mut self.outputs[output];
            let read = pipe.as_mut().map_or(0, |pipe| pipe.read(buffer).unwrap_or(0));
            if read == 0 {
                *pipe = None;
                continue;
            }
            let lines = lines.push(&buffer[..read]);
            self.print(output, lines);
        }
    }

    fn print(&mut self, output: usize, lines: Vec<u8>) {
        if lines.is_empty() {
            return;
        }
        if let Some(log) = &mut self.log
            && let Err(error) = log.append(&lines)
            && !self.running.log_lost.swap(true, Ordering::Relaxed)
        {
            let path = log.path().to_owned();
            self.send(ProcessEvent::LogLost {
                path,
                reason: format!("cannot write the log file, so the output is shown but not kept: {error}"),
            });
        }
        self.send(ProcessEvent::Output { id: self.id, stream: self.outputs[output].stream, lines });
    }

    /// Handles reports of the shim; returns whether there may be more.
    fn take_reports(&mut self, buffer: &mut [u8]) -> bool {
        let read = (&*self.control).read(buffer).unwrap_or(0);
        for bytes in buffer[..read].split_inclusive(|byte| *byte == b'\n') {
            self.report.extend_from_slice(bytes);
            if bytes.last() != Some(&b'\n') {
                break;
            }
            self.reported = true;
            match serde_json::from_slice(&std::mem::take(&mut self.report)).expect("the shim is this same program") {
                ShimReport::Started { pid } => self.send(ProcessEvent::Started { id: self.id, pid }),
                ShimReport::Ended(end) => self.end = Some(end),
            }
        }
        read > 0
    }

    /// Sends an event; without a receiver, what the process prints is still read, so that it does not wait.
    fn send(&self, event: ProcessEvent) {
        let _ = self.events.send(event);
    }
}
