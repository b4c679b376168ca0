//! Diagnostic: one thing that is wrong with a manifest, where, and what to do about it.
//!
//! Docs: Kubernetes API Concepts, "Field validation". How it is shown is in `render.rs`.

use std::fmt;

use serde::Serialize;

use crate::{Document, Fix, Position, RuleName, locate, path};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The name of the rule, by which a warning can be silenced.
    #[serde(skip)]
    pub rule: RuleName,
    /// What is wrong, in a sentence without its end.
    pub message: String,
    /// The API field, as in `spec.template.spec.containers[0].image`; empty for the whole object.
    pub path: String,
    /// Where it stands, or the nearest part that does.
    #[serde(flatten)]
    pub position: Position,
    /// What to do.
    pub remedy: Option<String>,
    /// What does it, if a change of the text can.
    #[serde(skip)]
    pub fix: Option<Box<Fix>>,
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The manifest is refused.
    Error,
    /// The manifest is taken, but may not do what is meant.
    Warning,
    /// The manifest may well do what is meant; this is worth knowing.
    Note,
}

/// In one line: `4:3: spec.parralelism: unknown field "parralelism"; did you mean parallelism?`
impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, path, position, remedy, .. } = self;
        write!(formatter, "{}:{}: ", position.line, position.column)?;
        if !path.is_empty() {
            write!(formatter, "{path}: ")?;
        }
        formatter.write_str(message)?;
        remedy.iter().try_for_each(|remedy| write!(formatter, "; {remedy}"))
    }
}

impl std::error::Error for Diagnostic {}

impl Diagnostic {
    /// An error at one character of a text that is not a manifest; an empty remedy means none.
    #[must_use]
    pub fn at_letter(line: usize, column: usize, message: String, remedy: String) -> Self {
        let remedy = Some(remedy).filter(|remedy| !remedy.is_empty());
        Self { remedy, ..Self::error(Position { line, column, length: 1 }, message) }
    }

    /// An error at a position.
    pub(crate) fn error(position: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            rule: RuleName::UNREADABLE,
            message: message.into(),
            path: String::new(),
            position,
            remedy: None,
            fix: None,
        }
    }

    /// Whether its fix can be made without asking: the API server refuses the text as it is, and it can mean nothing else. What is missing, which of two
    /// values counts and what a command is to be are for a person to say.
    #[must_use]
    pub fn safe(&self) -> bool {
        let spelled = match self.fix.as_deref() {
            Some(Fix::Move { .. } | Fix::Clean { .. }) => true,
            Some(Fix::Write { .. }) => {
                let command =
                    ["command", "args"].iter().any(|field| self.path.ends_with(field) || self.path.contains(&format!(".{field}[")));
                [RuleName::WRONG_TYPE, RuleName::REMOVED_VERSION].contains(&self.rule) && !command
            }
            // It repeats what the field says that it was meant to be.
            Some(Fix::TakeOut) => self.rule == RuleName::UNKNOWN_FIELD,
            Some(Fix::Add { .. } | Fix::Remove) | None => false,
        };
        self.severity == Severity::Error && spelled
    }

    /// A warning about a field of a document, by this rule.
    #[must_use]
    pub fn warning(rule: RuleName, document: &Document, field: &str, message: &str, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, rule, remedy: Some(remedy.into()), ..locate(document, field, message) }
    }

    /// A warning about a place in a text, by this rule.
    #[must_use]
    pub fn warning_at(rule: RuleName, position: Position, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, rule, remedy: Some(remedy.into()), ..Self::error(position, message) }
    }

    /// The same by another rule.
    pub(crate) fn rule(self, rule: RuleName) -> Self {
        Self { rule, ..self }
    }

    /// The same at a field.
    pub(crate) fn at(self, path: impl Into<String>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// The same with a remedy.
    pub(crate) fn remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    /// The same with a fix, if there is one.
    pub(crate) fn fix(self, fix: Option<Fix>) -> Self {
        Self { fix: fix.map(Box::new), ..self }
    }

    /// The same, its path being one within this field, item or key.
    pub(crate) fn within(self, outer: &str) -> Self {
        let path = path::join(outer, &self.path);
        Self { path, ..self }
    }
}
