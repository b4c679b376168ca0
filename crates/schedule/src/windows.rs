//! When the windows of an annotation end, by the clock of a zone.
//!
//! Docs: README, "Beyond Kubernetes". Which windows there are is read in `api::annotation`.

use api::annotation::Windows;

use crate::{Timestamp, Zone};

impl Zone {
    /// The first time after one in windows at which the clock shows a time outside of them; `None` if that time is outside itself.
    #[must_use]
    pub fn end_of(&self, windows: &Windows, at: Timestamp) -> Option<Timestamp> {
        let mut end = at;
        while let Some(shown) = windows.end(self.clock(end)) {
            let times = self.showing(shown).times();
            // A clock that is set back may show times before the windows once more.
            let change = self.changes(end, times[1]).first().map(|(change, _)| *change);
            end = times.into_iter().chain(change).filter(|time| *time > end).min()?;
        }
        (end > at).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(zone: &str, windows: &str, at: &str, expected: Option<&str>) {
        let (zone, windows) = (Zone::named(zone).unwrap(), Windows::read(windows).unwrap());
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(zone.end_of(&windows, time(at)), expected.map(time));
    }

    #[test]
    fn x_18_windows_end_when_the_clock_shows_their_end() {
        check("Europe/Paris", "22:00-06:00", "2026-01-01T20:59:59Z", None);
        check("Europe/Paris", "22:00-06:00", "2026-01-01T21:00:00.1Z", Some("2026-01-02T05:00:00Z"));
        check("Europe/Paris", "22:00-06:00", "2026-07-01T20:00:00Z", Some("2026-07-02T04:00:00Z"));
        check("Europe/Paris", "2026-12-24..2027-01-01", "2026-12-24T12:00:00Z", Some("2027-01-01T23:00:00Z"));
    }

    #[test]
    fn x_18_windows_end_where_the_clock_is_changed() {
        // From 2:00 to 3:00.
        check("Europe/Paris", "22:00-02:30", "2026-03-28T22:00:00Z", Some("2026-03-29T01:00:00Z"));
        check("Europe/Paris", "22:00-06:00", "2026-03-28T22:00:00Z", Some("2026-03-29T04:00:00Z"));
        // From 3:00 to 2:00.
        check("Europe/Paris", "22:00-02:30", "2026-10-24T22:00:00Z", Some("2026-10-25T00:30:00Z"));
        check("Europe/Paris", "22:00-02:30", "2026-10-25T01:15:00Z", Some("2026-10-25T01:30:00Z"));
        check("Europe/Paris", "22:00-06:00", "2026-10-24T22:00:00Z", Some("2026-10-25T05:00:00Z"));
        check("Europe/Paris", "02:45-03:00", "2026-10-25T00:50:00Z", Some("2026-10-25T01:00:00Z"));
        check("Europe/Paris", "02:45-03:00", "2026-10-25T01:50:00Z", Some("2026-10-25T02:00:00Z"));
    }
}
