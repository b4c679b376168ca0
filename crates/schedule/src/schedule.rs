//! Schedules: five fields, a descriptor such as `@daily`, or `@every` with a length of time; each with or without a time zone before it.
//!
//! Docs: CronJob, "Schedule syntax" (C-50…C-58). The grammar of fields is in `fields.rs`, the search for the next time in `search.rs`.

use api::annotation::{CronJobExtensions, Windows};
use api::time;

use crate::fields::CronFields;
use crate::zone::{Showing, Zone};
use crate::{Duration, Timestamp, count, every, search, words};

/// Descriptors, and the fields that they stand for (C-56).
const DESCRIPTORS: [(&str, &str); 7] = [
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

/// For how long a time outside of windows is looked for: the rest of a year, and five more.
const SEARCHED: Duration = Duration::from_hours(6 * 366 * 24);

/// When something is to be done, again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    zone: Zone,
    times: Times,
    /// Whether times that the clock showed before are left out.
    once: bool,
    /// The windows whose times are left out.
    windows: Option<Windows>,
}

#[derive(Debug, Clone, PartialEq)]
enum Times {
    Fields(CronFields),
    Every(Duration),
}

/// A local time that a schedule chooses and that the clock never shows, because it is set forward past it: no run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkippedTime {
    /// The local time, as a time in UTC.
    pub clock: Timestamp,
    /// When the clock is set forward.
    pub at: Timestamp,
    /// By how much.
    pub by: Duration,
}

impl SkippedTime {
    /// Why it is skipped.
    #[must_use]
    pub fn words(&self) -> String {
        format!("the clock is set forward by {} min", self.by.as_mins())
    }
}

impl Schedule {
    /// Reads a schedule, which is in `zone` unless it begins with `TZ=` or `CRON_TZ=`.
    ///
    /// # Errors
    /// What is wrong, in upstream's words (C-50, C-58).
    pub fn parse(text: &str, zone: &Zone) -> Result<Self, String> {
        if text.is_empty() {
            return Err("empty spec string".to_owned());
        }
        let Some(named) = text.strip_prefix("TZ=").or_else(|| text.strip_prefix("CRON_TZ=")) else {
            return Ok(Self { zone: zone.clone(), times: Times::read(text)?, once: false, windows: None });
        };
        let Some((name, text)) = named.split_once(' ') else {
            return Err("invalid schedule format: runtime error: slice bounds out of range [:-1]".to_owned());
        };
        let zone = located(name, zone).map_err(|cause| format!("provided bad location {name}: {cause}"))?;
        Ok(Self { zone, times: Times::read(text.trim())?, once: false, windows: None })
    }

    /// The same schedule, but for times that the clock showed before it was set back: each slot comes at most once. `@every` stays as it is.
    #[must_use]
    pub fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// The same schedule without the times that the clock shows within windows.
    #[must_use]
    pub fn outside(self, windows: Windows) -> Self {
        Self { windows: Some(windows), ..self }
    }

    /// The same schedule, with what annotations ask for.
    #[must_use]
    pub fn extended(self, extensions: &CronJobExtensions) -> Self {
        let schedule = if extensions.each_time_once { self.once() } else { self };
        match &extensions.skip_during {
            Some(windows) => schedule.outside(windows.clone()),
            None => schedule,
        }
    }

