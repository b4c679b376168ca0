//! `jobsmith.dev/retry-jitter`: how much longer delays before retries are, so that not all are over at once.
//!
//! Docs: README, "Beyond Kubernetes". The delays themselves are in `retry_delay.rs` and `back_off.rs`.

use crate::Duration;

use super::hash;
use super::part::{AnnotationProblem, Part};

/// How much longer a delay is at most, in hundredths of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryJitter(pub u32);

/// How a jitter is written, as an error shows it.
const JITTER: &str = "write a percentage from 0% to 100%, as in `20%`";

impl RetryJitter {
    /// Reads a jitter: `20%`.
    ///
    /// # Errors
    /// What is wrong.
    pub fn read(value: &str) -> Result<Self, AnnotationProblem> {
        let value = Part::whole(value);
        let text = value.text;
        let (number, has_sign) = text.strip_suffix('%').map_or((text, false), |number| (number, true));
        let number = Some(number).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit())).and_then(|number| number.parse().ok());
        match number {
            Some(hundredths @ 0..=100) if has_sign => Ok(Self(hundredths)),
            Some(_) if has_sign => Err(value.problem(format!("`{text}` is too much"), JITTER)),
            Some(_) => Err(value.problem(format!("`{text}` has no percent sign"), JITTER)),
            None => Err(value.problem(format!("`{text}` is not a percentage"), JITTER)),
        }
    }

    /// By how much a delay is longer after the failure of the pod with this UID: always the same, in whole milliseconds.
    #[must_use]
    pub fn of(self, delay: Duration, uid: &str) -> Duration {
        let most = delay.as_millis() * i128::from(self.0) / 100;
        let milliseconds = most * i128::from(hash(uid)) / i128::from(u32::MAX);
        Duration::from_millis(i64::try_from(milliseconds).unwrap_or(i64::MAX))
    }
}
