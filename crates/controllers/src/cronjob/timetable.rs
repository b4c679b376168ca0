//! The timetable of a CronJob: its schedule in its time zone.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones" (C-17, C-20). What a schedule means is in the crate `schedule`; which run is due, in `due.rs`.

use api::CronJob;
use schedule::{Schedule, Zone};

/// The time zone that a CronJob names, if it names one; `Err` if it is not known.
pub(super) fn time_zone(cron_job: &CronJob) -> Result<Option<Zone>, UnknownTimeZone> {
    let named = cron_job.spec.time_zone.as_deref();
    named.map(|name| Zone::named(name).ok_or(UnknownTimeZone)).transpose()
}

/// No time zone has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnknownTimeZone;

/// The timetable of a CronJob, whose schedule is in the time zone that it names, or else in this one; `None` if it cannot be read.
pub(super) fn timetable(cron_job: &CronJob, zone: &Zone) -> Option<Schedule> {
    let named = time_zone(cron_job).ok()?;
    Schedule::parse(&cron_job.spec.schedule, named.as_ref().unwrap_or(zone)).ok()
}
