//! What crosses the boundary between controllers and their host, and what every host needs besides.
//!
//! Docs: `crates/component/wit/controllers.wit` is the contract, for every language; what is written there is not repeated here. The controllers' side
//! is `controllers::ControllerManager`, the hosts' [`Manager`].

pub mod canonical;
pub mod decision;
mod embedded;
mod event;
pub mod execution;
mod explanation;
pub mod metrics;
mod plan;

pub use api::Malformed;
pub use api::request::{ApiError, Cause, ContentType, Method, Outcome, Request, Written};
pub use decision::{Decision, DecisionKind, Period, Role, Sentence, Value};
pub use event::{Change, Event, Listing, ObjectJson, Part, Report};
pub use execution::Execution;
pub use explanation::{Explanation, Forecast, Obstacle, Related};
pub use plan::{Command, Notice, ObjectRef, Plan, PlanId, Requeue, Wakeup};

use api::{Text, Timestamp};
use serde::{Deserialize, Serialize};

/// A manager of controllers, called directly or through the wall of a sandbox.
pub trait Manager {
    /// What to list and watch.
    fn resources(&mut self) -> Vec<ApiResource>;

    /// Handles one event.
    ///
    /// # Errors
    /// If an object is malformed; see `handle` in the WIT for what holds then.
    fn handle(&mut self, event: Event, now: Timestamp) -> Result<(), Malformed>;

    /// The next plan that is due.
    fn next_plan(&mut self, now: Timestamp) -> Option<Plan>;

    /// When to call [`next_plan`](Manager::next_plan) again if nothing else happens.
    fn next_wakeup(&mut self) -> Option<Wakeup>;

    /// What an object is stuck on, and what is decided about it at a moment; `warnings` are Kubernetes Events about it in JSON. It changes nothing.
    ///
    /// # Errors
    /// If a kind is not listed yet, or no controller knows the object.
    fn explain(&mut self, object: &ObjectRef, warnings: &[Text], now: Timestamp) -> Result<Explanation, String>;

    /// Loses all that the manager holds in memory, as a restart of its process does.
    fn restart(&mut self);

    /// Begins again with what the objects, which are listed next, show of what other managers did before: the state of a cluster is continued. By
    /// default nothing is known of that, as after a restart.
    fn take_over(&mut self) {}

    /// Why the manager's memory was lost since this was last called, if it was: then everything is to be listed again.
    ///
    /// To be called after each other call. The call during which it was lost has had no effect and no answer. By default it never is.
    fn lost(&mut self) -> Option<String> {
        None
    }
}

/// A configuration of an instance that takes over from others, made of one that does not; `None` if it says itself what the instance knows.
#[must_use]
pub fn taking_over(configuration: &str) -> Option<String> {
    let mut members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(configuration).ok()?;
    if members.contains_key("memory") {
        return None;
    }
    members.insert("memory".to_owned(), "rebuilt".into());
    serde_json::to_string(&members).ok()
}

/// A resource of the API server: what listing and watching need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiResource {
    /// The API group; empty for the core group.
    pub group: Text,
    /// The version in it: `v1`.
    pub version: Text,
    /// The kind: `Pod`.
    pub kind: Text,
    /// The name in paths: `pods`.
    pub plural: Text,
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
}

/// Versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Versions {
    /// The version of the component: `0.1.0`.
    pub component: String,
    /// The version of Kubernetes that it follows: `v1.37`.
    pub kubernetes: String,
    /// The version of the time zone database in it, if it has one: `2026b`.
    pub time_zones: Option<String>,
}

impl From<api::Kind> for ApiResource {
    fn from(kind: api::Kind) -> Self {
        let version = kind.api_version().rsplit('/').next().unwrap_or_default();
        let (group, version) = (kind.group().into(), version.into());
        Self { group, version, kind: kind.name().into(), plural: kind.resource().into(), namespaced: true }
    }
}

impl ApiResource {
    /// Group and version, as in `apiVersion:`.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.to_string() } else { format!("{}/{}", self.group, self.version) }
    }

    /// The path of all objects in a namespace; in all of them, or of a resource without namespaces, if it is empty.
    #[must_use]
    pub fn path(&self, namespace: &str) -> String {
        let root = if self.group.is_empty() { "/api" } else { "/apis" };
        let scope = if namespace.is_empty() { String::new() } else { format!("/namespaces/{namespace}") };
        format!("{root}/{}{scope}/{}", self.api_version(), self.plural)
    }
}
