//! Parts of an annotation's value, with the place where each begins; and what is wrong there.
//!
//! Docs: README, "Beyond Kubernetes". What the parts mean is in the files beside this one.

use std::fmt;

/// Some text of a value, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AnnotationPart<'t> {
    /// The text.
    pub(super) text: &'t str,
    /// Its line in the value, from 1.
    pub(super) line: usize,
    /// Its column in the line, in characters from 1.
    pub(super) column: usize,
}

/// What is wrong with a value, where, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotationProblem {
    /// The line of the value, from 1.
    pub line: usize,
    /// The column in the line, in characters from 1.
    pub column: usize,
    /// What is wrong, without the end of the sentence.
    pub message: String,
    /// What to write instead, without the end of the sentence.
    pub remedy: String,
}

impl fmt::Display for AnnotationProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, message, remedy } = self;
        write!(formatter, "line {line}, column {column}: {message}; {remedy}")
    }
}

impl<'t> AnnotationPart<'t> {
    /// The lines of a value that are not empty and no comments (`#`).
    pub(super) fn lines(value: &'t str) -> impl Iterator<Item = Self> {
        let lines = value.lines().zip(1..).map(|(text, line)| Self { text, line, column: 1 }.trimmed());
        lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
    }

    /// The whole of a value.
    pub(super) fn whole(value: &'t str) -> Self {
        Self { text: value, line: 1, column: 1 }.trimmed()
    }

    /// The part without spaces and line ends around it; one that has nothing else begins at its first line end.
    pub(super) fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        let line_end = || self.text.find(['\r', '\n']).filter(|_| text.is_empty());
        let (line, column) = self.place(line_end().unwrap_or(self.text.len() - text.len()));
        Self { text: text.trim_end(), line, column }
    }

    /// The line and the column of a byte of it.
    fn place(self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        match before.rsplit_once('\n') {
            Some((lines, last)) => (self.line + lines.split('\n').count(), 1 + last.chars().count()),
            None => (self.line, self.column + before.chars().count()),
        }
    }

    /// The part, if each quote in it is closed.
    pub(super) fn closed(self) -> Result<Self, AnnotationProblem> {
        let mut quotes = self.text.match_indices('"').map(|(at, _)| at);
        match quotes.clone().count() % 2 {
            0 => Ok(self),
            _ => Err(self.after(quotes.next_back().unwrap_or_default()).problem("the quote is not closed", "end the text with a \"")),
        }
    }

    /// The part from a byte to another.
    fn slice(self, from: usize, to: usize) -> Self {
        let (line, column) = self.place(from);
        Self { text: &self.text[from..to], line, column }.trimmed()
    }

    /// What is before and after the first of these characters that stands outside quotes.
    pub(super) fn split_once(self, separator: char) -> Option<(Self, Self)> {
        let at = self.unquoted(separator).next()?;
        Some((self.slice(0, at), self.slice(at + separator.len_utf8(), self.text.len())))
    }

    /// What is between these characters, where they stand outside quotes.
    pub(super) fn split(self, separator: char) -> Vec<Self> {
        let ends: Vec<usize> = self.unquoted(separator).chain([self.text.len()]).collect();
        let starts = std::iter::once(0).chain(ends.iter().map(|end| end + separator.len_utf8()));
        starts.zip(&ends).map(|(from, to)| self.slice(from, *to)).collect()
    }

    /// Where a character stands outside quotes.
    fn unquoted(self, wanted: char) -> impl Iterator<Item = usize> {
        let mut quoted = false;
        self.text.char_indices().filter_map(move |(at, letter)| {
            quoted ^= letter == '"';
            (letter == wanted && !quoted).then_some(at)
        })
    }

    /// Its first word, and the rest.
    pub(super) fn first_word(self) -> (Self, Self) {
        let end = self.text.find(char::is_whitespace).unwrap_or(self.text.len());
        (self.slice(0, end), self.slice(end, self.text.len()))
    }

    /// Its words.
    pub(super) fn words(self) -> Vec<Self> {
        let mut words = Vec::new();
        let mut rest = self.trimmed();
        while !rest.text.is_empty() {
            let (word, after) = rest.first_word();
            words.push(word);
            rest = after;
        }
        words
    }

    /// What is before another part of it, and what begins there.
    pub(super) fn cut_before(self, other: AnnotationPart<'t>) -> (Self, Self) {
        let at = self.text.char_indices().nth(other.column - self.column).map_or(self.text.len(), |(at, _)| at);
        (self.slice(0, at), self.slice(at, self.text.len()))
    }

    /// The part without a comma at its end, as a list over several lines has them.
    pub(super) fn without_last_comma(self) -> Self {
        let text = self.text.strip_suffix(',').unwrap_or(self.text);
        Self { text, ..self }.trimmed()
    }

    /// What is behind so many bytes.
    pub(super) fn after(self, bytes: usize) -> Self {
        self.slice(bytes, self.text.len())
    }

    /// The place behind it.
    pub(super) fn end(self) -> Self {
        self.slice(self.text.len(), self.text.len())
    }

    /// What is wrong with it.
    pub(super) fn problem(self, message: impl Into<String>, remedy: impl Into<String>) -> AnnotationProblem {
        AnnotationProblem { line: self.line, column: self.column, message: message.into(), remedy: remedy.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_know_where_they_begin() {
        let line = AnnotationPart::lines("\n# a comment\n  é, \"a,b\":  c d\n").next().unwrap();
        assert_eq!((line.line, line.column), (3, 3));
        let (head, tail) = line.split_once(':').unwrap();
        let places = |parts: Vec<AnnotationPart<'_>>| parts.iter().map(|part| (part.text.to_owned(), part.column)).collect::<Vec<_>>();
        assert_eq!(places(head.split(',')), [("é".to_owned(), 3), ("\"a,b\"".to_owned(), 6)]);
        assert_eq!(places(tail.words()), [("c".to_owned(), 14), ("d".to_owned(), 16)]);
        assert_eq!(tail.end().column, 17);
    }

    #[test]
    fn parts_of_a_value_over_several_lines_know_theirs() {
        let places =
            |value: &'static str| AnnotationPart::whole(value).split(',').into_iter().map(|part| (part.text, part.line, part.column));
        assert_eq!(places("\n1m,\r\n  é 5m,\n\n").collect::<Vec<_>>(), [("1m", 2, 1), ("é 5m", 3, 3), ("", 3, 8)]);
        assert_eq!(places(" \n ").collect::<Vec<_>>(), [("", 1, 2)]);
    }
}
