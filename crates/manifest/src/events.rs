//! Events of YAML: what libyaml finds in a text, with the bytes that each event stands for.
//!
//! Docs: none of Kubernetes'. The parser is a port of libyaml, as go-yaml is; where the port panics, the text is given to it in another
//! way. What events mean is decided in `yaml.rs`.

use std::io::Cursor;
use std::ops::Range;

use libyaml_safer::{EventData, MappingStyle, Parser, ScalarStyle, SequenceStyle};

use crate::lines::SourceLines;
use crate::{Diagnostic, yaml_error};

/// What YAML 1.1 takes for the end of a line.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The events of one document.
pub(crate) struct Events<'t> {
    parser: Parser<Cursor<String>>,
    text: &'t str,
    /// Where the text starts in its file, in bytes.
    offset: usize,
    lines: &'t SourceLines<'t>,
    guard: Option<TagGuard>,
    /// How many lists and maps in brackets are open.
    brackets: usize,
}

/// A character that keeps tags and commas apart, for the parser panics where they touch.
struct TagGuard {
    letter: char,
    /// The bytes at which it stands, in the text that the parser is given.
    places: Vec<usize>,
}

impl<'t> Events<'t> {
    /// The events of a text that starts at this byte of its file.
    ///
    /// # Errors
    /// If a character stands in the text that YAML does not allow.
    pub(crate) fn of(text: &'t str, offset: usize, lines: &'t SourceLines<'t>) -> Result<Self, Diagnostic> {
        yaml_error::refuse_unreadable(text, |bytes| lines.position(offset + bytes.start..offset + bytes.end))?;
        let (mut given, guard) = guarded(text);
        // A block scalar or a backslash that nothing follows makes the parser panic.
        if !text.ends_with(BREAKS) {
            given.push('\n');
        }
        let mut parser = Parser::new();
        parser.set_input(Cursor::new(given));
        Ok(Self { parser, text, offset, lines, guard, brackets: 0 })
    }

    /// The next event, and its bytes in the file.
    ///
    /// # Errors
    /// If the text is not YAML from here on.
    pub(crate) fn next(&mut self) -> Result<(EventData, Range<usize>), Diagnostic> {
        let event = self.parser.parse().map_err(|error| {
            yaml_error::diagnostic(
                &error,
                self.text,
                |mark| self.byte(mark.index),
                |byte| self.lines.position(self.offset + byte..usize::MAX),
            )
        })?;
        let bytes = self.byte(event.start_mark.index)..self.byte(event.end_mark.index);
        let mut data = event.data;
        self.count_brackets(&data);
        if let EventData::Scalar { value, style, .. } = &mut data {
            self.refuse_as_go_does(*style, value, &bytes)?;
            if let Some(guard) = &self.guard {
                value.retain(|letter| letter != guard.letter);
            }
            let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
            if block && bytes.end == self.text.len() {
                self.take_back_break(value, bytes.start);
            }
        }
        Ok((data, self.offset + bytes.start..self.offset + bytes.end))
    }

    fn count_brackets(&mut self, data: &EventData) {
        let opens = matches!(
            data,
            EventData::SequenceStart { style: SequenceStyle::Flow, .. } | EventData::MappingStart { style: MappingStyle::Flow, .. }
        );
        if opens || self.brackets > 0 && matches!(data, EventData::SequenceStart { .. } | EventData::MappingStart { .. }) {
            self.brackets += 1;
        }
        if matches!(data, EventData::SequenceEnd | EventData::MappingEnd) {
            self.brackets = self.brackets.saturating_sub(1);
        }
    }

    /// Refuses what go-yaml refuses and this parser accepts: `\/` in double quotes, and plain words with `?` in brackets.
    fn refuse_as_go_does(&self, style: ScalarStyle, value: &str, bytes: &Range<usize>) -> Result<(), Diagnostic> {
        let written = &self.text[bytes.clone()];
        let found = if style == ScalarStyle::DoubleQuoted {
            escaped_slash(written).map(|at| (at, "found unknown escape character", "write / without a backslash"))
        } else if style == ScalarStyle::Plain && self.brackets > 0 && value.contains('?') {
            written.rfind('?').map(|at| (at, "found unexpected '?'", "write the value in quotes"))
        } else {
            None
        };
        let Some((at, problem, remedy)) = found else { return Ok(()) };
        let at = self.offset + bytes.start + at;
        Err(Diagnostic::error(self.lines.position(at..at + 1), format!("invalid YAML: {problem}")).remedy(remedy))
    }

    /// The byte of the text at which the parser is.
    fn byte(&self, index: u64) -> usize {
        let index = index as usize;
        let before = |guard: &TagGuard| guard.places.partition_point(|place| *place < index) * guard.letter.len_utf8();
        (index - self.guard.as_ref().map_or(0, before)).min(self.text.len())
    }

    /// Takes the line break that was put behind the text from a block scalar that starts here and ends the text.
    fn take_back_break(&self, value: &mut String, start: usize) {
        let last_line = self.text.rsplit(BREAKS).next().unwrap_or_default();
        let Some((rest, "")) = value.rsplit_once('\n') else { return };
        let header = self.text[start..].split(['\n', '\r', '#']).next().unwrap_or_default();
        let blank = |line: &str| !line.is_empty() && line.trim().is_empty();
        let keeps_breaks = blank(last_line) && (header.contains('+') || rest.rsplit('\n').next().is_some_and(blank));
        if keeps_breaks || !last_line.trim().is_empty() {
            value.pop();
        }
    }
}

/// Where `\/` stands in a word in double quotes.
fn escaped_slash(written: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(backslash) = written[at..].find('\\') {
        at += backslash;
        let escaped = written[at + 1..].chars().next()?;
        if escaped == '/' {
            return Some(at);
        }
        at += 1 + escaped.len_utf8();
    }
    None
}

/// The text with a guard at the end of each tag that a comma touches.
fn guarded(text: &str) -> (String, Option<TagGuard>) {
    let ends = ends_of_tags(text);
    if ends.is_empty() {
        return (text.to_owned(), None);
    }
    let letter = ('\u{e000}'..='\u{f8ff}').find(|letter| !text.contains(*letter)).unwrap_or('\u{e000}');
    let (mut given, mut places, mut done) = (String::new(), Vec::new(), 0);
    for end in ends {
        given.push_str(&text[done..end]);
        places.push(given.len());
        given.push(letter);
        done = end;
    }
    given.push_str(&text[done..]);
    (given, Some(TagGuard { letter, places }))
}

/// The places in front of commas at which what may be a tag ends.
fn ends_of_tags(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('!') {
        at += found + 1;
        let length = if bytes.get(at) == Some(&b'<') {
            bytes[at..].iter().take_while(|byte| !byte.is_ascii_whitespace() && **byte != b'>').count() + 1
        } else {
            bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$.%!~*'()".contains(byte)).count()
        };
        at = (at + length).min(text.len());
        if bytes.get(at) == Some(&b',') {
            // A quote may close a word that holds the exclamation mark: what is inside of it is taken out of it again.
            ends.push(text[..at].trim_end_matches('\'').len());
        }
    }
    ends
}
