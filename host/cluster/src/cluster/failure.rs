//! What went wrong between here and the API server, with what to do.
//!
//! Docs: Kubernetes API Concepts; Using RBAC Authorization. Requests are sent in `send.rs` and `watch.rs`.

use std::error::Error;

use api::request::{ApiError, Cause};
use serde::Deserialize;

/// Why a request did not succeed. It may be temporary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The server answered, and refused.
    #[error("{}", refusal(.0))]
    Refused(ApiError),
    /// No answer came, or only a part of one.
    #[error("{0}")]
    NoAnswer(String),
    /// The version to go on from is too old: everything is to be listed again.
    #[error("the resource version is too old")]
    Expired,
}

impl Failure {
    /// Whether the right to do so is missing.
    #[must_use]
    pub fn forbidden(&self) -> bool {
        matches!(self, Self::Refused(error) if error.code == 403)
    }

    /// As the outcome of a request that was to be carried out.
    #[must_use]
    pub fn into_error(self) -> ApiError {
        match self {
            Self::Refused(error) => error,
            Self::NoAnswer(_) | Self::Expired => ApiError { code: 0, reason: String::new(), message: self.to_string(), causes: Vec::new() },
        }
    }

    /// What an answer above 299 reports.
    pub(crate) fn of_answer(code: u16, body: &[u8]) -> Self {
        let status: ErrorStatus<'_> = serde_json::from_slice(body).unwrap_or_default();
        let mut message = status.message.into_owned();
        if message.is_empty() {
            let text = String::from_utf8_lossy(body);
            message = format!("the server answered {code} {}", text.lines().next().unwrap_or_default().trim()).trim_end().to_owned();
        }
        let causes = status.details.unwrap_or_default().causes.unwrap_or_default().into_iter().map(|cause| Cause {
            reason: cause.reason,
            field: cause.field,
            message: cause.message,
        });
        Self::Refused(ApiError { code, reason: status.reason.into_owned(), message, causes: causes.collect() })
    }
}

/// The message of an error and of all that caused it, each once.
#[must_use]
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The message of an error's root cause.
pub(crate) fn root(error: &dyn Error) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    last.to_string()
}

fn refusal(error: &ApiError) -> String {
    match error.code {
        401 => format!("not authenticated ({}): check the credentials", error.message),
        403 => format!("permission denied: {}", error.message),
        _ => error.message.clone(),
    }
}

/// The parts of a `Status` object that describe what is wrong.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorStatus<'a> {
    #[serde(borrow)]
    reason: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    message: std::borrow::Cow<'a, str>,
    details: Option<StatusDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusDetails {
    causes: Option<Vec<StatusCause>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusCause {
    reason: String,
    field: String,
    message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_keeps_its_causes() {
        let body = br#"{"kind":"Status","reason":"Invalid","message":"no \"so\"","details":{"causes":[{"reason":"FieldValueInvalid","field":"spec","message":"bad"}]},"code":422}"#;
        let Failure::Refused(error) = Failure::of_answer(422, body) else { panic!("it was answered") };
        assert_eq!((error.code, &*error.reason, &*error.message), (422, "Invalid", "no \"so\""));
        assert_eq!((&*error.causes[0].field, error.causes.len()), ("spec", 1));
    }

    #[test]
    fn an_answer_without_a_status_is_one_line() {
        assert_eq!(Failure::of_answer(502, b"bad gateway\n<html>").to_string(), "the server answered 502 bad gateway");
        assert_eq!(Failure::of_answer(503, b"").to_string(), "the server answered 503");
    }

    #[test]
    fn a_missing_permission_is_named() {
        let text = Failure::of_answer(403, br#"{"message":"pods is forbidden: User \"a\" cannot list resource \"pods\""}"#).to_string();
        assert!(text.starts_with("permission denied: pods is forbidden"), "{text}");
    }
}
