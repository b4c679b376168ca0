//! The Job controller: what to do about one Job at one moment, and why.
//!
//! Docs: Jobs, all headings. `reconcile.rs` is the table of contents; how a turn goes is in `controller.rs`.

mod backoff;
mod backoff_per_index;
mod conditions;
mod config;
mod controller;
mod deadline;
mod decision;
mod deletion;
mod expectations;
mod explain;
mod extensions;
mod fields;
mod indexes;
mod limits;
mod memory;
mod metrics;
mod obstacles;
mod orphans;
mod outcomes;
mod ownership;
mod parallelism;
mod pending;
mod plan;
#[cfg_attr(not(test), expect(dead_code, reason = "the rules on failures (X-6) are still to use it"))]
mod pod_changes;
mod pod_failure_policy;
mod pod_template;
mod reconcile;
mod replacement;
mod settle;
mod success_policy;
mod suspend;
mod tally;
mod tracking;
mod triggers;
mod verdict;
mod view;

use crate::runtime::decision::Kinds;
use crate::runtime::{InitialMemory, Run, Worker};

pub use config::Config;
pub use limits::Limits;

/// The workers of the Job controller: Jobs, and pods whose finalizer is left over.
pub(crate) fn workers(config: &Config, memory: InitialMemory) -> Vec<Box<dyn Run>> {
    let orphans = orphans::Orphans::new(config.clone());
    vec![Box::new(Worker::new(controller::JobController::new(config.clone(), memory))), Box::new(Worker::new(orphans))]
}

/// The kinds of the Job controller's decisions.
pub(crate) fn decision_kinds() -> &'static Kinds {
    decision::kinds()
}
