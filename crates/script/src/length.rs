//! Lengths of time as scripts write them: `500ms`, `5s`, `1m30s`, `1.5s`. They are read by `api::duration`, days too.
//!
//! Docs: Go's package `time`, `ParseDuration`. Unlike Go, zero units are left out: `1h`, not `1h0m0s`.

use std::fmt::{self, Write as _};

use api::Duration;

/// Units from a second on, with their names, in nanoseconds.
const LONG: [(&str, u128); 2] = [("h", 3_600_000_000_000), ("m", 60_000_000_000)];
/// A second.
const SECOND: (&str, u128) = ("s", 1_000_000_000);
/// Units below a second.
const SHORT: [(&str, u128); 3] = [("ms", 1_000_000), ("us", 1000), ("ns", 1)];

/// A length of time that is not negative.
pub(super) struct Length(pub(super) Duration);

impl fmt::Display for Length {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0.as_nanos().unsigned_abs();
        if left == 0 {
            return formatter.write_str("0s");
        }
        if let Some((name, unit)) = SHORT.into_iter().find(|(_, unit)| (*unit..SECOND.1).contains(&left)) {
            return write!(formatter, "{}{name}", decimal(left, unit));
        }
        for (name, unit) in LONG {
            if left >= unit {
                write!(formatter, "{}{name}", left / unit)?;
            }
            left %= unit;
        }
        if left > 0 { write!(formatter, "{}{}", decimal(left, SECOND.1), SECOND.0) } else { Ok(()) }
    }
}

/// A number of units, with as many digits after the point as it takes.
fn decimal(nanoseconds: u128, unit: u128) -> String {
    let mut text = (nanoseconds / unit).to_string();
    let mut left = nanoseconds % unit * 10;
    for digit in 0.. {
        if left == 0 {
            break;
        }
        let _ = write!(text, "{}{}", if digit == 0 { "." } else { "" }, left / unit);
        left = left % unit * 10;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_they_are_read() {
        let check = |text: &str, expected: &str| {
            let length = api::duration::parse(text).unwrap();
            let written = Length(length).to_string();
            assert_eq!((written.as_str(), api::duration::parse(&written)), (expected, Some(length)), "{text}");
        };
        for (text, expected) in [
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
            check(text, expected);
        }
    }
}
