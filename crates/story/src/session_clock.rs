//! How the times of a session are shown: as time since its start, or by the clock of a CronJob's time zone; and when the clocks of its zones change.
//!
//! Docs: CronJob, "Time zones". How often a schedule fires is in the crate `schedule`, as the time zone database is. How a date is written, the
//! view decides.

use std::collections::BTreeMap;

use api::{CronJob, Duration, Timestamp, time};
use play::step::Step;
use schedule::Zone;

use crate::timetable::{self, CronJobTimetable};

/// The changes of a zone are known from this long before the beginning: the past of an object may be shown.
const BEFORE: Duration = years(1);
/// They are known for at least this long after each step: a next run is in the same year or the next five (C-60), and calendars show months ahead.
const AHEAD: Duration = years(10);
/// They are found for this long at once.
const AT_ONCE: Duration = years(30);

/// The clock of a session.
#[derive(Debug)]
pub struct SessionClock {
    start: Timestamp,
    /// Whose clock it shows; `None` while it shows the time since its start.
    shown: Option<ShownClock>,
    /// The zones of its CronJobs by their names, and until when the changes of each were reported.
    zones: BTreeMap<String, (Zone, Timestamp)>,
}

/// What a step brings.
#[derive(Debug, Default)]
pub struct ClockUpdate {
    /// From the step on, the session shows times by this clock.
    pub shown: Option<ShownClock>,
    /// The clocks of zones of its CronJobs, each from where it was not reported before.
    pub zones: Vec<ZoneClocks>,
}

/// The clock by which a session shows times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownClock {
    /// The zone that it is in.
    pub zone: Zone,
    /// Whether each time has its date; otherwise, only those on other days than the first have one.
    pub dated: bool,
}

/// How far the clock of a zone is ahead of UTC, for some years.
#[derive(Debug, Clone)]
pub struct ZoneClocks {
    /// The zone.
    pub zone: Zone,
    /// By how many seconds before the first change.
    pub offset: i32,
    /// When that changes, and by how many seconds it is ahead from then on.
    pub changes: Vec<(Timestamp, i32)>,
}

impl SessionClock {
    /// That of a session that begins then: it shows the time since its start.
    #[must_use]
    pub fn new(start: Timestamp) -> Self {
        Self { start, shown: None, zones: BTreeMap::new() }
    }

    /// Records a step, which comes after the last one. The session shows the clock of the first CronJob; each time has its date from the first CronJob
    /// on that does not run several times in each hour of each day, whose clock it then is.
    pub fn observe(&mut self, step: &Step) -> ClockUpdate {
        let cron_jobs: Vec<&CronJob> = step.touched.iter().filter_map(|touched| touched.after.cron_job()).collect();
        for zone in cron_jobs.iter().map(|cron_job| timetable::zone_of(cron_job)) {
            self.zones.entry(zone.name().to_owned()).or_insert((zone, time::after(self.start, -BEFORE)));
        }
        let shown = match &self.shown {
            Some(ShownClock { dated: true, .. }) => None,
            Some(_) => dated(&cron_jobs),
            None => dated(&cron_jobs).or_else(|| Some(ShownClock { zone: timetable::zone_of(cron_jobs.first()?), dated: false })),
        };
        if shown.is_some() {
            self.shown.clone_from(&shown);
        }
        ClockUpdate { shown, zones: self.zones.values_mut().filter_map(|(zone, known)| further(zone, known, step.at)).collect() }
    }
}

impl ZoneClocks {
    /// The clock of a zone in a session that begins then.
    #[must_use]
    pub fn around(zone: &Zone, start: Timestamp) -> Self {
        Self::between(zone, time::after(start, -BEFORE), time::after(start, AT_ONCE))
    }

    fn between(zone: &Zone, after: Timestamp, until: Timestamp) -> Self {
        Self { zone: zone.clone(), offset: zone.offset(after), changes: zone.changes(after, until) }
    }
}

const fn years(count: i64) -> Duration {
    Duration::from_hours(count * 366 * 24)
}

/// The clock of the first of these CronJobs that runs seldom.
fn dated(cron_jobs: &[&CronJob]) -> Option<ShownClock> {
    let seldom = cron_jobs.iter().find(|cron_job| !frequent(cron_job))?;
    Some(ShownClock { zone: timetable::zone_of(seldom), dated: true })
}

/// Whether a CronJob runs several times in each hour of each day: its runs differ in the time of day.
fn frequent(cron_job: &CronJob) -> bool {
    CronJobTimetable::read(cron_job, &Zone::utc()).is_ok_and(|timetable| timetable.schedule().several_an_hour())
}

