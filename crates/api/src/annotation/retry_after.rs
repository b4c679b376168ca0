//! When a failed pod asks to be tried again, in its termination message.
//!
//! Docs: README, "Beyond Kubernetes": `retry after the message says` in `on_failure.rs`.

use crate::{Duration, duration};

use super::{LONGEST_DELAY, SHORTEST_DELAY};

/// What the delay is not expected after, in any case.
const WORD: &str = "retry-after";

/// The delay that a message asks for: `Retry-After: 120`, in seconds, or `retry-after 5m`. What is too short or too long is bounded.
#[must_use]
pub fn retry_after(message: &str) -> Option<Duration> {
    let message = message.to_ascii_lowercase();
    message.split(WORD).skip(1).find_map(asked).map(|asked| asked.clamp(SHORTEST_DELAY, LONGEST_DELAY))
}

fn asked(rest: &str) -> Option<Duration> {
    let rest = rest.trim_start();
    let rest = rest.strip_prefix([':', '=']).unwrap_or(rest).trim_start();
    let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '.')).unwrap_or(rest.len());
    let length = rest[..end].trim_end_matches('.');
    match length.bytes().all(|byte| byte.is_ascii_digit()) {
        true if length.is_empty() => None,
        // What no number holds is longer than the longest delay.
        true => Some(length.parse().map_or(LONGEST_DELAY, |seconds: u32| Duration::from_secs(seconds.into()))),
        false => duration::parse(length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_seconds_or_a_length_of_time() {
        let seconds = |message: &str| retry_after(message).map(|delay| delay.as_secs());
        for (message, expected) in [
            ("retry-after 30", 30),
            ("HTTP 429\nRetry-After: 120\n", 120),
            ("quota exceeded, RETRY-AFTER=5M.", 300),
            ("retry-after in vain; retry-after 1m30s, please", 90),
            ("retry-after = 1.5h", 5400),
            ("retry-after 0", 1),
            ("retry-after 10ms", 1),
            ("retry-after 100h", 86_400),
            ("retry-after 99999999999999999999", 86_400),
        ] {
            assert_eq!(seconds(message), Some(expected), "{message}");
        }
        for message in ["", "retry after 30", "retry-after", "retry-after soon", "retry-after -5", "retry-after ."] {
            assert_eq!(seconds(message), None, "{message}");
        }
    }
}
