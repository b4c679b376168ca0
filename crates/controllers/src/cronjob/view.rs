//! What one sync of a CronJob looks at: the CronJob, its Jobs, and the time zone of schedules without one.
//!
//! Docs: CronJob (C-11). Jobs of a CronJob are those that its UID controls.

use std::collections::BTreeSet;

use api::{CronJob, Job, Text};
use schedule::Zone;

use crate::runtime::Store;

/// A CronJob at one moment.
#[derive(Debug)]
pub(super) struct View<'a> {
    /// The CronJob.
    pub(super) cron_job: &'a CronJob,
    /// Its Jobs by name, without those whose deletion was accepted.
    pub(super) jobs: Vec<&'a Job>,
    /// The store, for Jobs that something else controls.
    pub(super) store: &'a Store,
    /// The time zone of schedules without one.
    pub(super) zone: &'a Zone,
}

impl<'a> View<'a> {
    /// The view of a CronJob; `deleted` are UIDs of Jobs that the watch has yet to show as deleted.
    pub(super) fn of(cron_job: &'a CronJob, store: &'a Store, deleted: &BTreeSet<Text>, zone: &'a Zone) -> Self {
        let jobs = store.jobs_of(&cron_job.metadata.namespace, &cron_job.metadata.uid);
        Self { cron_job, jobs: jobs.filter(|job| !deleted.contains(&job.metadata.uid)).collect(), store, zone }
    }
}
