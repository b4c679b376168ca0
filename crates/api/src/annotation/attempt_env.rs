//! `jobsmith.dev/attempt-env`: the environment variable with the number of a pod's attempt.
//!
//! Docs: README, "Beyond Kubernetes". How containers get it is in `controllers`.

use crate::Text;

use super::part::{AnnotationProblem, Part};

/// Reads the name of an environment variable: `JOB_ATTEMPT`.
pub(super) fn attempt_env(value: &str) -> Result<Text, AnnotationProblem> {
    let value = Part::whole(value);
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let first = |byte: &u8| inner(*byte) && !byte.is_ascii_digit();
    if value.text.as_bytes().first().is_some_and(first) && value.text.bytes().all(inner) {
        return Ok(value.text.into());
    }
    Err(value.problem(
        format!("`{}` is not the name of an environment variable", value.text),
        "write letters, digits, `_`, `-` and `.`, with no digit first, as in `JOB_ATTEMPT`",
    ))
}
