//! How many times five fields choose in some time, without going through them one by one.
//!
//! Docs: rules C-60…C-65. A day on which the clock changes is gone through by the search of `search.rs`, which decides what happens there.

use crate::civil::{DAY, Date};
use crate::fields::CronFields;
use crate::zone::Zone;

const HOUR: i64 = 3_600;
const MINUTE: i64 = 60;

/// How many of the seconds since 1970 from one on and before another the fields choose; `next` is the first chosen one after a second.
pub(crate) fn between(fields: &CronFields, zone: &Zone, from: i64, end: i64, next: impl Fn(i64) -> Option<i64>) -> u64 {
    // What the search finds around a change can depend on where it begins: with the time before.
    let one_by_one = |before: i64, from: i64, end: i64| {
        let chosen = std::iter::successors(next(before - 1), |last| next(*last));
        chosen.skip_while(|chosen| *chosen < from).take_while(|chosen| *chosen < end).fold(0, |count, _| count + 1)
    };
    if changes_by_part_of_an_hour(zone, from, end) {
        return one_by_one(from, from, end);
    }
    let (mut count, mut second, mut before) = (0, from, from);
    while second < end {
        let day = LocalDay::of(zone, second);
        let until = day.end.min(end);
        let here = if day.changes {
            one_by_one(before, second, until)
        } else if chosen(fields, day.number) {
            times_before(fields, until - day.midnight) - times_before(fields, second - day.midnight)
        } else {
            0
        };
        if here > 0 {
            before = second;
        }
        count += here;
        second = until;
    }
    count
}

/// Whether the clock is set forward or back by other than whole hours in between: a search across that depends on where it began (C-62).
fn changes_by_part_of_an_hour(zone: &Zone, from: i64, end: i64) -> bool {
    let mut period = zone.period(from);
    while period.end() < end {
        let next = zone.period(period.end());
        if (next.offset - period.offset) % HOUR != 0 {
            return true;
        }
        period = next;
    }
    false
}

/// A day of a zone's clock.
struct LocalDay {
    /// Days from 1970-01-01 to its date.
    number: i64,
    /// The second since 1970 with which it begins.
    midnight: i64,
    /// The second since 1970 behind its last.
    end: i64,
    /// Whether the clock changes on it.
    changes: bool,
}

impl LocalDay {
    /// The day of a second since 1970; one on which the clock changes ends with the first midnight behind the change.
    fn of(zone: &Zone, second: i64) -> Self {
        let period = zone.period(second);
        let number = (second + period.offset).div_euclid(DAY);
        let [midnight, end] = [number, number + 1].map(|number| number * DAY - period.offset);
        if period.contains(end - 1) {
            return Self { number, midnight, end, changes: !period.contains(midnight) };
        }
        let behind = zone.period(period.end());
        let end = ((period.end() + behind.offset).div_euclid(DAY) + 1) * DAY - behind.offset;
        Self { number, midnight, end, changes: true }
    }
}

/// Whether the day this many days after 1970-01-01 is chosen.
fn chosen(fields: &CronFields, number: i64) -> bool {
    fields.months.contains(Date::of(number).month) && fields.day_chosen(number)
}

/// How many times of a chosen day come before this second of it.
fn times_before(fields: &CronFields, second: i64) -> u64 {
    let minutes_below = |below: i64| fields.minutes.below(below);
    let (hour, rest) = (second.div_euclid(HOUR), second.rem_euclid(HOUR));
    // A time is the first second of its minute.
    let of_hour = if fields.hours.contains(hour) { minutes_below((rest + MINUTE - 1) / MINUTE) } else { 0 };
    fields.hours.below(hour) * minutes_below(60) + of_hour
}

#[cfg(test)]
mod tests {
    use crate::{Schedule, Timestamp, Zone};

    #[test]
    fn counts_are_those_of_the_times_one_by_one() {
        let zones =
            ["UTC", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Beirut"];
        let texts = [
            "30 2 * * *",
            "*/20 0-3 * * *",
            "0 0 1,31 * *",
            "15 1,23 13 * 5",
            "0 */6 * 3,10 0",
            "59 * * * *",
            "0 0 31 2 *",
            "@every 7h",
            "5 0 * * 0",
        ];
        for (zone, text) in zones.iter().flat_map(|zone| texts.iter().map(move |text| (zone, text))) {
            let schedule = Schedule::parse(text, &Zone::named(zone).unwrap()).unwrap();
            for schedule in [schedule.clone(), schedule.once()] {
                for (from, until) in [("2016-09-03T04:05:06Z", "2017-10-31T02:29:59Z"), ("2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z")] {
                    let [from, until]: [Timestamp; 2] = [from, until].map(|at| at.parse().unwrap());
                    let times = std::iter::successors(schedule.next(from), |last| schedule.next(*last));
                    let expected = times.take_while(|at| *at <= until).count();
                    assert_eq!(schedule.count(from, until), expected as u64, "{zone} {text} {from} {until}");
                }
            }
        }
    }
}
