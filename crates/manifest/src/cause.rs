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
