//! The Job controller: its memory of each Job, and how a Job's turn goes.
//!
//! Docs: Jobs, all headings. What a turn decides is in `reconcile.rs` and `settle.rs`, what makes a Job due in `triggers.rs`, the outcomes of
//! a plan are handled in `outcomes.rs`.

use api::meta::Labels;
use api::{Kind, Timestamp, WarningEvent, time};
use contract::Explanation;
use contract::metrics::Family;

use super::backoff::{Backoff, changed_at};
use super::config::Config;
use super::decision::{EndingProgress, Guard, JobDecision};
use super::memory::{Confirmed, Deletions, Memory};
use super::metrics::Metrics;
use super::plan::{Intent, JobPlan, Sync, SyncAction, because};
use super::tracking::Settling;
use super::triggers::Triggers;
use super::view::{JobView, notable, pods};
use super::{explain, extensions, outcomes, reconcile, settle};
use crate::runtime::lookup::Lookup;
use crate::runtime::workqueue::WorkQueue;
use crate::runtime::{Context, Controller, Finished, InitialMemory, ObjectKey, Sent, StoreChange, Turn};

/// The Job controller.
#[derive(Debug)]
pub(crate) struct JobController {
    pub(super) config: Config,
    /// What it knows of what was done before it began.
    initial_memory: InitialMemory,
    pub(super) memories: Lookup<ObjectKey, Box<Memory>>,
    pub(super) metrics: Metrics,
}

/// What is left of a sync once the watch has shown its writes.
#[derive(Debug)]
pub(crate) enum Rest {
    /// The second half of the tracking protocol.
    Settle(Settling),
    /// All of it: the Job was only read to adopt pods (J-63).
    Adopt(Confirmed),
    /// What a failed request does not block (J-03).
    Continue(Deletions),
}

impl Controller for JobController {
    type Intent = Intent;
    type Sync = Sync;
    type Rest = Rest;
    type Decision = JobDecision;

    const NAME: &'static str = "job";
    const KIND: Kind = Kind::Job;
    const KINDS: &'static [Kind] = &[Kind::Job, Kind::Pod];

    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue, context: &Context<'_>) -> Option<ObjectKey> {
        Triggers { controller: self, queue, store: context.store, now: context.now }.changed(change)
    }

    fn plan(&mut self, key: &ObjectKey, rest: Option<Rest>, queue: &mut WorkQueue, context: &Context<'_>) -> Turn<Self> {
        let Some(job) = context.store.job(key) else {
            self.memories.remove(key);
            return Turn::Planned(because(JobDecision::Guard(Guard::Gone)));
        };
        if let Some(at) = self.take_over(key, context) {
            queue.add(key.clone(), "a pod changed", at);
            return Turn::Over;
        }
        let (confirmed, deletions) = match rest {
            Some(Rest::Settle(settling)) if settling.still_holds(job) => return self.settle(key, &settling, queue, context),
            Some(Rest::Continue(deletions)) => (None, deletions),
            Some(Rest::Adopt(confirmed)) => (Some(confirmed), Deletions::default()),
            // What was decided by another spec is decided once more.
            Some(Rest::Settle(_)) | None => {
                self.unblock(key);
                (None, Deletions::default())
            }
        };
        Turn::Planned(self.reconcile(key, confirmed.as_ref(), deletions, context))
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

    fn stale(&mut self, kind: Kind) {
        self.metrics.stale(kind);
    }

    fn explain(&self, key: &ObjectKey, warnings: &[WarningEvent], context: &Context<'_>) -> Option<Explanation> {
        explain::explain(self, key, warnings, context)
    }

    fn defaults(&self) -> Option<&Labels> {
        Some(&self.config.defaults).filter(|defaults| !defaults.is_empty())
    }

    fn metrics(&self) -> Vec<Family> {
        self.metrics.families()
    }
}

