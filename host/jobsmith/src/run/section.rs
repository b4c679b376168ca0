//! A section of the picture: a CronJob with its schedule, its next run and the Jobs that matter, or the Jobs that no CronJob controls.
//!
//! Docs: CronJob. The picture is put together in `board.rs`; what is known of runs, in the crate `story`.

use std::cmp::Reverse;

use api::{Job, Timestamp};
use console::{Style, style};
use script::ObjectName;
use story::runs::{CronJobName, CronJobRuns, PastRun, RunResult, Runs, owner_of};
use story::timetable::local_time;

use super::board::minutes;

/// How many lines a Job takes at the least, with a pod and what is hidden.
const LINES: usize = 3;
/// How many Jobs of a CronJob are shown at most.
const MOST_JOBS: usize = 5;

/// A CronJob with Jobs, or Jobs alone.
pub(crate) struct Section<'a> {
    /// The CronJob.
    pub(crate) cron_job: Option<(&'a CronJobName, &'a CronJobRuns)>,
    /// The Jobs that are shown.
    pub(crate) jobs: Vec<&'a Job>,
}

/// The sections of a picture of this height: the CronJobs first. Of a CronJob's Jobs those are shown that run, and the one that ended last.
pub(crate) fn sections<'a>(jobs: &'a [Job], runs: &'a Runs, height: usize) -> Vec<Section<'a>> {
    let cron_jobs: Vec<_> = runs.all().filter(|(_, runs)| runs.exists()).collect();
    let most = (height / LINES / cron_jobs.len().max(1)).clamp(1, MOST_JOBS);
    let mut sections: Vec<Section<'a>> = cron_jobs
        .into_iter()
        .map(|(name, runs)| {
            let mut own: Vec<&Job> = jobs.iter().filter(|job| owner_of(&job.metadata).as_ref() == Some(name)).collect();
            own.sort_by_key(|job| (job.finished(), Reverse(job.metadata.creation_timestamp)));
            let running = own.iter().filter(|job| !job.finished()).count();
            own.truncate(most.min(running + 1));
            own.sort_by_key(|job| job.metadata.creation_timestamp);
            Section { cron_job: Some((name, runs)), jobs: own }
        })
        .collect();
    let known = |job: &&Job| owner_of(&job.metadata).is_none_or(|owner| runs.all().all(|(name, _)| *name != owner));
    let alone: Vec<&Job> = jobs.iter().filter(known).collect();
    if !alone.is_empty() {
        sections.push(Section { cron_job: None, jobs: alone });
    }
    sections
}

/// A CronJob's line.
pub(crate) fn head(name: &ObjectName, runs: &CronJobRuns, now: Timestamp) -> String {
    let schedule = &runs.cron_job.spec.schedule;
    let next = match (runs.next(), runs.timetable()) {
        (Some(at), Some(timetable)) => {
            format!("next {} {} in {}", clock(at, now, runs), timetable.zone().name(), minutes(at.duration_since(now)))
        }
        _ if runs.cron_job.suspended() => style("suspended").yellow().to_string(),
        _ => style("no next run").yellow().to_string(),
    };
    let active = match runs.cron_job.status.active.len() {
        0 => String::new(),
        active => format!("   {}", style(format!("{active} active")).blue()),
    };
    let last = runs.last.as_ref().map(|run| format!("   last {}", last(run, now, runs))).unwrap_or_default();
    let failed = match runs.failed() {
        0 => String::new(),
        failed => style(format!("   {failed} failed")).red().to_string(),
    };
    format!("{}  {schedule}   {next}{active}{last}   {} started{failed}", style(format!("cronjob/{name}")).bold(), runs.started())
}

/// How the last run ended, and when.
fn last(run: &PastRun, now: Timestamp, runs: &CronJobRuns) -> String {
    let (word, colour) = match &run.result {
        RunResult::Complete => ("Complete", Style::new().green()),
        RunResult::Failed(_) => ("Failed", Style::new().red()),
        RunResult::Replaced => ("replaced", Style::new().dim()),
        RunResult::Deleted => ("deleted", Style::new().dim()),
        RunResult::Skipped(_) => ("skipped", Style::new().yellow()),
        RunResult::Due | RunResult::Running | RunResult::Undecided => return String::new(),
    };
    let at = run.ended_at.map(|at| format!(" {}", clock(at, now, runs))).unwrap_or_default();
    format!("{}{at}", colour.apply_to(word))
}

/// What the clock of the CronJob's zone shows, with the date if it is another one than today's.
fn clock(at: Timestamp, now: Timestamp, runs: &CronJobRuns) -> String {
    let zone = runs.timetable().map_or_else(schedule::Zone::utc, |timetable| timetable.zone().clone());
    let [at, now] = [at, now].map(|at| local_time(at, &zone));
    let (date, time) = (&at[..10], &at[11..19]);
    if now.starts_with(date) { time.to_owned() } else { format!("{date} {time}") }
}
