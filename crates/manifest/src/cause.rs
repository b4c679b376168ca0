//! Cause: the one thing that is wrong with a text, in place of all that comes of it.
//!
//! Docs: none of Kubernetes'. What is known of texts is in `pasted.rs`, `miswritten.rs` and `no_manifest.rs`.

use std::ops::Range;

use crate::lines::SourceLines;
use crate::split::{self, SplitDocument};
use crate::{Diagnostic, Fix, no_manifest, pasted};

/// Whether what was found in a text has a cause that is known.
pub(crate) fn is_known(found: &[Diagnostic], text: &str) -> bool {
    cause(found, text).is_some()
}

fn cause(found: &[Diagnostic], text: &str) -> Option<Diagnostic> {
    pasted::named(text, found).or_else(|| no_manifest::named(text))
}

/// What is wrong with a text: one cause, if it is known, and of what was found only that in documents which the cause does not touch.
pub(crate) fn instead_of(found: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
    let Some(cause) = cause(&found, text) else { return found };
    let Some(Fix::Clean { edits, .. }) = cause.fix.as_deref() else { return vec![cause] };
    let lines = SourceLines::of(text);
    let touched: Vec<Range<usize>> = split::documents(text, 0)
        .into_iter()
        .map(|SplitDocument { bytes, .. }| bytes.start..bytes.end + 1)
        .filter(|bytes| edits.iter().any(|edit| bytes.contains(&edit.range.start)))
        .collect();
    let mut left = found;
    left.retain(|problem| !touched.iter().any(|bytes| bytes.contains(&lines.bytes(problem.position).start)));
    left.push(cause);
    left.sort_by_key(|problem| problem.position);
    left
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&crate::workloads(text).unwrap_err().iter().map(|problem| format!("{problem}\n")).collect::<String>());
    }

    #[test]
    fn what_a_cause_does_not_touch_is_reported_beside_it() {
        check(
            "apiVersion: batch/v1\nkind:Job\n---\napiVersion: batch/v1\nkind: Job\n\tspec: {}\n---\nkind: Job\napiVersion: batch/v1\nspek: 1\n",
            expect![[r#"
                2:1: a space is missing after the colon; write `kind: Job`
                6:1: invalid YAML: found a tab character that violates indentation; indent with spaces: YAML does not allow tabs
                10:1: spek: unknown field "spek"; did you mean spec?
            "#]],
        );
        check(
            "```\nkind: Job\n---\nkind: [\n---\nkind: Job\n```\n",
            expect![[r#"
            1:1: this is a Markdown code block; remove the lines with the fences
            4:8: kind: invalid YAML: did not find expected node content; check this line and the one above it for missing quotes, unclosed brackets or wrong indentation
        "#]],
        );
        check(
            "spec: {{ x }}\n---\nkind: Job\nspek: 1\n",
            expect![[r#"
            1:7: this is a template; render it first, and use the result
        "#]],
        );
    }
}
