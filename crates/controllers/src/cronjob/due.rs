//! Which run of a CronJob is due, and how many were missed.
//!
//! Docs: CronJob, "Deadline for delayed Job start", "Job creation" (C-40…C-46). What follows from it is in `start.rs`.
//!
//! A due run is never past its deadline (C-22): a deadline moves the time from which runs are looked for.

use std::collections::VecDeque;

use api::{CronJob, Duration, Timestamp, time};
use schedule::Schedule;

use super::decision::Missed;
use super::timetable::Timetable;

/// With more missed runs than this, the clock may be wrong.
const TOO_MANY: i64 = 100;
/// How many seconds back the last times are looked for at first; it doubles until there are enough of them.
const FIRST_STRETCH: i64 = 60;
/// The last moment before another.
const BEFORE: Duration = Duration::from_secs(-1);

/// The run that is due, and how many were missed with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    /// The scheduled time of the latest run that is due.
    pub(super) at: Option<Timestamp>,
    /// How many runs were missed, if more than one is due: an estimate from the first two of them.
    pub(super) missed: Option<i64>,
}

impl Due {
    /// Whether so many runs were missed that the clock may be wrong.
    pub(super) fn too_many_missed(&self) -> bool {
        self.missed.is_some_and(|missed| missed > TOO_MANY)
    }
}

/// The schedule has fewer than two runs, or two of them less than a second apart (C-43).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoInterval;

/// The time from which runs are looked for, without regard to a deadline: the last run's, or the CronJob's creation.
pub(super) fn earliest(cron_job: &CronJob) -> Timestamp {
    cron_job.status.last_schedule_time.or(cron_job.metadata.creation_timestamp).unwrap_or_default()
}

/// The time from which a run may still be started (C-40).
pub(super) fn earliest_in_time(cron_job: &CronJob, now: Timestamp) -> Timestamp {
    let deadline = cron_job.spec.starting_deadline_seconds.map(|seconds| time::after(now, Duration::from_secs(seconds.saturating_neg())));
    deadline.map_or(earliest(cron_job), |deadline| deadline.max(earliest(cron_job)))
}

/// The run that is due of those after `earliest` (C-41…C-44).
pub(super) fn due(timetable: &Timetable, earliest: Timestamp, now: Timestamp) -> Result<Due, NoInterval> {
    let schedule = &timetable.schedule;
    let first = schedule.next(earliest).ok_or(NoInterval)?;
    if now < first {
        return Ok(Due { at: None, missed: None });
    }
    let second = schedule.next(first).ok_or(NoInterval)?;
    if now < second {
        return Ok(Due { at: Some(first), missed: None });
    }
    let interval = second.duration_since(first).as_secs();
    if interval < 1 {
        return Err(NoInterval);
    }
    let missed = now.duration_since(first).as_secs() / interval + 1;
    if timetable.has_windows() {
        // Windows skip runs, or delay them until others are due, so the first two say little about how many there are.
        let runs = std::iter::successors(Some(first), |run| schedule.next(*run)).take_while(|run| *run <= now);
        let counted = runs.zip(1..=TOO_MANY + 1).last().map_or(0, |(_, number)| number);
        let at = last_times(1, first, time::after(first, BEFORE), now, schedule, Schedule::next).pop();
        return Ok(Due { at, missed: Some(if counted > TOO_MANY { missed.max(counted) } else { counted }) });
    }
    let start = time::after(first, Duration::from_secs(interval.saturating_mul(missed - 2)));
    let runs = std::iter::successors(schedule.next(start), |run| schedule.next(*run));
    Ok(Due { at: runs.take_while(|run| *run <= now).last(), missed: Some(missed) })
}

/// The last times of a schedule, so many at most, after one time and up to another, in order; those of `@every` count from `start`.
pub(super) fn last_times(
    most: usize,
    start: Timestamp,
    after: Timestamp,
    until: Timestamp,
    schedule: &Schedule,
    next: impl Fn(&Schedule, Timestamp) -> Option<Timestamp>,
) -> Vec<Timestamp> {
    let mut stretch = FIRST_STRETCH;
    loop {
        let from = time::after(until, Duration::from_secs(-stretch)).max(after);
        let (mut times, mut last) = (VecDeque::with_capacity(most), schedule.counted_from(start, from));
        while let Some(at) = next(schedule, last).filter(|at| *at <= until) {
            last = at;
            if times.len() == most {
                times.pop_front();
            }
            if at > after {
                times.push_back(at);
            }
        }
        if times.len() == most || from == after {
            return times.into();
        }
        stretch *= 2;
    }
}

