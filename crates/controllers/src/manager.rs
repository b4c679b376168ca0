//! The manager: takes in events, keeps what the watches show, and hands out plans when they are due.
//!
//! Docs: the contract is at the top of `lib.rs`. What makes a Job due is in `triggers.rs`, what becomes of a plan in `outcomes.rs`.

use std::collections::{BTreeMap, VecDeque};

use api::{Job, Kind, Malformed, Object, Pod, Text, Timestamp, time};
use contract::metrics::Family;
use contract::{Change, Event, Explanation, Json, LookAgain, PlanId, Reconciled, Wakeup};

use crate::config::Config;
use crate::decision::{Decision, Guard};
use crate::freshness::Freshness;
use crate::holds::Holds;
use crate::job::memory::Memory;
use crate::job::tracking::Settling;
use crate::job::{JobView, orphans, reconcile, settle};
use crate::key::{self, Item, JobKey};
use crate::lists::{Lists, place};
use crate::metrics::{self, Metrics};
use crate::outcomes::{Asked, InFlight, Sync};
use crate::plan::{Command, Plan};
use crate::store::Store;
use crate::workqueue::WorkQueue;

/// The controllers, told what happens and asked what to do.
#[derive(Debug)]
pub struct ControllerManager {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) freshness: Freshness,
    pub(crate) jobs: WorkQueue,
    pub(crate) orphans: WorkQueue,
    pub(crate) memories: BTreeMap<JobKey, Box<Memory>>,
    pub(crate) holds: Holds,
    /// Plans that are being carried out.
    pub(crate) in_flight: Vec<(PlanId, InFlight)>,
    /// Jobs whose work goes on as soon as a plan is asked for.
    pub(crate) continuing: VecDeque<JobKey>,
    /// Plans without commands that tell what became of others.
    pub(crate) reports: VecDeque<Reconciled>,
    pub(crate) plans: PlanId,
    pub(crate) metrics: Metrics,
    pub(crate) lists: Lists,
}

