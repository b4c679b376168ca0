//! What of a failed pod a rule of the pod failure policy matched, and how decisions word it.
//!
//! Docs: Jobs, "Pod failure policy" (J-97, J-98). Which rule matches is decided in `api`.

use api::Text;
use api::job::MatchedPart;

use crate::runtime::wording::{Wording, words};

/// What of a failed pod a rule matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PolicyMatch {
    /// The exit code of a container.
    ExitCode {
        /// The container.
        container: Text,
        /// Its exit code.
        code: i32,
    },
    /// A condition of the pod.
    Condition {
        /// Its type.
        condition: Text,
        /// Its reason, if it has one.
        reason: Option<Text>,
    },
}

impl Default for PolicyMatch {
    fn default() -> Self {
        Self::ExitCode { container: Text::default(), code: 0 }
    }
}

impl From<MatchedPart<'_>> for PolicyMatch {
    fn from(by: MatchedPart<'_>) -> Self {
        match by {
            MatchedPart::ExitCode { container, code } => Self::ExitCode { container: container.clone(), code },
            MatchedPart::Condition(found) => Self::Condition { condition: found.kind.clone(), reason: found.given_reason() },
        }
    }
}

impl PolicyMatch {
    /// The template for what matched, with its values: `{container}` and `{exitCode}`, or `{condition}` and, if it has one, `{reason}`.
    pub(super) fn words(&self, by_exit_code: &'static str, by_condition: &'static str) -> Wording {
        match self {
            Self::ExitCode { container, code } => words(by_exit_code).with("container", &**container).with("exitCode", *code),
            Self::Condition { condition, reason } => words(by_condition).with("condition", &**condition).with("reason", reason.as_deref()),
        }
    }
}
