//! The commands on a cluster. The feature `cluster` adds them: they alone need `host_cluster`, which compiles the Kubernetes API and its client.
//!
//! Docs: `jobsmith --help`. Each command is in a file of its name; how the cluster is reached is in `access.rs`.

mod access;
mod controller;
mod creation;
mod explain;
mod replacement;
mod rerun;
mod stored;
mod target;
mod trigger;
mod wait;
mod warnings;
pub(crate) mod why;

pub(crate) use access::Arguments as AccessArguments;
pub(crate) use stored::stored;

use host_embed::Component;

use crate::{CommandEnd, guest, input};

#[derive(clap::Subcommand)]
pub(crate) enum ClusterCommand {
    /// Run the controllers on a real cluster
    Controller(Box<controller::Arguments>),
    /// Explain what Jobs and CronJobs on a cluster are stuck on, and for one of them what the controllers decide right now and what happens next
    Explain(explain::Arguments),
    /// Start a run of a CronJob on a cluster now, outside its schedule
    Trigger(trigger::Arguments),
    /// Run a finished Job on a cluster again, as a new Job
    Rerun(rerun::Arguments),
    /// Wait until Jobs on a cluster have finished, and say what they are stuck on
    Wait(wait::Arguments),
}

/// Runs a command on a cluster.
///
/// # Errors
/// What keeps it from being done at all.
pub(crate) fn run(command: &ClusterCommand, component: &Component) -> anyhow::Result<CommandEnd> {
    match command {
        ClusterCommand::Controller(arguments) => controller::run(arguments, component, guest(component)?),
        ClusterCommand::Explain(arguments) => explain::run(arguments, guest(component)?),
        ClusterCommand::Trigger(arguments) => trigger::run(arguments, component),
        ClusterCommand::Rerun(arguments) => rerun::run(arguments, component),
        ClusterCommand::Wait(arguments) => wait::run(arguments, component),
    }
}

/// A duration that was given as an option.
fn duration(text: &str) -> Result<std::time::Duration, String> {
    let length = api::duration::parse(text).and_then(|length| length.try_into().ok());
    length.ok_or_else(|| input::with_unit(text, api::duration::GRAMMAR))
}
