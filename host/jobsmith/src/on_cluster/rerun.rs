//! `jobsmith rerun`: a Job that has finished, once more.
//!
//! Docs: Jobs, "Specifying your own Pod selector"; Kubernetes API Concepts, "Dry-run". What the new Job is made of is in `api::manual`, how it is
//! created in `creation.rs`, how it takes the place of the first one in `replacement.rs`.

use std::time::Duration;

use api::manual;
use api::request::Request;
use api::{Job, Kind};
use host_cluster::cluster::Failure;
use host_embed::Component;
use serde_json::Value;

use super::creation;
use super::replacement::Replacement;
use super::target::{self, ClusterNamespace, TargetWord};
use crate::{CommandEnd, output};

/// The arguments of `jobsmith rerun`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The Job: `job/NAME`, or just its name
    #[arg(value_name = "job/NAME", value_parser = target::job_word, required = true, num_args = 1..=2)]
    words: Vec<TargetWord>,

    /// Run it again even if it has not finished
    #[arg(long)]
    force: bool,

    /// Delete the Job and its pods first, and keep its name
    #[arg(long, conflicts_with = "name")]
    replace: bool,

    /// Give up if the old Job still exists after this time, for example `30s` [default: never]
    #[arg(long, value_name = "DURATION", requires = "replace", value_parser = super::duration)]
    timeout: Option<Duration>,

    #[command(flatten)]
    creation: creation::Arguments,

    #[command(flatten)]
    place: target::Arguments,
}

const EXAMPLES: &str = "\
The new Job has the same spec, labels and annotations, except for what the API server generated for the first one: its selector (unless
manualSelector is true) and the labels with its name and UID. It does not belong to a CronJob.

With --replace, the Job and its pods are deleted first. If the new Job cannot be created then, because of --timeout, Ctrl-C or an error, its
manifest is saved to a file, whose name is printed.

  jobsmith rerun job/pi
  jobsmith rerun job/pi --name pi-again --wait
  jobsmith rerun job/pi -n team-a --replace --timeout 2m
  jobsmith rerun job/pi --dry-run > again.yaml

Permissions in the namespace: get and create jobs; with --replace, also delete, list and watch jobs and, to name the pods that it waits for,
list pods; with --wait, also list and watch jobs.

Exit status: 0 success, 2 the Job does not exist, the cluster cannot be reached or refuses the new Job, 3 the Job has not finished, or
the old one still exists after --timeout; with --wait also 1 if the new Job is Failed or was deleted.";

/// Runs the Job again.
///
/// # Errors
/// If this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, component: &Component) -> anyhow::Result<CommandEnd> {
    let end = tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(rerun(arguments, component));
    Ok(end.unwrap_or_else(|end| end))
}

async fn rerun(arguments: &Arguments, component: &Component) -> Result<CommandEnd, CommandEnd> {
    let Arguments { words, force, replace, timeout, creation, place } = arguments;
    let target = &target::one(words, Kind::Job).map_err(|reason| {
        output::error(&reason);
        CommandEnd::BadInput
    })?;
    let place = place.place().await.ok_or(CommandEnd::BadInput)?;
    let (job, document): (Job, _) = place.object(target).await.ok_or(CommandEnd::BadInput)?;
    if !job.finished() && !force {
        output::error(&format!("{target} has not finished: wait until it has, or pass --force"));
        return Err(CommandEnd::Unfinished);
    }
    let name = if *replace { Some(&*target.name) } else { creation.name.as_deref() };
    let again = manual::again(&document, name);
    if creation.dry_run {
        return Ok(creation::show(&again));
    }
    if !replace {
        return Ok(creation.create(&place, &again, component).await);
    }
    check(&place, &manual::again(&document, None)).await?;
    let replacement = Replacement { place: &place, target, job: &job, manifest: &again, timeout: *timeout };
    let name = replacement.carry_out().await?;
    Ok(creation.follow(&place, name, component).await)
}

/// Makes sure that the API server would take the Job under another name, so that none is deleted in vain.
async fn check(place: &ClusterNamespace, job: &Value) -> Result<(), CommandEnd> {
    let mut request = Request::create(Kind::Job, &place.namespace, job.to_string());
    request.path += "?dryRun=All";
    creation::send(place, &request).await.map(|_| ()).map_err(|error| {
        output::error(&format!("cannot run the Job again: {}; nothing was deleted", Failure::Refused(error)));
        CommandEnd::BadInput
    })
}
