//! What really became of one CronJob.
//!
//! Docs: CronJob. Who reads it: `invariants/runs.rs`, `upkeep.rs`.

use std::collections::BTreeSet;
use std::sync::Arc;

use api::{CronJob, Text, Timestamp};

use cluster::stored::Stored;

/// One CronJob, from its creation on.
#[derive(Debug)]
pub(crate) struct CronJobRecord {
    stored: Arc<Stored>,
    /// The Jobs that were ever on the list of its active ones.
    pub(crate) listed: BTreeSet<Text>,
    /// Its schedule and time zone, as the manager was shown them last.
    timing: Option<(Text, Option<Text>)>,
    /// When the manager was last shown that its schedule or its time zone had changed.
    pub(crate) retimed_at: Option<Timestamp>,
    /// The latest run whose Job the manager knows, in its present life, to be created.
    pub(crate) reported: Option<Timestamp>,
}

impl CronJobRecord {
    /// A CronJob that was just created.
    pub(super) fn new(stored: Arc<Stored>) -> Self {
        Self { stored, listed: BTreeSet::new(), timing: None, retimed_at: None, reported: None }
    }

    /// The CronJob.
    pub(crate) fn cron_job(&self) -> &CronJob {
        self.stored.cron_job().expect("a record of a CronJob holds a CronJob")
    }

    /// Records another state of it.
    pub(super) fn change(&mut self, after: Arc<Stored>) {
        self.stored = after;
        let listed: Vec<Text> = self.cron_job().status.active.iter().map(|active| active.uid.clone()).collect();
        self.listed.extend(listed);
    }

    /// The manager is shown a state of it.
    pub(super) fn show(&mut self, cron_job: &CronJob, now: Timestamp) {
        let timing = (cron_job.spec.schedule.clone(), cron_job.spec.time_zone.clone());
        if self.timing.as_ref().is_some_and(|before| *before != timing) {
            self.retimed_at = Some(now);
        }
        self.timing = Some(timing);
    }
}
