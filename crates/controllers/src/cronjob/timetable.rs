//! The timetable of a CronJob: its schedule in its time zone, how long after its scheduled time a run starts, and what else annotations ask for.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones" (C-17, C-20, X-3, X-4, X-17, X-18). What a schedule means is in the crate `schedule`; which run is due, in `due.rs`.

use api::annotation::{CronJobExtensions, InvalidAnnotation};
use api::{CronJob, Duration, Timestamp, time};
use schedule::{Schedule, StartDelay, Zone};

/// How long after the start of a run the CronJob is synced.
const PADDING: Duration = Duration::from_millis(100);

/// When the runs of a CronJob are scheduled, and when they start.
#[derive(Debug)]
pub(super) struct Timetable {
    /// When runs are scheduled, without those that are skipped.
    pub(super) schedule: Schedule,
    /// What annotations ask for.
    pub(super) extensions: CronJobExtensions,
}

impl Timetable {
    /// The timetable of a CronJob with this schedule.
    pub(super) fn new(schedule: Schedule, cron_job: &CronJob) -> Result<Self, InvalidAnnotation> {
        let extensions = cron_job.extensions()?;
        Ok(Self { schedule: schedule.extended(&extensions), extensions })
    }

    /// The timetable of a CronJob, whose schedule is in the time zone that it names, or else in this one; `None` if it cannot be read.
    pub(super) fn of(cron_job: &CronJob, zone: &Zone) -> Option<Self> {
        let named = time_zone(cron_job).ok()?;
        let schedule = Schedule::parse(&cron_job.spec.schedule, named.as_ref().unwrap_or(zone)).ok()?;
        Self::new(schedule, cron_job).ok()
    }

    /// The time until which runs are to be started at a moment, by their scheduled times.
    pub(super) fn until(&self, now: Timestamp) -> Timestamp {
        time::after(now, -self.extensions.spread)
    }

    /// Whether windows skip runs, or delay them.
    pub(super) fn has_windows(&self) -> bool {
        self.schedule.leaves_out_any() || self.extensions.delay_during.is_some()
    }

    /// How windows delay the run of a scheduled time that would start at a time (X-18).
    pub(super) fn delay(&self, run: Timestamp, at: Timestamp) -> Option<StartDelay> {
        self.schedule.zone().start_delay(&self.extensions, run, at)
    }

    /// When the windows end that delay the run of a scheduled time, if any do.
    pub(super) fn delayed_until(&self, run: Timestamp) -> Option<Timestamp> {
        self.schedule.zone().delayed_until(&self.extensions, run)
    }

    /// When the run of a scheduled time is to start.
    pub(super) fn starts_at(&self, run: Timestamp) -> Timestamp {
        self.schedule.zone().starts_at(&self.extensions, run)
    }

    /// When a CronJob is synced for a run.
    pub(super) fn wake_up_for(&self, run: Timestamp) -> Timestamp {
        Self::wake_up_at(time::after(run, self.extensions.spread))
    }

    /// When a CronJob is synced for what starts at a time.
    pub(super) fn wake_up_at(start: Timestamp) -> Timestamp {
        time::after(start, PADDING)
    }
}

/// The time zone that a CronJob names, if it names one; `Err` if it is not known.
pub(super) fn time_zone(cron_job: &CronJob) -> Result<Option<Zone>, UnknownTimeZone> {
    let named = cron_job.spec.time_zone.as_deref();
    named.map(|name| Zone::named(name).ok_or(UnknownTimeZone)).transpose()
}

/// No time zone has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnknownTimeZone;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_18_what_windows_delay_is_spread_as_well() {
        let text = r#"{"metadata":{"uid":"u","annotations":{"jobsmith.dev/spread-seconds":"600","jobsmith.dev/delay-during":"22:00-06:00"}},
            "spec":{"schedule":"0 * * * *"}}"#;
        let timetable = Timetable::of(&serde_json::from_str(text).unwrap(), &Zone::utc()).unwrap();
        let spread = timetable.extensions.spread;
        assert!(!spread.is_zero());
        let check = |scheduled: &str, starts: &str| {
            let [scheduled, starts]: [Timestamp; 2] = [scheduled, starts].map(|at| at.parse().unwrap());
            assert_eq!(timetable.starts_at(scheduled), time::after(starts, spread));
            // Until then, the run is delayed, and from then on it is not.
            let delayed = |at: Timestamp| timetable.delay(scheduled, at).is_some();
            let start = timetable.starts_at(scheduled);
            assert_eq!([time::after(start, -PADDING), start].map(delayed), [starts != scheduled, false]);
        };
        check("2026-01-01T21:00:00Z", "2026-01-01T21:00:00Z");
        check("2026-01-01T22:00:00Z", "2026-01-02T06:00:00Z");
        check("2026-01-02T05:00:00Z", "2026-01-02T06:00:00Z");
    }
}
