//! Points in time and lengths of time, as Kubernetes writes them.
//!
//! Docs: API conventions, "Primitive types". Stored times have whole seconds (J-52); what is computed between two writes keeps its fraction.

use std::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serializer};

use crate::Text;

/// A point in time, to the nanosecond.
pub type Timestamp = jiff::Timestamp;

/// A length of time; it may be negative.
pub type Duration = jiff::SignedDuration;

/// `start + length`, at most the last representable time.
#[must_use]
pub fn after(start: Timestamp, length: Duration) -> Timestamp {
    start.saturating_add(length).unwrap_or(if length.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
}

/// A length of time in whole milliseconds, rounded towards 0.
#[must_use]
pub fn milliseconds(length: Duration) -> i64 {
    length.as_secs().saturating_mul(1000).saturating_add(length.subsec_millis().into())
}

/// Milliseconds from a time to another, which may be before it.
#[must_use]
pub fn since(start: Timestamp, at: Timestamp) -> i64 {
    milliseconds(at.duration_since(start))
}

/// A length of time in words: `90 s`, and from two minutes on `2m40s`, `1h`, `1d12h`. It has a tenth of a second only where there is one.
#[must_use]
pub fn length(length: Duration) -> String {
    let tenths = milliseconds(length) / 100;
    let (mut text, mut left) = (if tenths < 0 { "-" } else { "" }.to_owned(), tenths.unsigned_abs());
    let seconds =
        |tenths: u64| if tenths.is_multiple_of(10) { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) };
    if left < 1200 {
        return format!("{text}{} s", seconds(left));
    }
    for (unit, long) in [("d", 864_000), ("h", 36_000), ("m", 600)] {
        if left >= long {
            let _ = write!(text, "{}{unit}", left / long);
        }
        left %= long;
    }
    if left > 0 { format!("{text}{}s", seconds(left)) } else { text }
}

/// The same time without its fraction of a second, as the API stores it.
#[must_use]
pub fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(parts(time).0).unwrap_or(time)
}

/// Reads a time as RFC 3339 writes it; `None` if it is not one, or a [`Timestamp`] cannot hold it.
///
/// Times are most of what is read beside names: this reads no other form than Kubernetes writes.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    let (bytes, mut at) = (text.as_bytes(), 0);
    let mut number = |digits: usize, before: &[u8]| -> Option<i64> {
        let start = if before.is_empty() { at } else { at + 1 };
        if !before.is_empty() && !before.contains(bytes.get(at)?) {
            return None;
        }
        at = start + digits;
        bytes.get(start..at)?.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
    };
    let (year, month, day) = (number(4, b"")?, number(2, b"-")?, number(2, b"-")?);
    let (hour, minute, second) = (number(2, b"Tt ")?, number(2, b":")?, number(2, b":")?);
    let known = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let (nanosecond, zone) = fraction(text.get(at..)?)?;
    let seconds = days_before(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset(zone)?;
    Timestamp::new(seconds, nanosecond).ok().filter(|_| known)
}

/// Nanoseconds, and the text after their fraction.
fn fraction(text: &str) -> Option<(i32, &str)> {
    let Some(digits) = text.strip_prefix('.') else { return Some((0, text)) };
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let nanoseconds =
        digits[..length].bytes().chain(std::iter::repeat(b'0')).take(9).fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
    (length > 0).then_some((nanoseconds, &digits[length..]))
}

/// Seconds by which a zone is ahead of UTC: `Z`, or `+02:00`.
fn offset(zone: &str) -> Option<i64> {
    let two = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    match (zone.as_bytes(), zone.get(1..3), zone.get(4..6)) {
        (b"Z" | b"z", ..) => Some(0),
        ([sign @ (b'+' | b'-'), _, _, b':', _, _], Some(hours), Some(minutes)) => {
            let (hours, minutes): (i64, i64) = (two(hours)?, two(minutes)?);
            let ahead = (hours < 24 && minutes < 60).then_some(hours * 3_600 + minutes * 60)?;
            Some(if *sign == b'-' { -ahead } else { ahead })
        }
        _ => None,
    }
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date. Years are counted from March, so that a leap day is the last of its year.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day - 719_469
}

/// Whole seconds since 1970, rounded down, and the nanoseconds from there on.
#[must_use]
pub fn parts(time: Timestamp) -> (i64, u32) {
    // jiff rounds seconds towards 1970.
    let (seconds, nanoseconds) = (time.as_second(), time.subsec_nanosecond());
    if nanoseconds < 0 { (seconds - 1, (nanoseconds + 1_000_000_000).unsigned_abs()) } else { (seconds, nanoseconds.unsigned_abs()) }
}

