//! When the windows of an annotation end, by the clock of a zone, and when runs start that they delay.
//!
//! Docs: README, "Beyond Kubernetes". Which windows there are is read in `api::annotation`.

use api::annotation::{CronJobExtensions, Windows};
use api::time;

use crate::{Timestamp, Zone};

/// What windows do to a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartDelay {
    /// When the windows end.
    pub window_end: Timestamp,
    /// When the run starts instead: then, or later if starts are spread.
    pub until: Timestamp,
}

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

    /// How windows delay the run of a scheduled time that would start at a time, with what annotations ask for. Where starts are spread, they are so
    /// after windows, too, unless that leads into another one.
    #[must_use]
    pub fn start_delay(&self, extensions: &CronJobExtensions, scheduled_at: Timestamp, at: Timestamp) -> Option<StartDelay> {
        let windows = extensions.delay_during.as_ref()?;
        let end_of = |at| self.end_of(windows, at);
        // Windows that had ended when the run was to start do not delay it, even if it was scheduled in them.
        let held = |end: &Timestamp| time::after(scheduled_at, extensions.spread) < *end;
        let window_end = end_of(at).or_else(|| end_of(time::after(at, -extensions.spread)).filter(held))?;
        let spread = time::after(window_end, extensions.spread);
        let until = if end_of(spread).is_some() { window_end } else { spread };
        (until > at).then_some(StartDelay { window_end, until })
    }

    /// When the windows end that delay the run of a scheduled time, if any do, with what annotations ask for.
    #[must_use]
    pub fn delayed_until(&self, extensions: &CronJobExtensions, scheduled_at: Timestamp) -> Option<Timestamp> {
        self.start_delay(extensions, scheduled_at, time::after(scheduled_at, extensions.spread)).map(|delay| delay.window_end)
    }

    /// When the run of a scheduled time starts, with what annotations ask for.
    #[must_use]
    pub fn starts_at(&self, extensions: &CronJobExtensions, scheduled_at: Timestamp) -> Timestamp {
        let mut at = time::after(scheduled_at, extensions.spread);
        while let Some(delay) = self.start_delay(extensions, scheduled_at, at) {
            at = delay.until;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use api::Duration;

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

    fn extensions(delay_during: &str, spread: i64) -> CronJobExtensions {
        let (delay_during, spread) = (Some(Windows::read(delay_during).unwrap()), Duration::from_secs(spread));
        CronJobExtensions { delay_during, spread, ..CronJobExtensions::default() }
    }

    #[test]
    fn x_18_a_run_is_delayed_if_it_would_start_in_a_window() {
        let check = |windows: &str, spread: i64, scheduled: &str, starts: &str| {
            let at = |clock: &str| format!("2026-01-01T{clock}:00Z").parse::<Timestamp>().unwrap();
            let found = Zone::utc().starts_at(&extensions(windows, spread), at(scheduled));
            assert_eq!(found, at(starts), "{scheduled} with {windows}, spread by {spread} s");
        };
        check("08:00-18:00", 0, "07:59", "07:59");
        check("08:00-18:00", 0, "08:00", "18:00");
        check("08:00-18:00", 600, "07:49", "07:59");
        check("08:00-18:00", 600, "07:50", "18:10");
        check("08:00-18:00", 600, "17:49", "18:10");
        // The window has ended when the spread run starts.
        check("08:00-18:00", 600, "17:50", "18:00");
        check("08:00-18:00", 600, "17:55", "18:05");
        check("08:00-18:00", 600, "18:00", "18:10");
        check("00:30-01:30", 3000, "00:25", "02:20");
        // The spread leads past a window that lies within it, or into another one.
        check("08:00-08:05", 600, "07:56", "08:06");
        check("08:00-18:00, 18:05-20:00", 600, "09:00", "18:00");
        check("08:00-18:00, 18:05-20:00", 600, "18:00", "20:10");
    }

    #[test]
    fn x_18_no_run_starts_in_a_window_and_each_starts_in_the_end() {
        let clock = |minute: i64| format!("{:02}:{:02}", minute.rem_euclid(1440) / 60, minute.rem_euclid(60));
        let mut seed = 1_u64;
        let mut draw = |most: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(seed >> 40).unwrap() % most
        };
        for _ in 0..2000 {
            let mut window = || {
                let from = draw(1440);
                format!("{}-{}", clock(from), clock(from + 1 + draw(700)))
            };
            let windows = [window(), window(), window()].join(", ");
            let Ok(read) = Windows::read(&windows) else { continue };
            let spread = draw(4) * draw(3600);
            let (zone, extensions) = (Zone::named("Europe/Paris").unwrap(), extensions(&windows, spread));
            let scheduled = Timestamp::from_second(1_774_000_000 + 60 * draw(20_000)).unwrap();
            let starts = zone.starts_at(&extensions, scheduled);
            let due = time::after(scheduled, extensions.spread);
            assert!(starts >= due, "{windows} {spread} {scheduled}: {starts} is too early");
            assert!(
                zone.end_of(&read, due).is_some() || starts == due,
                "{windows} {spread} {scheduled}: delayed to {starts}, outside of windows"
            );
            assert_eq!(zone.end_of(&read, starts), None, "{windows} {spread} {scheduled}: {starts} is in a window");
            assert!(starts.duration_since(scheduled).as_secs() < 3 * 86_400, "{windows} {spread} {scheduled}: {starts} is too late");
        }
    }
}
