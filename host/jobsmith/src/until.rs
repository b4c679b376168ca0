//! Until when something goes on, as the option `--until` has it.
//!
//! Docs: `jobsmith run --help` and `jobsmith simulate --help`, `--until`. Other times of the command line are read in `schedule/mod.rs`.

use api::{Duration, Timestamp, time};
use schedule::Zone;

use super::input;
use super::schedule::read_time;

/// A day on most clocks.
const DAY: Duration = Duration::from_hours(24);

/// Reads a length of time from `now` on, the next time that the clock of a zone shows, a date or a local time there, or a time with its offset.
///
/// # Errors
/// If the text is none of them.
pub(crate) fn read_until(text: &str, zone: &Zone, now: Timestamp) -> Result<Timestamp, String> {
    if let Ok(length) = input::long_duration(text) {
        return Ok(time::after(now, length.try_into().unwrap_or(Duration::MAX)));
    }
    if let Some(clock) = read_clock(text) {
        return Ok(next_time(clock, zone, now));
    }
    read_time(text, zone)
        .map_err(|_| format!("{text:?} is not a time: write it as 10m, 18:30, 2026-03-27, 2026-03-27T18:30 or 2026-03-27T18:30:00Z"))
}

/// Reads `18:30` or `18:30:15`, as the time since midnight.
fn read_clock(text: &str) -> Option<Duration> {
    let clock = time::parse(&format!("1970-01-01T{text}Z")).or_else(|| time::parse(&format!("1970-01-01T{text}:00Z")))?;
    Some(clock.duration_since(Timestamp::UNIX_EPOCH))
}

/// When the clock of a zone next shows this time or, where it skips that, a later one.
fn next_time(clock: Duration, zone: &Zone, now: Timestamp) -> Timestamp {
    let local = zone.clock(now);
    let midnight = time::after(local, -Duration::from_secs(local.as_second().rem_euclid(DAY.as_secs())));
    let shown = |days| zone.showing(time::after(time::whole_seconds(midnight), clock.saturating_add(DAY * days))).times();
    // The time of yesterday is still to come where the clock is about to be set back past midnight.
    (-1..=1).flat_map(shown).filter(|at| *at > now).min().unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_duration_a_clock_time_or_a_whole_one() {
        let check = |text, zone, expected: &str| {
            let until = read_until(text, &Zone::named(zone).unwrap(), "2026-03-28T12:00:00.5Z".parse().unwrap());
            assert_eq!(until.map_or_else(|error| error, |until| until.to_string()), expected, "{text} in {zone}");
        };
        check("10m", "UTC", "2026-03-28T12:10:00.5Z");
        check("1d1h", "UTC", "2026-03-29T13:00:00.5Z");
        check("18:30", "UTC", "2026-03-28T18:30:00Z");
        check("18:30:15", "Europe/Paris", "2026-03-28T17:30:15Z");
        check("12:00", "UTC", "2026-03-29T12:00:00Z");
        check("12:30", "Europe/Paris", "2026-03-29T10:30:00Z");
        check("2026-03-28T18:30:00+02:00", "UTC", "2026-03-28T16:30:00Z");
        check("2026-03-30", "Europe/Paris", "2026-03-29T22:00:00Z");
        check("2026-03-28T14:00", "Europe/Paris", "2026-03-28T13:00:00Z");
        check("1w", "UTC", "2026-04-04T12:00:00.5Z");
        let night = |text, now: &str| read_until(text, &Zone::named("Europe/Paris").unwrap(), now.parse().unwrap()).unwrap().to_string();
        assert_eq!(night("02:30", "2026-03-28T22:00:00Z"), "2026-03-29T01:00:00Z", "the clock goes from 02:00 to 03:00");
        assert_eq!(night("03:00", "2026-03-28T22:00:00Z"), "2026-03-29T01:00:00Z");
        assert_eq!(night("02:30", "2026-10-24T22:00:00Z"), "2026-10-25T00:30:00Z", "the clock shows it for the first time");
        assert_eq!(night("02:30", "2026-10-25T00:30:00Z"), "2026-10-25T01:30:00Z", "and again");
        assert_eq!(night("02:30", "2026-10-25T01:30:00Z"), "2026-10-26T01:30:00Z");
        for text in ["tomorrow", "25:00", "18", ""] {
            check(
                text,
                "UTC",
                &format!("{text:?} is not a time: write it as 10m, 18:30, 2026-03-27, 2026-03-27T18:30 or 2026-03-27T18:30:00Z"),
            );
        }
    }
}
