//! How many times five fields choose in some time, without going through them one by one.
//!
//! Docs: rules C-60…C-65. As long as the clock is not changed, each of its times that the fields choose comes; what comes first after a change is decided by
//! the search of `search.rs`.

use crate::civil::{DAY, Date};
use crate::fields::CronFields;
use crate::zone::Zone;

const HOUR: i64 = 3_600;
const MINUTE: i64 = 60;

/// How many of the seconds since 1970 from one on and before another the fields choose; `next` is the first chosen one after a second.
pub(crate) fn between(fields: &CronFields, zone: &Zone, from: i64, end: i64, next: impl Fn(i64) -> Option<i64>) -> u64 {
    let (mut count, mut start, mut last) = (0, from, from - 1);
    loop {
        let period = zone.period(start);
        let until = period.end().min(end);
        let clock = SteadyClock { fields, offset: period.offset };
        count += clock.count(start, until);
        last = clock.last(start, until).unwrap_or(last);
        if until == end {
            return count;
        }
        match next(last).filter(|first| *first < end) {
            Some(first) => (count, last, start) = (count + 1, first, first + 1),
            None => return count,
        }
    }
}

/// A clock while it is not changed.
struct SteadyClock<'a> {
    fields: &'a CronFields,
    /// By how many seconds it is ahead of UTC.
    offset: i64,
}

impl SteadyClock<'_> {
    /// How many chosen times there are from one second on and before another.
    fn count(&self, start: i64, until: i64) -> u64 {
        self.days(start, until).map(|day| self.times_before(day.until) - self.times_before(day.start)).sum()
    }

    /// The last chosen second of them.
    fn last(&self, start: i64, until: i64) -> Option<i64> {
        self.days(start, until).rev().find_map(|day| {
            let minutes = (day.start + MINUTE - 1) / MINUTE..(day.until + MINUTE - 1) / MINUTE;
            let minute = minutes.rev().find(|minute| self.chosen(*minute))?;
            Some(day.midnight + minute * MINUTE)
        })
    }

    /// The chosen days of them.
    fn days(&self, start: i64, until: i64) -> impl DoubleEndedIterator<Item = DayPart> {
        let [first, last] = [start, until - 1].map(|second| (second + self.offset).div_euclid(DAY));
        let days = if start < until { first..last + 1 } else { 0..0 };
        let chosen = |day: &i64| self.fields.months.contains(Date::of(*day).month) && self.fields.day_chosen(*day);
        days.filter(chosen).map(move |day| {
            let midnight = day * DAY - self.offset;
            DayPart { midnight, start: (start - midnight).max(0), until: (until - midnight).min(DAY) }
        })
    }

    /// Whether a minute of a chosen day is chosen.
    fn chosen(&self, minute: i64) -> bool {
        self.fields.hours.contains(minute / 60) && self.fields.minutes.contains(minute % 60)
    }

    /// How many times of a chosen day come before this second of it.
    fn times_before(&self, second: i64) -> u64 {
        let (hour, rest) = (second / HOUR, second % HOUR);
        let of_hour = if self.fields.hours.contains(hour) { self.fields.minutes.below((rest + MINUTE - 1) / MINUTE) } else { 0 };
        self.fields.hours.below(hour) * self.fields.minutes.below(60) + of_hour
    }
}

/// A part of a day.
struct DayPart {
    /// The second since 1970 with which the day begins.
    midnight: i64,
    /// The first second of the part, counted from midnight.
    start: i64,
    /// The one behind its last.
    until: i64,
}

#[cfg(test)]
mod tests {
    use crate::{Schedule, Timestamp, Zone};

    #[test]
    fn counts_are_those_of_the_times_one_by_one() {
        let zones = [
            "UTC",
            "Europe/Paris",
            "America/New_York",
            "Australia/Lord_Howe",
            "America/Sao_Paulo",
            "Africa/Casablanca",
            "Asia/Beirut",
            "America/Havana",
            "America/Nuuk",
            "America/Santiago",
            "America/St_Johns",
            "Antarctica/Troll",
            "Asia/Gaza",
            "Asia/Tehran",
            "Atlantic/Azores",
        ];
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