    /// The first time strictly later than `after`; `None` if there is none in that year and the next five (C-60…C-65).
    #[must_use]
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let mut next = self.next_of_all(after)?;
        while let Some(free) = self.windows.as_ref().and_then(|windows| self.zone.end_of(windows, next)) {
            let from = self.counted_from(next, time::after(free, Duration::from_secs(-1)));
            next = self.next_of_all(from).filter(|next| *next <= time::after(after, SEARCHED))?;
        }
        Some(next)
    }

    /// Whether windows leave out any of its times.
    #[must_use]
    pub fn leaves_out_any(&self) -> bool {
        self.windows.is_some()
    }

    /// Whether a window leaves out one of its times.
    #[must_use]
    pub fn leaves_out(&self, at: Timestamp) -> bool {
        self.windows.as_ref().is_some_and(|windows| windows.cover(self.zone.clock(at)))
    }

    /// The first time strictly later than `after`, if a window leaves it out.
    #[must_use]
    pub fn left_out(&self, after: Timestamp) -> Option<Timestamp> {
        self.windows.as_ref()?;
        self.next_of_all(after).filter(|at| self.leaves_out(*at))
    }

    /// The first time strictly later than `after`, whether a window leaves it out or not.
    #[must_use]
    pub fn next_of_all(&self, after: Timestamp) -> Option<Timestamp> {
        let mut next = self.following(after)?;
        while self.once && self.repeats(next) {
            next = self.following(next)?;
        }
        Some(next)
    }

    /// How many times there are after one time and up to another; those of `@every` are counted from the first of them.
    #[must_use]
    pub fn count(&self, after: Timestamp, until: Timestamp) -> u64 {
        let next = |second: i64| Some(self.next(Timestamp::from_second(second).ok()?)?.as_second());
        match &self.times {
            _ if self.windows.is_some() => {
                let times = std::iter::successors(self.next(after), |last| self.next(*last)).take_while(|at| *at <= until);
                times.fold(0, |count, _| count + 1)
            }
            Times::Fields(fields) => count::between(fields, &self.zone, whole(after) + 1, whole(until) + 1, next),
            Times::Every(delay) => u64::try_from((whole(until) - whole(after)) / delay.as_secs()).unwrap_or(0),
        }
    }

    /// A time at `at` or before from which the runs after `at` follow: those of `@every` count from `start`, and others from any time (C-57).
    #[must_use]
    pub fn counted_from(&self, start: Timestamp, at: Timestamp) -> Timestamp {
        let Some(delay) = self.every().map(|delay| delay.as_secs()) else { return at };
        let passed = (at.as_second() - start.as_second()).div_euclid(delay);
        start.saturating_add(Duration::from_secs(passed * delay)).unwrap_or(at)
    }

    /// Whether the clock has shown a time before, so that it is this slot's second; never for `@every`, which counts from the last run.
    #[must_use]
    pub fn repeats(&self, at: Timestamp) -> bool {
        matches!(self.times, Times::Fields(_)) && self.zone.repeats(at.as_second())
    }

    /// The local times that the clock is set forward past between two times.
    #[must_use]
    pub fn skipped(&self, after: Timestamp, until: Timestamp) -> Vec<SkippedTime> {
        let Some(clock_times) = self.clock_times() else { return Vec::new() };
        let clocks = std::iter::successors(clock_times.next(self.zone.clock(after)), |last| clock_times.next(*last));
        let shown = clocks.map(|clock| (clock, self.zone.showing(clock))).take_while(|(_, showing)| showing.times()[0] <= until);
        let skipped = |(clock, showing)| match showing {
            Showing::Once(_) | Showing::Twice(_) => None,
            Showing::Skipped { at, by } => Some(SkippedTime { clock, at, by }),
        };
        shown.filter_map(skipped).collect()
    }

    fn following(&self, after: Timestamp) -> Option<Timestamp> {
        let second = whole(after);
        let next = match &self.times {
            Times::Fields(fields) => search::first(fields, &self.zone, second + 1)?,
            Times::Every(delay) => second + delay.as_secs(),
        };
        Timestamp::from_second(next).ok()
    }

    /// The zone that its fields are in.
    #[must_use]
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// Whether it runs on days that match one of two restricted fields: day of month or day of week (C-55).
    #[must_use]
    pub fn either_day(&self) -> bool {
        match &self.times {
            Times::Fields(fields) => fields.either_day(),
            Times::Every(_) => false,
        }
    }

    /// What it means, without its time zone: `at 02:30, every day`.
    #[must_use]
    pub fn words(&self) -> String {
        match &self.times {
            Times::Fields(fields) => words::fields(fields),
            Times::Every(delay) => words::every(*delay),
        }
    }

    /// The same with its time zone: `every 5 minutes, in Europe/Paris`.
    #[must_use]
    pub fn words_in_zone(&self) -> String {
        format!("{}, in {}", self.words(), self.zone.name())
    }

    /// The times that a clock shows when it fires, as times in UTC; `None` if a change of the clock can make no difference: it counts from the
    /// last run, or fires in each hour.
    #[must_use]
    pub fn clock_times(&self) -> Option<Self> {
        match &self.times {
            Times::Fields(fields) if !fields.hourly() => Some(Self { zone: Zone::utc(), once: false, ..self.clone() }),
            Times::Fields(_) | Times::Every(_) => None,
        }
    }

    /// Whether it fires several times in each hour of each day.
    #[must_use]
    pub fn several_an_hour(&self) -> bool {
        match &self.times {
            Times::Every(delay) => *delay < Duration::from_hours(1),
            Times::Fields(fields) => fields.several_an_hour(),
        }
    }

    /// The delay of `@every`; `None` for other schedules.
    #[must_use]
    pub fn every(&self) -> Option<Duration> {
        match self.times {
            Times::Every(delay) => Some(delay),
            Times::Fields(_) => None,
        }
    }
}

