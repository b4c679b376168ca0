//! Separators: lines `---` that are missing between two objects, which makes one object of them that sets everything twice.
//!
//! Docs: Kubernetes, "Managing Workloads". Lines that separate documents are found in `split.rs`, duplicate fields in `node.rs`.

use crate::lines::SourceLines;
use crate::node::Content;
use crate::{Diagnostic, Document, Edit, Fix};

/// The fields that begin an object.
const FIRST: [&str; 2] = ["apiVersion", "kind"];
const SEPARATOR: &str = "---";

/// The duplicate fields of a document, or, if another object begins in it, that.
pub(crate) fn instead_of(text: &str, document: &Document, duplicates: &[Diagnostic]) -> Vec<Diagnostic> {
    let Some(cause) = missing(text, document, duplicates) else { return duplicates.to_vec() };
    let others = duplicates.iter().filter(|duplicate| duplicate.position.column > 1).cloned();
    others.chain([cause]).collect()
}

/// What is wrong if other objects begin in a document, where no line separates them.
fn missing(text: &str, document: &Document, duplicates: &[Diagnostic]) -> Option<Diagnostic> {
    let Content::Map(entries) = &document.root().content else { return None };
    let first = FIRST.into_iter().find(|first| entries.first().is_some_and(|entry| entry.key == *first))?;
    let set = |field: &str| duplicates.iter().filter(|found| found.position.column == 1 && found.path == field).collect::<Vec<_>>();
    let begins = set(first);
    if !FIRST.into_iter().all(|field| !set(field).is_empty()) {
        return None;
    }
    let lines = SourceLines::of(text);
    let edit = |found: &&Diagnostic| {
        let start = lines.bytes(found.position).start;
        let above = text[..start].trim_end();
        match above.strip_suffix(SEPARATOR) {
            Some(rest) => Edit { range: rest.len()..rest.len(), text: "\n".to_owned() },
            None => Edit { range: start..start, text: format!("{SEPARATOR}\n") },
        }
    };
    let line = begins[0].position.line;
    let above = text[..lines.bytes(begins[0].position).start].trim_end();
    let (message, remedy, label) = if above.ends_with(SEPARATOR) {
        let line = above.lines().count();
        (format!("`---` is stuck to the end of line {line}"), "put it on a line of its own", "Put --- on a line of its own")
    } else {
        (format!("a line `---` is missing before line {line}"), "put one between two objects", "Separate the objects with ---")
    };
    let fix = Fix::Clean { label: label.to_owned(), edits: begins.iter().map(edit).collect() };
    Some(Diagnostic::error(begins[0].position, message).remedy(remedy).fix(Some(fix)))
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
}
