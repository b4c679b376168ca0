//! A recording of a manager's calls and results, each with its time: its lines, read one at a time.
//!
//! Docs: `jobsmith replay --help`; `crates/component/wit/controllers.wit`, "Order and time": the same calls return the same results. The form of a line is in
//! `line.rs`; they are gone through in `replay.rs`, and become steps in `steps.rs`.

mod difference;
mod line;
mod objects;
mod replay;
mod steps;

use std::io::{self, BufRead};

use serde::de::IgnoredAny;

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
    /// The first line is not the header of a recording.
    #[error("it is not a recording; `jobsmith controller --record FILE` makes one")]
    Other,
    /// A line is not part of a recording: its number, and what is wrong.
    #[error("line {0} {1}")]
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
    /// Why this is not a recording.
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
        match (line(&bytes), self.read) {
            (Ok(line @ Line::Recording(_)), 1) => Ok(Some(line)),
            (Ok(_) | Err(_), 1) => Err(Unreadable::Other),
            (Ok(Line::Recording(_)), number) => Err(Unreadable::Line(number, "is the header of another recording".to_owned())),
            (Ok(line @ (Line::Handled(_) | Line::Planned(_) | Line::Restarted | Line::Lost { .. })), _) => Ok(Some(line)),
            (Err(reason), number) => Err(Unreadable::Line(number, reason)),
        }
    }
}

/// Reads a line, or returns what is wrong with it.
fn line(bytes: &[u8]) -> Result<Line, String> {
    // As text: a program that reads objects of the API has this reader too.
    let text = std::str::from_utf8(bytes).map_err(|_| "is not valid UTF-8".to_owned())?;
    serde_json::from_str(text).map_err(|error| match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) if error.is_data() => {
            let (reason, place) = (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
            format!("is not part of a recording: {}", reason.strip_suffix(&place).unwrap_or(&reason))
        }
        Ok(_) => "is not part of a recording".to_owned(),
        Err(_) => "is not valid JSON".to_owned(),
    })
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
            r#"{"recording":{"jobsmith":"0.1.0","component":"3f","kubernetes":"v1.37","configuration":{},"start":"2026-01-01T00:00:00Z"}}"#;
        let header = format!("{header}\n");
        check(&format!("{header}\"restarted\"\n"), "");
        check(&format!("{header}\"restarted\"\n{{\"handled"), "line 3 is incomplete, as the program that wrote it was stopped there");
        check(&format!("{header}{header}"), "line 2 is the header of another recording");
        let other = "it is not a recording; `jobsmith controller --record FILE` makes one";
        check("\"restarted\"\n", other);
        check("kind: Job\n", other);
        check(&format!("{header}kind: Job\n"), "line 2 is not valid JSON");
        check(&format!("{header}{{}}\n"), "line 2 is not part of a recording");
        check(&format!("{header}{{\"handled\":{{}}}}\n"), "line 2 is not part of a recording: missing field `at`");
    }
}
