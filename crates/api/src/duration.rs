//! Lengths of time as Go writes them: `100ms`, `1.5s`, `10m0s`. The one grammar for configuration, command line and scripts.
//!
//! Docs: Go's package `time`, `ParseDuration`. Lengths of time in sentences are written by `time::length`.

use crate::Duration;

/// Units with their lengths in nanoseconds; where one name begins another, the longer one comes first.
const UNITS: [(&str, i64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// How a length of time is written, for messages.
pub const GRAMMAR: &str = "write it as \"100ms\", \"1.5s\" or \"10m\"";

/// How a length of time that may have days is written, for messages.
pub const GRAMMAR_WITH_DAYS: &str = "write it as \"500ms\", \"90s\", \"1h30m\" or \"30d\"";

/// Reads a length of time that may begin with days, as in `30d` and `1d12h`; `None` if the text is none.
#[must_use]
pub fn parse_with_days(text: &str) -> Option<Duration> {
    let Some((days, rest)) = text.split_once('d') else { return parse(text) };
    let days = days.parse::<u32>().ok().filter(|_| days.bytes().all(|byte| byte.is_ascii_digit()))?;
    let rest = if rest.is_empty() { Duration::ZERO } else { parse(rest)? };
    Duration::from_hours(24 * i64::from(days)).checked_add(rest)
}

/// Reads a length of time that is not negative; `None` if the text is none.
#[must_use]
pub fn parse(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let (mut rest, mut sum) = (text, Duration::ZERO);
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
        let (number, unit) = rest.split_at(digits);
        let (unit, nanoseconds) = UNITS.into_iter().find(|(name, _)| unit.starts_with(name))?;
        rest = &rest[digits + unit.len()..];
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let whole = if whole.is_empty() && !fraction.is_empty() { 0 } else { whole.parse::<i64>().ok()? };
        let part = fraction.bytes().take(9).rev().fold(0, |sum, digit| (sum + i64::from(digit.wrapping_sub(b'0')) * nanoseconds) / 10);
        let part = fraction.bytes().all(|byte| byte.is_ascii_digit()).then_some(part)?;
        sum = sum.checked_add(Duration::from_nanos(whole.checked_mul(nanoseconds)?.checked_add(part)?))?;
    }
    (!text.is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        let check = |text: &str, expected: Option<i128>| assert_eq!(parse(text).map(|length| length.as_micros()), expected, "{text}");
        for (text, microseconds) in [
            ("0", 0),
            ("100ms", 100_000),
            ("1s", 1_000_000),
            ("1.5s", 1_500_000),
            ("10m0s", 600_000_000),
            ("1m30s", 90_000_000),
            ("2h", 7_200_000_000),
            (".25s", 250_000),
            ("7us", 7),
            ("7µs3000ns", 10),
        ] {
            check(text, Some(microseconds));
        }
        for text in ["", "1", "s", "-1s", "1d", "1.s.s", "99999999999999h", "1 s"] {
            check(text, None);
        }
    }

    #[test]
    fn a_duration_may_have_days() {
        for (text, seconds) in [("30d", 30 * 86_400), ("1d12h", 36 * 3_600), ("1d1.5s", 86_401), ("2h", 7_200), ("0d", 0), ("0", 0)] {
            assert_eq!(parse_with_days(text).map(|length| length.as_secs()), Some(seconds), "{text}");
        }
        for text in ["", "d", "-1d", "1.5d", "1d1", "1h1d", "1dd", "+1d", "99999999999d"] {
            assert_eq!(parse_with_days(text), None, "{text}");
        }
    }
}
