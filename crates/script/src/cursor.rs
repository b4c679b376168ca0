//! A place in a line of a script, which moves on word by word.
//!
//! Docs: none; the language is described in `lib.rs`. What words mean is decided in `parse.rs` and `parse_action.rs`.

use std::str::FromStr;

use api::{Duration, Timestamp, duration};
use serde_json::Deserializer;

use super::error::ScriptError;
use super::numbers::{NumberList, NumberRange};
use super::object_name::ObjectName;

/// What ends a word, besides blanks. Parentheses are blanks: what they hold may be left out, or is read as if they were not there.
const PUNCTUATION: [char; 7] = [',', ';', ':', '=', '#', '(', ')'];

/// What to write where one of the next creations is meant.
pub(super) const REFUSE_CREATION: &str = "write which of the next creations, as in \"refuse the 3rd pod creation\"";

/// A place in a line.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    line: usize,
    text: &'a str,
    /// The next byte.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The beginning of a line, which has this number from 1.
    pub(super) fn new(line: usize, text: &'a str) -> Self {
        let mut cursor = Self { line, text, at: 0 };
        cursor.pass_blanks();
        cursor
    }

    /// The character of the line at which it is, from 1.
    pub(super) fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    /// Whether nothing is left but a comment.
    pub(super) fn at_end(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with('#')
    }

    /// What is left of the line.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next word; empty if there is none here.
    pub(super) fn peek(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|letter: char| letter.is_whitespace() || PUNCTUATION.contains(&letter)).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Skips this many bytes, and the blanks after them.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.at += bytes;
        self.pass_blanks();
    }

    /// Passes over the next word if it is one of these.
    pub(super) fn accept(&mut self, words: &[&str]) -> bool {
        let accepted = words.contains(&self.peek());
        if accepted {
            self.pass(self.peek().len());
        }
        accepted
    }

    /// Passes over these words if they all come next.
    pub(super) fn accept_all(&mut self, words: &[&str]) -> bool {
        let mut ahead = self.clone();
        let accepted = words.iter().all(|word| ahead.accept(&[word]));
        if accepted {
            *self = ahead;
        }
        accepted
    }

    /// Passes over a sign if it comes next.
    pub(super) fn accept_sign(&mut self, sign: char) -> bool {
        let accepted = self.rest().starts_with(sign);
        if accepted {
            self.pass(sign.len_utf8());
        }
        accepted
    }

    /// Passes over a word that must come next.
    pub(super) fn expect(&mut self, word: &str, remedy: &str) -> Result<(), ScriptError> {
        if self.accept(&[word]) { Ok(()) } else { Err(self.expected(&format!("{word:?}"), remedy)) }
    }

    /// A name.
    pub(super) fn name(&mut self, of: &str) -> Result<&'a str, ScriptError> {
        let name = self.peek();
        if name.is_empty() {
            return Err(self.error(format!("the name of the {of} is missing"), format!("write it after {of:?}")));
        }
        self.pass(name.len());
        Ok(name)
    }

    /// The name of an object, perhaps with its namespace.
    pub(super) fn object(&mut self, kind: &str) -> Result<ObjectName, ScriptError> {
        let before = self.clone();
        let name = self.name(kind)?;
        ObjectName::parse(name)
            .ok_or_else(|| before.error(format!("invalid name {name:?}"), format!("write \"{kind} NAME\" or \"{kind} NAMESPACE/NAME\"")))
    }

    /// Text in double quotes, as JSON writes it.
    pub(super) fn quoted(&mut self, remedy: &str) -> Result<String, ScriptError> {
        let mut texts = Deserializer::from_str(self.rest()).into_iter::<String>();
        let Some(Ok(text)) = texts.next() else { return Err(self.expected("text in double quotes", remedy)) };
        self.pass(texts.byte_offset());
        Ok(text)
    }

    /// A number within the bounds of its type, and at least `least`.
    pub(super) fn number<T: FromStr + PartialOrd>(&mut self, least: T, most: T, remedy: &str) -> Result<T, ScriptError> {
        let number = self.peek().parse().ok().filter(|number| *number >= least && *number <= most);
        let Some(number) = number else { return Err(self.invalid("number", remedy)) };
        self.pass(self.peek().len());
        Ok(number)
    }

    /// Numbers of something that is counted from `least`: one, a range, or several of those with commas between them.
    pub(super) fn numbers(&mut self, several: &str, least: u32) -> Result<NumberList, ScriptError> {
        let mut numbers = NumberList::from(self.range(several, least)?);
        while self.rest().trim_start_matches([',', ' ']).starts_with(|letter: char| letter.is_ascii_digit()) && self.accept_sign(',') {
            numbers = numbers.and(self.range(several, least)?);
        }
        Ok(numbers)
    }

    fn range(&mut self, several: &str, least: u32) -> Result<NumberRange, ScriptError> {
        let Some(range) = NumberRange::parse(self.peek(), least) else {
            let remedy = format!("write a number, {least} or higher, a range, or several of them, as in \"{several} 1-2,5\"");
            return Err(self.invalid("number", &remedy));
        };
        self.pass(self.peek().len());
        Ok(range)
    }

    /// A time in UTC, if one comes next: `2026-01-03T02:00:00Z`.
    pub(super) fn time(&mut self) -> Option<Timestamp> {
        let end = self.rest().find('Z')? + 1;
        let at = self.rest()[..end].parse().ok()?;
        self.pass(end);
        Some(at)
    }

    /// A number in a row, from 1: `3rd`.
    pub(super) fn ordinal(&mut self) -> Result<u32, ScriptError> {
        let number = self.peek().trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).parse().ok();
        let Some(number) = number.filter(|number| *number > 0) else { return Err(self.invalid("number", REFUSE_CREATION)) };
        self.pass(self.peek().len());
        Ok(number)
    }

    /// A duration.
    pub(super) fn length(&mut self) -> Result<Duration, ScriptError> {
        let Some(length) = duration::parse_with_days(self.peek()) else {
            return Err(match spelled_length(self.rest()) {
                Some((words, meant)) => self.error(format!("invalid duration {words:?}"), format!("write it as {meant:?}")),
                None => self.invalid("duration", duration::GRAMMAR_WITH_DAYS),
            });
        };
        self.pass(self.peek().len());
        Ok(length)
    }

    /// `after` and a duration, or `at once`.
    pub(super) fn delay(&mut self) -> Result<Duration, ScriptError> {
        if self.accept_all(&["at", "once"]) {
            return Ok(Duration::ZERO);
        }
        self.expect("after", "write when, as in \"after 5s\" or \"at once\"")?;
        self.length()
    }

    /// An error at this place.
    pub(super) fn error(&self, message: impl Into<String>, remedy: impl Into<String>) -> ScriptError {
        ScriptError { line: self.line, column: self.column(), message: message.into(), remedy: remedy.into() }
    }

    /// An error at this place, where something else should come next.
    pub(super) fn expected(&self, wanted: &str, remedy: &str) -> ScriptError {
        self.error(format!("expected {wanted}, found {}", self.here()), remedy)
    }

    /// An error at this place, where the next word is not what it should be; `wanted` is a noun, as in `number`.
    fn invalid(&self, wanted: &str, remedy: &str) -> ScriptError {
        match self.peek() {
            "" => self.expected(&format!("a {wanted}"), remedy),
            word => self.error(format!("invalid {wanted} {word:?}"), remedy),
        }
    }

    /// What comes next, in words.
    pub(super) fn here(&self) -> String {
        match self.peek() {
            "" if self.at_end() => "the end of the line".to_owned(),
            "" => format!("{:?}", &self.rest()[..1]),
            word => format!("{word:?}"),
        }
    }

    fn pass_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(' || letter == ')').len();
    }
}

