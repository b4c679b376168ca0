//! What a container printed, made safe for a terminal: text and its colours, and nothing else that controls the terminal.
//!
//! Docs: none of Kubernetes'. Pipes, files and `--plain` get what was printed as it was.

use anstyle_parse::{Params, Parser, Perform, Utf8Parser};

/// Takes the colours back.
const RESET: &str = "\x1b[0m";

/// A line as it may be shown: of parts that overwrite each other the last, and colours that end with the line.
pub(crate) fn printable(line: &[u8]) -> String {
    let (mut parser, mut shown) = (Parser::<Utf8Parser>::new(), Printable::default());
    // Bytes that are no text are shown as such.
    String::from_utf8_lossy(line).bytes().for_each(|byte| parser.advance(&mut shown, byte));
    let mut text = if shown.part.is_empty() { shown.overwritten } else { shown.part };
    if text.contains('\x1b') {
        text.push_str(RESET);
    }
    text
}

/// Lines as they may be shown, each with a newline.
pub(crate) fn printable_lines(lines: &[u8]) -> String {
    lines.split_inclusive(|byte| *byte == b'\n').map(|line| printable(line) + "\n").collect()
}

#[derive(Default)]
struct Printable {
    /// What stands there after the last carriage return.
    part: String,
    /// What stood there before it.
    overwritten: String,
}

impl Perform for Printable {
    fn print(&mut self, letter: char) {
        self.part.push(letter);
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\t' => self.part.push('\t'),
            b'\r' if !self.part.is_empty() => self.overwritten = std::mem::take(&mut self.part),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, parameters: &Params, intermediates: &[u8], ignored: bool, action: u8) {
        if action == b'm' && intermediates.is_empty() && !ignored {
            let part = |numbers: &[u16]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(":");
            self.part.push_str(&format!("\x1b[{}m", parameters.iter().map(part).collect::<Vec<_>>().join(";")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &[u8], shown: &str) {
        assert_eq!(printable(line), shown, "{:?}", String::from_utf8_lossy(line));
    }

    #[test]
    fn text_and_colours_are_shown() {
        check(b"plain\ttext", "plain\ttext");
        check("größer".as_bytes(), "größer");
        check(b"\x1b[31mred", "\x1b[31mred\x1b[0m");
        check(b"\x1b[1;38;5;208mbold\x1b[0m", "\x1b[1;38;5;208mbold\x1b[0m\x1b[0m");
        check(b"\x1b[4:3mcurly\x1b[m", "\x1b[4:3mcurly\x1b[0m\x1b[0m");
    }

    #[test]
    fn nothing_else_controls_the_terminal() {
        check(b"\x1b[2J\x1b[H\x1b[?1049hhi\x1b[?25l\x1b[6n", "hi");
        check(b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1bc\x08\x07\x1bP1$r\x1b\\c", "abc");
        check(b"\xff\x00x\x0e", "\u{fffd}x");
        check(b"\x1b[>4;2mx", "x");
    }

    #[test]
    fn each_line_is_shown_by_itself() {
        assert_eq!(printable_lines(b"\x1b[31mred\n1 %\r2 %\r\n\nlast"), "\x1b[31mred\x1b[0m\n2 %\n\nlast\n");
        assert_eq!(printable_lines(b""), "");
    }

    #[test]
    fn of_a_progress_bar_the_last_state_is_shown() {
        check(b"10 %\r50 %\r100 %", "100 %");
        check(b"10 %\r100 %\r", "100 %");
        check(b"\r\r", "");
    }
}