/// What is not known yet of the clock of a zone, if a step is near to it.
fn further(zone: &Zone, known: &mut Timestamp, now: Timestamp) -> Option<ZoneClocks> {
    if *known >= time::after(now, AHEAD) {
        return None;
    }
    let after = std::mem::replace(known, time::after(now, AT_ONCE));
    Some(ZoneClocks::between(zone, after, *known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{at, cron_job, start, step};

    const HOUR: i64 = 3_600_000;

    /// The clock that a session shows after each step with a CronJob of this schedule and time zone.
    fn shown(schedules: &[(&str, &str)]) -> Vec<(String, bool)> {
        let mut clock = SessionClock::new(start());
        let after = |(number, (schedule, zone)): (i64, &(&str, &str))| {
            clock.observe(&step(number, [cron_job("hello").spec("schedule", *schedule).spec("timeZone", *zone)]));
            let ShownClock { zone, dated } = clock.shown.clone().unwrap();
            (zone.name().to_owned(), dated)
        };
        (0..).zip(schedules).map(after).collect()
    }

    #[test]
    fn times_are_those_of_the_cron_job_with_dates_unless_it_runs_several_times_in_each_hour() {
        let (tokyo, paris) = ("Asia/Tokyo", "Europe/Paris");
        let clock = |zone: &str, dated| (zone.to_owned(), dated);
        for schedule in ["* * * * *", "*/5 * * * *", "0,30 * * * *", "0-10 * * * *", "*/5 * * * ?", "@every 5m", "@every 59m30s"] {
            assert_eq!(shown(&[(schedule, tokyo)]), [clock(tokyo, false)], "{schedule}");
        }
        for schedule in ["0 * * * *", "30 8 * * 1", "*/5 8 * * *", "@daily", "0 0 29 2 *", "@every 1h", "@every 36h"] {
            assert_eq!(shown(&[(schedule, tokyo)]), [clock(tokyo, true)], "{schedule}");
        }
        let [often, seldom, other] = [("* * * * *", tokyo), ("@daily", paris), ("@daily", tokyo)];
        assert_eq!(
            shown(&[often, seldom, other, often]),
            [clock(tokyo, false), clock(paris, true), clock(paris, true), clock(paris, true)]
        );
        assert_eq!(SessionClock::new(start()).observe(&step(0, [])).shown, None);
    }

    #[test]
    fn the_first_of_several_that_run_seldom_has_the_zone() {
        let object = |name: &str, schedule: &str, zone: &str| cron_job(name).spec("schedule", schedule).spec("timeZone", zone);
        let objects = [object("a", "* * * * *", "UTC"), object("b", "@daily", "Asia/Tokyo"), object("c", "@daily", "Europe/Paris")];
        let update = SessionClock::new(start()).observe(&step(0, objects));
        assert_eq!(update.shown.map(|shown| shown.zone), Zone::named("Asia/Tokyo"));
        let zones: Vec<&str> = update.zones.iter().map(|clocks| clocks.zone.name()).collect();
        assert_eq!(zones, ["Asia/Tokyo", "Europe/Paris", "UTC"]);
    }

    #[test]
    fn changes_are_reported_once_and_further_when_the_session_comes_near() {
        let mut clock = SessionClock::new(start());
        let paris = || [cron_job("hello").spec("timeZone", "Europe/Paris")];
        let mut reported = Vec::new();
        for (year, expected) in [(0, 1), (1, 0), (20, 0), (21, 1), (40, 0)] {
            let update = clock.observe(&step(year * 366 * 24 * HOUR, paris()));
            assert_eq!(update.zones.len(), expected, "{year}");
            reported.extend(update.zones.into_iter().flat_map(|clocks| clocks.changes));
        }
        let until = at(51 * 366 * 24 * HOUR);
        assert_eq!(reported, Zone::named("Europe/Paris").unwrap().changes(time::after(start(), -BEFORE), until));
    }

    #[test]
    fn the_clock_of_a_zone_is_known_around_the_beginning() {
        let clocks = ZoneClocks::around(&Zone::named("Europe/Paris").unwrap(), start());
        let first: Vec<String> = clocks.changes.iter().take(3).map(|(at, offset)| format!("{at} {offset}")).collect();
        assert_eq!(clocks.offset, 3600);
        assert_eq!(first, ["2025-03-30T01:00:00Z 7200", "2025-10-26T01:00:00Z 3600", "2026-03-29T01:00:00Z 7200"]);
        assert!(ZoneClocks::around(&Zone::utc(), start()).changes.is_empty());
    }
}
