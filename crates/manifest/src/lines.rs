//! Lines of a text: where a character stands, as editors count.
//!
//! Docs: none of Kubernetes'. What stands there is in `node.rs`; how it is shown is in `render.rs`.

use std::ops::Range;

use serde::Serialize;

/// A stretch of one line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column of the first character, from 1, in characters.
    pub column: usize,
    /// How many characters, up to the end of the line.
    pub length: usize,
}

impl Position {
    /// The start of a text.
    pub const START: Self = Self { line: 1, column: 1, length: 0 };
}

/// A text, cut into lines at each line feed.
#[derive(Debug)]
pub(crate) struct SourceLines<'t> {
    text: &'t str,
    /// The first byte of each line.
    starts: Vec<usize>,
    /// The bytes that continue a character.
    continuations: Vec<usize>,
}

impl<'t> SourceLines<'t> {
    /// Cuts the text.
    pub(crate) fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(byte, _)| byte + 1)).collect();
        let continues = |(at, byte): (usize, u8)| (byte & 0b1100_0000 == 0b1000_0000).then_some(at);
        Self { text, starts, continuations: text.bytes().enumerate().filter_map(continues).collect() }
    }

    /// The position of these bytes, cut off at the end of the first one's line.
    pub(crate) fn position(&self, bytes: Range<usize>) -> Position {
        let line = self.starts.partition_point(|start| *start <= bytes.start);
        let start = self.starts[line - 1];
        let mut end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        if self.text[start..end].ends_with('\r') {
            end -= 1;
        }
        let end = end.min(bytes.end).max(bytes.start);
        Position { line, column: self.characters(start..bytes.start) + 1, length: self.characters(bytes.start..end) }
    }

    /// Where the first line of a block scalar begins that is written line by line, behind `|`; the text that it is is cut into lines alike.
    pub(crate) fn first_of_block(&self, bytes: Range<usize>, text: &str) -> Option<Position> {
        let mut lines = self.text[bytes.clone()].lines().skip(1).zip(text.lines());
        let (written, line) = lines.find(|(_, line)| !line.is_empty())?;
        let indentation = written.chars().count().checked_sub(line.chars().count())?;
        Some(Position { line: self.position(bytes).line + 1, column: indentation + 1, length: 0 })
    }

    /// Where a word begins that stands there as it is: plain, or in quotes and without escapes.
    pub(crate) fn first_of_word(&self, bytes: Range<usize>, word: &str) -> Option<Position> {
        let source = &self.text[bytes.clone()];
        let quote = usize::from(source.starts_with(['"', '\'']));
        let as_it_is = source.get(quote..source.len() - quote) == Some(word) && !word.contains('\n');
        as_it_is.then(|| self.position(bytes.start + quote..bytes.start + quote))
    }

    fn characters(&self, bytes: Range<usize>) -> usize {
        let continuations = |before: usize| self.continuations.partition_point(|at| *at < before);
        bytes.len() - (continuations(bytes.end) - continuations(bytes.start))
    }

    /// The bytes at a position, cut off at the end of the text.
    pub(crate) fn bytes(&self, position: Position) -> Range<usize> {
        let Some(start) = self.starts.get(position.line - 1) else { return self.text.len()..self.text.len() };
        let line = &self.text[*start..];
        let byte = |column: usize| line.char_indices().nth(column).map_or(self.text.len(), |(byte, _)| start + byte);
        byte(position.column - 1)..byte(position.column - 1 + position.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, bytes: Range<usize>, line_column_length: (usize, usize, usize), stretch: &str) {
        let lines = SourceLines::of(text);
        let position = lines.position(bytes);
        assert_eq!((position.line, position.column, position.length), line_column_length);
        assert_eq!(&text[lines.bytes(position)], stretch);
    }

    #[test]
    fn positions_count_characters_and_end_with_the_line() {
        check("ab: c", 4..5, (1, 5, 1), "c");
        check("ä: ö\nü: ß\n", 11..13, (2, 4, 1), "ß");
        check("a: b\r\nc: d\r\n", 3..usize::MAX, (1, 4, 1), "b");
        check("a: |\n  b\n", 3..8, (1, 4, 1), "|");
        check("a: bc", 3..usize::MAX, (1, 4, 2), "bc");
        check("", 0..usize::MAX, (1, 1, 0), "");
        check("a\n", 2..2, (2, 1, 0), "");
        check("a\r\n", 2..3, (1, 3, 0), "");
    }
}
