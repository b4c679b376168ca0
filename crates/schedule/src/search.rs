//! The search for the next time that five fields choose.
//!
//! Docs: rules C-60…C-65. It follows upstream step by step, since that decides what happens where clocks are changed. Fields are read in
//! `fields.rs`; by how much a zone is ahead of UTC is in `zone.rs`.

use crate::civil::{DAY, Date};
use crate::fields::CronFields;
use crate::zone::{Zone, ZonePeriod};

/// In how many years after the first one times are looked for (C-61).
const YEARS: i64 = 5;
const HOUR: i64 = 3_600;
const MINUTE: i64 = 60;

/// The first second since 1970, from one on, that the fields choose; `None` if there is none within [`YEARS`].
pub(crate) fn first(fields: &CronFields, zone: &Zone, from: i64) -> Option<i64> {
    if fields.never() {
        return None;
    }
    let mut search = Search { fields, clock: WallClock { zone, second: from, period: zone.period(from) }, advanced: false };
    let last_year = search.clock.date().year + YEARS;
    while search.clock.date().year <= last_year {
        if search.month() && search.day() && search.hour() && search.minute() && search.second() {
            return Some(search.clock.second);
        }
    }
    None
}

/// Each method advances its unit to one that the fields choose, and returns whether it found one before the unit began again; if not, the
/// search goes on from the month.
struct Search<'a> {
    fields: &'a CronFields,
    clock: WallClock<'a>,
    /// Whether any unit was advanced. When the first one is, all below it are set to their least.
    advanced: bool,
}

impl Search<'_> {
    fn month(&mut self) -> bool {
        while !self.fields.months.contains(self.clock.date().month) {
            if !self.advanced {
                self.clock.set(Date { day: 1, ..self.clock.date() }, 0);
            }
            self.advanced = true;
            let date = self.clock.date();
            self.clock.advance_to(Date { month: date.month + 1, ..date });
            if self.clock.date().month == 1 {
                return false;
            }
        }
        true
    }

    fn day(&mut self) -> bool {
        while !self.fields.day_chosen(self.clock.days()) {
            if !self.advanced {
                self.clock.set(self.clock.date(), 0);
            }
            self.advanced = true;
            let date = self.clock.date();
            self.clock.advance_to(Date { day: date.day + 1, ..date });
            // Where midnight is skipped or comes twice (C-62).
            let hour = self.clock.hour();
            self.clock.add(if hour > 12 { 24 - hour } else { -hour } * HOUR);
            if self.clock.date().day == 1 {
                return false;
            }
        }
        true
    }

    fn hour(&mut self) -> bool {
        while !self.fields.hours.contains(self.clock.hour()) {
            if !self.advanced {
                self.clock.set(self.clock.date(), self.clock.hour() * HOUR);
            }
            self.advanced = true;
            // An hour of real time (C-63).
            self.clock.add(HOUR);
            if self.clock.hour() == 0 {
                return false;
            }
        }
        true
    }

    fn minute(&mut self) -> bool {
        while !self.fields.minutes.contains(self.clock.minute()) {
            if !self.advanced {
                self.clock.add(-self.clock.second.rem_euclid(MINUTE));
            }
            self.advanced = true;
            self.clock.add(MINUTE);
            if self.clock.minute() == 0 {
                return false;
            }
        }
        true
    }

    fn second(&mut self) -> bool {
        let past = self.clock.local().rem_euclid(MINUTE);
        if past > 0 {
            self.advanced = true;
            self.clock.add(MINUTE - past);
        }
        past == 0
    }
}

/// A time, and what a clock in its zone shows.
struct WallClock<'a> {
    zone: &'a Zone,
    /// Since 1970.
    second: i64,
    /// The period around it, so that it is seldom looked up.
    period: ZonePeriod,
}

