//! A worker: one controller with its queue and the work on its keys, as the manager drives it.
//!
//! Docs: Controllers, "Controller pattern" (J-01…J-04). What the controller decides is in its folder; the states of a key are in `sync_state.rs`.

use std::collections::VecDeque;

use api::request::Outcome;
use api::{Kind, Text, Timestamp, WarningEvent};
use contract::metrics::{Family, Measure, Sample};
use contract::{Decision, Explanation, Forecast, Notice, ObjectRef, Obstacle, Plan, PlanId, Wakeup};

use super::controller::{Context, Controller, Finished, Sent, Turn, decided};
use super::decision::{RuntimeDecision, decision};
use super::defaults::name_defaults;
use super::detail::Detail;
use super::draft::Draft;
use super::obstacle::{ObstacleParts as _, Prose, Stuck};
use super::store::{ObjectKey, Store, StoreChange};
use super::sync_state::{InFlight, SyncStates};
use super::watch_progress::Unseen;
use super::workqueue::{Work, WorkQueue};

/// Issues plans: it has their numbers, and knows which decisions they report.
#[derive(Debug)]
pub(crate) struct Issuer {
    last: PlanId,
    detail: Detail,
}

impl Issuer {
    /// An issuer of plans that report these decisions.
    pub(crate) fn new(detail: Detail) -> Self {
        Self { last: 0, detail }
    }

    fn next(&mut self) -> PlanId {
        self.last += 1;
        self.last
    }

    /// A plan without commands, for what it reports alone.
    fn report(&mut self, controller: &str, object: ObjectRef, decisions: Vec<Decision>, notices: Vec<Notice>) -> Plan {
        Plan { id: self.next(), controller: controller.into(), object, decisions, notices, ..Plan::default() }
    }
}

