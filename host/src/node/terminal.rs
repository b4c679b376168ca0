//! What containers print, shown to a person: each line behind the name of its pod.
//!
//! Docs: `kubectl logs --prefix`. Whole lines come from `process.rs`; the files that keep them are in `log.rs`.

use std::io::{self, Write};

/// A place where the output of several containers is shown.
#[derive(Debug)]
pub struct Terminal<W> {
    /// `None` once the reader has gone.
    out: Option<W>,
}

impl<W: Write> Terminal<W> {
    /// Shows output here.
    #[must_use]
    pub fn new(out: W) -> Self {
        Self { out: Some(out) }
    }

    /// Shows lines, each as `<name> | <line>`, bytes as they are. Once the place is closed, as by `| head`, nothing is shown and nothing
    /// fails.
    pub fn show(&mut self, name: &str, lines: &[u8]) {
        let Some(out) = &mut self.out else { return };
        if write(out, name, lines).is_err() {
            self.out = None;
        }
    }
}

fn write(out: &mut impl Write, name: &str, lines: &[u8]) -> io::Result<()> {
    // One write for all of the lines, so that they stay together whatever else writes to the terminal.
    let mut text = Vec::with_capacity(lines.len() + 64);
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        text.extend_from_slice(name.as_bytes());
        text.extend_from_slice(b" | ");
        text.extend_from_slice(line);
    }
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    out.write_all(&text)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[u8], shown: &[u8]) {
        let mut out = Vec::new();
        Terminal::new(&mut out).show("pi", lines);
        assert_eq!(out, shown);
    }

    #[test]
    fn each_line_has_the_name() {
        check(b"one\ntwo\n", b"pi | one\npi | two\n");
        check(b"\n\n", b"pi | \npi | \n");
    }

    #[test]
    fn a_piece_of_a_line_is_shown_as_a_line() {
        check(b"one\ntw", b"pi | one\npi | tw\n");
    }

    #[test]
    fn bytes_that_are_no_text_pass_through() {
        check(b"\xff\0\x1b[1m\n", b"pi | \xff\0\x1b[1m\n");
    }

    #[test]
    fn a_closed_terminal_is_left_alone() {
        let mut terminal = Terminal::new(Closed);
        terminal.show("pi", b"one\n");
        assert!(terminal.out.is_none());
        terminal.show("pi", b"two\n");
    }

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
