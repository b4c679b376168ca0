//! YAML errors: what libyaml reports about text that is not YAML, where, and what helps.
//!
//! Docs: none of Kubernetes'. What is YAML but no JSON is refused in `yaml.rs`.

use std::ops::Range;

use libyaml_safer::{Error, Mark};

use crate::{Diagnostic, Position};

/// The diagnostic for an error of the parser; `byte` maps a mark to its place in the text, `position` a byte to its place in the file.
pub(crate) fn diagnostic(error: &Error, text: &str, byte: impl Fn(Mark) -> usize, position: impl Fn(usize) -> Position) -> Diagnostic {
    let problem = error.problem();
    let mark = if noticed_late(error) { error.context_mark() } else { None }.or(error.problem_mark());
    let at = mark.map_or(0, byte);
    let diagnostic = Diagnostic::error(position(at), format!("invalid YAML: {problem}"));
    diagnostic.remedy(remedy(problem, text[at..].chars().next()))
}

/// Whether the parser notices a problem long after the place where it begins: what is open is closed by nothing.
fn noticed_late(error: &Error) -> bool {
    match error.problem() {
        "found unexpected end of stream" | "found unexpected document indicator" | "could not find expected ':'" => true,
        "did not find expected ',' or ']'" | "did not find expected ',' or '}'" => {
            error.context_mark().zip(error.problem_mark()).is_some_and(|(start, end)| start.line < end.line)
        }
        _ => false,
    }
}

/// Refuses a text with characters that YAML does not allow outside of escapes; `position` maps a byte to its place in the file.
///
/// # Errors
/// At the first such character.
pub(crate) fn refuse_unreadable(text: &str, position: impl Fn(Range<usize>) -> Position) -> Result<(), Diagnostic> {
    let Some((at, letter)) = text.char_indices().find(|(_, letter)| !readable(*letter)) else { return Ok(()) };
    Err(Diagnostic::error(position(at..at + letter.len_utf8()), format!("YAML does not allow the character U+{:04X}", u32::from(letter)))
        .remedy("remove it, or write it as an escape in double quotes"))
}

/// What helps against a problem at this character.
fn remedy(problem: &str, letter: Option<char>) -> &'static str {
    match (problem, letter) {
        ("found character that cannot start any token" | "found a tab character that violates indentation", Some('\t')) => {
            "indent with spaces: YAML does not allow tabs"
        }
        ("found character that cannot start any token", _) => "write the value in quotes",
        ("mapping values are not allowed in this context", _) => {
            "indent the line like the lines around it, or quote a value that contains `: `"
        }
        ("did not find expected key" | "did not find expected '-' indicator", _) => {
            "indent the line like the lines around it, and close what is open above it"
        }
        ("block sequence entries are not allowed in this context", _) => "start a list on a line of its own",
        ("found unexpected end of stream" | "found unexpected document indicator", _) => "close the quotes that start here",
        ("did not find expected ',' or ']'", _) => "close the list with `]`",
        ("did not find expected ',' or '}'", _) => "close the map with `}`",
        ("found unknown escape character", _) => "write a backslash as `\\\\`, or use single quotes",
        ("did not find expected <document start>", _) => "put a line with `---` between two documents",
        ("could not find expected ':'", _) => "put `: ` between a key and its value",
        _ => "check this line and the one above it for missing quotes, unclosed brackets or wrong indentation",
    }
}

/// Whether YAML allows a character outside of escapes; a byte order mark only before the text.
fn readable(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
        && letter != '\u{feff}'
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    fn check(texts: &[&str], expected: Expect) {
        let line = |text: &&str| format!("{}\n", crate::read(text).unwrap_err());
        expected.assert_eq(&texts.iter().map(line).collect::<String>());
    }

    #[test]
    fn remedies_for_common_mistakes() {
        check(
            &[
                "a:\n\tb: 1\n",
                "spec:\n  a: 1\n b: 2\n",
                "args: [a, \"b]\n",
                "a: b: c\n",
                "a: @b\n",
                "a: - b\n",
                "a: [b\nc: d\n",
                "a: {b: c\nd: e\n",
                "a: \"\\q\"\n",
                "a: 1\nb\n",
                "args: [http://x/?a=b]\n",
                "a: \"\\/\"\n",
                "a: ä\u{7}\n",
            ],
            expect![[r#"
                2:1: invalid YAML: found character that cannot start any token; indent with spaces: YAML does not allow tabs
                3:2: invalid YAML: did not find expected key; indent the line like the lines around it, and close what is open above it
                1:11: args: invalid YAML: found unexpected end of stream; close the quotes that start here
                1:5: invalid YAML: mapping values are not allowed in this context; indent the line like the lines around it, or quote a value that contains `: `
                1:4: invalid YAML: found character that cannot start any token; write the value in quotes
                1:4: invalid YAML: block sequence entries are not allowed in this context; start a list on a line of its own
                1:4: a: invalid YAML: did not find expected ',' or ']'; close the list with `]`
                1:4: a: invalid YAML: did not find expected ',' or '}'; close the map with `}`
                1:5: invalid YAML: found unknown escape character; write a backslash as `\\`, or use single quotes
                2:1: invalid YAML: could not find expected ':'; put `: ` between a key and its value
                1:17: args: invalid YAML: found unexpected '?'; write the value in quotes
                1:5: invalid YAML: found unknown escape character; write / without a backslash
                1:5: YAML does not allow the character U+0007; remove it, or write it as an escape in double quotes
            "#]],
        );
    }
}
