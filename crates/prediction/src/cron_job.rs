//! What a CronJob will do: how often it runs in a year, when next, which clock changes it meets, and what happens to the runs after one that takes long.
//!
//! Docs: CronJob, "Schedule syntax", "Time zones", "Concurrency policy", "Deadline for delayed Job start" (C-40, C-57, C-60…C-65). When a schedule fires is
//! decided in `schedule`, what one run does in `job.rs`.

use api::cron_job::concurrency_policy;
use api::{CronJob, CronJobSpec, Duration, Job, Timestamp, time};
use schedule::{CronJobTimetable, MetClockChange, Schedule, Zone};
use serde::Serialize;

use crate::data::{change, name, seconds};
use crate::failing::{FailedJob, Failing};
use crate::job::{JobPrediction, JobRun};
use crate::left_out::left_out;

/// The seconds of a day on a clock.
const DAY: i64 = 86_400;
/// A year, without the day that some have besides.
const YEAR: Duration = Duration::from_hours(365 * 24);

/// What a CronJob will do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CronJobPrediction {
    /// Whether no run starts until it is resumed.
    pub suspended: bool,
    /// When it runs.
    pub runs: FutureRuns,
    /// What one run does.
    pub run: JobPrediction,
    /// What happens to the runs after one whose pods all fail, where that is not over before the next one, or where the next one would replace it.
    pub overlap: Option<Overlap>,
    /// The annotations that change it under jobsmith's controllers, and are left out; those of its Jobs are in `run`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<&'static str>,
}

/// When a CronJob runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FutureRuns {
    /// At the times of its schedule.
    Scheduled(ScheduledRuns),
    /// Never.
    Never(NoRuns),
}

/// The times of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduledRuns {
    /// How many there are in the next 365 days.
    pub in_a_year: u64,
    /// The next one.
    #[serde(serialize_with = "time::serialize")]
    pub next: Timestamp,
    /// The time zone of the schedule.
    #[serde(serialize_with = "name")]
    pub zone: Zone,
    /// The clock changes in the next 365 days that take runs away or repeat them.
    pub clock_changes: Vec<ChangedDay>,
}

/// A day on which the clock is changed past times of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedDay {
    /// The change.
    #[serde(serialize_with = "change")]
    pub change: MetClockChange,
    /// Whether the times that it takes away, or repeats, are all of that day.
    pub all: bool,
}

/// Why a CronJob never runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum NoRuns {
    /// No day of the next years fits its schedule.
    NoTime,
    /// Its runs are always too late.
    ShortDeadline(ShortDeadline),
}

/// A `startingDeadlineSeconds` with which no run ever starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ShortDeadline {
    /// It is 0: each run is too late as soon as it is due.
    Zero,
    /// It is less than the interval: the beginning from which the next run is counted moves with the deadline (C-40, C-57).
    BelowInterval {
        /// The deadline.
        #[serde(rename = "deadlineSeconds", serialize_with = "seconds")]
        deadline: Duration,
        /// The interval.
        #[serde(rename = "intervalSeconds", serialize_with = "seconds")]
        interval: Duration,
    },
}

/// What happens to the runs after the next one, if its pods all fail as soon as they run; under `Replace`, also what happens to it if it takes longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overlap {
    /// How many scheduled times there are before it is Failed; `None`: it never is.
    pub times: Option<u64>,
    /// What they do.
    pub policy: OverlapPolicy,
}

/// What a run does at its scheduled time while the Job of an earlier one is active.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OverlapPolicy {
    /// It starts, too.
    Allow,
    /// It does not start.
    Forbid {
        /// Whether the last of these runs starts when the Job has ended, as `startingDeadlineSeconds` still allows it then.
        starts_late: bool,
    },
    /// It starts, and the earlier Job is deleted.
    Replace,
}

impl ShortDeadline {
    /// That of a CronJob with this schedule, if it is one.
    #[must_use]
    pub fn of(spec: &CronJobSpec, schedule: &Schedule) -> Option<Self> {
        let deadline = Duration::from_secs(spec.starting_deadline_seconds?);
        match schedule.every() {
            _ if deadline.is_zero() => Some(Self::Zero),
            Some(interval) if interval > deadline => Some(Self::BelowInterval { deadline, interval }),
            Some(_) | None => None,
        }
    }
}

