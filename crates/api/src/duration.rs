//! Lengths of time as Go writes them: `100ms`, `1.5s`, `10m0s`. The one grammar for configuration, command line, scripts and `@every`.
//!
//! Docs: Go's package `time`, `ParseDuration`. Lengths of time in sentences are written by `time::length`.

use std::fmt::Write as _;

use crate::Duration;

/// Units of a second and more, the longest first, in nanoseconds.
const LONG: [(&str, u64); 3] = [("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000)];
/// Units of a day and more, the longest first, in days.
const DAYS: [(char, i64); 3] = [('y', 365), ('w', 7), ('d', 1)];
/// Units below a second.
const SHORT: [(&str, u64); 3] = [("ms", 1_000_000), ("us", 1_000), ("ns", 1)];
/// The longest length, about 292 years, in nanoseconds.
const LONGEST: u64 = 1 << 63;

/// How a length of time is written, for messages.
pub const GRAMMAR: &str = "write it as \"100ms\", \"1.5s\" or \"10m\"";

/// How a length of time that may have years, weeks and days is written, for messages.
pub const GRAMMAR_WITH_DAYS: &str = "write it as \"500ms\", \"90s\", \"1h30m\", \"30d\" or \"1y\"";

/// Why a text is not a length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidDuration<'a> {
    /// A number is missing, or the length is too long.
    Malformed,
    /// A number has no unit.
    MissingUnit,
    /// A unit does not exist.
    UnknownUnit(&'a str),
}

/// Reads a length of time that may begin with years of 365 days, weeks and days, as in `1y`, `2w`, `30d` and `1d12h`; `None` if the text is not one.
#[must_use]
pub fn parse_with_days(text: &str) -> Option<Duration> {
    let (mut rest, mut length) = (text, Duration::ZERO);
    for (unit, days) in DAYS {
        let Some((count, after)) = rest.split_once(unit) else { continue };
        let count = count.parse::<u32>().ok().filter(|_| count.bytes().all(|byte| byte.is_ascii_digit()))?;
        length = length.checked_add(Duration::from_hours(24 * days * i64::from(count)))?;
        rest = after;
    }
    if rest.is_empty() && !text.is_empty() { Some(length) } else { length.checked_add(parse(rest)?) }
}

/// Reads a length of time that has no sign; `None` if the text is not one.
#[must_use]
pub fn parse(text: &str) -> Option<Duration> {
    if text.starts_with(['+', '-']) { None } else { parse_signed(text).ok() }
}

/// Reads a length of time that may have a sign, as Go does.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse_signed(text: &str) -> Result<Duration, InvalidDuration<'_>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Ok(Duration::ZERO);
    }
    let (mut rest, mut sum) = (unsigned, 0_u64);
    while !rest.is_empty() || unsigned.is_empty() {
        let (number, after) = Number::read(rest).ok_or(InvalidDuration::Malformed)?;
        let end = after.find(|letter: char| letter == '.' || letter.is_ascii_digit()).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        let length = number.times(unit(name)?).ok_or(InvalidDuration::Malformed)?;
        sum = sum.checked_add(length).filter(|sum| *sum <= LONGEST).ok_or(InvalidDuration::Malformed)?;
        rest = after;
    }
    if text.starts_with('-') {
        return Ok(Duration::from_nanos(0_i64.wrapping_sub_unsigned(sum)));
    }
    i64::try_from(sum).map(Duration::from_nanos).map_err(|_| InvalidDuration::Malformed)
}

/// A unit in nanoseconds.
fn unit(name: &str) -> Result<u64, InvalidDuration<'_>> {
    let short = match name {
        "" => return Err(InvalidDuration::MissingUnit),
        "µs" | "μs" => "us",
        name => name,
    };
    let known = LONG.into_iter().chain(SHORT).find(|(known, _)| *known == short);
    known.map(|(_, nanoseconds)| nanoseconds).ok_or(InvalidDuration::UnknownUnit(name))
}

/// Writes a length of time without its sign, and unlike Go without units that are zero: `1h`, not `1h0m0s`.
#[must_use]
pub fn text(length: Duration) -> String {
    let mut left = u64::try_from(length.as_nanos().unsigned_abs()).unwrap_or(u64::MAX);
    let [hour, minute, second] = LONG;
    if let Some(unit) = SHORT.into_iter().find(|(_, unit)| (*unit..second.1).contains(&left)) {
        return decimal(left, unit);
    }
    let mut text = String::new();
    for (name, unit) in [hour, minute] {
        if left >= unit {
            let _ = write!(text, "{}{name}", left / unit);
        }
        left %= unit;
    }
    if left > 0 || text.is_empty() { text + &decimal(left, second) } else { text }
}

/// A number of units, with as many digits after the point as it takes.
fn decimal(nanoseconds: u64, (name, unit): (&str, u64)) -> String {
    let mut text = (nanoseconds / unit).to_string();
    let mut left = nanoseconds % unit * 10;
    for digit in 0.. {
        if left == 0 {
            break;
        }
        let _ = write!(text, "{}{}", if digit == 0 { "." } else { "" }, left / unit);
        left = left % unit * 10;
    }
    text + name
}

