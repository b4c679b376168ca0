//! How long CronJobs are simulated if nobody says: until each has had its next runs.
//!
//! Docs: `jobsmith simulate --help`, `--for`. When a CronJob runs is in `schedule`.

use api::{CronJob, Duration, Timestamp, time};
use schedule::Zone;
use script::{Action, JobChange, Script};
use story::timetable::CronJobTimetable;

/// The shortest time.
const SHORTEST: Duration = Duration::from_hours(1);
/// How many runs of each CronJob are shown.
const RUNS: usize = 3;
/// For how long the last of them may go on.
const LAST_RUN: Duration = Duration::from_mins(10);
/// How many runs of one CronJob are shown at most so that another one has its own.
const MOST: usize = 1000;

/// How long CronJobs are simulated from a time on; schedules without a time zone are in this one.
pub(super) fn length<'c>(cron_jobs: impl Iterator<Item = &'c CronJob>, script: &Script, zone: &Zone, start: Timestamp) -> Duration {
    let timetables: Vec<(CronJobTimetable, Timestamp)> = cron_jobs
        .filter_map(|cron_job| Some((CronJobTimetable::read(cron_job, zone).ok()?, starts_jobs_from(cron_job, script, start)?)))
        .collect();
    let run = |(timetable, from): &(CronJobTimetable, Timestamp), number: usize| -> Option<Timestamp> {
        (0..number).try_fold(*from, |at, _| timetable.next(at)).map(|at| time::after(timetable.starts_at(at), LAST_RUN))
    };
    let wanted = timetables.iter().filter_map(|timetable| run(timetable, RUNS)).max();
    let Some(wanted) = wanted.filter(|wanted| wanted.duration_since(start) > SHORTEST) else { return SHORTEST };
    let bound = timetables.iter().filter_map(|timetable| run(timetable, MOST)).min();
    bound.map_or(wanted, |bound| bound.min(wanted)).duration_since(start).max(SHORTEST)
}

/// From when on a CronJob starts Jobs: if it is suspended, from when the script resumes it.
fn starts_jobs_from(cron_job: &CronJob, script: &Script, start: Timestamp) -> Option<Timestamp> {
    if !cron_job.suspended() {
        return Some(start);
    }
    let resumes =
        |action: &Action| matches!(action, Action::CronJob { cron_job: name, change: JobChange::Resume } if name.names(&cron_job.metadata));
    let actions = script.actions.iter().map(|statement| &statement.what);
    actions.filter(|timed| resumes(&timed.action)).map(|timed| time::after(start, timed.after)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Timestamp {
        "2026-01-01T00:00:00Z".parse().unwrap()
    }

    fn cron_job(schedule: &str) -> CronJob {
        let mut cron_job = CronJob::default();
        cron_job.metadata.name = "backup".into();
        cron_job.spec.schedule = schedule.into();
        cron_job.metadata.creation_timestamp = Some(start());
        cron_job
    }

    fn check(schedules: &[&str], minutes: i64) {
        let cron_jobs: Vec<CronJob> = schedules.iter().map(|schedule| cron_job(schedule)).collect();
        assert_eq!(length(cron_jobs.iter(), &Script::default(), &Zone::utc(), start()), Duration::from_mins(minutes), "{schedules:?}");
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

    #[test]
    fn a_suspended_cron_job_has_its_next_runs_once_it_is_resumed() {
        let mut cron_job = cron_job("0 2 * * *");
        cron_job.spec.suspend = Some(true);
        let minutes = |script: &str| length([&cron_job].into_iter(), &Script::parse(script).unwrap(), &Zone::utc(), start()).as_secs() / 60;
        assert_eq!(minutes("pods: exit 1"), 60);
        assert_eq!(minutes("at 3h: resume cronjob backup"), 4450);
        assert_eq!(minutes("at 3h: resume cronjob other"), 60);
    }
}