impl CronJobPrediction {
    /// What a CronJob will do from `now` on, as the API server stores it; its schedule is in `zone` if it names none.
    ///
    /// # Errors
    /// Why its schedule, its time zone, an annotation or the template of its Jobs cannot be read.
    pub fn of(cron_job: &CronJob, zone: &Zone, now: Timestamp) -> Result<Self, String> {
        let spec = &cron_job.spec;
        let timetable = CronJobTimetable::read(cron_job, zone)?;
        let template = &spec.job_template;
        let job_spec = admission::job_template::read(template).map_err(|error| error.to_string())?;
        let mut job = Job { metadata: template.metadata.clone(), spec: job_spec, ..Job::default() };
        admission::defaults::apply(&mut job);
        let run = JobPrediction::beside(&job, Some(spec));
        let runs = match (timetable.next(now), ShortDeadline::of(spec, timetable.schedule())) {
            (None, _) => FutureRuns::Never(NoRuns::NoTime),
            (Some(_), Some(short)) => FutureRuns::Never(NoRuns::ShortDeadline(short)),
            (Some(next), None) => FutureRuns::Scheduled(ScheduledRuns::of(&timetable, next, now)),
        };
        let overlap = match (&runs, &run) {
            (FutureRuns::Scheduled(scheduled), JobPrediction::Runs(run)) => Overlap::of(spec, timetable.schedule(), scheduled.next, run),
            _ => None,
        };
        let left_out = left_out(&cron_job.metadata.annotations);
        Ok(Self { suspended: cron_job.suspended(), runs, run, overlap, left_out })
    }
}

impl ScheduledRuns {
    fn of(timetable: &CronJobTimetable, next: Timestamp, now: Timestamp) -> Self {
        let (schedule, zone, end) = (timetable.schedule(), timetable.zone(), time::after(now, YEAR));
        let day = |change: MetClockChange| ChangedDay { all: all_of_day(schedule, &change), change };
        Self {
            in_a_year: u64::from(next <= end) + schedule.count(next, end),
            next,
            zone: zone.clone(),
            clock_changes: timetable.clock_changes(now, end).into_iter().map(day).collect(),
        }
    }
}

/// Whether a schedule has no other times on the day of a clock change than those that the change takes away or repeats.
fn all_of_day(schedule: &Schedule, change: &MetClockChange) -> bool {
    let Some(first) = change.times.first() else { return false };
    let times = schedule.clock_times();
    let midnight = Timestamp::from_second(first.as_second().div_euclid(DAY) * DAY - 1).unwrap_or(*first);
    times.is_some_and(|times| times.count(midnight, time::after(midnight, Duration::from_secs(DAY))) == change.times.len() as u64)
}

impl Overlap {
    fn of(spec: &CronJobSpec, schedule: &Schedule, next: Timestamp, run: &JobRun) -> Option<Self> {
        let after = if let Failing::Ends(FailedJob { after, .. }) = run.failing { Some(after) } else { None };
        let times_within = |length: Duration| schedule.count(next, time::after(next, length));
        let times = after.map(times_within);
        let policy = match &*spec.concurrency_policy {
            concurrency_policy::FORBID => {
                let too_late = spec.starting_deadline_seconds.map(Duration::from_secs);
                let starts = |after: Duration| too_late.is_none_or(|too_late| times_within(after) > times_within(after - too_late));
                OverlapPolicy::Forbid { starts_late: after.is_some_and(starts) }
            }
            concurrency_policy::REPLACE => OverlapPolicy::Replace,
            _ => OverlapPolicy::Allow,
        };
        // A run that takes long for another reason is deleted, unless its deadline ends it before.
        let may_take_long = run.deadline.is_none_or(|deadline| times_within(deadline) > 0);
        (times != Some(0) || policy == OverlapPolicy::Replace && may_take_long).then_some(Self { times, policy })
    }
}
