//! How figures are printed: one line each, with its goal and whether it is met.
//!
//! Docs: none; what is measured is in the files beside this one.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// One figure.
pub(crate) struct Row {
    /// What was measured.
    pub(crate) what: String,
    /// The figure, with its unit.
    pub(crate) figure: String,
    /// The goal; empty: none.
    pub(crate) goal: String,
    /// Whether the goal is met.
    pub(crate) met: bool,
}

impl Row {
    /// A figure without a goal.
    pub(crate) fn plain(what: impl Into<String>, figure: impl Into<String>) -> Self {
        Self { what: what.into(), figure: figure.into(), goal: String::new(), met: true }
    }

    /// How many times larger something is than something else, and how large that may be.
    pub(crate) fn at_most(what: impl Into<String>, times: f64, most: f64) -> Self {
        Self { what: what.into(), figure: format!("{times:.2}×"), goal: format!("≤ {most}×"), met: times <= most }
    }
}

/// The table on standard output, a line as soon as it is known.
pub(crate) struct Table {
    missed: usize,
}

impl Table {
    /// Writes the head of the table.
    pub(crate) fn begin() -> Self {
        line(["what", "figure", "goal", "met"]);
        line(["-".repeat(68).as_str(), "-".repeat(14).as_str(), "-".repeat(11).as_str(), "---"]);
        Self { missed: 0 }
    }

    /// Writes a figure.
    pub(crate) fn print(&mut self, row: &Row) {
        let met = match (row.goal.is_empty(), row.met) {
            (true, _) => "",
            (false, true) => "yes",
            (false, false) => "NO",
        };
        self.missed += usize::from(!row.met);
        line([&row.what, &row.figure, &row.goal, met]);
    }

    /// Ends as a program that fails if a goal was missed.
    pub(crate) fn end(self) -> ExitCode {
        if self.missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn line([what, figure, goal, met]: [&str; 4]) {
    writeln!(std::io::stdout(), "| {what:<68} | {figure:>14} | {goal:>11} | {met:<3} |").expect("standard output takes all");
}

/// The middle one of several figures.
pub(crate) fn median(mut figures: Vec<Duration>) -> Duration {
    figures.sort();
    figures[figures.len() / 2]
}

/// The middle one of several rounds, of each thing that a round measures.
pub(crate) fn medians<const THINGS: usize>(rounds: &[[Duration; THINGS]]) -> [Duration; THINGS] {
    std::array::from_fn(|thing| median(rounds.iter().map(|round| round[thing]).collect()))
}

/// How long something takes.
pub(crate) fn timed<Answer>(work: impl FnOnce() -> Answer) -> (Duration, Answer) {
    let start = Instant::now();
    let answer = work();
    (start.elapsed(), answer)
}

/// A length of time with three digits that count.
pub(crate) fn rendered(length: Duration) -> String {
    let seconds = length.as_secs_f64();
    match seconds {
        1.0.. => format!("{seconds:.2} s"),
        1e-3.. => format!("{:.2} ms", seconds * 1e3),
        _ => format!("{:.2} µs", seconds * 1e6),
    }
}
