//! The live picture: drawn below what containers print, and redrawn in place.
//!
//! Docs: none of Kubernetes'. What is in the picture is decided in `board.rs`.

use std::io::Write as _;

use api::{Job, Timestamp};
use console::Term;
use play::trace::Entry;
use story::runs::Runs;

use super::super::output::{self, Out};
use super::Upcoming;
use super::board::Board;
use super::printable::printable;

/// A picture on a terminal.
pub(crate) struct Live {
    board: Board,
    terminal: Term,
    /// The picture as it stands there.
    drawn: Vec<String>,
}

/// The size of a terminal that does not report it.
const USUAL: (u16, u16) = (24, 80);

impl Live {
    pub(crate) fn new(board: Board) -> Self {
        console::set_colors_enabled(output::colour(&std::io::stdout()));
        Self { board, terminal: Term::stdout(), drawn: Vec::new() }
    }

    /// Records what happened; `lines` are printed above the picture.
    pub(crate) fn entries(&mut self, entries: &[&Entry], lines: &str) {
        self.board.record(entries.iter().copied());
        if !lines.is_empty() {
            self.print(lines.as_bytes());
        }
    }

    /// Prints what a container printed.
    pub(crate) fn output(&mut self, name: &str, lines: &[u8]) {
        let mut text = Vec::with_capacity(lines.len() + 64);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            text.extend_from_slice(console::style(format!("{name} | ")).dim().to_string().as_bytes());
            text.extend_from_slice(printable(line).as_bytes());
            text.push(b'\n');
        }
        self.print(&text);
    }

    /// Prints something above the picture.
    pub(crate) fn print(&mut self, text: &[u8]) {
        let mut all = self.erased().into_bytes();
        all.extend_from_slice(text);
        for line in &self.drawn {
            all.extend_from_slice(line.as_bytes());
            all.push(b'\n');
        }
        write(&all);
    }

    /// Draws the picture, if it is another one than before.
    pub(crate) fn draw(&mut self, jobs: &[Job], runs: &Runs, next: Option<&Upcoming>, now: Timestamp) {
        let (height, width) = self.size();
        self.board.forget_others(jobs);
        let lines = self.board.lines(jobs, runs, next, now, (height - 1, width - 1));
        let lines: Vec<String> = lines.iter().map(|line| console::truncate_str(line, width - 1, "…").into_owned()).collect();
        if lines != self.drawn {
            let text = format!("{}{}\n", self.erased(), lines.join("\n"));
            self.drawn = lines;
            write(text.as_bytes());
        }
    }

    /// Leaves the picture where it is.
    pub(crate) fn leave(&mut self) {
        self.drawn.clear();
    }

    /// What takes the picture away; its lines take more room if the terminal has become narrower.
    fn erased(&self) -> String {
        let width = self.size().1;
        let rows: usize = self.drawn.iter().map(|line| console::measure_text_width(line).div_ceil(width).max(1)).sum();
        if rows == 0 { String::new() } else { format!("\x1b[{rows}F\x1b[J") }
    }

    /// Lines and columns, at least two of each.
    fn size(&self) -> (usize, usize) {
        let (height, width) = self.terminal.size_checked().unwrap_or(USUAL);
        (usize::from(height.max(2)), usize::from(width.max(2)))
    }
}

fn write(text: &[u8]) {
    // A terminal that is gone shows nothing, and nothing is lost.
    let _ = Out.write_all(text);
}
