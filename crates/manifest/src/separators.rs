//! Separators: lines `---` that are missing between two objects, which makes one object of them that sets everything twice.
//!
//! Docs: Kubernetes, "Managing Workloads". Lines that separate documents are found in `split.rs`, duplicate fields in `node.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::block_scalars::lines_outside;
use crate::lines::SourceLines;
use crate::node::Content;
use crate::{Diagnostic, Document, Edit, Fix, Position};

/// The fields that begin an object.
const FIRST: [&str; 2] = ["apiVersion", "kind"];
const SEPARATOR: &str = "---";

/// A text in which separators may be missing.
pub(crate) struct Separators<'t> {
    text: &'t str,
    lines: SourceLines<'t>,
    /// The lines that belong to no block scalar, from 0.
    outside: BTreeMap<usize, Range<usize>>,
}

impl<'t> Separators<'t> {
    /// Cuts the text into lines.
    pub(crate) fn of(text: &'t str) -> Self {
        Self { text, lines: SourceLines::of(text), outside: lines_outside(text).collect() }
    }

    /// The duplicate fields of a document, or, if another object begins in it, that.
    pub(crate) fn instead_of(&self, document: &Document, duplicates: &[Diagnostic]) -> Vec<Diagnostic> {
        let Some(cause) = self.missing(document, duplicates) else { return duplicates.to_vec() };
        let others = duplicates.iter().filter(|duplicate| duplicate.position.column > 1).cloned();
        others.chain([cause]).collect()
    }

    /// What is wrong if other objects begin in a document, where no line separates them.
    fn missing(&self, document: &Document, duplicates: &[Diagnostic]) -> Option<Diagnostic> {
        let Content::Map(entries) = &document.root().content else { return None };
        entries.first().filter(|entry| FIRST.contains(&entry.key.as_str()))?;
        let begins = begins(duplicates)?;
        let line = begins[0].line - 1;
        let (at, message, remedy, label) = match self.stuck(line) {
            Some((above, _)) => {
                let message = format!("`---` is stuck to the end of line {}", above + 1);
                (line, message, "put it on a line of its own", "Put --- on a line of its own")
            }
            None => {
                let at = self.with_comments(line);
                let message = format!("a line `---` is missing before line {}", at + 1);
                (at, message, "put one between two objects", "Separate the objects with ---")
            }
        };
        let edits = begins.iter().map(|begin| self.edit(begin.line - 1)).collect();
        let position = if at == line { begins[0] } else { self.lines.position(self.outside[&at].clone()) };
        Some(Diagnostic::error(position, message).remedy(remedy).fix(Some(Fix::Clean { label: label.to_owned(), edits })))
    }

    /// What separates the object that begins on this line, from 0, from the one above.
    fn edit(&self, line: usize) -> Edit {
        match self.stuck(line) {
            Some((_, at)) => Edit { range: at..at, text: "\n".to_owned() },
            None => {
                let start = self.outside[&self.with_comments(line)].start;
                Edit { range: start..start, text: format!("{SEPARATOR}\n") }
            }
        }
    }

    /// The line above this one at whose end a separator is stuck, and the byte where that begins.
    fn stuck(&self, line: usize) -> Option<(usize, usize)> {
        let filled = |(_, words): &(&usize, &Range<usize>)| !self.text[(*words).clone()].trim().is_empty();
        let (number, words) = self.outside.range(..line).rev().find(filled)?;
        // What stands between belongs to a block scalar.
        let blank = self.text[words.end..self.outside[&line].start].trim().is_empty();
        let above = self.text[words.clone()].trim_end().strip_suffix(SEPARATOR)?;
        let value = !above.contains('#') && !above.trim_matches(['-', ' ']).is_empty();
        (blank && value).then_some((*number, words.start + above.len()))
    }

    /// The first of the lines of comment directly above this line, or the line itself.
    fn with_comments(&self, line: usize) -> usize {
        let comment = |above: &usize| self.outside.get(above).is_some_and(|words| self.text[words.clone()].starts_with('#'));
        (0..line).rev().take_while(comment).last().unwrap_or(line)
    }
}

/// Where objects begin: with the first of the fields that begin one, each set again; `None` if one of these is set once only.
fn begins(duplicates: &[Diagnostic]) -> Option<Vec<Position>> {
    let (mut begins, mut seen, mut all) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let first = |found: &&Diagnostic| found.position.column == 1 && FIRST.contains(&found.path.as_str());
    for Diagnostic { path, position, .. } in duplicates.iter().filter(first) {
        if seen.is_empty() || !seen.insert(path) {
            begins.push(*position);
            seen = BTreeSet::from([path]);
        }
        all.insert(path);
    }
    (all.len() == FIRST.len()).then_some(begins)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{Repairs, workloads};

    /// What is wrong with each text, and the text with the fix.
    fn check(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| {
            let found = workloads(text).unwrap_err();
            let lines = found.iter().map(|found| format!("{found}\n")).collect::<String>();
            let repair = Repairs::of(text).repair(&found[0]).filter(|_| found[0].safe());
            lines + &repair.map(|repair| repair.apply(text).unwrap()).unwrap_or_default()
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    #[test]
    fn a_separator_that_is_missing_or_stuck_is_added() {
        check(
            &[
                "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: b\n",
                "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: b\n",
                "apiVersion: batch/v1\nkind: Job\nkind: Job\nmetadata:\n  name: a\n",
            ],
            expect![[r#"
                5:1: a line `---` is missing before line 5; put one between two objects
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                ---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: b
                5:1: `---` is stuck to the end of line 4; put it on a line of its own
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                ---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: b
                3:1: kind: duplicate field "kind": line 2 already sets it; keep one of the two
            "#]],
        );
    }

    #[test]
    fn dashes_in_comments_and_scripts_are_no_separators() {
        let job = |name: &str| format!("apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}\n");
        check(
            &[
                &format!("{}# ---- second job ----\n{}", job("a"), job("b")),
                &format!("{}  annotations:\n    x: |\n      cat header\n      ---\n{}", job("a"), job("b")),
                &format!("{}  annotations:\n    x: |\n      # y\n# z\n{}", job("a"), job("b")),
            ],
            expect![[r#"
                5:1: a line `---` is missing before line 5; put one between two objects
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                ---
                # ---- second job ----
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: b
                9:1: a line `---` is missing before line 9; put one between two objects
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    x: |
                      cat header
                      ---
                ---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: b
                8:1: a line `---` is missing before line 8; put one between two objects
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    x: |
                      # y
                ---
                # z
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: b
            "#]],
        );
    }

    #[test]
    fn an_object_begins_with_the_first_of_its_fields() {
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\n";
        check(
            &[
                &format!("{job}kind: Job\napiVersion: batch/v1\nmetadata:\n  name: b\n"),
                &format!("{job}kind: Job\napiVersion: batch/v1\nmetadata:\n  name: b\n{job}"),
            ],
            expect![[r#"
                5:1: a line `---` is missing before line 5; put one between two objects
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                ---
                kind: Job
                apiVersion: batch/v1
                metadata:
                  name: b
                5:1: a line `---` is missing before line 5; put one between two objects
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                ---
                kind: Job
                apiVersion: batch/v1
                metadata:
                  name: b
                ---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
            "#]],
        );
    }
}
