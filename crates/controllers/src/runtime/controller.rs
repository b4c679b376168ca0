//! The trait of a controller: what is its own, and what the runtime needs of it.
//!
//! Docs: Controllers, "Controller pattern". Each folder beside this one implements it; `worker.rs` calls it.

use std::fmt::Debug;

use api::meta::Labels;
use api::request::Outcome;
use api::{Kind, Text, Timestamp, WarningEvent};
use contract::decision::Decision;
use contract::metrics::Family;
use contract::{Explanation, Notice};

use super::decision::{Decide, decision};
use super::detail::Detail;
use super::draft::Draft;
use super::store::{ObjectKey, Store, StoreChange};
use super::watch_progress::WatchProgress;
use super::workqueue::WorkQueue;

/// A controller: its keys, what its requests are for, and its decisions.
pub(crate) trait Controller: Debug + Sized {
    /// What a request is for.
    type Intent: Debug;
    /// What is known of a plan while it is carried out.
    type Sync: Debug;
    /// What is left of a sync once the watch has shown its writes.
    type Rest: Debug;
    /// Its reasons.
    type Decision: Decide;

    /// Its name: `job`.
    const NAME: &'static str;
    /// The name of its queue in metrics.
    const QUEUE: &'static str = Self::NAME;
    /// The kind of the objects that it works on: their keys are in its queue.
    const KIND: Kind;
    /// The kinds that it lists and watches.
    const KINDS: &'static [Kind];

    /// Handles a change that a watch or a list showed, and makes keys due. Returns the key whose object it removed, if any.
    fn changed(&mut self, change: &StoreChange<'_>, queue: &mut WorkQueue, context: &Context<'_>) -> Option<ObjectKey>;

    /// The plan for a key that is due, or for the rest of a sync.
    fn plan(&mut self, key: &ObjectKey, rest: Option<Self::Rest>, queue: &mut WorkQueue, context: &Context<'_>) -> Turn<Self>;

    /// Handles the outcomes of a plan. A plan without requests has none.
    fn finished(
        &mut self,
        key: &ObjectKey,
        sync: Self::Sync,
        sent: &[Sent<'_, Self::Intent>],
        queue: &mut WorkQueue,
        context: &Context<'_>,
    ) -> Finished<Self>;

    /// A key that is due waits for the watch to show a write of this kind.
    fn stale(&mut self, kind: Kind);

    /// What is decided about an object that is there; `None` if it decides nothing.
    fn explain(&self, key: &ObjectKey, warnings: &[WarningEvent], context: &Context<'_>) -> Option<Explanation>;

    /// The annotations that objects have without carrying them, if any are configured.
    fn defaults(&self) -> Option<&Labels> {
        None
    }

    /// What it counted.
    fn metrics(&self) -> Vec<Family>;
}

/// What a controller reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'a> {
    /// What the cluster stores, according to lists and watches.
    pub(crate) store: &'a Store,
    /// How far the watches have come.
    pub(crate) progress: &'a WatchProgress,
    /// The time.
    pub(crate) now: Timestamp,
}

/// What comes of a turn of a key.
#[derive(Debug)]
pub(crate) enum Turn<C: Controller> {
    /// A plan.
    Planned(Draft<C::Intent, C::Sync, C::Decision>),
    /// There was nothing left to do.
    Over,
}

/// A request that was sent or skipped, and its outcome.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent<'a, I> {
    /// What it was for.
    pub(crate) intent: &'a I,
    /// Its outcome.
    pub(crate) outcome: &'a Outcome,
    /// Whether it failed with a status that it does not tolerate.
    pub(crate) failed: bool,
}

/// What follows from the outcomes of a plan.
#[derive(Debug)]
pub(crate) struct Finished<C: Controller> {
    /// What is left of the sync, once the watch has shown its writes.
    pub(crate) rest: Option<C::Rest>,
    /// What to report of the outcomes.
    pub(crate) decisions: Vec<C::Decision>,
    /// Kubernetes Events that depend on the outcomes.
    pub(crate) notices: Vec<Notice>,
}

impl<C: Controller> Default for Finished<C> {
    fn default() -> Self {
        Self { rest: None, decisions: Vec::new(), notices: Vec::new() }
    }
}

/// The reported decisions of a controller, as they leave it; `namespace` is that of the object that they are about.
pub(crate) fn decided<D: Decide>(decisions: &[D], namespace: &Text, detail: Detail) -> Vec<Decision> {
    let topics = decisions.iter().map(Decide::topic).filter(|topic| detail.has(&topic.role()));
    topics.map(|topic| decision(topic, namespace)).collect()
}
