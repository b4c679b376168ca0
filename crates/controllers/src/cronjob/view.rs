//! What one sync of a CronJob reads: the CronJob, its Jobs, and the time zone of schedules without one.
//!
//! Docs: CronJob (C-11). Jobs of a CronJob are those that its UID controls.

use api::{CronJob, Job};
use contract::Notice;
use schedule::Zone;

use super::config::Config;
use super::controller::CronJobController;
use super::events::CronJobEvent;
use super::late::LateReasons;
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
    /// How the controller is set up.
    pub(super) config: &'a Config,
    /// The time zone of schedules without one.
    pub(super) zone: &'a Zone,
    /// The changes that may make runs late.
    pub(super) late_reasons: &'a LateReasons,
}

impl<'a> View<'a> {
    /// The view of a CronJob.
    pub(super) fn of(cron_job: &'a CronJob, store: &'a Store, controller: &'a CronJobController) -> Self {
        let CronJobController { config, zone, deleted, late_reasons, .. } = controller;
        let jobs = store.jobs_of(&cron_job.metadata.namespace, &cron_job.metadata.uid);
        Self { cron_job, jobs: jobs.filter(|job| !deleted.contains(&job.metadata.uid)).collect(), store, config, zone, late_reasons }
    }

    /// An Event about the CronJob.
    pub(super) fn event(&self, event: &CronJobEvent<'_>) -> Notice {
        event.about(self.cron_job, self.config)
    }
}
