//! The run of a CronJob that a Job of a cluster tells of.
//!
//! Docs: CronJob, "Jobs history limits". What is left of the Job is read in the crate `past`; runs that are played are observed in `cron_job.rs`.

use past::{JobEnding, JobState, PodDecisions, RecordedJob};
use schedule::Zone;

use super::history::{PastRun, RunResult, StartedJob};
use crate::timetable::CronJobTimetable;

impl PastRun {
    /// The run of a recorded Job; of one that was started by hand, it was scheduled when it was created. A CronJob without a time zone is in this one.
    #[must_use]
    pub fn recorded(record: &RecordedJob, zone: &Zone) -> Self {
        let (metadata, ending, at) = (&record.job.metadata, JobEnding::of(record, |_| PodDecisions::default()), record.created_at());
        let result = match ending.state {
            JobState::Complete => RunResult::Complete,
            JobState::Failed => RunResult::Failed(ending.reason.clone()),
            JobState::Running | JobState::Suspended | JobState::Failing | JobState::Completing => RunResult::Running,
        };
        let timetable = record.cron_job.as_ref().and_then(|cron_job| CronJobTimetable::read(cron_job, zone).ok());
        let due_at = record.scheduled_at().map_or(at, |at| timetable.map_or(at, |timetable| timetable.starts_at(at)));
        let job = Some(StartedJob { name: metadata.name.clone(), uid: metadata.uid.clone(), at });
        let ended_at = ending.at.filter(|_| ending.finished());
        Self { job, ended_at, result, by_hand: record.scheduled_at().is_none(), ..Self::due(record.scheduled_at().unwrap_or(at), due_at) }
    }
}
