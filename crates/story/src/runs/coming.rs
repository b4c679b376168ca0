//! The scheduled times of a CronJob as they come, one after the other.
//!
//! Docs: CronJob, "Schedule syntax"; README, "Beyond Kubernetes". What comes of their runs is found out in `cron_job.rs`.

use api::annotation::SKIP_DURING;
use api::{CronJob, Timestamp};
use schedule::Zone;

use super::history::{PastRun, RunResult};
use crate::timetable::CronJobTimetable;

/// The scheduled times of a CronJob, from a time on.
#[derive(Debug)]
pub(super) struct ComingRuns {
    /// When it runs, if that can be read.
    pub(super) timetable: Option<CronJobTimetable>,
    /// The next scheduled time that has not come, whether windows skip it or not.
    pub(super) next: Option<Timestamp>,
    /// The last scheduled time that has come, or when its schedule began to be followed.
    passed: Timestamp,
}

impl ComingRuns {
    /// Those after a time.
    pub(super) fn after(now: Timestamp, cron_job: &CronJob, zone: &Zone) -> Self {
        let mut times = Self { timetable: None, next: None, passed: now };
        times.read(cron_job, zone);
        times
    }

    /// Reads from here on when the CronJob runs, after those that have come.
    pub(super) fn read(&mut self, cron_job: &CronJob, zone: &Zone) {
        self.timetable = CronJobTimetable::read(cron_job, zone).ok();
        self.next = self.timetable.as_ref().and_then(|timetable| timetable.next_of_all(self.passed));
    }

    /// When the run of a scheduled time is to start.
    pub(super) fn starts_at(&self, scheduled_at: Timestamp) -> Timestamp {
        self.timetable.as_ref().map_or(scheduled_at, |timetable| timetable.starts_at(scheduled_at))
    }

    /// The next scheduled time that has not come and that no window skips.
    pub(super) fn next_started(&self) -> Option<Timestamp> {
        let (next, timetable) = (self.next?, self.timetable.as_ref()?);
        if timetable.schedule().leaves_out(next) { timetable.next(next) } else { Some(next) }
    }

    /// The run of the next scheduled time, which has come from here on, if it is to start by a time; before it, those that the clock is set forward past.
    pub(super) fn come(&mut self, now: Timestamp) -> Option<(Vec<PastRun>, PastRun)> {
        let (at, timetable) = (self.next?, self.timetable.as_ref()?);
        let run = if timetable.schedule().leaves_out(at) {
            PastRun { result: RunResult::Skipped(format!("{SKIP_DURING} (X-17)").into()), ..PastRun::due(at, at) }
        } else {
            PastRun::due(at, timetable.starts_at(at))
        };
        if run.due_at > now {
            return None;
        }
        self.next = timetable.next_of_all(at);
        Some((self.set_forward(at), run))
    }

    /// Time passes until a scheduled time, or until nothing more happens: the clock may be set forward past others.
    pub(super) fn set_forward(&mut self, until: Timestamp) -> Vec<PastRun> {
        let skipped = self.timetable.as_ref().map_or_else(Vec::new, |timetable| timetable.skipped(self.passed, until));
        self.passed = until;
        skipped.into_iter().map(PastRun::skipped).collect()
    }
}
