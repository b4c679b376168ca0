//! Finding: what a rule has found about one field, before it becomes a diagnostic.
//!
//! Docs: `jobsmith lint`. Which rule it was, and where the field stands, is added in `object_set.rs`.

use manifest::{Fix, Severity};

/// What a rule has found about one field.
pub(crate) struct Finding {
    /// The field, or the nearest part of it that stands in the manifest.
    pub(crate) path: String,
    /// What is wrong, in a sentence without its end.
    pub(crate) message: String,
    /// What to do.
    pub(crate) remedy: String,
    /// What does it, if a change of the text can.
    pub(crate) fix: Option<Fix>,
    /// The line of the field's text that it is about, from 0, if it is about one.
    pub(crate) line: Option<usize>,
    /// How bad it is, if it differs from the rule's.
    pub(crate) severity: Option<Severity>,
}

impl Finding {
    pub(crate) fn at(path: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), remedy: remedy.into(), fix: None, line: None, severity: None }
    }

    /// The same with a fix.
    pub(crate) fn fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Self { fix: fix.into(), ..self }
    }

    /// The same about a line of the field's text, from 0.
    pub(crate) fn line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The same, but as bad as this.
    pub(crate) fn severity(self, severity: Severity) -> Self {
        Self { severity: Some(severity), ..self }
    }
}