impl WallClock<'_> {
    /// The local time as if it were seconds since 1970 in UTC.
    fn local(&self) -> i64 {
        self.second + self.period.offset
    }

    /// Days from 1970-01-01 to the local date.
    fn days(&self) -> i64 {
        self.local().div_euclid(DAY)
    }

    fn date(&self) -> Date {
        Date::of(self.days())
    }

    fn hour(&self) -> i64 {
        self.local().rem_euclid(DAY) / HOUR
    }

    fn minute(&self) -> i64 {
        self.local().rem_euclid(HOUR) / MINUTE
    }

    fn add(&mut self, seconds: i64) {
        self.second += seconds;
        self.period = self.period(self.second);
    }

    /// Sets the local date and the seconds since its midnight.
    ///
    /// Where a local time is skipped or comes twice, this chooses as Go does: the offset is the one at that time in UTC, or, if it does not
    /// hold at the result, the one that holds there.
    fn set(&mut self, date: Date, of_day: i64) {
        let local = date.days() * DAY + of_day;
        let mut period = self.period(local);
        if !period.contains(local - period.offset) {
            period = self.period(local - period.offset);
        }
        self.second = local - period.offset;
        self.period = self.period(self.second);
    }

    /// Moves on to a date, at the same time of day.
    fn advance_to(&mut self, date: Date) {
        let before = self.second;
        self.set(date, self.local().rem_euclid(DAY));
        if self.second <= before {
            // Samoa had no 30 December 2011. Upstream's search never ends there; this one goes on behind what was skipped.
            self.add(self.period.end() - self.second);
        }
    }

    fn period(&self, second: i64) -> ZonePeriod {
        if self.period.contains(second) { self.period } else { self.zone.period(second) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;

    /// The times that follow one, without their seconds.
    fn times(zone: &str, fields: &str, from: &str, count: usize) -> Vec<String> {
        let (zone, fields) = (Zone::named(zone).unwrap(), CronFields::read(fields).unwrap());
        let from: Timestamp = from.parse().unwrap();
        let next = |second: i64| first(&fields, &zone, second + 1);
        let seconds = std::iter::successors(next(from.as_second()), |last| next(*last)).take(count);
        seconds.map(|second| Timestamp::from_second(second).unwrap().to_string().trim_end_matches(":00Z").to_owned()).collect()
    }

    #[track_caller]
    fn check(zone: &str, fields: &str, from: &str, expected: &[&str]) {
        assert_eq!(times(zone, fields, &format!("{from}:00Z"), expected.len()), expected, "{zone} {fields}");
    }

    #[test]
    fn skipped_local_times_are_not_made_up_for() {
        let zone = "America/New_York";
        check(zone, "30 2 * * *", "2024-03-09T12:00", &["2024-03-11T06:30", "2024-03-12T06:30"]);
        check(zone, "30 2,3 * * *", "2024-03-09T12:00", &["2024-03-10T07:30", "2024-03-11T06:30", "2024-03-11T07:30"]);
        check(zone, "30 */2 * * *", "2024-03-10T05:59", &["2024-03-10T08:30", "2024-03-10T10:30", "2024-03-10T12:30"]);
        check(zone, "*/30 * * * *", "2024-03-10T05:59", &["2024-03-10T06:00", "2024-03-10T06:30", "2024-03-10T07:00", "2024-03-10T07:30"]);
    }

    #[test]
    fn repeated_local_times_come_twice() {
        let zone = "America/New_York";
        check(zone, "30 1 * * *", "2024-11-03T04:59", &["2024-11-03T05:30", "2024-11-03T06:30", "2024-11-04T06:30"]);
        check(zone, "0 * * * *", "2024-11-03T04:59", &["2024-11-03T05:00", "2024-11-03T06:00", "2024-11-03T07:00"]);
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_has_none() {
        check("America/Sao_Paulo", "0 0 * * *", "2018-11-02T12:00", &["2018-11-03T03:00", "2018-11-05T02:00"]);
        check("America/Sao_Paulo", "0 1 * * *", "2018-11-02T12:00", &["2018-11-03T04:00", "2018-11-04T03:00"]);
    }

    #[test]
    fn days_after_a_skipped_midnight_keep_their_times() {
        check("America/Havana", "0 12 * * 5", "2019-03-08T18:00", &["2019-03-15T16:00", "2019-03-22T16:00"]);
        check("America/Havana", "0 12 * * *", "2019-03-09T18:00", &["2019-03-10T16:00", "2019-03-11T16:00"]);
        check("America/Asuncion", "0 12 6,8 10 *", "2019-09-30T18:00", &["2019-10-06T15:00", "2019-10-08T15:00", "2020-10-06T15:00"]);
        check("America/Sao_Paulo", "0 6 8 * *", "2018-11-03T12:00", &["2018-11-08T08:00", "2018-12-08T08:00"]);
        check("America/Santiago", "0 12 * * 3", "2024-09-07T18:00", &["2024-09-11T15:00", "2024-09-18T15:00"]);
        check("Africa/Cairo", "0 12 * * 1", "2023-04-24T12:00", &["2023-05-01T09:00", "2023-05-08T09:00"]);
        check("Asia/Beirut", "0 12 * * 3", "2024-03-27T12:00", &["2024-04-03T09:00", "2024-04-10T09:00"]);
        check("Asia/Amman", "0 12 * * 1", "2022-02-21T00:00", &["2022-02-21T10:00", "2022-02-28T09:00"]);
        check("Asia/Tehran", "0 0 * * 2", "2022-03-14T00:00", &["2022-03-14T20:30", "2022-03-28T19:30"]);
    }

    /// Upstream's search loses a day, or finds one too many, where it comes upon a midnight that is skipped or comes twice.
    #[test]
    fn days_around_a_changed_midnight_are_lost_and_doubled_as_upstream_has_it() {
        // East of Greenwich the search goes back to the day before and leaves out the whole day.
        check("Asia/Beirut", "0 12 * * 0", "2024-03-25T00:00", &["2024-04-07T09:00", "2024-04-14T09:00"]);
        check("Africa/Cairo", "0 12 28 4 *", "2023-04-20T00:00", &["2024-04-28T09:00", "2025-04-28T09:00"]);
        // From one month to the next nothing corrects the hour.
        check("America/Asuncion", "0 12 1 10 *", "2017-09-15T18:00", &["2018-10-01T16:00", "2019-10-01T16:00"]);
        // The last hour before midnight, and midnight itself, come twice.
        check("America/Sao_Paulo", "0 23 * * 6", "2018-02-16T00:00", &["2018-02-18T01:00", "2018-02-18T02:00", "2018-02-25T02:00"]);
        check("America/Havana", "0 0 3 11 *", "2019-10-01T00:00", &["2019-11-03T04:00", "2019-11-03T05:00", "2020-11-03T05:00"]);
        // Tuesday has no midnight at which the search for Monday's hours would end.
        check("Asia/Tehran", "0 12 * * 1", "2022-03-21T00:00", &["2022-03-21T08:30", "2022-03-22T07:30", "2022-03-28T07:30"]);
    }

    #[test]
    fn hourly_and_daily_times_go_on_over_a_skipped_day() {
        check("Pacific/Apia", "0 0 29,31 * *", "2011-12-28T00:00", &["2011-12-29T10:00", "2011-12-30T10:00", "2012-01-28T10:00"]);
        check("Pacific/Apia", "0 12 * * *", "2011-12-28T12:00", &["2011-12-28T22:00", "2011-12-29T22:00", "2011-12-30T22:00"]);
        check("Pacific/Apia", "0 * * * *", "2011-12-30T08:30", &["2011-12-30T09:00", "2011-12-30T10:00", "2011-12-30T11:00"]);
    }

    #[test]
    fn changes_by_half_an_hour_are_followed_as_upstream_follows_them() {
        let zone = "Australia/Lord_Howe";
        check(zone, "45 1 * * *", "2024-10-05T10:00", &["2024-10-05T15:15", "2024-10-05T15:45", "2024-10-06T14:45"]);
        check(zone, "15 2 * * *", "2024-04-06T10:00", &["2024-04-07T15:45"]);
        let times = ["2024-03-09T12:15", "2024-03-09T12:35", "2024-03-09T12:55", "2024-03-09T13:15"];
        check("Asia/Kathmandu", "*/20 * * * *", "2024-03-09T12:00", &times);
    }

    #[test]
    fn impossible_dates_have_no_next_time() {
        for fields in ["0 0 30 2 *", "59 23 31 2 *", ", * * * *", "* , * * *", "* * , * *", "* * * , *", "* * , * ,", "0 0 31 2,4,6,9,11 *"]
        {
            assert_eq!(times("UTC", fields, "2024-05-16T10:00:00Z", 1), [""; 0], "{fields}");
        }
        check("UTC", "0 0 29 2 *", "2023-05-16T10:00", &["2024-02-29T00:00", "2028-02-29T00:00", "2032-02-29T00:00"]);
        assert_eq!(times("UTC", "0 0 29 2 *", "2096-02-29T00:00:00Z", 1), [""; 0]);
        check("UTC", "0 0 29 2 *", "2099-01-01T00:00", &["2104-02-29T00:00"]);
    }

    #[test]
    fn the_search_goes_beyond_a_day_that_a_zone_skipped() {
        // Upstream's does not end.
        check("Pacific/Apia", "0 0 30 * *", "2011-12-15T00:00", &["2012-01-29T10:00"]);
        check("Pacific/Apia", "0 0 31 * *", "2011-12-15T00:00", &["2011-12-30T10:00"]);
        check("Pacific/Fakaofo", "0 12 1 1 *", "2011-12-01T00:00", &["2011-12-31T23:00"]);
    }
}
