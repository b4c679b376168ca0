//! A plan in flight, with what the manager had been shown when it made it.
//!
//! Docs: `contract::Plan`, "batches". Its way through batches is `contract::Execution`.

use std::sync::Arc;

use api::request::Method;
use api::{Kind, Timestamp};
use cluster::apiserver::Target;
use cluster::stored::Stored;
use contract::Execution;

/// A plan that is being carried out.
#[derive(Debug)]
pub(crate) struct Flight {
    /// How far it is.
    pub(crate) execution: Execution,
    /// When it was made.
    pub(crate) planned: Moment,
    /// The CronJob or Job that it is about, as the manager had been shown it.
    pub(crate) object: Option<Arc<Stored>>,
}

/// A moment of a simulation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The time.
    pub(crate) at: Timestamp,
    /// The number of the step: of all that happens at one time, one thing comes after another.
    pub(crate) step: u64,
}

impl Flight {
    /// Whether the plan deletes this pod: then the controllers want it gone, not counted (J-80).
    pub(crate) fn deletes(&self, pod: &Stored) -> bool {
        let commands = self.execution.plan().commands();
        commands.filter(|command| command.request.method == Method::Delete).any(|command| {
            let target = Target::read(&command.request.path);
            target.is_some_and(|target| target.kind == Kind::Pod && *target.name == *pod.metadata().name)
        })
    }
}
