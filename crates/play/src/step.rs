//! A step of a play: one thing that happened, what is seen of it, and the objects that it touched.
//!
//! Docs: Kubernetes Components. Steps are made in `play.rs`; entries, in `trace/`.

use std::collections::BTreeMap;
use std::sync::Arc;

use api::{Text, Timestamp};
use cluster::apiserver::Write;
use cluster::stored::Stored;
use contract::{ObjectRef, Plan, Requeue};

use crate::fault::Fault;
use crate::trace::{Entry, Known, Trace};
use crate::world::turn::Effect;

/// One thing that happened, with all that came of it at once.
#[derive(Debug, Clone)]
pub struct Step {
    /// When.
    pub at: Timestamp,
    /// What brought it about.
    pub trigger: Trigger,
    /// What a person sees of it.
    pub entries: Vec<Entry>,
    /// The objects that were written, in the order in which each was first.
    pub touched: Vec<Touched>,
}

/// What brings a step about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// The controllers planned something, and it was carried out.
    Plan {
        /// The controller that made the plan.
        controller: Text,
        /// What the plan is about.
        object: ObjectRef,
        /// When it is synced again if nothing happens before.
        requeue_at: Option<Requeue>,
    },
    /// Objects changed by themselves: by their nodes, or because their owners went.
    Change,
    /// Something was done from outside.
    Action {
        /// What, in the words of the script language.
        text: Text,
        /// What it brings that lasts.
        fault: Option<Fault>,
    },
    /// The requests of a plan were answered whose decisions were shown before.
    Answers {
        /// The controller that made the plan.
        controller: Text,
        /// What the plan is about.
        object: ObjectRef,
    },
    /// Objects are there from the beginning, as another cluster had them.
    Found,
    /// An object of the manifest was created with which the play begins.
    Applied,
    /// The clock of a CronJob's time zone is set forward or back, past times that its schedule chooses.
    ClockChange {
        /// The CronJob.
        object: ObjectRef,
        /// Whether it is set forward: the times do not exist. Otherwise, they occur twice.
        forward: bool,
        /// How many times.
        times: usize,
    },
    /// What is known of a cluster differs from what these controllers decide.
    Difference,
    /// The API server warned of something, or the controllers refused an object or crashed.
    Complaint,
}

/// An object that a step wrote.
#[derive(Debug, Clone)]
pub struct Touched {
    /// `Kind/namespace/name`.
    pub key: Text,
    /// Before the step, if it was there.
    pub before: Option<Arc<Stored>>,
    /// After the step; if it went, its last state.
    pub after: Arc<Stored>,
    /// Whether it went.
    pub gone: bool,
    /// What is known of it if it is a pod.
    pub pod: Option<Known>,
}

impl Step {
    /// What happened at a time, in order, as a step.
    #[must_use]
    pub fn new(at: Timestamp, trigger: Trigger, happened: &[Effect], trace: &mut Trace) -> Self {
        Self { at, trigger, entries: trace.entries(happened, at), touched: touched(happened, trace) }
    }
}

impl Trigger {
    /// What brings a step about that begins so.
    #[must_use]
    pub fn of(effect: &Effect) -> Self {
        match effect {
            Effect::Written(_) | Effect::Signalled(_) => Self::Change,
            Effect::Found(_) => Self::Found,
            Effect::Planned { executed, .. } => {
                let Plan { controller, object, requeue_at, .. } = &executed.plan;
                Self::Plan { controller: controller.clone(), object: object.clone(), requeue_at: requeue_at.clone() }
            }
            Effect::Differed { .. } => Self::Difference,
            Effect::Complaint(_) => Self::Complaint,
        }
    }
}

/// The objects that were written by all that happened in a step.
fn touched(happened: &[Effect], trace: &Trace) -> Vec<Touched> {
    let writes = happened.iter().flat_map(Effect::writes);
    let (mut touched, mut places) = (Vec::<Touched>::new(), BTreeMap::new());
    for Write { key, before, after, gone } in writes {
        let place = *places.entry(key.clone()).or_insert(touched.len());
        if let Some(known) = touched.get_mut(place) {
            (known.after, known.gone) = (Arc::clone(after), *gone);
        } else {
            touched.push(Touched { key: key.clone(), before: before.clone(), after: Arc::clone(after), gone: *gone, pod: None });
        }
    }
    for object in &mut touched {
        object.pod = object.after.pod().and_then(|pod| trace.pod(&pod.metadata.uid).cloned());
    }
    touched
}