/// The seconds since 1970 that have passed at a time; the library rounds towards 1970.
fn whole(at: Timestamp) -> i64 {
    at.as_second() - i64::from(at.subsec_nanosecond() < 0)
}

/// The zone of a name as Go's `time.LoadLocation` finds it; `local` is the one of the process.
fn located(name: &str, local: &Zone) -> Result<Zone, String> {
    match name {
        "" => Ok(Zone::utc()),
        "Local" => Ok(local.clone()),
        _ if name.contains("..") || name.starts_with(['/', '\\']) => Err("time: invalid location name".to_owned()),
        _ => Zone::named(name).ok_or_else(|| format!("unknown time zone {name}")),
    }
}

impl Times {
    fn read(text: &str) -> Result<Self, String> {
        if !text.starts_with('@') {
            return CronFields::read(text).map(Self::Fields);
        }
        if let Some((_, fields)) = DESCRIPTORS.iter().find(|(name, _)| *name == text) {
            return CronFields::read(fields).map(Self::Fields);
        }
        let Some(length) = text.strip_prefix("@every ") else { return Err(format!("unrecognized descriptor: {text}")) };
        every::delay(length).map(Self::Every).map_err(|error| format!("failed to parse duration {text}: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> Zone {
        Zone::named(name).unwrap()
    }

    /// The times of a schedule in UTC that follow one of them.
    fn times(text: &str, from: &str) -> String {
        let schedule = Schedule::parse(text, &Zone::utc()).unwrap();
        let next = schedule.next(from.parse().unwrap());
        let times = std::iter::successors(next, |last| schedule.next(*last));
        times.take(3).map(|time| time.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn some_schedules_fire_several_times_in_each_hour() {
        let several = |text: &str| Schedule::parse(text, &zone("Asia/Tokyo")).unwrap().several_an_hour();
        for text in [
            "* * * * *",
            "*/5 * * * *",
            "0,30 * * * *",
            "0-10 * * * *",
            "*/5 * * * ?",
            "TZ=Asia/Tokyo */5 * * * *",
            "@every 5m",
            "@every 59m30s",
        ] {
            assert!(several(text), "{text}");
        }
        for text in ["0 * * * *", "30 8 * * 1", "*/5 8 * * *", "*/5 * * * 1-5", "@daily", "0 0 29 2 *", "@every 1h", "@every 36h"] {
            assert!(!several(text), "{text}");
        }
    }

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        assert_eq!(Schedule::parse(text, &Zone::utc()).unwrap_err(), expected);
    }

    #[test]
    fn a_zone_before_the_schedule_comes_before_the_one_beside_it() {
        let read = |text: &str| Schedule::parse(text, &zone("Europe/Paris")).unwrap().zone().name().to_owned();
        assert_eq!(read("0 0 * * *"), "Europe/Paris");
        assert_eq!(read("TZ=Asia/Tokyo 0 0 * * *"), "Asia/Tokyo");
        assert_eq!(read("CRON_TZ=Asia/Tokyo  @daily "), "Asia/Tokyo");
        assert_eq!(read("TZ=Local 0 0 * * *"), "Europe/Paris");
        assert_eq!(read("TZ= 0 0 * * *"), "UTC");
        assert_eq!(read("TZ=UTC 0 0 * * *"), "UTC");
        let beside = Schedule::parse("0 0 * * *", &zone("Asia/Tokyo"));
        assert_eq!(beside, Schedule::parse("TZ=Asia/Tokyo 0 0 * * *", &Zone::utc()));
    }

    #[test]
    fn zones_that_are_not_known_are_refused() {
        refused("TZ=Mars 0 0 * * *", "provided bad location Mars: unknown time zone Mars");
        refused("CRON_TZ=utc 0 0 * * *", "provided bad location utc: unknown time zone utc");
        refused("TZ=UTC\t* * * * *", "provided bad location UTC\t*: unknown time zone UTC\t*");
        for name in ["../UTC", "/UTC", "\\UTC", "a..b"] {
            refused(&format!("TZ={name} * * * * *"), &format!("provided bad location {name}: time: invalid location name"));
        }
        for text in ["TZ=0", "CRON_TZ=UTC", "TZ="] {
            refused(text, "invalid schedule format: runtime error: slice bounds out of range [:-1]");
        }
        refused(" TZ=UTC 0 0 * * *", "expected exactly 5 fields, found 6: [TZ=UTC 0 0 * * *]");
        refused("tz=UTC 0 0 * *", "failed to parse int from tz=UTC: strconv.Atoi: parsing \"tz=UTC\": invalid syntax");
        refused("TZ=UTC ", "expected exactly 5 fields, found 0: []");
    }

    #[test]
    fn descriptors_stand_for_fields() {
        let check =
            |text: &str, expected: &str| assert_eq!(times(text, "2024-05-16T10:00:00Z").split(' ').next(), Some(expected), "{text}");
        check("@yearly", "2025-01-01T00:00:00Z");
        check("@annually", "2025-01-01T00:00:00Z");
        check("@monthly", "2024-06-01T00:00:00Z");
        check("@weekly", "2024-05-19T00:00:00Z");
        check("@daily", "2024-05-17T00:00:00Z");
        check("@midnight", "2024-05-17T00:00:00Z");
        check("@hourly", "2024-05-16T11:00:00Z");
        for text in ["@reboot", "@Daily", "@daily ", "@every", "@"] {
            refused(text, &format!("unrecognized descriptor: {text}"));
        }
        refused("", "empty spec string");
        refused("@every 1d", "failed to parse duration @every 1d: time: unknown unit \"d\" in duration \"1d\"");
        refused("@every  1s", "failed to parse duration @every  1s: time: invalid duration \" 1s\"");
    }

    #[test]
    fn each_slot_of_the_clock_comes_at_most_once_if_wanted() {
        let check = |zone: &str, text: &str, from: &str, expected: &str| {
            let schedule = Schedule::parse(text, &self::zone(zone)).unwrap().once();
            let times = std::iter::successors(schedule.next(from.parse().unwrap()), |last| schedule.next(*last));
            assert_eq!(times.take(3).map(|time| time.to_string()).collect::<Vec<_>>().join(" "), expected, "{zone} {text}");
        };
        let back = "2024-11-03T04:59:00Z";
        check("America/New_York", "30 1 * * *", back, "2024-11-03T05:30:00Z 2024-11-04T06:30:00Z 2024-11-05T06:30:00Z");
        check("America/New_York", "0 * * * *", back, "2024-11-03T05:00:00Z 2024-11-03T07:00:00Z 2024-11-03T08:00:00Z");
        check("America/New_York", "@every 1h", back, "2024-11-03T05:59:00Z 2024-11-03T06:59:00Z 2024-11-03T07:59:00Z");
        check("America/New_York", "30 2 * * *", "2024-03-09T12:00:00Z", "2024-03-11T06:30:00Z 2024-03-12T06:30:00Z 2024-03-13T06:30:00Z");
        check("Europe/Paris", "*/30 2 * * *", "2026-10-24T23:00:00Z", "2026-10-25T00:00:00Z 2026-10-25T00:30:00Z 2026-10-26T01:00:00Z");
        check(
            "Australia/Lord_Howe",
            "*/15 1 * * *",
            "2024-04-06T14:15:00Z",
            "2024-04-06T14:30:00Z 2024-04-06T14:45:00Z 2024-04-07T14:30:00Z",
        );
        check("UTC", "0 0 * * *", back, "2024-11-04T00:00:00Z 2024-11-05T00:00:00Z 2024-11-06T00:00:00Z");
    }

    #[test]
    fn x_17_times_in_windows_are_left_out() {
        let check = |zone: &str, text: &str, windows: &str, from: &str, expected: &str| {
            let windows = Windows::read(windows).unwrap();
            let schedule = Schedule::parse(text, &self::zone(zone)).unwrap().outside(windows.clone());
            let times = std::iter::successors(schedule.next(from.parse().unwrap()), |last| schedule.next(*last));
            let times: Vec<Timestamp> = times.take(4).collect();
            assert_eq!(times.iter().map(|at| at.to_string()[5..16].to_owned()).collect::<Vec<_>>().join(" "), expected, "{zone} {text}");
            // One by one, the same times are left.
            let whole = Schedule::parse(text, &self::zone(zone)).unwrap();
            let all = std::iter::successors(whole.next(from.parse().unwrap()), |last| whole.next(*last));
            let left: Vec<Timestamp> = all.filter(|at| !windows.cover(whole.zone().clock(*at))).take(4).collect();
            assert_eq!(times, left, "{zone} {text}");
        };
        let night = "22:00-06:00";
        check("UTC", "0 */4 * * *", night, "2026-01-01T17:00:00Z", "01-01T20:00 01-02T08:00 01-02T12:00 01-02T16:00");
        check("UTC", "@every 7h", night, "2026-01-01T17:00:00Z", "01-02T07:00 01-02T14:00 01-02T21:00 01-03T11:00");
        check(
            "UTC",
            "0 9 * * *",
            "Sat, Sun, 2026-12-24..2027-01-01",
            "2026-12-18T12:00:00Z",
            "12-21T09:00 12-22T09:00 12-23T09:00 01-04T09:00",
        );
        // The clock goes forward from 2:00 to 3:00, and a window ends at a time that it does not show.
        check("Europe/Paris", "*/30 * * * *", "22:00-02:30", "2026-03-28T22:00:00Z", "03-29T01:00 03-29T01:30 03-29T02:00 03-29T02:30");
        // The clock goes back from 3:00 to 2:00: what it shows once more is once more in a window, or outside.
        check("Europe/Paris", "*/15 * * * *", "22:00-02:30", "2026-10-24T22:00:00Z", "10-25T00:30 10-25T00:45 10-25T01:30 10-25T01:45");
        check("Europe/Paris", "*/15 * * * *", "02:30-03:00", "2026-10-25T00:00:00Z", "10-25T00:15 10-25T01:00 10-25T01:15 10-25T02:00");
        check("America/New_York", "30 1 * * *", "2024-11-03", "2024-11-02T04:00:00Z", "11-02T05:30 11-04T06:30 11-05T06:30 11-06T06:30");
    }

    #[test]
    fn x_17_a_schedule_has_no_time_if_all_are_left_out() {
        let schedule = Schedule::parse("0 23 * * *", &Zone::utc()).unwrap().outside(Windows::read("22:00-06:00").unwrap());
        let after: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(schedule.next(after), None);
        assert_eq!(schedule.left_out(after).map(|at| at.to_string()).as_deref(), Some("2026-01-01T23:00:00Z"));
    }

    #[test]
    fn x_17_times_outside_windows_are_counted() {
        let [from, until]: [Timestamp; 2] = ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"].map(|at| at.parse().unwrap());
        let count =
            |windows: &str| Schedule::parse("0 * * * *", &Zone::utc()).unwrap().outside(Windows::read(windows).unwrap()).count(from, until);
        assert_eq!(count("22:00-06:00"), 365 * 16);
        assert_eq!(count("Sat, Sun"), (365 - 104) * 24);
    }

    #[test]
    fn a_delay_counts_from_the_last_time() {
        assert_eq!(times("@every 90s", "2024-01-01T00:00:00.5Z"), "2024-01-01T00:01:30Z 2024-01-01T00:03:00Z 2024-01-01T00:04:30Z");
        assert_eq!(times("@every 0", "1969-12-31T23:59:58.9Z").split(' ').next(), Some("1969-12-31T23:59:59Z"));
        let every = |text| Schedule::parse(text, &Zone::utc()).unwrap().every();
        assert_eq!(every("@every 1h0.5s"), Some(Duration::from_secs(3_600)));
        assert_eq!(every("@hourly"), None);
        assert_eq!(Schedule::parse("@every 1h", &Zone::utc()).unwrap().next(Timestamp::MAX), None);
    }

    #[test]
    fn the_next_time_is_strictly_later() {
        assert_eq!(times("0 * * * *", "2024-05-16T10:59:59.9Z").split(' ').next(), Some("2024-05-16T11:00:00Z"));
        assert_eq!(times("0 * * * *", "2024-05-16T11:00:00Z").split(' ').next(), Some("2024-05-16T12:00:00Z"));
        assert_eq!(times("0 0 * * *", "1969-12-31T23:59:59.9Z").split(' ').next(), Some("1970-01-01T00:00:00Z"));
    }
}