/// What the manager needs of a worker, whichever controller it has.
pub(crate) trait Run {
    /// The kinds that the controller lists and watches.
    fn kinds(&self) -> &'static [Kind];
    /// Handles a change that a watch or a list showed.
    fn changed(&mut self, change: &StoreChange<'_>, context: &Context<'_>);
    /// The watch of this kind has come further, in a namespace or in all of them.
    fn shown(&mut self, kind: Kind, namespace: Option<&Text>, context: &Context<'_>);
    /// Handles the outcomes of a plan, if it is one of this worker's.
    fn finished(&mut self, plan: PlanId, outcomes: &[Outcome], issuer: &mut Issuer, context: &Context<'_>);
    /// The next report on a plan that is over, or plan for the rest of a sync.
    fn next_rest(&mut self, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan>;
    /// The next plan for a key that is due.
    fn next_due_plan(&mut self, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan>;
    /// The next plan that reports of a key that is due that it waits for the watch.
    fn next_waiting(&mut self, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan>;
    /// When the first key is due.
    fn next_due(&self) -> Option<Timestamp>;
    /// When a key is due, or to be reported, and why.
    fn next_wakeup(&self, store: &Store) -> Option<Wakeup>;
    /// What is decided about an object.
    fn explain(&self, object: &ObjectRef, warnings: &[WarningEvent], context: &Context<'_>) -> Option<Explanation>;
    /// What the controller counted.
    fn metrics(&self) -> Vec<Family>;
    /// How many keys are due and not taken up.
    fn depth(&self, now: Timestamp) -> Sample;
}

/// A controller at work.
#[derive(Debug)]
pub(crate) struct Worker<C: Controller> {
    controller: C,
    queue: WorkQueue,
    states: SyncStates<C>,
    /// Plans without commands that report the outcomes of others.
    reports: VecDeque<Plan>,
}

impl<C: Controller> Worker<C> {
    /// A worker that knows of nothing yet.
    pub(crate) fn new(controller: C) -> Self {
        Self { controller, queue: WorkQueue::default(), states: SyncStates::default(), reports: VecDeque::new() }
    }

    fn plan(&mut self, key: &ObjectKey, rest: Option<C::Rest>, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan> {
        match self.controller.plan(key, rest, &mut self.queue, context) {
            Turn::Planned(draft) => Some(self.issue(key, draft, issuer, context)),
            Turn::Over => {
                self.queue.mark(key, Work::None);
                None
            }
        }
    }

    /// Says of annotations that decisions about an object name which of them it does not carry.
    fn name_defaults<'d>(&self, key: &ObjectKey, decisions: impl Iterator<Item = &'d mut Decision>, context: &Context<'_>) {
        if let Some(defaults) = self.controller.defaults()
            && let Some(object) = context.store.object(C::KIND, key)
        {
            name_defaults(decisions, defaults, &object.metadata().annotations);
        }
    }

    /// Hands out a plan; what its requests are for stays here. One without requests is over at once.
    fn issue(
        &mut self,
        key: &ObjectKey,
        draft: Draft<C::Intent, C::Sync, C::Decision>,
        issuer: &mut Issuer,
        context: &Context<'_>,
    ) -> Plan {
        let object = context.store.reference(C::KIND, key);
        if let Some((at, reason)) = draft.requeue_at {
            self.queue.add(key.clone(), reason, at);
        }
        let mut requests = Vec::new();
        let requeue_at = draft.requeue_for_host();
        let batches = draft.batches.into_iter().map(|batch| {
            let commands = batch.into_iter().map(|command| {
                let (command, request) = command.split();
                requests.push(request);
                command
            });
            commands.collect()
        });
        let batches = batches.collect();
        let mut decisions = decided(&draft.decisions, &object.namespace, issuer.detail);
        self.name_defaults(key, decisions.iter_mut(), context);
        let plan = Plan { id: issuer.next(), controller: C::NAME.into(), batches, decisions, notices: draft.notices, requeue_at, object };
        let in_flight = InFlight { plan: plan.id, uid: plan.object.uid.clone(), requests, sync: draft.sync };
        if in_flight.requests.is_empty() {
            self.over(key, in_flight, &[], issuer, context);
        } else {
            self.states.begin(key, in_flight);
        }
        plan
    }

    /// What the key waits for before it is synced again, if it does.
    fn waits_for(&self, key: &ObjectKey, context: &Context<'_>) -> Option<RuntimeDecision> {
        let awaited = self.states.awaited(key).map(|awaited| waits_for_watch(key, awaited, context));
        awaited.or_else(|| Some(RuntimeDecision::WaitsForRequests { requests: self.states.requests(key)? }))
    }

    /// A plan was carried out: what follows from it waits for the watch, or comes next.
    fn over(&mut self, key: &ObjectKey, in_flight: InFlight<C>, outcomes: &[Outcome], issuer: &mut Issuer, context: &Context<'_>) {
        let (mut unseen, mut sent) = (Unseen::default(), Vec::new());
        for (at, request) in in_flight.requests.iter().enumerate() {
            let outcome = outcomes.get(at).unwrap_or(&Outcome::Skipped);
            if let (Outcome::Done(written), Some(kind)) = (outcome, request.writes) {
                unseen.wrote(kind, &written.resource_version);
            }
            let failed = matches!(outcome, Outcome::Failed(error) if !request.tolerates.contains(&error.code));
            sent.push(Sent { intent: &request.intent, outcome, failed });
        }
        let Finished { rest, decisions, notices } = self.controller.finished(key, in_flight.sync, &sent, &mut self.queue, context);
        let next = self.states.rest(key, unseen, rest, context.progress);
        self.queue.mark(key, next);
        if !decisions.is_empty() || !notices.is_empty() {
            let object = context.store.reference(C::KIND, key);
            let decisions = decided(&decisions, &object.namespace, issuer.detail);
            self.reports.push_back(issuer.report(C::NAME, object, decisions, notices));
        }
    }
}

impl<C: Controller> Run for Worker<C> {
    fn kinds(&self) -> &'static [Kind] {
        C::KINDS
    }

    fn changed(&mut self, change: &StoreChange<'_>, context: &Context<'_>) {
        if let Some(gone) = self.controller.changed(change, &mut self.queue, context)
            && self.states.forget(&gone)
        {
            self.queue.mark(&gone, Work::None);
        }
    }

    fn shown(&mut self, kind: Kind, namespace: Option<&Text>, context: &Context<'_>) {
        for (key, work) in self.states.shown(kind, namespace, context.progress) {
            // A key that waits still stays as it was: that it waits is reported once.
            if work != Work::Held {
                self.queue.mark(&key, work);
            }
        }
    }

    fn finished(&mut self, plan: PlanId, outcomes: &[Outcome], issuer: &mut Issuer, context: &Context<'_>) {
        let Some((key, in_flight)) = self.states.end(plan) else { return };
        // The outcome of a request about an object has no bearing on another object of its name.
        if context.store.reference(C::KIND, &key).uid == in_flight.uid {
            self.over(&key, in_flight, outcomes, issuer, context);
        } else {
            self.queue.mark(&key, Work::None);
        }
    }

    fn next_rest(&mut self, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan> {
        loop {
            if let Some(report) = self.reports.pop_front() {
                return Some(report);
            }
            let (key, rest) = self.states.next_rest()?;
            if let Some(plan) = self.plan(&key, Some(rest), issuer, context) {
                return Some(plan);
            }
        }
    }

    fn next_due_plan(&mut self, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan> {
        while let Some(key) = self.queue.pop_due(context.now) {
            if let Some(plan) = self.plan(&key, None, issuer, context) {
                return Some(plan);
            }
        }
        None
    }

    fn next_waiting(&mut self, issuer: &mut Issuer, context: &Context<'_>) -> Option<Plan> {
        let (_, key, _) = self.queue.next_due(Work::Held).filter(|(at, ..)| *at <= context.now)?;
        let key = key.clone();
        self.queue.mark(&key, Work::Busy);
        let awaited = self.states.awaited(&key).expect("a key is held only while it waits for the watch");
        self.controller.stale(awaited.0);
        let decisions = decided(&[waits_for_watch(&key, awaited, context)], &key.namespace, issuer.detail);
        Some(issuer.report(C::NAME, context.store.reference(C::KIND, &key), decisions, Vec::new()))
    }

    fn next_due(&self) -> Option<Timestamp> {
        self.queue.next_due(Work::None).map(|(at, ..)| at)
    }

    fn next_wakeup(&self, store: &Store) -> Option<Wakeup> {
        let held = self.queue.next_due(Work::Held).map(|(at, key, _)| (at, key, "it waits for the watch to show a write"));
        let (at, key, reason) = self.queue.next_due(Work::None).into_iter().chain(held).min_by_key(|(at, ..)| *at)?;
        Some(Wakeup { at, controller: C::NAME.into(), object: store.reference(C::KIND, key), reason: reason.to_owned() })
    }

    fn explain(&self, object: &ObjectRef, warnings: &[WarningEvent], context: &Context<'_>) -> Option<Explanation> {
        let key = ObjectKey { namespace: object.namespace.clone(), name: object.name.clone() };
        let there = context.store.object(C::KIND, &key).filter(|_| *object.kind == *C::KIND.name())?;
        if !object.uid.is_empty() && object.uid != there.metadata().uid {
            return None;
        }
        let mut explanation = self.controller.explain(&key, warnings, context)?;
        if let Some(waiting) = self.waits_for(&key, context) {
            // What would be decided in its place has been decided already, and its requests have been sent.
            explanation.now = Forecast { decisions: vec![decision(&waiting, &object.namespace)], batches: Vec::new() };
        }
        let related = explanation.related.iter_mut().map(|related| &mut related.decision);
        let next = explanation.next.iter_mut().flat_map(|next| &mut next.decisions);
        self.name_defaults(&key, explanation.now.decisions.iter_mut().chain(next).chain(related), context);
        explanation.obstacles.extend(sync_ahead(
            &self.queue,
            &key,
            ObjectRef::of(C::KIND.name(), there.metadata()),
            &explanation,
            context.now,
        ));
        Some(explanation)
    }

    fn metrics(&self) -> Vec<Family> {
        self.controller.metrics()
    }

    fn depth(&self, now: Timestamp) -> Sample {
        let depth = self.queue.depth(now).try_into().unwrap_or(i64::MAX);
        Sample { labels: vec![("name".to_owned(), C::QUEUE.to_owned())], value: Measure::Gauge(depth) }
    }
}

/// That what would be decided about an object is decided later: a request failed, or it is not time yet.
fn sync_ahead(queue: &WorkQueue, key: &ObjectKey, object: ObjectRef, explained: &Explanation, now: Timestamp) -> Option<Obstacle> {
    let (at, because) = queue.due(key).filter(|(at, _)| *at > now)?;
    let acts = explained.obstacles.is_empty() && !explained.now.batches.is_empty();
    let failed = queue.failures(key) > 0 && explained.obstacles.iter().all(|obstacle| obstacle.until != Some(at));
    (acts || failed).then(|| {
        let sentence = Prose::new("its next sync is").since(" at ", Some(at)).text(": ").text(because);
        Stuck { objects: vec![object], count: 1 }.obstacle("SyncAhead", sentence).passes(Some(at))
    })
}

fn waits_for_watch(key: &ObjectKey, (kind, written): (Kind, u64), context: &Context<'_>) -> RuntimeDecision {
    RuntimeDecision::WaitsForWatch { kind: kind.name(), written, seen: context.progress.seen(kind, &key.namespace) }
}
