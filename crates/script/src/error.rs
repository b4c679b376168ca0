//! Why a script cannot be understood.
//!
//! Docs: none; the language is described in `lib.rs`. Errors are made in `cursor.rs`, where the place is known.

/// The first thing in a script that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}; {remedy}")]
pub struct ScriptError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}