impl ControllerManager {
    /// A manager that knows nothing of the cluster yet: tell it a list of each kind first.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            config,
            store: Store::default(),
            freshness: Freshness::default(),
            jobs: WorkQueue::default(),
            orphans: WorkQueue::default(),
            memories: BTreeMap::new(),
            holds: Holds::default(),
            in_flight: Vec::new(),
            continuing: VecDeque::new(),
            reports: VecDeque::new(),
            plans: 0,
            metrics: Metrics::default(),
            lists: Lists::default(),
        }
    }

    /// Takes in one event.
    ///
    /// # Errors
    /// If an object cannot be understood. What was known of that object stays as it was; of a list, the others are taken in and the first such object is named.
    pub fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed> {
        match event {
            Event::Changed(Change::Applied(Json { kind, text })) => self.applied(Object::decode(kind, &text)?, now),
            Event::Changed(Change::Deleted(Json { kind, text })) => self.deleted(&Object::decode(kind, &text)?, now),
            Event::Listed { kind, part, resource_version, objects } => return self.listed(kind, part, &resource_version, &objects, now),
            Event::Finished { plan, outcomes } => self.finished(plan, &outcomes, now),
        }
        Ok(())
    }

    /// The next plan that is due; none before each kind was listed to the end (J-05).
    pub fn reconcile_next(&mut self, now: Timestamp) -> Option<Reconciled> {
        if !self.lists.complete() {
            return None;
        }
        self.freshness.settle();
        loop {
            if let Some(report) = self.reports.pop_front() {
                return Some(report);
            }
            if let Some(key) = self.continuing.pop_front() {
                match self.go_on(&key, now) {
                    Some(reconciled) => return Some(reconciled),
                    None => continue,
                }
            }
            let (job, orphan) = (self.jobs.next_due(), self.orphans.next_due());
            let orphan_first = orphan.is_some_and(|orphan| job.is_none_or(|job| orphan.0 < job.0));
            if orphan_first && let Some(item) = self.orphans.pop_due(now) {
                return Some(self.plan_orphan(&item, now));
            }
            let Some(Item::Job(key)) = self.jobs.pop_due(now) else { return self.waiting_for_watch(now) };
            return Some(self.plan_job(&key, now));
        }
    }

    /// When to call [`reconcile_next`](Self::reconcile_next) again if nothing else happens, and why.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Wakeup> {
        if !self.lists.complete() {
            return None;
        }
        let job = self.jobs.next_due().map(|(at, key, because)| (at, key.told(), because));
        let orphan = self.orphans.next_due().map(|(at, key, because)| (at, key.told(), because));
        let untold = self.holds.untold().filter_map(|key| Some((self.jobs.due_at(&Item::Job(key.clone()))?, key)));
        let untold = untold.min().map(|(at, key)| (at, key.told(), "the Job is due, but the watch has not shown a write"));
        let (at, key, because) = [job, orphan, untold].into_iter().flatten().min_by_key(|(at, ..)| *at)?;
        Some(Wakeup { at, key, because: because.to_owned() })
    }

    /// All that was counted, and how long the queues are at this time, by name.
    #[must_use]
    pub fn metrics(&self, now: Timestamp) -> Vec<Family> {
        let mut families = self.metrics.families();
        families.push(metrics::depths([(key::JOBS, self.jobs.depth(now)), (key::ORPHANS, self.orphans.depth(now))]));
        families
    }

    fn applied(&mut self, object: Object, now: Timestamp) {
        let (kind, metadata) = (object.kind(), object.metadata());
        let known = self.store.metadata(kind, &metadata.namespace, &metadata.name);
        if self.freshness.is_old(kind, metadata, known.map(|known| &*known.resource_version)) {
            return;
        }
        let (namespace, version) = (metadata.namespace.clone(), metadata.resource_version.clone());
        self.lists.mention(kind, || place(&namespace, &metadata.name));
        self.put(object, now);
        self.observe(kind, &namespace, &version);
    }

    pub(crate) fn put(&mut self, object: Object, now: Timestamp) {
        match object {
            Object::Job(job) => self.put_job(*job, now),
            Object::Pod(pod) => self.put_pod(*pod, now),
        }
    }

    fn deleted(&mut self, object: &Object, now: Timestamp) {
        let (kind, metadata) = (object.kind(), object.metadata());
        let known = self.store.metadata(kind, &metadata.namespace, &metadata.name);
        if known.is_some_and(|known| known.uid == metadata.uid) {
            match kind {
                Kind::Job => self.take_job(&JobKey::of(metadata), now),
                Kind::Pod => self.take_pod(&metadata.namespace, &metadata.name, now),
            }
        }
        self.freshness.observe_end(kind, metadata);
        self.observe(kind, &metadata.namespace, &metadata.resource_version);
    }

    fn observe(&mut self, kind: Kind, namespace: &Text, version: &str) {
        self.freshness.observe(kind, namespace, version);
        for key in self.holds.shown(kind, Some(namespace), &self.freshness) {
            self.release(&key);
        }
    }

    /// Makes a Job due at a time.
    pub(crate) fn enqueue(&mut self, key: JobKey, because: &'static str, at: Timestamp) {
        self.jobs.add(Item::Job(key), because, at);
    }

    /// The work on a Job is over; it may be planned again when it is due.
    pub(crate) fn done(&mut self, key: &JobKey) {
        self.jobs.done(&Item::Job(key.clone()));
    }

    fn put_job(&mut self, job: Job, now: Timestamp) {
        let key = JobKey::of(&job.metadata);
        if self.store.job(&key).is_some_and(|known| known.metadata.uid != job.metadata.uid) {
            self.take_job(&key, now);
        }
        match self.store.put_job(job) {
            Some(before) => self.job_updated(&before, key, now),
            None => self.job_added(key, now),
        }
    }

    pub(crate) fn take_job(&mut self, key: &JobKey, now: Timestamp) {
        if let Some(job) = self.store.take_job(key) {
            self.job_deleted(&job, now);
        }
    }

    fn put_pod(&mut self, pod: Pod, now: Timestamp) {
        let (namespace, name) = (pod.metadata.namespace.clone(), pod.metadata.name.clone());
        if self.store.pod(&namespace, &name).is_some_and(|known| known.metadata.uid != pod.metadata.uid) {
            self.take_pod(&namespace, &name, now);
        }
        let before = self.store.put_pod(pod.clone());
        self.metrics.pod_changed(&self.config.tracking_finalizer, before.as_ref(), Some(&pod));
        match before {
            Some(before) => self.pod_updated(&before, &pod, now),
            None => self.pod_added(&pod, now),
        }
    }

    pub(crate) fn take_pod(&mut self, namespace: &str, name: &str, now: Timestamp) {
        if let Some(pod) = self.store.take_pod(namespace, name) {
            self.metrics.pod_changed(&self.config.tracking_finalizer, Some(&pod), None);
            self.pod_deleted(&pod, true, now);
        }
    }

    /// Goes on with a Job whose writes the watch has shown: what is left of the tracking protocol, or the whole Job again.
    fn go_on(&mut self, key: &JobKey, now: Timestamp) -> Option<Reconciled> {
        let memory = self.memories.get_mut(key);
        let settling = memory.and_then(|memory| memory.settling.take());
        let Some(job) = self.store.job(key) else {
            self.done(key);
            return None;
        };
        // What was decided of another Job of this name, or by another spec, is decided once more.
        let same = |settling: &Settling| (&settling.uid, settling.generation) == (&job.metadata.uid, job.metadata.generation);
        let settling = settling.filter(same);
        let Some(settling) = settling else { return Some(self.plan_job(key, now)) };
        let plan = self.view(key, |view| settle::settle(view, &settling, now))?;
        if plan.batches.is_empty() && plan.decisions.is_empty() {
            self.sync_over(key, true, settling.action, now);
            return None;
        }
        Some(self.issue_job(key, plan, now))
    }

    fn plan_job(&mut self, key: &JobKey, now: Timestamp) -> Reconciled {
        let memory = self.memories.entry(key.clone()).or_default();
        memory.blocked = memory.blocked.filter(|blocked| blocked.until > now);
        memory.began_at.get_or_insert(now);
        let plan = self.view(key, |view| reconcile::reconcile(view, now));
        let Some(plan) = plan else {
            self.memories.remove(key);
            return self.issue_job(key, Plan::because(Decision::Guard(Guard::Gone)), now);
        };
        if plan.decisions.iter().any(|decision| matches!(decision, Decision::Guard(Guard::AlreadyFinished { .. }))) {
            self.memories.remove(key);
        } else if let Some(memory) = self.memories.get_mut(key) {
            memory.confirmed = None;
        }
        let over = plan.batches.is_empty() && plan.settling.is_some();
        let first = self.issue_job(key, plan, now);
        match over.then(|| self.go_on_at_once(key, now)).flatten() {
            Some(rest) => joined(first, rest),
            None => first,
        }
    }

    /// Settles in the same turn, where the first half of the tracking protocol has nothing to ask for.
    fn go_on_at_once(&mut self, key: &JobKey, now: Timestamp) -> Option<Reconciled> {
        self.continuing.retain(|continuing| continuing != key);
        self.go_on(key, now)
    }

    fn view<T>(&self, key: &JobKey, look: impl FnOnce(&JobView<'_>) -> T) -> Option<T> {
        let (job, memory) = (self.store.job(key)?, self.memories.get(key)?);
        let owned = self.store.pods_of(&key.namespace, &job.metadata.uid);
        let owned = owned.filter(|pod| pod.metadata.controller().is_some_and(|owner| &*owner.kind == "Job" && owner.name == key.name));
        let loose = self.store.pods_of(&key.namespace, "");
        Some(look(&JobView { job, owned: owned.collect(), loose: loose.collect(), memory, config: &self.config }))
    }

    fn plan_orphan(&mut self, key: &Item, now: Timestamp) -> Reconciled {
        let plan = orphans::reconcile(&self.store, &self.config, key);
        let (reconciled, commands) = self.tell(key.told(), plan);
        if commands.is_empty() {
            self.orphan_over(key, None, now);
        } else {
            self.in_flight.push((reconciled.id, InFlight::Orphan { item: key.clone(), commands }));
        }
        reconciled
    }

    fn issue_job(&mut self, key: &JobKey, mut plan: Plan, now: Timestamp) -> Reconciled {
        if let Some((at, because)) = plan.look_again {
            self.enqueue(key.clone(), because, at);
        }
        let sync = Sync { settling: plan.settling.take(), action: plan.action, falls_short: plan.falls_short };
        plan.judged.drain(..).for_each(|action| self.metrics.judged(action));
        let expected = plan.expected;
        let (reconciled, commands) = self.tell(key.told(), plan);
        if let Some(memory) = self.memories.get_mut(key) {
            memory.expectations.expect(expected, &commands, time::after(now, self.config.limits.expectation_timeout));
        }
        if commands.is_empty() {
            self.job_over(key, sync, now);
        } else {
            let uid = self.store.job(key).map(|job| job.metadata.uid.clone()).unwrap_or_default();
            self.in_flight.push((reconciled.id, InFlight::Job { key: key.clone(), uid, commands, sync }));
        }
        reconciled
    }

    /// Gives the plan a number and words; what its commands are for stays here.
    pub(crate) fn tell(&mut self, key: contract::Key, plan: Plan) -> (Reconciled, Vec<Asked>) {
        self.plans += 1;
        let mut asked = Vec::new();
        let mut told = |command: Command| {
            asked.push(Asked { intent: command.intent, tolerates: command.tolerates });
            contract::Command { request: command.request, tolerates: command.tolerates.to_vec() }
        };
        let batches = plan.batches.into_iter().map(|batch| batch.into_iter().map(&mut told).collect()).collect();
        let decisions: Vec<Explanation> = plan.decisions.iter().map(Decision::explain).collect();
        let look_again = plan.look_again.map(|(at, because)| LookAgain { at, because: because.to_owned() });
        let plan = contract::Plan { batches, decisions, notices: plan.notices, look_again };
        (Reconciled { id: self.plans, key, plan }, asked)
    }

    /// Says of a Job that is due that it waits for the watch.
    fn waiting_for_watch(&mut self, now: Timestamp) -> Option<Reconciled> {
        let key = self.holds.untold().find(|key| self.jobs.due_at(&Item::Job((*key).clone())).is_some_and(|at| at <= now))?.clone();
        let (kind, written) = self.holds.tell(&key, &self.freshness)?;
        self.metrics.stale(kind);
        let seen = self.freshness.seen(kind, &key.namespace);
        let decision = Decision::Guard(Guard::WaitsForWatch { kind: kind.name(), written, seen });
        Some(self.tell(key.told(), Plan::because(decision)).0)
    }
}

/// One plan out of two that follow one another, the first of which asks for nothing.
fn joined(first: Reconciled, mut rest: Reconciled) -> Reconciled {
    rest.plan.decisions.splice(0..0, first.plan.decisions);
    rest.plan.notices.splice(0..0, first.plan.notices);
    rest.plan.look_again = rest.plan.look_again.or(first.plan.look_again);
    rest
}
