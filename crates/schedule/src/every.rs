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
/// As Go words it, if the text is no length of time.
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
            let Some(more) = number.fraction.checked_mul(10).and_then(|tens| tens.checked_add(digit)).filter(|more| *more <= LONGEST) else {
                break;
            };
            number.fraction = more;
            number.scale *= 10.0;
        }
        Some((number, rest))
    }

    /// So many times this many nanoseconds, fractions of them cut; `None` if it is too long.
    fn times(&self, unit: u64) -> Option<u64> {
        let whole = self.whole.checked_mul(unit).filter(|whole| *whole <= LONGEST)?;
        let part = self.fraction as f64 * (unit as f64 / self.scale);
        whole.checked_add(part as u64).filter(|length| *length <= LONGEST)
    }
}
