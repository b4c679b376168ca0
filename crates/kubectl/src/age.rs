//! Ages and dates: a length of time in the units that matter, as in `7m59s` and `2y266d`, and dates as in `Fri, 01 Mar 2024 10:00:00 +0000`.
//!
//! Docs: none of Kubernetes'. Where they stand is decided in `job_row.rs`, `pod_row.rs`, `events.rs` and `describe_job.rs`.

use api::{Timestamp, time};
use serde_json::Value;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const YEAR: i64 = 365 * DAY;

/// The time in a field, if there is one.
pub(crate) fn moment(value: &Value) -> Option<Timestamp> {
    time::parse(value.as_str()?)
}

/// How long ago the time in a field was.
pub(crate) fn age(value: &Value, now: Timestamp) -> String {
    moment(value).map_or_else(|| "<unknown>".to_owned(), |at| between(at, now))
}

/// The length of time from one moment to another. The longer it is, the coarser; a smaller unit is left out where there is none of it.
#[must_use]
pub fn between(start: Timestamp, end: Timestamp) -> String {
    let seconds = end.duration_since(start).as_secs();
    let one = |(unit, letter): (i64, char)| format!("{}{letter}", seconds / unit);
    let two = |large: (i64, char), (unit, letter): (i64, char)| match seconds % large.0 / unit {
        0 => one(large),
        rest => format!("{}{rest}{letter}", one(large)),
    };
    let [second, minute, hour, day, year] = [(1, 's'), (MINUTE, 'm'), (HOUR, 'h'), (DAY, 'd'), (YEAR, 'y')];
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        _ if seconds < 2 * MINUTE => one(second),
        _ if seconds < 10 * MINUTE => two(minute, second),
        _ if seconds < 3 * HOUR => one(minute),
        _ if seconds < 8 * HOUR => two(hour, minute),
        _ if seconds < 2 * DAY => one(hour),
        _ if seconds < 8 * DAY => two(day, hour),
        _ if seconds < 2 * YEAR => one(day),
        _ if seconds < 8 * YEAR => two(year, day),
        _ => one(year),
    }
}

/// A date with its time, in UTC.
pub(crate) fn date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_those_of_kubectl() {
        let start = time::parse("2024-01-01T00:00:00Z").unwrap();
        for (seconds, expected) in [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (599, "9m59s"),
            (600, "10m"),
            (659, "10m"),
            (10_799, "179m"),
            (10_800, "3h"),
            (10_860, "3h1m"),
            (28_799, "7h59m"),
            (28_860, "8h"),
            (172_799, "47h"),
            (176_400, "2d1h"),
            (691_199, "7d23h"),
            (694_800, "8d"),
            (63_071_999, "729d"),
            (63_158_400, "2y1d"),
            (252_287_999, "7y364d"),
            (252_288_000, "8y"),
        ] {
            assert_eq!(between(start, time::after(start, api::Duration::from_secs(seconds))), expected, "{seconds}");
        }
        assert_eq!(age(&Value::Null, start), "<unknown>");
        assert_eq!(date(start), "Mon, 01 Jan 2024 00:00:00 +0000");
    }
}
