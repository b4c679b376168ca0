//! The CronJob controller: its memory, and how a CronJob's turn goes.
//!
//! Docs: CronJob, all headings. What a turn decides is in `reconcile.rs`, what makes a CronJob due in `triggers.rs`, the outcomes of a plan are handled in
//! `outcomes.rs`.

use std::collections::BTreeSet;

use api::{Duration, Kind, Object, Text, Timestamp, WarningEvent};
use contract::Explanation;
use contract::metrics::Family;
use schedule::Zone;

use super::config::Config;
use super::decision::CronJobDecision;
use super::late::LateReasons;
use super::plan::{Intent, Sync};
use super::triggers::Triggers;
use super::view::View;
use super::{explain, outcomes, reconcile};
use crate::runtime::metrics::{Counters, Metric, doubling};
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{Context, Controller, Finished, ObjectKey, Sent, Store, StoreChange, Turn};

/// Upper bounds of the ranges of `cronjob_controller_job_creation_skew_duration_seconds`: 1 s, doubling (C-100).
const SKEW_BUCKETS: [Duration; 10] = doubling(1000);

const METRICS: [Metric; 1] = [Metric {
    name: "cronjob_controller_job_creation_skew_duration_seconds",
    help: "How long after their scheduled times Jobs were created",
    labels: &[],
    buckets: &SKEW_BUCKETS,
}];

/// The CronJob controller.
#[derive(Debug)]
pub(crate) struct CronJobController {
    /// How it is set up.
    pub(super) config: Config,
    /// The time zone of schedules without one.
    pub(super) zone: Zone,
    /// UIDs of Jobs whose deletion was accepted, until the watch shows it.
    pub(super) deleted: BTreeSet<Text>,
    /// The changes that may make runs late.
    pub(super) late_reasons: LateReasons,
    metrics: Counters,
}

impl Controller for CronJobController {
    type Intent = Intent;
    type Sync = Sync;
    type Rest = Sync;
    type Decision = CronJobDecision;

    const NAME: &'static str = "cronjob";
    const KIND: Kind = Kind::CronJob;
    const KINDS: &'static [Kind] = &[Kind::CronJob, Kind::Job];

    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue, context: &Context<'_>) -> Option<ObjectKey> {
        if let Some(job) = change.before.and_then(Object::job)
            && change.after.is_none_or(|after| after.metadata().deleting() || after.metadata().uid != job.metadata.uid)
        {
            self.deleted.remove(&job.metadata.uid);
        }
        let [before, after] = [change.before, change.after].map(|object| object.and_then(Object::cron_job));
        self.late_reasons.record(before, after, &self.config, context.now);
        Triggers { queue, store: context.store, zone: &self.zone, now: context.now }.changed(change)
    }

    fn plan(&mut self, key: &ObjectKey, rest: Option<Sync>, queue: &mut WorkQueue, context: &Context<'_>) -> Turn<Self> {
        let Some(cron_job) = context.store.cron_job(key) else {
            queue.forget(key);
            return Turn::Over;
        };
        if let Some((job, scheduled_at)) = rest.as_ref().and_then(|sync| sync.created.as_ref()) {
            self.observe_skew(key, job, *scheduled_at, context.store);
        }
        // What was decided by another status is decided once more.
        let sync = rest.filter(|sync| sync.still_holds(cron_job)).unwrap_or_else(|| Sync::new(cron_job, context.now));
        Turn::Planned(reconcile::reconcile(&View::of(cron_job, context.store, self), sync))
    }

    fn finished(
        &mut self,
        key: &ObjectKey,
        sync: Sync,
        sent: &[Sent<'_, Intent>],
        queue: &mut WorkQueue,
        context: &Context<'_>,
    ) -> Finished<Self> {
        outcomes::finished(self, key, sync, sent, queue, context)
    }

    fn stale(&mut self, _: Kind) {}

    fn explain(&self, key: &ObjectKey, warnings: &[WarningEvent], context: &Context<'_>) -> Option<Explanation> {
        explain::explain(self, key, warnings, context)
    }

    fn metrics(&self) -> Vec<Family> {
        self.metrics.families()
    }
}

impl CronJobController {
    /// A controller that has seen no CronJob yet.
    pub(crate) fn new(config: &Config) -> Self {
        let zone = config.zone().expect("a configuration was checked");
        Self {
            config: config.clone(),
            zone,
            deleted: BTreeSet::new(),
            late_reasons: LateReasons::default(),
            metrics: Counters::new(&METRICS),
        }
    }

    /// The deletion of a Job was accepted: it counts as deleted before the watch shows that.
    pub(super) fn await_deletion(&mut self, key: &ObjectKey, job: &Text, uid: Text, store: &Store) {
        let key = ObjectKey { namespace: key.namespace.clone(), name: job.clone() };
        if store.job(&key).is_some_and(|there| there.metadata.uid == uid && !there.metadata.deleting()) {
            self.deleted.insert(uid);
        }
    }

    /// A Job was created: how long after its scheduled time (C-100).
    fn observe_skew(&mut self, key: &ObjectKey, job: &Text, scheduled_at: Timestamp, store: &Store) {
        let key = ObjectKey { namespace: key.namespace.clone(), name: job.clone() };
        if let Some(created_at) = store.job(&key).and_then(|job| job.metadata.creation_timestamp) {
            self.metrics.observe(0, &[], created_at.duration_since(scheduled_at));
        }
    }
}
