//! What an object will do, whichever kind it is of.
//!
//! Docs: Jobs; CronJob. What a Job will do is predicted in `job.rs`, and a CronJob in `cron_job.rs`.

use api::Timestamp;
use cluster::stored::{Stored, StoredObject};
use schedule::Zone;
use serde::Serialize;

use crate::{CronJobPrediction, JobPrediction, PredictionLine};

/// What a Job or a CronJob will do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Prediction {
    /// A CronJob.
    CronJob(CronJobPrediction),
    /// A Job.
    Job(JobPrediction),
    /// An object of which something cannot be read.
    Unreadable {
        /// What.
        reason: String,
    },
}

impl Prediction {
    /// What an object will do from `now` on that was just stored; `zone` is that of schedules without one. `None` for a pod.
    #[must_use]
    pub fn of(stored: &Stored, zone: &Zone, now: Timestamp) -> Option<Self> {
        match stored.object() {
            StoredObject::CronJob(cron_job) => Some(match CronJobPrediction::of(cron_job, zone, now) {
                Ok(prediction) => Self::CronJob(prediction),
                Err(reason) => Self::Unreadable { reason },
            }),
            StoredObject::Job(job) => Some(Self::Job(JobPrediction::of(job))),
            StoredObject::Pod(_) => None,
        }
    }

    /// It in words: lines of which the first follows the object's name. The next run is also shown as `reader`'s clock has it, where that differs.
    #[must_use]
    pub fn lines(&self, reader: Option<&Zone>, now: Timestamp) -> Vec<PredictionLine> {
        match self {
            Self::CronJob(prediction) => prediction.lines(reader, now),
            Self::Job(prediction) => prediction.lines(),
            Self::Unreadable { reason } => vec![PredictionLine::unpredictable(reason)],
        }
    }
}

/// The name of an object as predictions show it: of a generated one, which is another one each time, how it begins, as in `migrate-…`.
#[must_use]
pub fn shown_name(stored: &Stored) -> String {
    let metadata = stored.metadata();
    if metadata.generate_name.is_empty() { metadata.name.to_string() } else { format!("{}…", metadata.generate_name) }
}