/// How many runs were missed between `earliest` and the one that is due; estimated if they are too many to count.
pub(super) fn missed(timetable: &Schedule, earliest: Timestamp, found: Due) -> Option<Missed> {
    let (at, estimate) = (found.at?, found.missed?);
    let runs = std::iter::successors(timetable.next(earliest), |run| timetable.next(*run)).take_while(|run| *run <= at);
    let counted = runs.zip(1..=TOO_MANY + 1).last().map_or(0, |(_, number)| number);
    match counted {
        ..=1 => None,
        2..=TOO_MANY => Some(Missed::Exactly(counted - 1)),
        _ => Some(Missed::About(estimate.max(counted) - 1)),
    }
}

/// The scheduled time of the next run after what is due without regard to a deadline; `None` if there is none (C-45).
pub(super) fn next_run(timetable: &Schedule, cron_job: &CronJob, due: Result<Due, NoInterval>, now: Timestamp) -> Option<Timestamp> {
    let base = match due {
        Ok(Due { at: Some(at), .. }) => at,
        Ok(Due { at: None, missed: None }) => earliest(cron_job),
        Ok(Due { at: None, missed: Some(_) }) | Err(NoInterval) => now,
    };
    timetable.next(base)
}

#[cfg(test)]
mod tests {
    use api::annotation::{CronJobExtensions, Windows};
    use schedule::Zone;

    use super::*;

    fn at(text: &str) -> Timestamp {
        let (date, clock) = text.split_once('T').unwrap_or((text, "00:00"));
        let seconds = if clock.matches(':').count() == 1 { ":00" } else { "" };
        format!("2024-{date}T{clock}{seconds}Z").parse().unwrap()
    }

    /// What is due, and when to look again: the last run, the deadline and the time are as in the specification's table.
    fn check(schedule: &str, last: &str, deadline: Option<i64>, now: &str, expected: &str) {
        check_created("05-16T10:00", schedule, last, deadline, now, expected);
    }

    fn check_created(created: &str, schedule: &str, last: &str, deadline: Option<i64>, now: &str, expected: &str) {
        let mut cron_job = CronJob::default();
        cron_job.metadata.creation_timestamp = Some(at(created));
        cron_job.status.last_schedule_time = Some(last).filter(|last| !last.is_empty()).map(at);
        cron_job.spec.starting_deadline_seconds = deadline;
        let table = Timetable::new(Schedule::parse(schedule, &Zone::utc()).unwrap(), &cron_job).unwrap();
        let now = at(now);
        let found = match due(&table, earliest_in_time(&cron_job, now), now) {
            Err(NoInterval) => "no interval".to_owned(),
            Ok(found) => {
                let run = found.at.map_or("-".to_owned(), |at| time::text(at)[5..16].to_owned());
                let class = match found.missed {
                    None => "none".to_owned(),
                    Some(missed) if found.too_many_missed() => format!("many ({missed})"),
                    Some(missed) => format!("few ({missed})"),
                };
                let next = next_run(&table.schedule, &cron_job, due(&table, earliest(&cron_job), now), now)
                    .map(|run| table.wake_up_for(run).duration_since(now).as_millis());
                format!("{run} {class} {}", next.map_or("never".to_owned(), |next| next.to_string()))
            }
        };
        assert_eq!(found, expected, "{schedule} at {now}");
    }

    #[test]
    fn vectors_of_the_specification() {
        let hour = "0 * * * *";
        check(hour, "", None, "05-16T10:00:30", "- none 3570100");
        check(hour, "", None, "05-16T11:00:00.1", "05-16T11:00 none 3600000");
        check(hour, "", None, "05-16T15:01", "05-16T15:00 few (5) 3540100");
        check(hour, "05-16T11:00", None, "05-20T15:01", "05-20T15:00 few (100) 3540100");
        check(hour, "05-16T11:00", None, "05-20T16:01", "05-20T16:00 many (101) 3540100");
        check(hour, "05-16T11:00", Some(7200), "05-20T16:01", "05-20T16:00 few (2) 3540100");
        check(hour, "05-16T11:00", Some(30), "05-20T16:01", "- none 3540100");
        check(hour, "05-16T11:00", Some(0), "05-20T16:00:00.1", "- none 3600000");
        check("30 10,11,12 * * 1-5", "05-16T10:30", None, "05-17T16:30", "- few (30) 237600100");
        check("30 10,11,12 * * 1-5", "05-16T10:30", None, "05-17T11:35", "05-17T11:30 few (25) 3300100");
        check("30 6-16/4 * * 1-5", "05-16T10:30", None, "05-17T10:31", "05-17T10:30 few (2) 14340100");
        check("*/5 * * * *", "", None, "05-16T18:21", "05-16T18:20 few (100) 240100");
        check("*/5 * * * *", "", None, "05-16T18:25:00", "05-16T18:25 many (101) 300100");
        check("0 9 * * 1-5", "", None, "05-19T12:00", "05-17T09:00 none 75600100");
        check("@every 1h", "05-16T10:01", None, "05-23T10:00", "05-23T09:01 many (167) 60100");
        check("@every 90s", "", None, "05-16T10:10", "05-16T10:09 few (6) 30100");
        check("0 12 * * 4", "05-16T12:00", None, "06-04T11:30", "05-30T12:00 few (2) 174600100");
        check_created("01-31T00:00", "0 0 1 * *", "", None, "04-01T00:00", "04-01T00:00 few (3) 2592000100");
        check("59 23 31 2 *", "", None, "05-16T11:00", "no interval");
    }

