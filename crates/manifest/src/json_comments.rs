//! Comments in JSON, as editors take them, which neither JSON nor YAML has.
//!
//! Docs: RFC 8259. A trailing comma is accepted: kubectl, too, reads as YAML what is not JSON.

use std::ops::Range;

use crate::lines::SourceLines;
use crate::split;
use crate::{Diagnostic, Edit, Fix};

/// Names comments in the JSON of a text that is neither JSON nor YAML; `None` if there are none.
pub(crate) fn named(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    let unreadable = found.iter().any(|problem| problem.message.starts_with("invalid YAML"));
    let documents = split::documents(text, 0).into_iter().filter(|document| unreadable && begins_as_json(&text[document.bytes.clone()]));
    let comments: Vec<Range<usize>> = documents.flat_map(|document| comments(text, document.bytes)).collect();
    let error = Diagnostic::error(SourceLines::of(text).position(comments.first()?.clone()), "JSON has no comments");
    let edits = comments.into_iter().map(|range| Edit { range, text: String::new() }).collect();
    Some(
        error
            .remedy("remove the comments, or write the manifest in YAML")
            .fix(Some(Fix::Clean { label: "Remove the comments".to_owned(), edits })),
    )
}

/// Whether the first line that says something is JSON, or a comment as editors take it.
fn begins_as_json(document: &str) -> bool {
    let first = document.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("---"));
    first.is_some_and(|line| line.starts_with(['{', '[', '/']))
}

/// The comments among these bytes: `//` up to the end of the line, and all between `/*` and `*/`.
fn comments(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), bytes.start);
    while let Some(next) = text[at..bytes.end].find(['"', '/']) {
        at += next;
        let rest = &text[at..bytes.end];
        let begins = text[bytes.start..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "{[,]}\"".contains(before));
        let end = match rest.as_bytes() {
            [b'/', b'/', ..] if begins => rest.find('\n'),
            [b'/', b'*', ..] if begins => rest.find("*/").map(|end| end + 2),
            [b'"', ..] => {
                at += string(rest);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let end = at + end.unwrap_or(rest.len());
        found.push(at..end);
        at = end;
    }
    found
}

/// How many bytes the text in quotes has that begins here.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let closes = |letter: char| {
        let closes = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        closes
    };
    text[1..].find(closes).map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{Repairs, objects};

    fn check(text: &str, expected: Expect) {
        let found = &objects(text).unwrap_err()[0];
        let repaired = Repairs::of(text).repair(found).map(|repair| repair.apply(text).unwrap()).unwrap_or_default();
        expected.assert_eq(&format!("{found}\n{repaired}"));
    }

    #[test]
    fn comments_are_named_and_taken_out() {
        check(
            "// pi\n{\n  \"apiVersion\": \"batch/v1\", /* of\n  1.21 */\n  \"kind\": \"Job\", // not a CronJob\n  \"metadata\": {\"name\": \"pi\", \"annotations\": {\"a\": \"http://b \\\" // c\",}},\n}\n",
            expect![[r#"
                1:1: JSON has no comments; remove the comments, or write the manifest in YAML

                {
                  "apiVersion": "batch/v1", 
                  "kind": "Job", 
                  "metadata": {"name": "pi", "annotations": {"a": "http://b \" // c",}},
                }
            "#]],
        );
        check(
            "{a: http://b, c: [}\n",
            expect![[r#"
            1:19: c: invalid YAML: did not find expected node content; check this line and the one above it for missing quotes, unclosed brackets or wrong indentation
        "#]],
        );
    }
}
