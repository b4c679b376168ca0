//! `kubectl why`: `jobsmith explain` as a plugin of kubectl, which finds it by its name alone.
//!
//! Docs: Kubernetes, "Extend kubectl with plugins". The program is the same file under the name `kubectl-why`.

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use host_embed::{Component, Embedded};

use super::explain;
use crate::{CommandEnd, PLUGIN, guest};

/// Explain what Jobs and CronJobs are stuck on, and for one of them what the controllers decide right now and what happens next
#[derive(Parser)]
#[command(name = PLUGIN, bin_name = "kubectl why", version)]
struct Arguments {
    #[command(flatten)]
    explain: explain::Arguments,
}

/// Runs it.
///
/// # Errors
/// What keeps it from being done at all.
pub(crate) fn run(embedded: Embedded) -> anyhow::Result<CommandEnd> {
    let [usage, examples] = [explain::USAGE, explain::EXAMPLES].map(|text| text.replace("jobsmith explain", "kubectl why"));
    let matches = Arguments::command().override_usage(usage).after_help(examples).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let component = Component::embedded(embedded)?;
    explain::run(&arguments.explain, guest(&component)?)
}
