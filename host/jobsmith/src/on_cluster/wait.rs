//! `jobsmith wait`: until a Job has finished, either way.
//!
//! Docs: Jobs, "Terminal Job conditions". Which Job is meant is read in `target.rs`.

use std::time::Duration;

use api::Kind;
use tokio::time::sleep;

use super::target::{self, ClusterNamespace, ObjectTarget};
use crate::{CommandEnd, output};

/// The arguments of `jobsmith wait`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// The Job: `job/NAME`, or just its name
    #[arg(value_name = "job/NAME", value_parser = finishing)]
    target: ObjectTarget,

    /// Give up after this time, for example `90s` or `2h` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = super::duration)]
    timeout: Option<Duration>,

    #[command(flatten)]
    place: target::Arguments,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  the Job is Complete
  1  the Job is Failed, or was deleted
  2  the Job does not exist, or the cluster cannot be reached
  3  the timeout passed before the Job finished

Examples:
  jobsmith wait job/pi
  jobsmith wait job/pi -n team-a --timeout 10m";

/// Waits for the Job.
///
/// # Errors
/// If this machine has no room for what it takes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandEnd> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let timeout = async {
            match arguments.timeout {
                Some(timeout) => sleep(timeout).await,
                None => std::future::pending().await,
            }
        };
        Ok(tokio::select! {
            end = wait(&arguments.place, &arguments.target) => end,
            () = timeout => {
                output::complain(&format!("{} has not finished\n", arguments.target));
                CommandEnd::Unfinished
            }
        })
    })
}

async fn wait(place: &target::Arguments, job: &ObjectTarget) -> CommandEnd {
    match place.place().await {
        Some(place) => until_finished(&place, job).await,
        None => CommandEnd::BadInput,
    }
}

/// Waits until a Job has finished, and prints how.
pub(crate) async fn until_finished(place: &ClusterNamespace, target: &ObjectTarget) -> CommandEnd {
    let Some(mut found) = place.find(target, |_| &[Kind::Job]).await else { return CommandEnd::BadInput };
    loop {
        if let Some(finished) = found.subject.job().filter(|job| job.finished()) {
            let condition = finished.finished_by();
            let how = condition.map(|condition| format!("{}: {}: {}", condition.kind, condition.reason, condition.message));
            output::text(&format!("{target} is {}\n", how.unwrap_or_default().trim_end_matches([' ', ':'])));
            return CommandEnd::of(finished);
        }
        if found.subject.gone() {
            output::error(&format!("{target} was deleted before it finished"));
            return CommandEnd::Failed;
        }
        found.change().await;
    }
}

/// The Job in `job/NAME`; a CronJob has no end to wait for.
fn finishing(text: &str) -> Result<ObjectTarget, String> {
    let endless = text.contains('/') && target::cron_job(text).is_ok();
    target::job(text)
        .map_err(|error| if endless { "a CronJob never finishes; wait for one of its Jobs: job/NAME".to_owned() } else { error })
}
