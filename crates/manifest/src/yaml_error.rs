//! YAML errors: what libyaml reports about text that is not YAML, where, and what helps.
//!
//! Docs: none of Kubernetes'. What is YAML but no JSON is refused in `yaml.rs`.

use std::ops::Range;

use libyaml_safer::{Error, Mark};

use crate::block_scalars::{indentation, opened};
use crate::{Diagnostic, Position, pasted};

/// The diagnostic for an error of the parser; `byte` maps a mark to its place in the text, `position` a byte to its place in the file.
pub(crate) fn diagnostic(error: &Error, text: &str, byte: impl Fn(Mark) -> usize, position: impl Fn(usize) -> Position) -> Diagnostic {
    let problem = error.problem();
    let mark = if noticed_late(error) { error.context_mark() } else { None }.or(error.problem_mark());
    let at = mark.map_or(0, byte);
    // What is missing at the end is missing behind the last line that says something: the next one may be of another document.
    let shown = at.min(text.trim_end().len());
    let diagnostic = Diagnostic::error(position(shown), format!("invalid YAML: {problem}"));
    diagnostic.remedy(remedy(problem, text, at))
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

/// What helps against a problem at this place.
fn remedy(problem: &str, text: &str, at: usize) -> String {
    if shortened(text, at) {
        return pasted::LEFT_OUT.to_owned();
    }
    if let Some(field) = field_behind_field(problem, text, at) {
        return format!("put `{field}` on a line of its own, indented below the field that holds it");
    }
    if let Some(remedy) = between_items(problem, text, at).or_else(|| at_start_of_line(problem, text, at)) {
        return remedy.to_owned();
    }
    if needs_quotes(problem, &text[at..]) {
        let value = value(text, at).filter(|value| !value.contains(['"', '\\', '\t']));
        return value.map_or_else(|| "write the value in quotes".to_owned(), |value| format!("write the value in quotes: \"{value}\""));
    }
    general_remedy(problem, &text[at..]).to_owned()
}

/// What helps where an item in brackets or braces ends and something else follows it on the line, though it is closed further on.
fn between_items(problem: &str, text: &str, at: usize) -> Option<&'static str> {
    let (close, comma) = match problem {
        "did not find expected ',' or ']'" => (']', "put a comma between the items of the list"),
        "did not find expected ',' or '}'" => ('}', "put a comma between the fields of the map"),
        _ => return None,
    };
    let rest = text[at..].lines().next().filter(|rest| rest.contains(close) && !rest.starts_with(close))?;
    let begins = rest.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '"' | '\'' | '-' | '/' | '$'));
    Some(match text[..at].chars().last()? {
        '\'' => "write '' for a ' between single quotes",
        '"' => "write \\\" for a \" between double quotes",
        ' ' | '\t' if begins => comma,
        _ => return None,
    })
}

/// What helps where a line is neither a key with a value nor an item: the `-` before it has no space, or it belongs to a text and is not indented.
fn at_start_of_line(problem: &str, text: &str, at: usize) -> Option<&'static str> {
    if !matches!(problem, "could not find expected ':'" | "did not find expected key" | "did not find expected '-' indicator") {
        return None;
    }
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let words = line.trim();
    if words.chars().count() > 1 && words.trim_start_matches(DASHES).is_empty() {
        return Some("write `---` to separate two objects");
    }
    let (mut deepest, mut content) = (indentation(line), usize::MAX);
    for above in text[..start].lines().rev().filter(|above| !above.trim().is_empty()) {
        match opened(above) {
            Some(parent) if deepest <= parent => return Some("indent the lines of the text that `|` or `>` begins"),
            Some(parent) if indentation(line) <= parent && content > parent && problem == "could not find expected ':'" => {
                return Some("indent this line like the text of the `|` above");
            }
            _ => {}
        }
        deepest = deepest.max(indentation(above));
        content = content.min(indentation(above));
    }
    let item = line.trim_start().strip_prefix('-')?;
    item.starts_with(|first: char| first.is_alphanumeric()).then_some("put a space after the `-`")
}

/// Dashes, also those that word processors write.
const DASHES: [char; 3] = ['-', '–', '—'];

/// Whether a value begins with a character that YAML reads as something else: `*`, `&`, `@`, `?`.
fn needs_quotes(problem: &str, rest: &str) -> bool {
    problem == "did not find expected alphabetic or numeric character"
        || problem == "found character that cannot start any token" && !rest.starts_with('\t')
        || problem == "mapping keys are not allowed in this context"
}

/// Whether the line of this place, or the one before, is the dots by which pages shorten manifests.
fn shortened(text: &str, at: usize) -> bool {
    let below = text[at..].find('\n').map_or(text.len(), |end| at + end);
    text[..below].lines().rev().take(2).any(|line| line.trim() == "...")
}

/// The value on the line of this place: what stands behind its first key, or behind a dash.
fn value(text: &str, at: usize) -> Option<&str> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?.trim().trim_start_matches("- ");
    let value = line.split_once(": ").map_or(line, |(_, value)| value);
    Some(value.split(" #").next()?.trim()).filter(|value| !value.is_empty())
}

/// The field that stands where the value of a field of maps begins: `a: b` in `annotations: a: b`.
fn field_behind_field<'t>(problem: &str, text: &'t str, at: usize) -> Option<&'t str> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?.trim_start_matches([' ', '-']);
    let (holder, field) = line.split_once(": ").filter(|_| problem == "mapping values are not allowed in this context")?;
    let (key, value) = field.trim().split_once(": ")?;
    let one = !key.contains([' ', '"', '\'']) && !value.contains(": ") && !flattened(value);
    Some(field.trim()).filter(|_| one && schema::holds_fields(holder))
}

