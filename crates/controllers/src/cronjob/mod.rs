//! The CronJob controller: starts Jobs on a schedule, and cleans up those that have finished.
//!
//! Docs: CronJob, all headings. `reconcile.rs` is the table of contents; how a CronJob's turn goes is in `controller.rs`.

mod active;
mod config;
mod controller;
mod decision;
mod due;
mod events;
mod explain;
mod history;
mod job_template;
mod last_runs;
mod late;
mod managed_by;
mod obstacles;
mod outcomes;
mod pause;
mod plan;
mod reconcile;
mod start;
mod status;
mod timetable;
mod triggers;
mod view;

use crate::runtime::decision::Kinds;
use crate::runtime::{Run, Worker};

pub use config::Config;

/// The worker of the CronJob controller.
pub(crate) fn workers(config: &Config) -> Vec<Box<dyn Run>> {
    vec![Box::new(Worker::new(controller::CronJobController::new(config)))]
}

/// The kinds of the CronJob controller's decisions.
pub(crate) fn decision_kinds() -> &'static Kinds {
    decision::kinds()
}
