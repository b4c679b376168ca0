//! What crosses the border between the controllers and whoever runs them, as plain data.
//!
//! Docs: `crates/component/wit/controllers.wit` is the same border for other languages. Objects cross as the JSON text that came.
//! The controllers' side of it is `controllers::ControllerManager`; whoever runs them, in this workspace or elsewhere,
//! does it by [`Manager`]: tell it events, carry out its plans, tell it the outcomes, wake it when it asks to be woken.

mod embedded;
pub mod metrics;

use std::sync::Arc;

pub use api::request::{ApiError, Cause, ContentType, Method, Outcome, Request, Written};
use api::{Kind, Text, Timestamp};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// A manager of controllers, whatever lies between it and its user: nothing, or the wall of a sandbox.
///
/// Call [`next_plan`](Manager::next_plan) until it answers `None` after each [`handle`](Manager::handle) and at each wake-up.
pub trait Manager {
    /// Takes in one event.
    ///
    /// # Errors
    /// If an object cannot be understood: its kind, name and the reason. The manager's state is then unchanged.
    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), String>;

    /// The next plan that is due.
    fn next_plan(&mut self, now: Timestamp) -> Option<Reconciled>;

    /// When to call [`next_plan`](Manager::next_plan) again if nothing else happens.
    fn next_wakeup(&mut self) -> Option<Wakeup>;

    /// Loses all that the manager holds in memory, as a restart of its process does.
    fn restart(&mut self);

    /// Why the manager's memory was lost since this was last asked, if it was: then everything is to be listed again.
    ///
    /// To be asked after each call. The call during which it was lost has had no effect and no answer. By default it never is.
    fn lost(&mut self) -> Option<String> {
        None
    }
}

/// The JSON text of one object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Json {
    /// The object's kind; the text itself need not name it.
    pub kind: Kind,
    /// The text.
    #[serde(with = "embedded", rename = "object")]
    pub text: Text,
}

/// Something that a manager is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A watch showed a change.
    Changed(Change),
    /// A complete list of a kind, or a part of one: what the manager knows beyond all of its parts is gone.
    Listed {
        /// The kind.
        kind: Kind,
        /// Which part of the list it is.
        part: Part,
        /// The version of the list itself: all writes up to it are in the list. It matters on the last part.
        resource_version: Text,
        /// All objects of the kind that are in this part.
        #[serde(with = "embedded::many")]
        objects: Vec<Text>,
    },
    /// A plan was carried out, as far as it went.
    Finished {
        /// The plan.
        plan: PlanId,
        /// One outcome for each command, in order of batches and in their order.
        outcomes: Vec<Outcome>,
    },
}

/// Which part of a list is told. Until its last part, the kind counts as not listed, and nothing is planned (J-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// All of it.
    Whole,
    /// The first of several parts. It begins anew, also after a list that was broken off.
    First,
    /// One that goes on after the first, with more to come.
    Middle,
    /// The one that ends the list.
    Last,
}

/// One change that a watch showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// The object is there, in this state.
    Applied(Json),
    /// The object is gone; this was its last state.
    Deleted(Json),
}

/// The number of a plan, unique for one manager.
pub type PlanId = u64;

/// What a plan is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The queue, as upstream's metrics name it: `job`, `job_orphan_pod`.
    pub queue: Text,
    /// The object's namespace.
    pub namespace: Text,
    /// The object's name; for a selector, the name of the Job that it belonged to.
    pub name: Text,
}

/// A plan, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconciled {
    /// The plan's number, to be told with its outcomes.
    pub id: PlanId,
    /// What it is about.
    pub key: Key,
    /// What to do and why.
    pub plan: Plan,
}

/// What to do, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// A batch starts only when every command of the batch before it succeeded, or failed with a status that it tolerates. Within a batch
    /// they run side by side.
    pub batches: Vec<Vec<Command>>,
    /// Why, with the numbers; never empty, not even for an empty plan.
    pub decisions: Vec<Explanation>,
    /// Kubernetes Events to record, best effort.
    pub notices: Vec<Notice>,
    /// When the object is looked at again if nothing happens before.
    pub look_again: Option<LookAgain>,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The request.
    pub request: Request,
    /// HTTP status codes that do not hold up the rest of the plan: 404 where something is to be taken away. Their outcome is `Failed`.
    pub tolerates: Vec<u16>,
}

/// A decision as it is told to people and programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What kind of decision it is.
    #[serde(flatten)]
    pub kind: Arc<DecisionKind>,
    /// The decision in a sentence, with its numbers.
    pub sentence: String,
    /// The numbers and names in it: the text of a JSON object. Times are RFC 3339, lengths of time milliseconds.
    #[serde(serialize_with = "as_json")]
    pub values: String,
}

impl Explanation {
    /// One of the numbers and names; null if there is none of this name.
    #[must_use]
    pub fn value(&self, name: &str) -> Value {
        serde_json::from_str::<Value>(&self.values).map(|mut values| values[name].take()).unwrap_or_default()
    }
}

/// What all decisions of one kind have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionKind {
    /// Which decision, in one stable word: `BackoffLimitExceeded`.
    pub code: Text,
    /// Whether something is done (●), or left alone or waited for (○).
    pub acts: bool,
    /// The page of the Kubernetes documentation, and its heading.
    pub page: Text,
    /// The heading on that page.
    pub heading: Text,
    /// The rule of the specification: `J-46d`.
    pub rule: Text,
    /// The fields of the manifest that it rests on: `spec.backoffLimit`.
    pub fields: Vec<Text>,
}

fn as_json<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(values) => values.serialize(serializer),
        Err(_) => serializer.serialize_str(text),
    }
}

/// A Kubernetes Event to record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// The object that it is about.
    pub regarding: Regarding,
    /// Whether something went wrong.
    pub warning: bool,
    /// The reason in one word.
    pub reason: String,
    /// The message.
    pub message: String,
}

/// The object that a notice is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Regarding {
    /// Its kind.
    pub kind: Kind,
    /// Its namespace.
    pub namespace: Text,
    /// Its name.
    pub name: Text,
    /// Its UID.
    pub uid: Text,
}

/// A time at which something is due, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAgain {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// Why: "the back-off after 2 failures ends".
    pub because: String,
}

/// When a manager wants to be asked for plans again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wakeup {
    /// When.
    #[serde(with = "api::time")]
    pub at: Timestamp,
    /// What for.
    pub key: Key,
    /// Why.
    pub because: String,
}
