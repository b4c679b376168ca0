//! The schedules that the simulation draws, read naively.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones". It shares nothing with the controllers: minutes are counted one by one. Which schedules are drawn is in
//! `cron_jobs.rs`.

use api::{CronJob, Duration, Timestamp, time};

/// The time zones that are drawn, and how many minutes each is ahead of UTC.
pub(crate) const ZONES: [(&str, i64); 2] = [("Etc/UTC", 0), ("Asia/Kathmandu", 345)];

/// When a CronJob runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunPattern {
    /// `@every`: this many seconds after the last run.
    Every(i64),
    /// When the minute of the hour leaves this rest, divided by this number.
    Minutes {
        divisor: i64,
        rest: i64,
        /// How many minutes the clock is ahead of UTC.
        ahead: i64,
    },
}

impl RunPattern {
    /// The timetable of a CronJob.
    pub(crate) fn of(cron_job: &CronJob) -> Option<Self> {
        let schedule = &*cron_job.spec.schedule;
        if let Some(seconds) = schedule.strip_prefix("@every ").and_then(|length| length.strip_suffix('s')) {
            return seconds.parse().ok().map(Self::Every);
        }
        let ahead = minutes_ahead(cron_job);
        let minute = if schedule == "@hourly" { "0" } else { schedule.strip_suffix(" * * * *")? };
        let (range, divisor) = minute.split_once('/').unwrap_or((minute, if minute == "*" { "1" } else { "60" }));
        let rest = if range == "*" { 0 } else { range.split('-').next()?.parse().ok()? };
        Some(Self::Minutes { divisor: divisor.parse().ok()?, rest, ahead })
    }

    /// Whether a run is scheduled for this time, after one at `last`.
    pub(crate) fn has(self, at: Timestamp, last: Timestamp) -> bool {
        at > last && self.last_run(last, at) == Some(at)
    }

    /// The last run after `last` and not after `now`.
    pub(crate) fn last_run(self, last: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let [last, now] = [last, now].map(Timestamp::as_second);
        let run = match self {
            Self::Every(seconds) => last + (now - last).div_euclid(seconds) * seconds,
            Self::Minutes { divisor, rest, ahead } => {
                let fits = |minute: &i64| (minute + ahead).rem_euclid(60).rem_euclid(divisor) == rest;
                60 * (last.div_euclid(60)..=now.div_euclid(60)).rev().find(fits)?
            }
        };
        (run > last).then(|| Timestamp::from_second(run).expect("it lies between two times"))
    }
}

/// How many minutes the clock of a CronJob is ahead of UTC.
pub(crate) fn minutes_ahead(cron_job: &CronJob) -> i64 {
    let named = |(name, _): &&(&str, i64)| cron_job.spec.time_zone.as_deref() == Some(*name);
    ZONES.iter().find(named).map_or(0, |(_, ahead)| *ahead)
}

/// The time from which a CronJob's runs are looked for: its last run, or its creation.
pub(crate) fn last_run(cron_job: &CronJob) -> Option<Timestamp> {
    cron_job.status.last_schedule_time.or(cron_job.metadata.creation_timestamp)
}

/// Whether the runs of `@every` are counted from a deadline that moves on with the clock, so that they keep no time (C-40, C-57).
pub(crate) fn drifts(cron_job: &CronJob) -> bool {
    cron_job.spec.schedule.starts_with("@every") && cron_job.spec.starting_deadline_seconds.is_some()
}

/// A scheduled time as a Job's annotation has it.
pub(crate) fn annotation(at: Timestamp, cron_job: &CronJob) -> String {
    let ahead = minutes_ahead(cron_job);
    let text = time::text(time::after(at, Duration::from_mins(ahead)));
    if ahead == 0 { text } else { format!("{}+{:02}:{:02}", text.trim_end_matches('Z'), ahead / 60, ahead % 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(clock: &str) -> Timestamp {
        format!("2026-01-02T{clock}Z").parse().unwrap()
    }

    /// The last run after noon and not after a time.
    fn check(schedule: &str, zone: Option<&str>, now: &str, run: &str) {
        let mut cron_job = CronJob::default();
        (cron_job.spec.schedule, cron_job.spec.time_zone) = (schedule.into(), zone.map(Into::into));
        let found = RunPattern::of(&cron_job).unwrap().last_run(at("12:00:00"), at(now));
        assert_eq!(found, Some(run).filter(|run| !run.is_empty()).map(at), "{schedule} at {now}");
    }

    #[test]
    fn the_last_run_is_found() {
        check("* * * * *", None, "12:00:59", "");
        check("* * * * *", None, "12:03:10.5", "12:03:00");
        check("*/5 * * * *", None, "12:14:59", "12:10:00");
        check("1-59/2 * * * *", None, "12:04:00", "12:03:00");
        check("@hourly", None, "12:59:00", "");
        check("@hourly", None, "13:59:00", "13:00:00");
        check("@every 90s", None, "12:04:29", "12:03:00");
        check("*/30 * * * *", Some("Asia/Kathmandu"), "13:00:00", "12:45:00");
    }
}
