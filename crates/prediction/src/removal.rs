//! How long a finished Job is kept, and with it its pods and their logs.
//!
//! Docs: Automatic Cleanup for Finished Jobs; CronJob, "Jobs history limits" (T-01, C-70…C-73).

use api::job::conditions;
use api::{CronJobSpec, Duration, Job};
use serde::Serialize;

use crate::data::some_seconds;

/// What removes a Job that has finished; it stays until somebody deletes it where nothing does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    /// Its TTL.
    #[serde(rename = "ttlSeconds", serialize_with = "some_seconds")]
    pub ttl: Option<Duration>,
    /// How many Jobs of its CronJob are kept that finished as it did.
    pub history_limit: Option<u64>,
}

impl Removal {
    /// What removes a Job that is Complete, and one that is Failed; `owner`: the CronJob that created it.
    pub(crate) fn of(job: &Job, owner: Option<&CronJobSpec>) -> [Self; 2] {
        let limits = owner.map_or([None; 2], |owner| [owner.successful_jobs_history_limit, owner.failed_jobs_history_limit]);
        let removal = |(condition, limit): (&str, Option<i32>)| Self {
            // With an annotation that means nothing, a Job is kept.
            ttl: job.time_to_live(condition).ok().flatten().map(|(_, length)| length),
            history_limit: limit.and_then(|limit| u64::try_from(limit).ok()),
        };
        let [complete, failed] = limits;
        [(conditions::COMPLETE, complete), (conditions::FAILED, failed)].map(removal)
    }
}
