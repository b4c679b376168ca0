//! `@every`: a length of time as Go reads it.
//!
//! Docs: Go's package `time`, `ParseDuration` (C-57). Unlike the lengths in configurations (`crates/api/src/duration.rs`) these may be
//! negative, and their errors are Go's.

use crate::Duration;
use crate::quoted::quoted_bytes;

/// A longer length is none: about 292 years, in nanoseconds.
const LONGEST: u64 = 1 << 63;

/// The delay of `@every` with this length of time: whole seconds, at least one.
///
/// # Errors
/// In Go's words, if the text is not a duration.
pub(crate) fn delay(text: &str) -> Result<Duration, String> {
    let nanoseconds = nanoseconds(text)?;
    Ok(Duration::from_secs((nanoseconds / 1_000_000_000).max(1)))
}

fn nanoseconds(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quoted_bytes(text));
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Ok(0);
    }
    let (mut rest, mut sum) = (unsigned, 0_u64);
    while !rest.is_empty() || unsigned.is_empty() {
        let (number, after) = Number::read(rest).ok_or_else(invalid)?;
        let end = after.find(|letter: char| letter == '.' || letter.is_ascii_digit()).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        let unit = match name {
            "" => return Err(format!("time: missing unit in duration {}", quoted_bytes(text))),
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return Err(format!("time: unknown unit {} in duration {}", quoted_bytes(name), quoted_bytes(text))),
        };
        let length = number.times(unit).ok_or_else(invalid)?;
        sum = sum.checked_add(length).filter(|sum| *sum <= LONGEST).ok_or_else(invalid)?;
        rest = after;
    }
    if text.starts_with('-') {
        return Ok(0_i64.wrapping_sub_unsigned(sum));
    }
    i64::try_from(sum).map_err(|_| invalid())
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
    fn delays_are_whole_seconds() {
        let check = |text: &str, seconds: i64| assert_eq!(delay(text), Ok(Duration::from_secs(seconds)), "{text}");
        check("1h30m", 5_400);
        check("90s", 90);
        check("1.5h", 5_400);
        check("2.999s", 2);
        check("+1500ms", 1);
        check(".5m", 30);
        check("1m1us1\u{b5}s1\u{3bc}s999999997000ns", 1_060);
        check("0.99999999999999999999h", 3_600);
        check("9223372036.854775807s", 9_223_372_036);
        for short in ["0", "+0", "0s", "999ms", "-5s", "-9223372036.854775808s"] {
            check(short, 1);
        }
    }

    #[test]
    fn what_is_no_length_is_refused_as_go_refuses_it() {
        let check = |text: &str, expected: &str| assert_eq!(delay(text).unwrap_err(), expected);
        check("1d", r#"time: unknown unit "d" in duration "1d""#);
        check("1h-5m", r#"time: unknown unit "h-" in duration "1h-5m""#);
        check("1\u{e9}", r#"time: unknown unit "\xc3\xa9" in duration "1\xc3\xa9""#);
        check("1", r#"time: missing unit in duration "1""#);
        check("1..5s", r#"time: missing unit in duration "1..5s""#);
        for text in ["", "+", "s", ".s", " 1s", "--1s", "9223372036.854775808s", "99999999999999999999s", "2562047h2562047h"] {
            check(text, &format!("time: invalid duration \"{text}\""));
        }
    }
}
