//! The TTL-after-finished controller: deletes Jobs some time after they have finished.
//!
//! Docs: Automatic Cleanup for Finished Jobs, all headings. What is decided is in `reconcile.rs`; how a Job's turn goes, in `controller.rs`.

mod config;
mod controller;
mod decision;
mod reconcile;
mod time_to_live;

use crate::runtime::decision::Kinds;
use crate::runtime::{Run, Worker};

pub use config::Config;

/// The worker of the TTL-after-finished controller.
pub(crate) fn workers(config: &Config) -> Vec<Box<dyn Run>> {
    vec![Box::new(Worker::new(controller::TtlController::new(config)))]
}

/// The kinds of the TTL-after-finished controller's decisions.
pub(crate) fn decision_kinds() -> &'static Kinds {
    decision::kinds()
}