    #[test]
    fn x_17_runs_in_windows_are_neither_due_nor_missed() {
        let check = |windows: &str, schedule: &str, last: &str, now: &str, expected: &str| {
            let windows = Windows::read(windows).unwrap();
            let outside = Schedule::parse(schedule, &Zone::utc()).unwrap().outside(windows);
            let timetable = Timetable { schedule: outside, extensions: CronJobExtensions::default() };
            let found = due(&timetable, at(last), at(now)).unwrap();
            let run = found.at.map_or("-".to_owned(), |at| time::text(at)[5..16].to_owned());
            assert_eq!(format!("{run} {:?}", found.missed), expected, "{schedule} at {now}");
        };
        let night = "22:00-06:00";
        check(night, "0 * * * *", "05-16T21:00", "05-17T05:30", "- None");
        check(night, "0 * * * *", "05-16T21:00", "05-17T06:00", "05-17T06:00 None");
        check(night, "0 * * * *", "05-16T19:00", "05-17T03:00", "05-16T21:00 Some(2)");
        check(night, "0 * * * *", "05-16T20:00", "05-17T07:30", "05-17T07:00 Some(3)");
        check(night, "*/5 * * * *", "05-16T21:55", "05-17T06:00", "05-17T06:00 None");
        check(night, "* * * * *", "05-16T20:00", "05-17T05:00", "05-16T21:59 Some(540)");
        check("2024-05-17..2024-06-30", "*/5 * * * *", "05-16T23:00", "06-30T12:00", "05-16T23:55 Some(11)");
    }

    #[test]
    fn x_18_the_last_run_of_an_irregular_schedule_is_due_after_a_window() {
        let due = |delay_during: Option<&str>| {
            let schedule = Schedule::parse("0 7,12,13 * * *", &Zone::utc()).unwrap();
            let delay_during = delay_during.map(|windows| Windows::read(windows).unwrap());
            let timetable = Timetable { schedule, extensions: CronJobExtensions { delay_during, ..CronJobExtensions::default() } };
            due(&timetable, at("05-16T07:00"), at("05-16T18:00")).unwrap()
        };
        assert_eq!(due(None), Due { at: None, missed: Some(7) }, "as upstream estimates it (C-44)");
        assert_eq!(due(Some("08:00-18:00")), Due { at: Some(at("05-16T13:00")), missed: Some(2) });
    }

    #[test]
    fn missed_runs_are_counted_up_to_a_hundred() {
        let missed = |schedule: &str, last: &str, now: &str| {
            let schedule = Schedule::parse(schedule, &Zone::utc()).unwrap();
            let timetable = Timetable { schedule, extensions: CronJobExtensions::default() };
            missed(&timetable.schedule, at(last), due(&timetable, at(last), at(now)).unwrap())
        };
        assert_eq!(missed("0 * * * *", "05-16T10:00", "05-16T10:30"), None);
        assert_eq!(missed("0 * * * *", "05-16T10:00", "05-16T11:30"), None);
        assert_eq!(missed("0 * * * *", "05-16T10:00", "05-16T15:01"), Some(Missed::Exactly(4)));
        assert_eq!(missed("30 10,11,12 * * 1-5", "05-16T10:30", "05-17T11:35"), Some(Missed::Exactly(3)), "not the estimate of 25");
        assert_eq!(missed("0 * * * *", "05-16T11:00", "05-20T15:01"), Some(Missed::Exactly(99)));
        assert_eq!(missed("0 * * * *", "05-16T11:00", "05-20T16:01"), Some(Missed::About(100)));
    }
}
