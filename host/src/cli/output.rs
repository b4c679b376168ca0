//! Writing to standard output and standard error: a reader who has gone is no error.
//!
//! Docs: none of Kubernetes'. Colours are used on a terminal, unless `NO_COLOR` is set.

use std::io::{IsTerminal as _, Write as _};

use clap::ValueEnum;

/// How what happens is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Writes text to standard output, in one piece. Nothing is done once nobody reads.
pub(crate) fn text(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Writes text to standard error, in one piece.
pub(crate) fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Says what is wrong, on one line.
pub(crate) fn error(message: &str) {
    complain(&format!("error: {message}\n"));
}

/// Whether what is written to standard error may have colours.
pub(crate) fn colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
