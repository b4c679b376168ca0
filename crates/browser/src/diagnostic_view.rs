//! A diagnostic as the page shows it.
//!
//! Docs: `web/src/views.ts` is generated from these types. Diagnostics are those of `manifest`.

use manifest::{Diagnostic, Position, Severity};
use serde::{Serialize, Serializer};

/// Something that is wrong with a manifest or a script.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Diagnostic"))]
pub(crate) struct DiagnosticView {
    severity: SeverityView,
    /// What is wrong, in a sentence without its end.
    message: String,
    /// The API field; empty for the whole object.
    path: String,
    /// The line, from 1.
    line: usize,
    /// The column of the first character, from 1.
    column: usize,
    /// How many characters.
    length: usize,
    /// What to do.
    remedy: Option<String>,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Severity"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeverityView {
    Error,
    Warning,
}

impl From<Diagnostic> for DiagnosticView {
    fn from(Diagnostic { severity, message, path, position, remedy }: Diagnostic) -> Self {
        let severity = match severity {
            Severity::Error => SeverityView::Error,
            Severity::Warning => SeverityView::Warning,
        };
        let Position { line, column, length } = position;
        Self { severity, message, path, line, column, length, remedy }
    }
}

/// Serde for diagnostics.
pub(crate) fn serialize<S: Serializer>(found: &[Diagnostic], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(found.iter().cloned().map(DiagnosticView::from))
}
