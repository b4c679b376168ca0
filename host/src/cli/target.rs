//! Which Job of a cluster is meant, and what the cluster shows of it.
//!
//! Docs: Organizing Cluster Access Using kubeconfig Files; kubectl's `TYPE/NAME`. How the cluster is reached is in `access.rs`.

use std::time::Duration;

use api::{Kind, request};
use contract::ApiResource;
use jobsmith::cluster::reflector::{Reflector, Update};
use jobsmith::cluster::{Cluster, Failure, Scope};
use jobsmith::explain::ExplainedJob;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, timeout_at};

use super::{access, output};

/// How many updates may wait to be taken in.
const WAITING: usize = 64;

/// A Job of a cluster.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The Job: `job/NAME`, or just its name
    #[arg(value_name = "job/NAME", value_parser = job_name)]
    job: String,

    /// The Job's namespace [default: that of the kubeconfig's context]
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    #[command(flatten)]
    access: access::Arguments,
}

/// A Job that was found, and what the cluster shows of it.
pub(crate) struct Found {
    /// The Job, and the objects that matter to it as they are listed.
    pub(crate) subject: ExplainedJob,
    updates: Receiver<Update>,
}

impl Arguments {
    /// The Job as people name it.
    pub(crate) fn name(&self) -> &str {
        &self.job
    }

    /// Finds the Job, and begins to watch these resources in its namespace. Prints why if it cannot be found.
    pub(crate) async fn find(&self, resources: &[ApiResource]) -> Option<Found> {
        let cluster = self.access.connect(None).await?;
        let namespace = self.namespace.clone().unwrap_or_else(|| cluster.default_namespace().to_owned());
        let job = match cluster.read(&request::path(Kind::Job, &namespace, &self.job, "")).await {
            Ok(job) => job,
            Err(failure) => {
                output::error(&self.missing(&cluster, &namespace, &failure));
                return None;
            }
        };
        let subject = String::from_utf8(job)
            .map_err(|error| error.to_string())
            .and_then(|text| ExplainedJob::new(&text, resources).map_err(|malformed| malformed.to_string()));
        let subject = subject.inspect_err(|error| output::error(error)).ok()?;
        let (sender, updates) = channel(WAITING);
        for resource in resources {
            let scope = Scope::of(vec![namespace.clone()]);
            tokio::spawn(Reflector::new(cluster.clone(), resource.clone(), scope, sender.clone()).run());
        }
        Some(Found { subject, updates })
    }

    fn missing(&self, cluster: &Cluster, namespace: &str, failure: &Failure) -> String {
        match failure {
            Failure::Refused(error) if error.not_found() => {
                let context = self.access.context().map(|context| format!(", context {context}")).unwrap_or_default();
                format!(
                    "job {} not found in namespace {namespace} of {}{context}; choose another namespace with -n",
                    self.job, cluster.address
                )
            }
            Failure::Refused(_) | Failure::NoAnswer(_) | Failure::Expired => {
                format!("cannot read job {namespace}/{}: {failure}", self.job)
            }
        }
    }
}

impl Found {
    /// Takes in what comes within a time, unless something is wrong.
    pub(crate) async fn gather(&mut self, within: Duration) {
        let until = Instant::now() + within;
        while let Ok(Ok(())) = timeout_at(until, self.changed()).await {}
    }

    /// Waits until something changes for the Job, or something is wrong; answers what.
    pub(crate) async fn changed(&mut self) -> Result<(), Failure> {
        loop {
            match self.updates.recv().await {
                Some(Update::Event(event)) if self.subject.take_in(&event) => return Ok(()),
                Some(Update::Event(_) | Update::Watching(_)) => {}
                Some(Update::Interrupted { failure, .. }) => return Err(failure),
                None => return Err(Failure::NoAnswer("the watches ended".to_owned())),
            }
        }
    }
}

/// The name in `job/NAME`, `jobs/NAME`, `job.batch/NAME` or `NAME`.
fn job_name(text: &str) -> Result<String, String> {
    let (kind, name) = text.split_once('/').unwrap_or(("job", text));
    let known = ["job", "jobs", "job.batch", "jobs.batch", "job.v1.batch", "jobs.v1.batch"];
    if !known.contains(&kind.to_ascii_lowercase().as_str()) {
        return Err(format!("{kind} is not a Job; write job/NAME"));
    }
    if name.is_empty() || name.contains('/') {
        return Err("write job/NAME".to_owned());
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_named_as_for_kubectl() {
        for text in ["pi", "job/pi", "jobs/pi", "job.batch/pi", "Job/pi"] {
            assert_eq!(job_name(text), Ok("pi".to_owned()));
        }
        assert_eq!(job_name("pod/pi"), Err("pod is not a Job; write job/NAME".to_owned()));
        assert_eq!(job_name("job/"), Err("write job/NAME".to_owned()));
        assert_eq!(job_name("job/a/b"), Err("write job/NAME".to_owned()));
    }
}