impl JobController {
    /// A controller that has seen no Job yet.
    pub(crate) fn new(config: Config, initial_memory: InitialMemory) -> Self {
        Self { config, initial_memory, memories: Lookup::default(), metrics: Metrics::default() }
    }

    fn reconcile(&mut self, key: &ObjectKey, confirmed: Option<&Confirmed>, deletions: Deletions, context: &Context<'_>) -> JobPlan {
        let Context { store, now, .. } = *context;
        let job = store.job(key).expect("a Job is looked up before it is planned");
        let memory = self.memories.entry(key.clone()).or_default();
        memory.began_at.get_or_insert(now);
        memory.notable.get_or_insert_with(|| notable(job, store));
        let view = JobView::of(job, store, memory, confirmed, &self.config).after_deleting(deletions);
        let mut plan = turn(&view, now);
        plan.sync.retry_at = view.memory.blocked.map(|blocked| blocked.until);
        if plan.batches.iter().flatten().any(|command| command.intent.sorts_out()) {
            plan.sync.requeue_at = plan.requeue_at.take();
        }
        if job.finished() {
            self.memories.remove(key);
        } else {
            self.remember(key, &plan, now);
        }
        plan
    }

    /// Remembers of a Job, the first time, what another controller knew, or the one before a restart; returns when that would have synced it, if a pod has changed just now.
    fn take_over(&mut self, key: &ObjectKey, context: &Context<'_>) -> Option<Timestamp> {
        let job = context.store.job(key).filter(|job| !job.finished())?;
        let memory = self.memories.entry(key.clone()).or_default();
        if std::mem::replace(&mut memory.taken_over, true) {
            return None;
        }
        let Config { tracking_finalizer, limits, .. } = &self.config;
        let (extensions, _) = extensions::read(job, &self.config);
        let rebuilt = self.initial_memory == InitialMemory::Rebuilt;
        if rebuilt || extensions.numbers_attempts() {
            memory.backoff = Backoff::rebuilt(job, &extensions, pods(job, context.store), tracking_finalizer);
        }
        if !rebuilt {
            return None;
        }
        let synced = pods(job, context.store).map(|pod| time::after(changed_at(pod), limits.sync_batch_period));
        synced.filter(|at| *at > context.now).min()
    }

    /// A sync begins: a request that failed in an earlier one is sent again.
    fn unblock(&mut self, key: &ObjectKey) {
        if let Some(memory) = self.memories.get_mut(key) {
            memory.blocked = None;
        }
    }

    fn settle(&mut self, key: &ObjectKey, settling: &Settling, queue: &mut WorkQueue, context: &Context<'_>) -> Turn<Self> {
        let (job, memory) = (context.store.job(key), self.memories.entry(key.clone()).or_default());
        let job = job.expect("a Job is looked up before it is settled");
        let view = JobView::of(job, context.store, memory, None, &self.config);
        let plan = settle::settle(&view, settling, context.now);
        self.remember(key, &plan, context.now);
        if plan.batches.is_empty() && plan.decisions.is_empty() {
            self.sync_over(key, settling.action, settling.retry_at, queue, context);
            return Turn::Over;
        }
        Turn::Planned(plan)
    }

    /// Remembers what the watch is to show of a plan (J-30, J-33).
    fn remember(&mut self, key: &ObjectKey, plan: &JobPlan, now: Timestamp) {
        let Some(memory) = self.memories.get_mut(key) else { return };
        if let Some(expected) = plan.sync.expected {
            memory.expectations.expect(expected, time::after(now, self.config.limits.expectation_timeout));
        }
        for command in plan.batches.iter().flatten() {
            if let Intent::RemoveFinalizer { uid } = &command.intent {
                memory.expectations.expect_removal(uid);
            }
        }
    }