/// Units as people write them, with those of durations.
const UNITS: [(&[&str], &str); 7] = [
    (&["millisecond", "milliseconds", "msec", "msecs"], "ms"),
    (&["s", "sec", "secs", "second", "seconds"], "s"),
    (&["m", "min", "mins", "minute", "minutes"], "m"),
    (&["h", "hr", "hrs", "hour", "hours"], "h"),
    (&["d", "day", "days"], "d"),
    (&["w", "week", "weeks"], "w"),
    (&["y", "year", "years"], "y"),
];

/// A number with a unit in words, such as `7 min` or `2hours`, at the beginning of a text, and the duration that it means.
fn spelled_length(text: &str) -> Option<(&str, String)> {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let number = &text[..text.len() - unit.len()];
    let unit = unit.trim_start_matches(' ');
    let end = unit.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(unit.len());
    let name = unit[..end].to_lowercase();
    let (_, short) = UNITS.iter().find(|(names, _)| names.contains(&&*name))?;
    let meant = format!("{number}{short}");
    duration::parse_with_days(&meant)?;
    Some((&text[..text.len() - unit.len() + end], meant))
}

#[cfg(test)]
mod tests {
    #[test]
    fn lengths_in_words_are_durations() {
        let meant = |text| super::spelled_length(text).map(|(words, meant)| format!("{words} = {meant}"));
        let words = ["7 min", "7min, once", "1.5 Hours", "30 days", "5 s", "20 milliseconds", "7", "min", "7 x", "1.5 days"].map(meant);
        let expected = ["7 min = 7m", "7min = 7m", "1.5 Hours = 1.5h", "30 days = 30d", "5 s = 5s", "20 milliseconds = 20ms"];
        assert_eq!(words.into_iter().flatten().collect::<Vec<_>>(), expected);
    }
}
