//! How long CronJobs are simulated if nobody says: until each has had its next runs.
//!
//! Docs: `jobsmith simulate --help`, `--for`. When a CronJob runs is in `timetable.rs`.

use api::{CronJob, Duration, Timestamp, time};
use schedule::Zone;

use crate::timetable::CronJobTimetable;

/// The shortest time.
const SHORTEST: Duration = Duration::from_hours(1);
/// How many runs of each CronJob are shown.
const RUNS: usize = 3;
/// For how long the last of them may go on.
const LAST_RUN: Duration = Duration::from_mins(10);
/// How many runs of one CronJob are shown at most so that another one has its own.
const MOST: usize = 1000;

/// How long CronJobs are simulated from a time on; schedules without a time zone are in this one.
pub(super) fn length<'c>(cron_jobs: impl Iterator<Item = &'c CronJob>, zone: &Zone, start: Timestamp) -> Duration {
    let timetables: Vec<CronJobTimetable> =
        cron_jobs.filter(|cron_job| !cron_job.suspended()).filter_map(|cron_job| CronJobTimetable::read(cron_job, zone).ok()).collect();
    let run = |timetable: &CronJobTimetable, number: usize| -> Option<Timestamp> {
        (0..number).try_fold(start, |at, _| timetable.next(at)).map(|at| time::after(timetable.starts_at(at), LAST_RUN))
    };
    let wanted = timetables.iter().filter_map(|timetable| run(timetable, RUNS)).max();
    let Some(wanted) = wanted.filter(|wanted| wanted.duration_since(start) > SHORTEST) else { return SHORTEST };
    let bound = timetables.iter().filter_map(|timetable| run(timetable, MOST)).min();
    bound.map_or(wanted, |bound| bound.min(wanted)).duration_since(start).max(SHORTEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schedules: &[&str], minutes: i64) {
        let start: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let cron_jobs: Vec<CronJob> = schedules
            .iter()
            .map(|schedule| {
                let mut cron_job = CronJob::default();
                cron_job.spec.schedule = (*schedule).into();
                cron_job.metadata.creation_timestamp = Some(start);
                cron_job
            })
            .collect();
        assert_eq!(length(cron_jobs.iter(), &Zone::utc(), start), Duration::from_mins(minutes), "{schedules:?}");
    }

    #[test]
    fn each_cron_job_has_its_next_runs() {
        check(&["*/5 * * * *"], 60);
        check(&["0 2 * * *"], 3010);
        check(&["0 2 * * 0"], 24_610);
        check(&["0 * * * *", "0 2 * * *"], 3010);
    }

    #[test]
    fn a_cron_job_that_runs_often_bounds_the_time_of_one_that_seldom_runs() {
        check(&["* * * * *", "0 2 1 1 *"], 1010);
        check(&["not a schedule"], 60);
    }
}
