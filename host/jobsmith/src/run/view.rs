//! What a person sees of a run: a live picture on a terminal, plain lines without one, JSON, or nothing.
//!
//! Docs: `jobsmith run --help`. The picture's content is made in `board.rs` and drawn in `live.rs`.

use std::io::IsTerminal as _;

use api::{Job, Timestamp};
use host_node::process::Stream;
use host_node::terminal::Terminal;
use manifest::ManifestObject;
use play::trace::{Entry, Transcript};
use story::runs::{CronJobName, PastRun, Runs};

use super::super::ending::OutputFormat;
use super::super::input::Inputs;
use super::super::output::{self, Out};
use super::super::pod_filter::PodFilter;
use super::super::run_table;
use super::board::Board;
use super::live::Live;
use super::printable::printable_lines;
use super::{Arguments, Upcoming};

/// Shows a run.
pub(crate) struct RunDisplay {
    kind: DisplayKind,
    transcript: Transcript,
    why: bool,
    /// Whether what containers print is shown byte for byte, even if that controls the terminal.
    raw: bool,
    pods: PodFilter,
}

enum DisplayKind {
    Live(Box<Live>),
    Plain(Terminal<Out>),
    Json,
    /// Only what containers print.
    Logs(Terminal<Out>),
    /// Nothing: only the objects in the end are printed.
    Silent,
}

impl RunDisplay {
    /// The view that fits: a picture if one can be drawn and plain lines are not wanted.
    pub(crate) fn new(arguments: &Arguments, start: Timestamp, inputs: Inputs<ManifestObject>) -> Self {
        let Arguments { why, plain, quiet, .. } = *arguments;
        let kind = match arguments.output {
            OutputFormat::Text if quiet => DisplayKind::Silent,
            OutputFormat::Json => DisplayKind::Json,
            OutputFormat::Yaml => DisplayKind::Silent,
            OutputFormat::Logs => DisplayKind::Logs(Terminal::new(Out)),
            OutputFormat::Text | OutputFormat::Wide | OutputFormat::Describe if !plain && output::picture() => {
                DisplayKind::Live(Box::new(Live::new(Board::new(inputs, start))))
            }
            OutputFormat::Text | OutputFormat::Wide | OutputFormat::Describe => DisplayKind::Plain(Terminal::new(Out)),
        };
        let raw = plain || !std::io::stdout().is_terminal();
        Self { kind, transcript: Transcript::new(start), why, raw, pods: arguments.pods.clone() }
    }

    /// Whether there is a picture that is drawn again and again.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.kind, DisplayKind::Live(_))
    }

    /// Shows what happened.
    pub(crate) fn entries(&mut self, entries: &[Entry]) {
        let entries: Vec<&Entry> = entries.iter().filter(|entry| self.pods.shows(entry)).collect();
        let mut lines =
            || -> String { entries.iter().filter_map(|entry| self.transcript.line(entry, self.why)).map(|line| line + "\n").collect() };
        match &mut self.kind {
            DisplayKind::Live(live) => {
                let lines = if self.why { lines() } else { String::new() };
                live.entries(&entries, &lines);
            }
            DisplayKind::Plain(_) => output::text(&lines()),
            DisplayKind::Json => {
                let json = |entry: &Entry| serde_json::to_string(entry).expect("an entry has text keys only") + "\n";
                output::text(&entries.into_iter().map(json).collect::<String>());
            }
            DisplayKind::Logs(_) | DisplayKind::Silent => {}
        }
    }

    /// Shows what a container printed, behind its pod's name and, if it is one of several, its own.
    pub(crate) fn output(&mut self, (pod, container): (&str, &str), one_of_several: bool, stream: Stream, lines: &[u8]) {
        if !self.pods.has(pod) {
            return;
        }
        let name = if one_of_several { format!("{pod}/{container}") } else { pod.to_owned() };
        match &mut self.kind {
            DisplayKind::Live(live) => live.output(&name, lines),
            DisplayKind::Plain(terminal) | DisplayKind::Logs(terminal) if self.raw => terminal.show(&name, lines),
            DisplayKind::Plain(terminal) | DisplayKind::Logs(terminal) => terminal.show(&name, printable_lines(lines).as_bytes()),
            DisplayKind::Json => {
                for line in lines.split_inclusive(|byte| *byte == b'\n') {
                    let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line));
                    let stream = if stream == Stream::Stdout { "stdout" } else { "stderr" };
                    let line = serde_json::json!({"type": "output", "pod": pod, "container": container, "stream": stream, "line": line});
                    output::text(&format!("{line}\n"));
                }
            }
            DisplayKind::Silent => {}
        }
    }

    /// Prints lines that the picture has in its own way.
    pub(crate) fn announce(&mut self, lines: &str) {
        match &self.kind {
            DisplayKind::Plain(_) => output::text(lines),
            DisplayKind::Live(_) | DisplayKind::Json | DisplayKind::Logs(_) | DisplayKind::Silent => {}
        }
    }

    /// Prints the runs that are over, for programs.
    pub(crate) fn runs(&mut self, runs: &[(CronJobName, PastRun)]) {
        match &self.kind {
            DisplayKind::Json => output::text(&runs.iter().map(|(name, run)| run_table::json_line(name, run)).collect::<String>()),
            DisplayKind::Live(_) | DisplayKind::Plain(_) | DisplayKind::Logs(_) | DisplayKind::Silent => {}
        }
    }

    /// Prints a message that is not part of what happens in the cluster.
    pub(crate) fn message(&mut self, message: &str) {
        match &mut self.kind {
            DisplayKind::Live(live) => live.print(format!("{message}\n").as_bytes()),
            DisplayKind::Plain(_) | DisplayKind::Json | DisplayKind::Logs(_) | DisplayKind::Silent => {
                output::complain(&format!("{message}\n"))
            }
        }
    }

    /// Brings the picture up to date.
    pub(crate) fn draw(&mut self, jobs: &[Job], runs: &Runs, next: Option<&Upcoming>, now: Timestamp) {
        if let DisplayKind::Live(live) = &mut self.kind {
            live.draw(jobs, runs, next, now);
        }
    }

    /// Draws the picture for the last time, and leaves it there.
    pub(crate) fn close(&mut self, jobs: &[Job], runs: &Runs, now: Timestamp) {
        self.pods.note().iter().for_each(|note| output::complain(note));
        if let DisplayKind::Live(live) = &mut self.kind {
            live.draw(jobs, runs, None, now);
            live.leave();
        }
    }
}