/// Whether fields follow on the rest of the line as if they had been lines.
fn flattened(rest: &str) -> bool {
    rest.lines().next().is_some_and(|line| line.split(' ').filter(|word| word.len() > 1 && word.ends_with(':')).count() > 1)
}

/// What helps against a problem, whatever is written there.
fn general_remedy(problem: &str, rest: &str) -> &'static str {
    match (problem, rest.chars().next()) {
        ("found character that cannot start any token" | "found a tab character that violates indentation", Some('\t')) => {
            "indent with spaces: YAML does not allow tabs"
        }
        ("found a tab character where an indentation space is expected", _) => "indent with spaces: YAML does not allow tabs",
        ("mapping values are not allowed in this context", _) if flattened(rest) => {
            "put each field on a line of its own, indented below the field that holds it"
        }
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
    fn remedies_for_what_stands_between_items_and_at_the_start_of_a_line() {
        check(
            &[
                "a: [ \"a\" \"b\" ]\n",
                "a: ['it's']\n",
                "a: {b: \"c\" d: e}\n",
                "a: {b: 'it's'}\n",
                "a: [\"a\"b\"]\n",
                "args:\n- |\nset -e\necho\n",
                "b:\n  args:\n  - -c\n  - |\n  set -e\n  echo\n",
                "args:\n- sh\n-c\n",
                "a: |\n\techo\n",
                "a: |\n  echo\n\techo\n",
            ],
            expect![[r#"
                1:10: a: invalid YAML: did not find expected ',' or ']'; put a comma between the items of the list
                1:9: a: invalid YAML: did not find expected ',' or ']'; write '' for a ' between single quotes
                1:12: a: invalid YAML: did not find expected ',' or '}'; put a comma between the fields of the map
                1:12: a: invalid YAML: did not find expected ',' or '}'; write '' for a ' between single quotes
                1:8: a: invalid YAML: did not find expected ',' or ']'; write \" for a " between double quotes
                3:1: args: invalid YAML: could not find expected ':'; indent the lines of the text that `|` or `>` begins
                5:3: b.args: invalid YAML: could not find expected ':'; indent the lines of the text that `|` or `>` begins
                3:1: args: invalid YAML: could not find expected ':'; put a space after the `-`
                2:1: invalid YAML: found a tab character where an indentation space is expected; indent with spaces: YAML does not allow tabs
                3:1: invalid YAML: found a tab character where an indentation space is expected; indent with spaces: YAML does not allow tabs
            "#]],
        );
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
                "spec:\n  schedule: */5 * * * * # often\n",
                "a: * * * * *\n",
                "- *.log\n",
                "a:\n  b: 1\n  ...\n  c: 2\n",
                "a:\n  ...\n  c: 2\n",
                "apiVersion: batch/v1 kind: Job metadata: name: x spec: template:\n",
                "a:\n  annotations: batch.kubernetes.io/job-tracking: \"\"\n",
                "image: a: b\n",
                "a: ? * * * *\n",
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
                1:4: invalid YAML: found character that cannot start any token; write the value in quotes: "@b"
                2:14: spec: invalid YAML: did not find expected alphabetic or numeric character; write the value in quotes: "*/5 * * * *"
                1:5: invalid YAML: did not find expected alphabetic or numeric character; write the value in quotes: "* * * * *"
                1:4: invalid YAML: did not find expected alphabetic or numeric character; write the value in quotes: "*.log"
                3:3: a: invalid YAML: could not find expected ':'; replace `...`: it stands for what a page leaves out
                3:4: invalid YAML: mapping values are not allowed in this context; replace `...`: it stands for what a page leaves out
                1:26: invalid YAML: mapping values are not allowed in this context; put each field on a line of its own, indented below the field that holds it
                2:48: a: invalid YAML: mapping values are not allowed in this context; put `batch.kubernetes.io/job-tracking: ""` on a line of its own, indented below the field that holds it
                1:9: invalid YAML: mapping values are not allowed in this context; indent the line like the lines around it, or quote a value that contains `: `
                1:4: invalid YAML: mapping keys are not allowed in this context; write the value in quotes: "? * * * *"
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

    #[test]
    fn remedies_for_a_line_of_a_script_and_a_line_of_dashes() {
        check(
            &[
                "args:\n- |\n  set -e\nmigrate\n\n",
                "a:\n  args:\n  - |\n    set -e\n    migrate\necho done\n",
                "a:\n- |\n    set -e\nb: c\nmigrate\n",
                "a: 1\n--\nb: 2\n",
                "a: 1\n—--\nb: 2\n",
                "a:\n- b: 1\n  ---\nc: 1\n",
            ],
            expect![[r#"
                4:1: args: invalid YAML: could not find expected ':'; indent this line like the text of the `|` above
                6:1: a.args: invalid YAML: could not find expected ':'; indent this line like the text of the `|` above
                5:1: invalid YAML: could not find expected ':'; put `: ` between a key and its value
                2:1: invalid YAML: could not find expected ':'; write `---` to separate two objects
                2:1: invalid YAML: could not find expected ':'; write `---` to separate two objects
                3:3: a[0]: invalid YAML: could not find expected ':'; write `---` to separate two objects
            "#]],
        );
    }
}
