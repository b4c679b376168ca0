//! What really became of one pod.
//!
//! Docs: Pod Lifecycle, "Pod phase"; Jobs, "Job tracking with finalizers". Who reads it: `invariants/`.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use api::meta::names;
use api::{ObjectMeta, Text, Timestamp};
use serde_json::Value;

use cluster::stored::Stored;

/// One pod, from its creation on.
#[derive(Debug)]
pub(crate) struct PodRecord {
    /// Its last state.
    pub(crate) stored: Arc<Stored>,
    /// Its states before, since it ended or was to be deleted: the manager may have seen it in them.
    earlier: Vec<Self>,
    /// Whether it went.
    pub(crate) gone: bool,
    /// The UID of the Job that controls it, or did last; empty if none ever did.
    pub(crate) job: Text,
    /// The completion indexes that it ever carried.
    pub(crate) indexes: BTreeSet<u32>,
    /// Whether it is not what the controllers made of it: people made it, or changed its labels, owners, annotations or finalizers.
    pub(crate) touched: bool,
    /// Whether a controller of another kind made it and has it still: it is none of a Job's business, whatever its labels.
    pub(crate) foreign: bool,
    /// Whether a person changed its phase after it had ended: it may count as either phase.
    pub(crate) turned: bool,
    /// Whether it held the tracking finalizer when it ended or was to be deleted, or when its Job adopted it after that: it may count.
    pub(crate) countable: bool,
    /// In which step it came onto a list of its Job or lost the finalizer: until then its end is news each time that the manager looks.
    pub(crate) settled: Option<u64>,
    /// When the controllers requested its deletion, if they did.
    pub(crate) deleted_by_controllers: Option<Timestamp>,
    /// When the plan was made that created it, and whether that was answered.
    pub(crate) birth: Option<Birth>,
    facts: OnceCell<api::Pod>,
    json: OnceCell<Value>,
}

/// How the controllers created a pod.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Birth {
    /// When the plan was made.
    pub(crate) planned_at: Timestamp,
    /// Whether the creation was answered.
    pub(crate) answered: bool,
}

impl PodRecord {
    /// A pod that was just created.
    pub(super) fn new(stored: Arc<Stored>, birth: Option<Birth>) -> Self {
        Self {
            stored,
            earlier: Vec::new(),
            gone: false,
            job: Text::default(),
            indexes: BTreeSet::new(),
            touched: birth.is_none(),
            foreign: birth.is_none(),
            turned: false,
            countable: false,
            settled: None,
            deleted_by_controllers: None,
            birth,
            facts: OnceCell::new(),
            json: OnceCell::new(),
        }
    }

    /// Its metadata.
    pub(crate) fn metadata(&self) -> &ObjectMeta {
        self.stored.metadata()
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.metadata().name
    }

    /// Records another state of it.
    pub(super) fn change(&mut self, after: &Arc<Stored>, gone: bool) {
        let before = self.phase().to_owned();
        let had_ended = self.ended();
        if had_ended || self.metadata().deleting() {
            self.earlier.push(Self::new(Arc::clone(&self.stored), self.birth));
        }
        self.stored = Arc::clone(after);
        self.gone = gone;
        self.facts = OnceCell::new();
        self.json = OnceCell::new();
        self.turned |= had_ended && self.phase() != before;
        self.touched |= self.turned;
    }

    /// It, and it as it was since it ended or was to be deleted.
    pub(crate) fn states(&self) -> impl Iterator<Item = &Self> {
        self.earlier.iter().chain([self])
    }

    /// Whether it succeeded, or may be taken for a pod that did.
    pub(crate) fn succeeded(&self) -> bool {
        self.phase() == "Succeeded" || self.turned
    }

    /// Whether it failed, or may be taken for a pod that did.
    pub(crate) fn failed(&self) -> bool {
        self.phase() == "Failed" || self.turned
    }

    /// Its phase.
    pub(crate) fn phase(&self) -> &str {
        self.stored.pod().map_or("", |pod| pod.status.phase())
    }

    /// Whether its containers have ended for good.
    pub(crate) fn ended(&self) -> bool {
        matches!(self.phase(), "Succeeded" | "Failed")
    }

    /// Whether it is there, has not ended and is not being deleted (J-70).
    pub(crate) fn active(&self) -> bool {
        !self.gone && !self.ended() && !self.metadata().deleting()
    }

    /// Whether it is there, has not ended and is being deleted (J-70).
    pub(crate) fn terminating(&self) -> bool {
        !self.gone && !self.ended() && self.metadata().deleting()
    }

    /// Whether it is there and holds the tracking finalizer.
    pub(crate) fn tracked(&self) -> bool {
        !self.gone && self.metadata().has_finalizer(names::JOB_TRACKING)
    }

    /// Its completion index.
    pub(crate) fn index(&self) -> Option<u32> {
        self.number(names::COMPLETION_INDEX)
    }

    /// Failures of its index before it: those that count and those that a policy ignored (J-110).
    pub(crate) fn failures_before(&self) -> (u32, u32) {
        let number = |name| self.number(name).unwrap_or(0);
        (number(names::INDEX_FAILURE_COUNT), number(names::INDEX_IGNORED_FAILURE_COUNT))
    }

    /// All that its node reported, for a pod that has ended.
    pub(crate) fn facts(&self) -> &api::Pod {
        assert!(self.ended(), "reports of a pod that has not ended are not kept");
        self.facts.get_or_init(|| read(&self.stored))
    }

    /// The whole pod.
    pub(crate) fn json(&self) -> &Value {
        self.json.get_or_init(|| serde_json::from_str(&self.stored.json()).expect("a stored pod is JSON"))
    }

    fn number(&self, annotation: &str) -> Option<u32> {
        self.metadata().annotations.get(annotation)?.parse().ok()
    }
}

/// A stored pod as controllers read it.
pub(crate) fn read(stored: &Stored) -> api::Pod {
    serde_json::from_str(&stored.json()).expect("the server stores what is a pod")
}
