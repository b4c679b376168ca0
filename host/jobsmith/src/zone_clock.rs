//! The clock on the wall: times of a cluster as people there read them.
//!
//! Docs: CronJob, "Time zones". Times of plays are counted from their beginning: `play::trace::Clock`.

use api::{Timestamp, time};
use jiff::tz::TimeZone;
use schedule::Zone;
use story::timetable::clock_text;

/// A clock that shows the time of a zone.
#[derive(Debug, Clone)]
pub(crate) enum ZoneClock {
    /// Of a zone that somebody named.
    Named(Zone),
    /// Of this machine.
    Here(TimeZone),
}

impl ZoneClock {
    /// That of a zone, or of this machine.
    pub(crate) fn new(zone: Option<Zone>) -> Self {
        zone.map_or_else(|| Self::Here(TimeZone::system()), Self::Named)
    }

    /// `02:07:13`, with the date if that is another one than that of `day`.
    pub(crate) fn time(&self, at: Timestamp, day: Timestamp) -> String {
        let (at, day) = (self.text(at), self.text(day));
        let same = at.get(..10) == day.get(..10);
        at.split_once(' ').filter(|_| same).map_or_else(|| at.clone(), |(_, time)| time.to_owned())
    }

    /// `2026-11-25 ` before a time of that day, if the day is another one than that of `day`.
    pub(crate) fn other_date(&self, at: Timestamp, day: Timestamp) -> String {
        let whole = self.time(at, day);
        whole.split_once(' ').map_or_else(String::new, |(date, _)| format!("{date} "))
    }

    /// `02:07:13 (25 Nov 2026, Europe/Berlin)`.
    pub(crate) fn moment(&self, at: Timestamp) -> String {
        format!("{} ({})", self.time(at, at), self.day(at))
    }

    /// `25 Nov 2026, Europe/Berlin`.
    fn day(&self, at: Timestamp) -> String {
        let date = match self {
            Self::Named(zone) => zone.clock(at).to_zoned(TimeZone::UTC),
            Self::Here(zone) => at.to_zoned(zone.clone()),
        };
        format!("{}, {}", date.strftime("%-d %b %Y"), self.name(at))
    }

    /// `2026-11-25 02:07:13`.
    fn text(&self, at: Timestamp) -> String {
        let at = time::whole_seconds(at);
        match self {
            Self::Named(zone) => clock_text(zone.clock(at)),
            Self::Here(zone) => at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        }
    }

    /// The name of the zone, or how far it is from UTC.
    fn name(&self, at: Timestamp) -> String {
        match self {
            Self::Named(zone) => zone.name().to_owned(),
            Self::Here(zone) if zone.iana_name() == Some("Etc/UTC") => Zone::utc().name().to_owned(),
            Self::Here(zone) => zone.iana_name().map_or_else(|| time::offset_text(zone.to_offset(at).seconds()), str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_zone_with_the_date_where_it_is_another() {
        let clock = ZoneClock::new(Zone::named("Europe/Berlin"));
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let day = at("2026-11-25T01:00:00Z");
        assert_eq!(clock.time(at("2026-11-25T01:07:13.9Z"), day), "02:07:13");
        assert_eq!(clock.time(at("2026-11-25T23:00:00Z"), day), "2026-11-26 00:00:00");
        assert_eq!(clock.moment(day), "02:00:00 (25 Nov 2026, Europe/Berlin)");
        assert_eq!(["2026-11-25T22:00:00Z", "2026-11-25T23:00:00Z"].map(|text| clock.other_date(at(text), day)), ["", "2026-11-26 "]);
        assert_eq!(ZoneClock::Here(TimeZone::get("Etc/UTC").unwrap()).moment(day), ZoneClock::new(Some(Zone::utc())).moment(day));
    }
}