    /// A sync is over: it succeeded unless it is tried again at a time (J-03, J-150).
    pub(super) fn sync_over(
        &mut self,
        key: &ObjectKey,
        action: SyncAction,
        retry_at: Option<Timestamp>,
        queue: &mut WorkQueue,
        context: &Context<'_>,
    ) {
        if retry_at.is_none() {
            queue.forget(key);
        }
        let began_at = self.memories.get_mut(key).and_then(|memory| memory.began_at.take());
        if let (Some(job), Some(began_at)) = (context.store.job(key), began_at) {
            self.metrics.synced(job, retry_at.is_none(), action, context.now.duration_since(began_at));
        }
    }
}

/// A Job's turn: where the first half of the tracking protocol has no requests, the second follows in the same turn.
pub(super) fn turn(view: &JobView<'_>, now: Timestamp) -> JobPlan {
    let mut plan = reconcile::reconcile(view, now);
    if !plan.batches.is_empty() {
        return plan;
    }
    let Some(settling) = plan.sync.settling.take() else { return plan };
    let settling = if plan.sync.falls_short { Settling { ending: None, ..settling } } else { settling };
    let mut rest = settle::settle(view, &settling, now);
    plan.batches = rest.batches;
    // The first half knows only of pods that have not ended; the second one says the whole of it.
    let waits = |taken: &JobDecision| matches!(taken, JobDecision::EndingProgress(EndingProgress::WaitsForPodsToEnd { .. }));
    if let Some(place) = rest.decisions.iter().position(waits)
        && let Some(first) = plan.decisions.iter_mut().find(|taken| waits(taken))
    {
        *first = rest.decisions.remove(place);
    }
    plan.decisions.extend(rest.decisions);
    plan.notices.extend(rest.notices);
    plan
}

#[cfg(test)]
mod tests {
    use contract::{Change, ObjectJson};

    use super::*;
    use crate::runtime::Informer;
    use crate::runtime::Store;

    const COMPLETE: &str = r#"{"conditions":[{"type":"Complete","status":"True"}]}"#;

    /// The controller with what a watch has shown it.
    struct Bench {
        controller: JobController,
        queue: WorkQueue,
        informer: Informer,
    }

    impl Bench {
        /// A controller that has synced the Job `pi` once.
        fn synced() -> Self {
            let controller = JobController::new(Config::default(), InitialMemory::Empty);
            let mut bench = Self { controller, queue: WorkQueue::default(), informer: Informer::default() };
            bench.show(Change::Applied, 1, "{}");
            bench.sync();
            assert_eq!(bench.controller.memories.len(), 1);
            bench
        }

        fn show(&mut self, change: fn(ObjectJson) -> Change, version: u32, status: &str) {
            let metadata = format!(r#"{{"namespace":"default","name":"pi","uid":"u","resourceVersion":"{version}"}}"#);
            let text = format!(r#"{{"metadata":{metadata},"spec":{{"completions":1,"template":{{}}}},"status":{status}}}"#);
            let Self { controller, queue, informer } = self;
            let mut sink = |change: &StoreChange<'_>, store: &Store, progress: &_| {
                controller.changed(change, queue, &Context { store, progress, now: Timestamp::UNIX_EPOCH });
            };
            informer.changed(&change(ObjectJson { kind: "Job".into(), json: text.into() }), &mut sink).unwrap();
        }

        fn sync(&mut self) {
            let key = ObjectKey { namespace: "default".into(), name: "pi".into() };
            self.controller.plan(&key, None, &mut self.queue, &self.informer.context(Timestamp::UNIX_EPOCH));
        }
    }

    #[test]
    fn nothing_is_remembered_of_a_job_that_is_gone() {
        let mut bench = Bench::synced();
        bench.show(Change::Deleted, 2, "{}");
        bench.sync();
        assert!(bench.controller.memories.is_empty());
    }

    #[test]
    fn nothing_is_remembered_of_a_job_that_has_finished() {
        let mut bench = Bench::synced();
        bench.show(Change::Applied, 2, COMPLETE);
        bench.sync();
        assert!(bench.controller.memories.is_empty());
    }
}
