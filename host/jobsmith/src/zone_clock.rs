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

    /// `02:07:13 in Europe/Berlin`, or `02:07:13 CET` for the zone of this machine.
    #[cfg(feature = "cluster")]
    pub(crate) fn moment(&self, at: Timestamp) -> String {
        match self {
            Self::Named(zone) => format!("{} in {}", self.time(at, at), zone.name()),
            Self::Here(zone) => at.to_zoned(zone.clone()).strftime("%H:%M:%S %Z").to_string(),
        }
    }

    /// `25 Nov 2026, Europe/Berlin`.
    pub(crate) fn day(&self, at: Timestamp) -> String {
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
        assert_eq!(clock.day(day), "25 Nov 2026, Europe/Berlin");
        #[cfg(feature = "cluster")]
        assert_eq!(clock.moment(day), "02:00:00 in Europe/Berlin");
    }
}
