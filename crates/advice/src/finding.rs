//! Finding: what a rule has found about one field, before it becomes a diagnostic.
//!
//! Docs: `jobsmith lint`. Which rule it was, and where the field stands, is added in `object_set.rs`.

use manifest::{Fix, Position, Severity};

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
    /// Which part of the field it is about.
    pub(crate) part: FieldPart,
    /// How bad it is, if it differs from the rule's.
    pub(crate) severity: Option<Severity>,
}

/// Which part of a field a finding is about.
pub(crate) enum FieldPart {
    /// All of it.
    All,
    /// Its key.
    Key,
    /// This line of its text, from 0.
    Line(usize),
    /// This part of its text, with its line and its column there from 1.
    Within(Position),
}

impl Finding {
    pub(crate) fn at(path: impl Into<String>, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), remedy: remedy.into(), fix: None, part: FieldPart::All, severity: None }
    }

    /// The same with a fix.
    pub(crate) fn fix(self, fix: impl Into<Option<Fix>>) -> Self {
        Self { fix: fix.into(), ..self }
    }

    /// The same about a line of the field's text, from 0.
    pub(crate) fn line(self, line: usize) -> Self {
        Self { part: FieldPart::Line(line), ..self }
    }

    /// The same about the field's key.
    pub(crate) fn key(self) -> Self {
        Self { part: FieldPart::Key, ..self }
    }

    /// The same about a part of the field's text, with its line and its column there from 1.
    pub(crate) fn part(self, part: Position) -> Self {
        Self { part: FieldPart::Within(part), ..self }
    }

    /// The same, but as bad as this.
    pub(crate) fn severity(self, severity: Severity) -> Self {
        Self { severity: Some(severity), ..self }
    }
}
