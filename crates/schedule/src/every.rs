//! `@every`: a length of time as Go reads it.
//!
//! Docs: Go's package `time`, `ParseDuration` (C-57). The grammar is in `crates/api/src/duration.rs`; the errors here are in Go's words.

use api::duration::{InvalidDuration, parse_signed};

use crate::Duration;
use crate::quoted::quoted_bytes;

/// The delay of `@every` with this length of time: whole seconds, at least one.
///
/// # Errors
/// In Go's words, if the text is not a duration.
pub(crate) fn delay(text: &str) -> Result<Duration, String> {
    let length = parse_signed(text).map_err(|invalid| match invalid {
        InvalidDuration::Malformed => format!("time: invalid duration {}", quoted_bytes(text)),
        InvalidDuration::MissingUnit => format!("time: missing unit in duration {}", quoted_bytes(text)),
        InvalidDuration::UnknownUnit(name) => format!("time: unknown unit {} in duration {}", quoted_bytes(name), quoted_bytes(text)),
    })?;
    Ok(Duration::from_secs(length.as_secs().max(1)))
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
