//! `jobsmith wait`: until a Job has finished, either way.
//!
//! Docs: Jobs, "Terminal Job conditions". Which Job is meant is read in `target.rs`.

use std::time::Duration;

use api::Kind;
use api::job::conditions;
use tokio::time::sleep;

use super::{End, input, output, target};

/// The arguments of `jobsmith wait`.
#[derive(clap::Args)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct Arguments {
    /// Give up after this time, for example `90s` or `2h` [default: never]
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    timeout: Option<Duration>,

    #[command(flatten)]
    target: target::Arguments,
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
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<End> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let timeout = async {
            match arguments.timeout {
                Some(timeout) => sleep(timeout).await,
                None => std::future::pending().await,
            }
        };
        Ok(tokio::select! {
            end = wait(&arguments.target) => end,
            () = timeout => {
                output::complain(&format!("job {} has not finished\n", arguments.target.name()));
                End::Unfinished
            }
        })
    })
}

async fn wait(target: &target::Arguments) -> End {
    let Some(mut found) = target.find(&[Kind::Job.into()]).await else { return End::BadInput };
    let mut trouble = None;
    loop {
        let job = &found.subject.job;
        let end = End::of(job);
        if end != End::Unfinished {
            let finished = job.condition(conditions::COMPLETE).or_else(|| job.condition(conditions::FAILED));
            let how =
                finished.map(|condition| format!("{}: {}: {}", condition.kind, condition.reason, condition.message)).unwrap_or_default();
            output::text(&format!("job {} is {}\n", target.name(), how.trim_end_matches([' ', ':'])));
            return end;
        }
        if found.subject.gone() {
            output::error(&format!("job {} was deleted before it finished", target.name()));
            return End::Failed;
        }
        // Printed once; it may pass.
        if let Err(failure) = found.changed().await
            && trouble.replace(failure.to_string()).as_ref() != Some(&failure.to_string())
        {
            output::complain(&format!("cannot read the cluster at the moment: {failure}; retrying\n"));
        }
    }
}
