//! Lengths of time as people write them, and as other schedulers do: `rate(5 minutes)`, `every 2 hours`, `@every 1d`.
//!
//! Docs: CronJob, "Schedule syntax" (C-57). What Kubernetes reads after `@every` is in `../every.rs`.

use crate::{Schedule, Zone};

/// Units, and how many seconds each has.
const UNITS: [(&[&str], u64); 5] = [
    (&["s", "sec", "secs", "second", "seconds"], 1),
    (&["m", "min", "mins", "minute", "minutes"], 60),
    (&["h", "hr", "hrs", "hour", "hours"], HOUR),
    (&["d", "day", "days"], DAY),
    (&["w", "week", "weeks"], WEEK),
];
const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;

/// The schedule that `rate(…)` or `every …` stands for.
pub(super) fn schedule(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let length = text.strip_prefix("rate(").and_then(|rest| rest.strip_suffix(')')).or_else(|| text.strip_prefix("every "))?;
    let seconds = seconds(length)?;
    let (minutes, hours) = (seconds / 60, seconds / HOUR);
    valid(match seconds {
        60 => "* * * * *".to_owned(),
        HOUR => "0 * * * *".to_owned(),
        DAY => "0 0 * * *".to_owned(),
        WEEK => "0 0 * * 0".to_owned(),
        _ if seconds < HOUR && HOUR.is_multiple_of(seconds) && seconds.is_multiple_of(60) => format!("*/{minutes} * * * *"),
        _ if seconds < DAY && DAY.is_multiple_of(seconds) && seconds.is_multiple_of(HOUR) => format!("0 */{hours} * * *"),
        _ => counted(seconds),
    })
}

/// `@every` with the length of time that is meant by what stands behind it.
pub(super) fn every(length: &str) -> Option<String> {
    let length = length.to_lowercase();
    let plain: String = length.split_whitespace().collect();
    valid(format!("@every {plain}")).or_else(|| valid(counted(seconds(&length)?)))
}

/// `@every` with so many seconds.
pub(super) fn counted(seconds: u64) -> String {
    match seconds {
        _ if seconds.is_multiple_of(HOUR) => format!("@every {}h", seconds / HOUR),
        _ if seconds.is_multiple_of(60) => format!("@every {}m", seconds / 60),
        _ => format!("@every {seconds}s"),
    }
}

/// How many seconds `5 minutes` are, or `day`.
fn seconds(length: &str) -> Option<u64> {
    let length = length.trim();
    let unit = length.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = &length[..length.len() - unit.len()];
    let number: u64 = if number.is_empty() { 1 } else { number.parse().ok()? };
    let (_, seconds) = UNITS.into_iter().find(|(names, _)| names.contains(&unit.trim()))?;
    number.checked_mul(seconds).filter(|seconds| *seconds > 0)
}

fn valid(schedule: String) -> Option<String> {
    Schedule::parse(&schedule, &Zone::utc()).is_ok().then_some(schedule)
}
