//! `jobsmith.dev/retry-delay`: how long a failed pod is waited for before the next one.
//!
//! Docs: README, "Beyond Kubernetes". The Job controller's own delays are in `back_off.rs`.

use crate::Duration;

use super::part::{AnnotationPart, AnnotationProblem};
use super::values::{Factor, factor, length};
use super::{LONGEST_DELAY, SHORTEST_DELAY};

/// The delays after failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryDelay {
    /// They grow with each failure.
    Grows {
        /// The first.
        base: Duration,
        /// How many times as long each is as the one before.
        factor: Factor,
        /// The longest.
        up_to: Duration,
    },
    /// These, one after the other; the last repeats. There is one at least.
    Listed(Vec<Duration>),
}

/// The most delays of a list.
const MOST_DELAYS: usize = 20;
/// How a delay that grows is written, as an error shows it.
const GROWS: &str = "write `30s x1.5 up to 5m`";

impl RetryDelay {
    /// Reads delays: `30s`, `30s x1.5 up to 5m`, `1m, 5m, 30m`.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn read(value: &str) -> Result<Self, AnnotationProblem> {
        let value = AnnotationPart::whole(value);
        let parts = value.split(',');
        if let Some(extra) = parts.get(MOST_DELAYS) {
            return Err(extra.problem(format!("there are more than {MOST_DELAYS} delays"), "leave out the last: the last delay repeats"));
        }
        let delay = |part: AnnotationPart<'_>| length(part, "a delay", SHORTEST_DELAY, LONGEST_DELAY);
        let words = value.words();
        if let ([_], [_, grows, ..]) = (&parts[..], &words[..]) {
            let texts: Vec<&str> = words[2..].iter().map(|word| word.text).collect();
            let base = delay(words[0])?;
            if !grows.text.starts_with(['x', '×']) {
                return Err(grows.problem(
                    format!("`{}` is not expected after the delay", grows.text),
                    "write `30s x2` for delays that grow, or a comma between two",
                ));
            }
            let factor = factor(*grows)?;
            let up_to = match texts[..] {
                [] => LONGEST_DELAY,
                ["up", "to", _] => delay(words[4])?,
                [..] => return Err(words[2].problem(format!("`{}` is not expected after the factor", words[2].text), GROWS)),
            };
            return match up_to < base {
                true => Err(words[4].problem("the longest delay is shorter than the first", GROWS)),
                false => Ok(Self::Grows { base, factor, up_to }),
            };
        }
        let one = |part: AnnotationPart<'_>| match part.words()[..] {
            [_, extra, ..] => {
                Err(extra.problem(format!("`{}` is not expected after the delay", extra.text), "put a comma between two delays"))
            }
            _ => delay(part),
        };
        parts.into_iter().map(one).collect::<Result<_, _>>().map(Self::Listed)
    }

    /// The delay after so many failures in a row, from 1.
    #[must_use]
    pub fn after(&self, failures: u32) -> Duration {
        let before = failures.saturating_sub(1);
        match self {
            Self::Listed(delays) => delays[usize::try_from(before).unwrap_or(usize::MAX).min(delays.len() - 1)],
            Self::Grows { base, factor: Factor(thousandths), up_to } => {
                let mut milliseconds = base.as_millis();
                for _ in 0..before {
                    if milliseconds >= up_to.as_millis() || *thousandths == 1000 {
                        break;
                    }
                    milliseconds = milliseconds.saturating_mul(i128::from(*thousandths)) / 1000;
                }
                Duration::from_millis(i64::try_from(milliseconds).unwrap_or(i64::MAX)).min(*up_to)
            }
        }
    }
}