/// A number with a fraction.
struct Number {
    whole: u64,
    fraction: u64,
    /// What the fraction is divided by.
    scale: f64,
}

impl Number {
    /// A number at the beginning of a text, and what follows it.
    fn read(text: &str) -> Option<(Self, &str)> {
        let digits = |text: &str| text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (whole, rest) = text.split_at(digits(text));
        let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), |rest| rest.split_at(digits(rest)));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let whole = if whole.is_empty() { 0 } else { whole.parse().ok().filter(|whole| *whole <= LONGEST)? };
        let mut number = Self { whole, fraction: 0, scale: 1.0 };
        for digit in fraction.bytes().map(|digit| u64::from(digit - b'0')) {
            // What does not fit is too small to matter.
            let Some(more) = number.fraction.checked_mul(10).and_then(|tens| tens.checked_add(digit)).filter(|more| *more <= LONGEST)
            else {
                break;
            };
            number.fraction = more;
            number.scale *= 10.0;
        }
        Some((number, rest))
    }

    /// This number of units of this many nanoseconds, truncated to whole nanoseconds; `None` if it is too long.
    fn times(&self, unit: u64) -> Option<u64> {
        let whole = self.whole.checked_mul(unit).filter(|whole| *whole <= LONGEST)?;
        let part = self.fraction as f64 * (unit as f64 / self.scale);
        whole.checked_add(part as u64).filter(|length| *length <= LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        let check = |text: &str, expected: Option<i128>| assert_eq!(parse(text).map(|length| length.as_nanos()), expected, "{text}");
        for (text, nanoseconds) in [
            ("0", 0),
            ("0s", 0),
            ("100ms", 100_000_000),
            ("1s", 1_000_000_000),
            ("1.s", 1_000_000_000),
            ("1.5s", 1_500_000_000),
            ("1.5h", 5_400_000_000_000),
            ("10m0s", 600_000_000_000),
            ("1m30s", 90_000_000_000),
            ("2h", 7_200_000_000_000),
            (".25s", 250_000_000),
            ("7us", 7_000),
            ("7ns", 7),
            ("7µs3000ns", 10_000),
            ("1\u{b5}s1\u{3bc}s", 2_000),
            ("0.99999999999999999999h", 3_600_000_000_000),
            ("9223372036.854775807s", i128::from(i64::MAX)),
        ] {
            check(text, Some(nanoseconds));
        }
        for text in ["", "1", "s", ".s", "-1s", "+1s", "1d", "1.s.s", "1..5s", "9223372036.854775808s", "2562047h2562047h", "1 s"] {
            check(text, None);
        }
    }

    #[test]
    fn a_duration_may_have_a_sign_where_go_reads_it() {
        for (text, seconds) in [("-5s", -5), ("+1m", 60), ("-0", 0), ("+0", 0), ("-9223372036.854775808s", -9_223_372_036)] {
            assert_eq!(parse_signed(text).map(|length| length.as_secs()), Ok(seconds), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_duration_has_gos_reason() {
        let check = |text: &str, expected: InvalidDuration<'_>| assert_eq!(parse_signed(text), Err(expected), "{text}");
        check("1d", InvalidDuration::UnknownUnit("d"));
        check("1h-5m", InvalidDuration::UnknownUnit("h-"));
        check("1\u{e9}", InvalidDuration::UnknownUnit("\u{e9}"));
        for text in ["1", "1..5s"] {
            check(text, InvalidDuration::MissingUnit);
        }
        for text in ["", "+", "s", ".s", " 1s", "--1s", "9223372036.854775808s", "99999999999999999999s", "2562047h2562047h"] {
            check(text, InvalidDuration::Malformed);
        }
    }

    #[test]
    fn a_duration_may_have_days() {
        for (text, seconds) in [("30d", 30 * 86_400), ("1d12h", 36 * 3_600), ("1d1.5s", 86_401), ("2h", 7_200), ("0d", 0), ("0", 0)] {
            assert_eq!(parse_with_days(text).map(|length| length.as_secs()), Some(seconds), "{text}");
        }
        for text in ["", "d", "-1d", "1.5d", "1d1", "1d-1s", "1h1d", "1dd", "+1d", "99999999999d"] {
            assert_eq!(parse_with_days(text), None, "{text}");
        }
    }

    #[test]
    fn durations_are_written_as_they_are_read() {
        let check = |read: &str, expected: &str| {
            let length = parse(read).unwrap();
            let written = text(length);
            assert_eq!((written.as_str(), parse(&written)), (expected, Some(length)), "{read}");
        };
        for (read, expected) in [
            ("5s", "5s"),
            ("0s", "0s"),
            ("0", "0s"),
            ("500ms", "500ms"),
            ("90s", "1m30s"),
            ("1h2m3s4ms", "1h2m3.004s"),
            ("1h5s", "1h5s"),
            ("2h", "2h"),
            ("1500ms", "1.5s"),
            ("0.001s", "1ms"),
            ("7us", "7us"),
            ("1.5ms", "1.5ms"),
            ("1s1ns", "1.000000001s"),
        ] {
            check(read, expected);
        }
    }
}
