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
    /// When somebody last changed its schedule or its time zone.
    pub(crate) retimed_at: Option<Timestamp>,
    /// The latest run whose Job the manager knows, in its present life, to be created.
    pub(crate) reported: Option<Timestamp>,
}

impl CronJobRecord {
    /// A CronJob that was just created.
    pub(super) fn new(stored: Arc<Stored>) -> Self {
        Self { stored, listed: BTreeSet::new(), retimed_at: None, reported: None }
    }

    /// The CronJob.
    pub(crate) fn cron_job(&self) -> &CronJob {
        self.stored.cron_job().expect("a record of a CronJob holds a CronJob")
    }

    /// Takes in another state of it.
    pub(super) fn change(&mut self, after: Arc<Stored>, now: Timestamp) {
        let before = Arc::clone(&self.stored);
        self.stored = after;
        let [before, after] = [before.cron_job().expect("a record of a CronJob holds a CronJob"), self.cron_job()];
        let listed: Vec<Text> = after.status.active.iter().map(|active| active.uid.clone()).collect();
        if (&before.spec.schedule, &before.spec.time_zone) != (&after.spec.schedule, &after.spec.time_zone) {
            self.retimed_at = Some(now);
        }
        self.listed.extend(listed);
    }
}
