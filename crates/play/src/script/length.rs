//! Lengths of time as scripts write them: `500ms`, `5s`, `1m30s`, `1.5s`.
//!
//! Docs: none; the language is described in `mod.rs`.

use std::fmt;

use api::{Duration, time};

/// The units, the longest first, in milliseconds.
const UNITS: [(&str, i64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];
/// More than any script needs, and few enough for every sum: ten thousand years.
const LONGEST: i64 = 10_000 * 366 * 24 * 3_600_000;

/// A length of time in whole milliseconds, not negative.
pub(super) struct Length(pub(super) Duration);

impl Length {
    /// Reads numbers with units, the longest unit first; `None` if it is no such text.
    pub(super) fn parse(text: &str) -> Option<Duration> {
        let mut rest = text;
        let mut milliseconds: i64 = 0;
        let mut units = UNITS.iter();
        while !rest.is_empty() || text.is_empty() {
            let digits = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
            let (number, after) = rest.split_at(digits);
            let letters = after.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(after.len());
            let (unit, after) = after.split_at(letters);
            let (_, size) = units.find(|(name, _)| *name == unit)?;
            milliseconds = milliseconds.checked_add(count(number, *size)?).filter(|sum| *sum <= LONGEST)?;
            rest = after;
        }
        Some(Duration::from_millis(milliseconds))
    }
}

/// A number, perhaps with a fraction, of units of this size; `None` if that is not a whole number of milliseconds.
fn count(number: &str, size: i64) -> Option<i64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.len() > 6 {
        return None;
    }
    let scale = 10_i64.pow(u32::try_from(fraction.len()).ok()?);
    let parts = fraction.parse::<i64>().ok()?.checked_mul(size)?;
    let whole = whole.parse::<i64>().ok()?.checked_mul(size)?;
    if parts % scale == 0 { whole.checked_add(parts / scale) } else { None }
}

impl fmt::Display for Length {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = time::milliseconds(self.0);
        if left == 0 {
            return formatter.write_str("0s");
        }
        for (name, size) in UNITS {
            if left >= size {
                write!(formatter, "{}{name}", left / size)?;
                left %= size;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(Length::parse(text).map(|length| Length(length).to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn lengths_are_written_in_the_longest_units() {
        check("5s", Some("5s"));
        check("0s", Some("0s"));
        check("500ms", Some("500ms"));
        check("90s", Some("1m30s"));
        check("1h2m3s4ms", Some("1h2m3s4ms"));
        check("1.5s", Some("1s500ms"));
        check("0.001s", Some("1ms"));
    }

    #[test]
    fn nothing_else_is_a_length() {
        for text in
            ["", "5", "s", "5 s", "-5s", "5d", "1s1m", "1s1s", "1.s", ".5s", "0.0001s", "1.2.3s", "99999999999h", "9999999999999999999s"]
        {
            check(text, None);
        }
    }
}
