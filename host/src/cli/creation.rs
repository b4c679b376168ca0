//! A Job that a command creates on a cluster: its name, how it is shown, and how it is waited for.
//!
//! Docs: kubectl create; Kubernetes API Concepts, "Dry-run". What the Job is made of is in `jobsmith::manual`.

use api::Kind;
use api::request::{ApiError, DeleteOptions, Outcome, Preconditions, Request, Written};
use jobsmith::cluster::Failure;
use serde_json::Value;

use super::target::{Place, Target};
use super::{End, output, wait};

/// Options of commands that create a Job.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The name of the new Job [default: made up by the API server, and printed]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Print the Job as YAML, and create nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Wait until the new Job has finished, and end as `jobsmith wait` does
    #[arg(long)]
    wait: bool,
}

impl Arguments {
    /// Creates the Job and prints its name; what it refuses is printed, too.
    pub(crate) async fn create(&self, place: &Place, job: &Value) -> End {
        match send(place, &Request::create(Kind::Job, &place.namespace, job.to_string())).await {
            Ok(Written { name, .. }) => {
                output::text(&format!("job.batch/{name} created\n"));
                if self.wait { wait::until_finished(place, &Target { kind: Kind::Job, name }).await } else { End::Reached }
            }
            Err(error) => {
                let remedy = if error.code == 409 { "; choose another name with --name" } else { "" };
                output::error(&format!("cannot create the Job: {}{remedy}", Failure::Refused(error)));
                End::BadInput
            }
        }
    }
}

/// Prints a Job as YAML.
pub(crate) fn show(job: &Value) -> End {
    output::text(&manifest::write(job));
    End::Reached
}

/// Deletes a Job, and no other one of its name. What is refused is printed; that it is gone already is as good.
pub(crate) async fn delete(place: &Place, name: &str, uid: &str, propagation_policy: &str) -> Result<(), End> {
    let options = DeleteOptions { propagation_policy, preconditions: Preconditions { uid, resource_version: None } };
    match send(place, &Request::delete(Kind::Job, &place.namespace, name, options.json())).await {
        Ok(_) => output::text(&format!("job.batch/{name} deleted\n")),
        Err(error) if error.not_found() => {}
        Err(error) => {
            output::error(&format!("cannot delete job {name}: {}", Failure::Refused(error)));
            return Err(End::BadInput);
        }
    }
    Ok(())
}

/// Sends a request; answers what was written, or why nothing was.
pub(crate) async fn send(place: &Place, request: &Request) -> Result<Written, ApiError> {
    place.cluster.pass().await;
    match place.cluster.carry_out(request).await {
        Outcome::Done(written) => Ok(written),
        Outcome::Failed(error) => Err(error),
        Outcome::Skipped => unreachable!("a single request waits for no other"),
    }
}
