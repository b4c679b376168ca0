//! `jobsmith trigger`: a run of a CronJob by hand, outside its schedule.
//!
//! Docs: kubectl create job; CronJob, "Concurrency policy" (C-24, C-25). What the Job is made of is in `api::manual`, how it is created in `creation.rs`.

use api::cron_job::concurrency_policy;
use api::manual;
use api::{CronJob, Job, Kind, Object};
use host_cluster::cluster::Failure;
use host_embed::Component;

use super::creation;
use super::target::{self, ClusterNamespace, TargetWord};
use crate::{CommandEnd, output};

/// The arguments of `jobsmith trigger`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The CronJob: `cronjob/NAME`, or just its name
    #[arg(value_name = "cronjob/NAME", value_parser = target::cron_job_word, required = true, num_args = 1..=2)]
    words: Vec<TargetWord>,

    /// Respect concurrencyPolicy if Jobs of the CronJob are still running: with Forbid, start nothing; with Replace, delete them first
    #[arg(long)]
    respect_policy: bool,

    #[command(flatten)]
    creation: creation::Arguments,

    #[command(flatten)]
    place: target::Arguments,
}

const EXAMPLES: &str = "\
The Job is the one that `kubectl create job --from=cronjob/NAME` creates. A suspended CronJob can be triggered too. Jobs
started by hand count towards the history limits, but do not block scheduled runs.

  jobsmith trigger cronjob/nightly
  jobsmith trigger cronjob/nightly --name nightly-again --wait
  jobsmith trigger cronjob/nightly -n team-a --respect-policy
  jobsmith trigger cronjob/nightly --dry-run

Permissions in the namespace: get cronjobs and create jobs; with --respect-policy, also list and delete jobs; with --wait, also get, list and
watch jobs.

Exit status: 0 success, 2 the CronJob does not exist, the cluster cannot be reached or refuses the Job, 3 with --respect-policy,
a Job is still running and the concurrencyPolicy is Forbid; with --wait also 1 if the Job is Failed or was deleted.";

/// Starts the run.
///
/// # Errors
/// If this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments, component: &Component) -> anyhow::Result<CommandEnd> {
    let end = tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(trigger(arguments, component));
    Ok(end.unwrap_or_else(|end| end))
}

async fn trigger(arguments: &Arguments, component: &Component) -> Result<CommandEnd, CommandEnd> {
    let Arguments { words, respect_policy, creation, place } = arguments;
    let target = &target::one(words, Kind::CronJob).map_err(|reason| {
        output::error(&reason);
        CommandEnd::BadInput
    })?;
    let place = place.place().await.ok_or(CommandEnd::BadInput)?;
    let (cron_job, document): (CronJob, _) = place.object(target).await.ok_or(CommandEnd::BadInput)?;
    let active = if *respect_policy { active(&place, &cron_job).await? } else { Vec::new() };
    match &*cron_job.spec.concurrency_policy {
        concurrency_policy::FORBID if !active.is_empty() => {
            let names: Vec<&str> = active.iter().map(|job| &*job.metadata.name).collect();
            let are = if let [name] = names[..] { format!("job {name} is") } else { format!("jobs {} are", names.join(", ")) };
            output::error(&format!(
                "{are} still running, and the concurrencyPolicy of {target} is Forbid: wait, or leave out --respect-policy"
            ));
            return Err(CommandEnd::Unfinished);
        }
        concurrency_policy::REPLACE => {
            for Job { metadata, .. } in &active {
                if creation.dry_run {
                    output::complain(&format!("note: job {} would be deleted first, as the concurrencyPolicy is Replace\n", metadata.name));
                } else {
                    creation::delete(&place, &metadata.name, &metadata.uid, "Background").await.map_err(|error| {
                        output::error(&format!("cannot delete job {}: {}", metadata.name, Failure::Refused(error)));
                        CommandEnd::BadInput
                    })?;
                }
            }
        }
        _ => {}
    }
    let job = manual::from_cron_job(&document, creation.name.as_deref());
    Ok(if creation.dry_run { creation::show(&job) } else { creation.create(&place, &job, component).await })
}

/// The Jobs of a CronJob that have not finished, also those that were started by hand.
async fn active(place: &ClusterNamespace, cron_job: &CronJob) -> Result<Vec<Job>, CommandEnd> {
    let listed = place.cluster.list(&Kind::Job.into(), &place.namespace, None).await.map_err(|failure| {
        output::error(&format!("cannot list the Jobs of cronjob {}: {failure}", cron_job.metadata.name));
        CommandEnd::BadInput
    })?;
    let jobs = listed.iter().filter_map(|text| Object::decode(Kind::Job, text).ok()?.job().cloned());
    let active = |job: &Job| {
        let metadata = &job.metadata;
        metadata.controller_uid() == &*cron_job.metadata.uid && !job.finished() && !metadata.deleting()
    };
    Ok(jobs.filter(active).collect())
}
