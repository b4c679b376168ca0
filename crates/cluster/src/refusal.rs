//! Faults: the ways in which the API server refuses a write, or does not answer it.
//!
//! Docs: API Concepts, "Error responses"; Namespaces, "Automatic labelling". What it refuses by its own rules is in `apiserver/errors.rs`.

use api::request::{ApiError, Cause};

/// How a write is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The object has been modified: 409.
    Conflict,
    /// It is not allowed: 403.
    Forbidden,
    /// Its namespace is being deleted: 403.
    NamespaceTerminating,
    /// The server failed: 500.
    ServerError,
    /// There is no response, and the write had no effect.
    TimeoutBefore,
    /// There is no response, and the write took effect.
    TimeoutAfter,
}

impl Refusal {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Conflict, Self::Forbidden, Self::NamespaceTerminating, Self::ServerError, Self::TimeoutBefore, Self::TimeoutAfter];

    /// Its words in the script language.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Forbidden => "forbidden",
            Self::NamespaceTerminating => "namespace terminating",
            Self::ServerError => "server error",
            Self::TimeoutBefore => "timeout before",
            Self::TimeoutAfter => "timeout after",
        }
    }

    /// What a client sees of it: the API server's response, or that there is none.
    #[must_use]
    pub fn error(self) -> ApiError {
        let (code, reason, message) = match self {
            Self::Conflict => {
                (409, "Conflict", "the object has been modified; please apply your changes to the latest version and try again")
            }
            Self::Forbidden => (403, "Forbidden", "the request is forbidden"),
            Self::NamespaceTerminating => {
                (403, "Forbidden", "unable to create new content in the namespace because it is being terminated")
            }
            Self::ServerError => (500, "InternalError", "the server has an internal error"),
            Self::TimeoutBefore | Self::TimeoutAfter => (0, "Timeout", "the server did not answer in time"),
        };
        let cause =
            Cause { reason: "NamespaceTerminating".to_owned(), field: "metadata.namespace".to_owned(), message: message.to_owned() };
        let causes = if self == Self::NamespaceTerminating { vec![cause] } else { Vec::new() };
        ApiError { code, reason: reason.to_owned(), message: message.to_owned(), causes }
    }
}
