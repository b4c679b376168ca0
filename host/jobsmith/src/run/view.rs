//! What a person sees of a run: a live picture on a terminal, plain lines without one, JSON, or nothing.
//!
//! Docs: `jobsmith run --help`. The picture's content is made in `board.rs` and drawn in `live.rs`.

use api::{Job, Timestamp};
use host_node::process::Stream;
use host_node::terminal::Terminal;
use manifest::ManifestObject;
use play::trace::{Entry, PodState, Transcript, What};

use super::super::ending::Output;
use super::super::input::Inputs;
use super::super::output::{self, Out};
use super::super::runs::{CronJobName, Run, Runs, json_line};
use super::Next;
use super::board::Board;
use super::live::Live;

/// Shows a run.
pub(crate) struct View {
    kind: Kind,
    transcript: Transcript,
    why: bool,
    /// The container that a pod's output came from first: others of the pod are named too.
    first_container: std::collections::BTreeMap<String, String>,
}

enum Kind {
    Live(Box<Live>),
    Plain(Terminal<Out>),
    Json,
    /// Nothing: only the objects in the end are printed.
    Silent,
}

impl View {
    /// The view that fits: a picture if one can be drawn and plain lines are not wanted.
    pub(crate) fn new(output: Output, why: bool, plain: bool, start: Timestamp, inputs: Inputs<ManifestObject>) -> Self {
        let kind = match output {
            Output::Json => Kind::Json,
            Output::Yaml => Kind::Silent,
            Output::Text | Output::Wide if !plain && output::picture() => Kind::Live(Box::new(Live::new(Board::new(inputs, start)))),
            Output::Text | Output::Wide => Kind::Plain(Terminal::new(Out)),
        };
        Self { kind, transcript: Transcript::new(start), why, first_container: std::collections::BTreeMap::new() }
    }

    /// Whether there is a picture that is drawn again and again.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self.kind, Kind::Live(_))
    }

    /// Shows what happened.
    pub(crate) fn entries(&mut self, entries: &[Entry]) {
        for entry in entries {
            if let What::Pod(pod) = &entry.what
                && pod.state == PodState::Gone
            {
                self.first_container.remove(&*pod.pod);
            }
        }
        let mut lines =
            || -> String { entries.iter().filter_map(|entry| self.transcript.line(entry, self.why)).map(|line| line + "\n").collect() };
        match &mut self.kind {
            Kind::Live(live) => {
                let lines = if self.why { lines() } else { String::new() };
                live.entries(entries, &lines);
            }
            Kind::Plain(_) => output::text(&lines()),
            Kind::Json => {
                let json = |entry: &Entry| serde_json::to_string(entry).expect("an entry has text keys only") + "\n";
                output::text(&entries.iter().map(json).collect::<String>());
            }
            Kind::Silent => {}
        }
    }

    /// Shows what a container printed, behind its pod's name.
    pub(crate) fn output(&mut self, pod: &str, container: &str, stream: Stream, lines: &[u8]) {
        let first = self.first_container.entry(pod.to_owned()).or_insert_with(|| container.to_owned());
        let name = if first == container { pod.to_owned() } else { format!("{pod}/{container}") };
        match &mut self.kind {
            Kind::Live(live) => live.output(&name, lines),
            Kind::Plain(terminal) => terminal.show(&name, lines),
            Kind::Json => {
                for line in lines.split_inclusive(|byte| *byte == b'\n') {
                    let line = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line));
                    let stream = if stream == Stream::Stdout { "stdout" } else { "stderr" };
                    let line = serde_json::json!({"type": "output", "pod": pod, "container": container, "stream": stream, "line": line});
                    output::text(&format!("{line}\n"));
                }
            }
            Kind::Silent => {}
        }
    }

    /// Prints lines that the picture has in its own way.
    pub(crate) fn announce(&mut self, lines: &str) {
        match &self.kind {
            Kind::Plain(_) => output::text(lines),
            Kind::Live(_) | Kind::Json | Kind::Silent => {}
        }
    }

    /// Prints the runs that are over, for programs.
    pub(crate) fn runs(&mut self, runs: &[(CronJobName, Run)]) {
        match &self.kind {
            Kind::Json => output::text(&runs.iter().map(|(name, run)| json_line(name, run)).collect::<String>()),
            Kind::Live(_) | Kind::Plain(_) | Kind::Silent => {}
        }
    }

    /// Prints a message that is not part of what happens in the cluster.
    pub(crate) fn message(&mut self, message: &str) {
        match &mut self.kind {
            Kind::Live(live) => live.print(format!("{message}\n").as_bytes()),
            Kind::Plain(_) | Kind::Json | Kind::Silent => output::complain(&format!("{message}\n")),
        }
    }

    /// Brings the picture up to date.
    pub(crate) fn draw(&mut self, jobs: &[Job], runs: &Runs, next: Option<&Next>, now: Timestamp) {
        if let Kind::Live(live) = &mut self.kind {
            live.draw(jobs, runs, next, now);
        }
    }

    /// Draws the picture for the last time, and leaves it there.
    pub(crate) fn close(&mut self, jobs: &[Job], runs: &Runs, now: Timestamp) {
        if let Kind::Live(live) = &mut self.kind {
            live.draw(jobs, runs, None, now);
            live.leave();
        }
    }
}
