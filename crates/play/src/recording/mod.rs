//! A recording of a manager's calls and answers, and when each was: its lines, read one at a time.
//!
//! Docs: `jobsmith replay --help`; `crates/component/wit/controllers.wit`, "Order and time": the same calls have the same answers. What a line is, is in
//! `line.rs`; they are gone through in `replay.rs`, and become steps in `steps.rs`.

mod difference;
mod line;
mod objects;
mod replay;
mod steps;

use std::io::{self, BufRead};

pub use self::difference::Difference;
pub use self::line::{Handled, Header, Line, Planned};
pub use self::replay::{Replay, Replayed};
pub use self::steps::Steps;

/// Why a recording cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file cannot be read.
    #[error("cannot read it: {0}")]
    File(#[from] io::Error),
    /// A line is not part of a recording: its number, and what is wrong.
    #[error("line {0} is not part of a recording: {1}")]
    Line(usize, String),
    /// The last line has no end: the program that wrote it was stopped.
    #[error("line {0} is incomplete, as the program that wrote it was stopped there")]
    Torn(usize),
}

/// The lines of a recording, read one at a time, the header first; ends after the first that cannot be read.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    read: usize,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines that come from a reader.
    pub fn new(from: R) -> Self {
        Self { from, read: 0, ended: false }
    }

    /// The lines that come from a reader, from the second on, and the header, which is the first one.
    ///
    /// # Errors
    /// Why this is no recording.
    pub fn begin(from: R) -> Result<(Self, Header), String> {
        let mut lines = Self::new(from);
        match lines.next() {
            Some(Ok(Line::Recording(header))) => Ok((lines, header)),
            Some(Ok(_)) | None => Err("it is empty".to_owned()),
            Some(Err(error)) => Err(error.to_string()),
        }
    }

    /// The number of the line that was read last; the first is 1.
    pub fn number(&self) -> usize {
        self.read
    }

    fn next_line(&mut self) -> Result<Option<Line>, Unreadable> {
        let mut bytes = Vec::new();
        if self.from.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.read += 1;
        let whole = bytes.ends_with(b"\n");
        if !whole && self.read > 1 {
            return Err(Unreadable::Torn(self.read));
        }
        // As text: a program that reads objects of the API has this reader too.
        let text = std::str::from_utf8(&bytes).map_err(|error| Unreadable::Line(self.read, error.to_string()))?;
        let line = serde_json::from_str(text).map_err(|error| Unreadable::Line(self.read, error.to_string()))?;
        match (&line, self.read) {
            (Line::Recording(_), 1) => Ok(Some(line)),
            (Line::Recording(_), number) => Err(Unreadable::Line(number, "another recording begins here".to_owned())),
            (_, 1) => Err(Unreadable::Line(1, "a recording begins with its header".to_owned())),
            (Line::Handled(_) | Line::Planned(_) | Line::Restarted | Line::Lost { .. }, _) => Ok(Some(line)),
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_line().transpose();
        self.ended = next.as_ref().is_none_or(Result::is_err);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_recording_is_named_by_its_line_and_a_torn_end_apart() {
        let check = |text: &str, expected: &str| {
            let error = Lines::new(text.as_bytes()).find_map(Result::err);
            assert_eq!(error.map(|error| error.to_string()).unwrap_or_default(), expected);
        };
        let header =
            r#"{"recording":{"jobsmith":"0.1.0","component":"3f","kubernetes":"v1.36","configuration":{},"start":"2026-01-01T00:00:00Z"}}"#;
        let header = format!("{header}\n");
        check(&format!("{header}\"restarted\"\n"), "");
        check(&format!("{header}\"restarted\"\n{{\"handled"), "line 3 is incomplete, as the program that wrote it was stopped there");
        check(&format!("{header}{header}"), "line 2 is not part of a recording: another recording begins here");
        check("\"restarted\"\n", "line 1 is not part of a recording: a recording begins with its header");
        check("kind: Job\n", "line 1 is not part of a recording: expected value at line 1 column 1");
        check(&format!("{header}{{}}\n"), "line 2 is not part of a recording: expected value at line 1 column 2");
    }
}