/// Writes a time as RFC 3339 does, in UTC; with a fraction of a second only if there is one.
#[must_use]
pub fn text(time: Timestamp) -> String {
    let (seconds, nanoseconds) = parts(time);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days from 0000-03-01, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, of_cycle) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let of_cycle_years = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * of_cycle_years + of_cycle_years / 4 - of_cycle_years / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = cycle * 400 + of_cycle_years + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let mut text = String::with_capacity(30);
    for (number, digits, after) in [(year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (hour, 2, ":"), (minute, 2, ":"), (second, 2, "")] {
        write_digits(&mut text, number, digits);
        text.push_str(after);
    }
    if nanoseconds > 0 {
        text.push('.');
        write_digits(&mut text, nanoseconds.into(), 9);
        text.truncate(text.trim_end_matches('0').len());
    }
    text.push('Z');
    text
}

/// Writes how far a clock is ahead of UTC, in seconds, as RFC 3339 does: `+02:00`.
#[must_use]
pub fn offset_text(seconds: i32) -> String {
    let minutes = seconds.unsigned_abs() / 60;
    format!("{}{:02}:{:02}", if seconds < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
}

fn write_digits(text: &mut String, number: i64, digits: u32) {
    for place in (0..digits).rev() {
        let digit = number.unsigned_abs() / 10_u64.pow(place) % 10;
        text.push(char::from(b'0' + u8::try_from(digit).unwrap_or(0)));
    }
}

/// Serde for a time, written in RFC 3339 by [`text`].
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(*time))
}

/// Serde for an optional time, written in RFC 3339 by [`text`].
///
/// # Errors
/// Those of the serializer.
pub fn optional<S: Serializer>(time: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}

/// Serde for a time in RFC 3339, read by [`parse`].
///
/// # Errors
/// If deserializing fails, or the text is not such a time.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = Text::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| D::Error::custom(format_args!("invalid time {text:?}: write it as RFC 3339 does")))
}

/// Serde for an optional time, written in RFC 3339 and cut to seconds, as `metav1.Time` is.
///
/// # Errors
/// Those of the serializer.
pub fn seconds<S: Serializer>(time: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serializer.serialize_str(&text(whole_seconds(*time))),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_cut_towards_the_past() {
        let time: Timestamp = "2026-01-02T03:04:05.9Z".parse().unwrap();
        assert_eq!(whole_seconds(time).to_string(), "2026-01-02T03:04:05Z");
        let early: Timestamp = "1969-12-31T23:59:58.9Z".parse().unwrap();
        assert_eq!(whole_seconds(early).to_string(), "1969-12-31T23:59:58Z");
    }

    #[test]
    fn lengths_are_seconds_up_to_two_minutes() {
        let words = |milliseconds: i64| length(Duration::from_millis(milliseconds));
        assert_eq!([0, 1_560, 119_900, -150].map(words), ["0 s", "1.5 s", "119.9 s", "-0.1 s"]);
        assert_eq!([120_000, 160_500, 3_600_000, 3_605_000].map(words), ["2m", "2m40.5s", "1h", "1h5s"]);
        assert_eq!([86_400_000, 129_600_000, -7_200_000].map(words), ["1d", "1d12h", "-2h"]);
    }

    #[test]
    fn what_lies_beyond_all_times_is_the_last_time() {
        assert_eq!(after(Timestamp::UNIX_EPOCH, Duration::MAX), Timestamp::MAX);
    }

    #[test]
    fn times_are_written_and_read_as_the_library_does() {
        let mut times = vec![Timestamp::MIN, Timestamp::MAX, Timestamp::UNIX_EPOCH];
        times.extend((0..4_000).map(|n| Timestamp::new(n * 12_345_677 - 20_000_000_000, (n % 999) as i32 * 1_001_000).unwrap()));
        for time in times {
            if time.to_string().starts_with('-') {
                continue;
            }
            assert_eq!(text(time), time.to_string());
            assert_eq!(parse(&text(time)), Some(time));
        }
    }

    #[test]
    fn other_forms_are_read_or_refused() {
        let check = |text: &str, expected: &str| assert_eq!(parse(text).map(super::text).unwrap_or_default(), expected, "{text}");
        check("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z");
        check("2026-01-02t03:04:05.5-00:30", "2026-01-02T03:34:05.5Z");
        check("2024-02-29T23:59:59.123456789123Z", "2024-02-29T23:59:59.123456789Z");
        for text in [
            "",
            "2026-01-02",
            "2026-02-29T00:00:00Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02T03:04:05",
            "2026-01-02T03:04:05.Z",
            "2026-01-02T03:04:05+2:00",
            "２026-01-02T03:04:05Z",
        ] {
            check(text, "");
        }
    }
}
