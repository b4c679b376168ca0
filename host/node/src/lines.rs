//! Whole lines out of a stream of bytes that comes in pieces.
//!
//! Docs: Logging Architecture, "How nodes handle container logs". The lines are passed on in `supervisor.rs`.

/// How much of a line is held back, in bytes, before it is passed on without its end.
const LONGEST: usize = 64 * 1024;

/// The beginning of a line whose end has not come.
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    unfinished: Vec<u8>,
    /// Whether the line's beginning was passed on already.
    begun: bool,
}

impl LineBuffer {
    /// Adds the next bytes; what can be passed on ends with a newline, unless a line is longer than 64 KiB. Empty: nothing yet.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let (ended, begun) = bytes.split_at(whole);
        if whole == 0 {
            self.unfinished.extend_from_slice(begun);
            if self.unfinished.len() < LONGEST {
                return Vec::new();
            }
            self.begun = true;
            return std::mem::take(&mut self.unfinished);
        }
        self.begun = false;
        let mut lines = std::mem::replace(&mut self.unfinished, begun.to_vec());
        lines.extend_from_slice(ended);
        lines
    }

    /// The last line, if it had no end; it gets one, so that whatever follows begins on a line of its own.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let (mut last, begun) = (std::mem::take(&mut self.unfinished), std::mem::take(&mut self.begun));
        if !last.is_empty() || begun {
            last.push(b'\n');
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole() {
        let mut lines = LineBuffer::default();
        assert_eq!(lines.push(b"one"), b"");
        assert_eq!(lines.push(b" and\ntwo\nth"), b"one and\ntwo\n");
        assert_eq!(lines.push(b"ree\n"), b"three\n");
        assert_eq!(lines.finish(), b"");
    }

    #[test]
    fn a_last_line_without_an_end_gets_one() {
        let mut lines = LineBuffer::default();
        assert_eq!(lines.push(b"\n\nlast"), b"\n\n");
        assert_eq!(lines.finish(), b"last\n");
        assert_eq!(lines.finish(), b"");
    }

    #[test]
    fn little_of_a_long_line_is_held_back() {
        let mut lines = LineBuffer::default();
        let mut passed_on = 0;
        for _ in 0..100 {
            passed_on += lines.push(&[b'x'; 10_000]).len();
            assert!(lines.unfinished.len() < LONGEST);
        }
        assert_eq!(passed_on + lines.finish().len(), 1_000_001);
    }

    #[test]
    fn a_long_line_that_was_passed_on_to_its_last_byte_gets_its_end() {
        let mut lines = LineBuffer::default();
        assert_eq!(lines.push(&[b'x'; LONGEST]).len(), LONGEST);
        assert_eq!(lines.finish(), b"\n");
        assert_eq!(lines.finish(), b"");
        lines.push(&[b'x'; LONGEST]);
        assert_eq!(lines.push(b"\n"), b"\n");
        assert_eq!(lines.finish(), b"");
        lines.push(&[b'x'; LONGEST]);
        lines.push(b"end");
        assert_eq!((lines.finish(), lines.finish()), (b"end\n".to_vec(), Vec::new()));
    }
}
