//! Triggers: which change makes which CronJob due, and when.
//!
//! Docs: rules C-01…C-06. What is done when it is due is in `reconcile.rs`.

use api::{CronJob, Job, Kind, Object, Timestamp};
use schedule::Zone;

use super::due::{due, earliest, next_run};
use super::timetable::Timetable;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{ObjectKey, Store, StoreChange};

/// The CronJobs and what they wait for, while a change is handled.
#[derive(Debug)]
pub(super) struct Triggers<'a> {
    pub(super) queue: &'a mut WorkQueue,
    /// What the cluster stores after the change.
    pub(super) store: &'a Store,
    /// The time zone of schedules without one.
    pub(super) zone: &'a Zone,
    pub(super) now: Timestamp,
}

impl Triggers<'_> {
    /// Handles a change. Returns the key of a CronJob that it removed.
    pub(super) fn changed(mut self, change: &StoreChange<'_>) -> Option<ObjectKey> {
        match (change.before, change.after) {
            (before, Some(Object::CronJob(cron_job))) => self.cron_job_changed(before.and_then(Object::cron_job), cron_job),
            (Some(Object::CronJob(cron_job)), None) => {
                let key = ObjectKey::of(&cron_job.metadata);
                self.queue.forget(&key);
                return Some(key);
            }
            (before, after) => self.job_changed(before.and_then(Object::job), after.and_then(Object::job)),
        }
        None
    }

    /// A CronJob is there, or is another one than before (C-01…C-03).
    fn cron_job_changed(&mut self, before: Option<&CronJob>, cron_job: &CronJob) {
        let key = ObjectKey::of(&cron_job.metadata);
        let timing = |cron_job: &CronJob| (cron_job.spec.schedule.clone(), cron_job.spec.time_zone.clone());
        match before {
            None => self.queue.add(key, "the CronJob appeared", self.now),
            Some(before) if timing(before) == timing(cron_job) => self.queue.add(key, "the CronJob changed", self.now),
            Some(_) => {
                // A run that the schedule would have had before is not made up for. What cannot be read is reported at once.
                let wake_up = Timetable::of(cron_job, self.zone).and_then(|timetable| {
                    let until = timetable.until(self.now);
                    let due = due(&timetable, earliest(cron_job), until);
                    next_run(&timetable.schedule, cron_job, due, until).map(|next| timetable.wake_up_for(next))
                });
                let at = wake_up.map_or(self.now, |at| at.max(self.now));
                self.queue.add(key, "the schedule changed, and the next run is due", at);
            }
        }
    }

    /// A Job came, changed or went: its CronJob is due (C-04…C-06).
    fn job_changed(&mut self, before: Option<&Job>, after: Option<&Job>) {
        let version = |job: Option<&Job>| job.map(|job| job.metadata.resource_version.clone());
        if version(before) == version(after) {
            return;
        }
        for job in [before, after].into_iter().flatten() {
            if let Some(cron_job) = owner(self.store, job) {
                self.queue.add(ObjectKey::of(&cron_job.metadata), "one of its Jobs changed", self.now);
            }
        }
    }
}

/// The CronJob that a Job's controller reference means, if it is there.
fn owner<'a>(store: &'a Store, job: &Job) -> Option<&'a CronJob> {
    let controller = job.metadata.controller().filter(|controller| &*controller.kind == Kind::CronJob.name())?;
    let key = ObjectKey { namespace: job.metadata.namespace.clone(), name: controller.name.clone() };
    store.cron_job(&key).filter(|cron_job| cron_job.metadata.uid == controller.uid)
}
