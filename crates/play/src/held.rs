//! What a cluster held back and still does in a play of its objects: what the controllers call stuck, they and the Events of the cluster say why.
//!
//! Docs: Debug Pods; Resource Quotas. What the status of a pod shows by itself is found in `cluster::kubelet`; the sentences are in `stuck.rs`.

use std::collections::BTreeMap;

use api::request::ApiError;
use api::{Job, Kind, Text, Timestamp, WarningEvent};
use cluster::apiserver::ApiServer;
use contract::{Manager, Obstacle};
use script::Scripted;

use crate::obstacles::obstacles;
use crate::world::turn::Cluster;

/// The warnings of a cluster about the objects that were found.
#[derive(Debug, Default)]
pub(crate) struct FoundWarnings(Vec<Text>);

impl FoundWarnings {
    /// Those among Events, JSON texts.
    pub(crate) fn of(events: impl Iterator<Item = Text>) -> Self {
        Self(events.filter(|event| WarningEvent::read(event).is_some()).collect())
    }

    /// As the controllers read them.
    pub(crate) fn texts(&self) -> &[Text] {
        &self.0
    }

    /// Forgets why creations were refused.
    pub(crate) fn forget_refusals(&mut self) {
        self.0.retain(|event| WarningEvent::read(event).is_none_or(|warning| !refusal(&warning)));
    }

    /// The message of the newest one about an object, in one line.
    fn message(&self, uid: &str, about: impl Fn(&WarningEvent) -> bool) -> Text {
        let own = self.0.iter().filter_map(|event| WarningEvent::read(event)).filter(|warning| *warning.uid == *uid && about(warning));
        let newest = own.max_by_key(|warning| warning.last_at);
        newest.map(|warning| warning.message.split_whitespace().collect::<Vec<_>>().join(" ").into()).unwrap_or_default()
    }

    /// Has what is stuck stay so: pods are not started or run on, and others are refused.
    pub(crate) fn hold<M: Manager>(&self, cluster: &mut Cluster<M, Scripted>, now: Timestamp) {
        let unfinished: Vec<Job> = jobs(&cluster.world.server).filter(|job| !job.finished()).cloned().collect();
        for job in unfinished {
            let found = obstacles(&mut cluster.world.manager, Kind::Job, &job.metadata, &self.0, now);
            for obstacle in found.iter().filter(|obstacle| !obstacle.passes) {
                match &*obstacle.code {
                    "CreationsRefused" => {
                        let message = self.message(&job.metadata.uid, refusal);
                        cluster.refused_pods.insert(job.metadata.uid.clone(), error(&message));
                    }
                    "ContainersNotCreated" | "ContainerKeepsPod" => {
                        for uid in pods(obstacle, &job, &cluster.world.server) {
                            cluster.kubelet.hold(&uid, self.message(&uid, |_| true));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Whether nothing is left to happen but that pods are refused again and again.
    pub(crate) fn only_refusals<M: Manager>(&self, cluster: &mut Cluster<M, Scripted>, now: Timestamp) -> bool {
        if cluster.refused_pods.is_empty() || cluster.kubelet.next_due().is_some() || cluster.deafness.is_some() {
            return false;
        }
        let refused = cluster.next_wakeup().is_some_and(|wakeup| wakeup.at > now && cluster.refused_pods.contains_key(&wakeup.object.uid));
        let runs =
            |server: &ApiServer| server.objects(Kind::CronJob).filter_map(|stored| stored.cron_job()).any(|cron_job| !cron_job.suspended());
        if !refused || runs(&cluster.world.server) {
            return false;
        }
        let jobs: Vec<Job> = jobs(&cluster.world.server).cloned().collect();
        jobs.iter().all(|job| self.lasts(job, cluster, now))
    }

    /// Whether a Job stays as it is until somebody helps.
    fn lasts<M: Manager>(&self, job: &Job, cluster: &mut Cluster<M, Scripted>, now: Timestamp) -> bool {
        if job.finished() {
            return job.spec.ttl_seconds_after_finished.is_none();
        }
        if job.spec.active_deadline_seconds.is_some() && !job.suspended() {
            return false;
        }
        let found = obstacles(&mut cluster.world.manager, Kind::Job, &job.metadata, &self.0, now);
        cluster.refused_pods.contains_key(&job.metadata.uid) || !found.is_empty() && found.iter().all(|obstacle| !obstacle.passes)
    }
}

/// For each Job that was found, how many active pods it counts that were not: it creates others in their place. Not of those whose pods may be on another
/// cluster.
pub(crate) fn missing_pods(server: &ApiServer) -> Vec<Text> {
    let mut there: BTreeMap<&Text, i32> = BTreeMap::new();
    for pod in server.objects(Kind::Pod).filter_map(|stored| stored.pod()).filter(|pod| !pod.ended()) {
        if let Some(owner) = pod.metadata.controller() {
            *there.entry(&owner.uid).or_default() += 1;
        }
    }
    let sentence = |job: &Job| {
        let missing = job.status.active - there.get(&job.metadata.uid).copied().unwrap_or_default();
        let (pods, are, them) =
            if missing == 1 { ("1 active pod".to_owned(), "is", "it") } else { (format!("{missing} active pods"), "are", "them") };
        (missing > 0).then(|| {
            let name = crate::job_name(&job.metadata, crate::namespaces(server));
            format!(
                "{pods} of job {name} {are} missing from these objects: the controllers treat {them} as deleted; to change that, add {them} to the input, as \
                 printed by `kubectl get cronjobs,jobs,pods -o yaml`"
            )
            .into()
        })
    };
    let creates = |job: &&Job| !job.finished() && !job.suspended() && !job.managed_elsewhere();
    jobs(server).filter(creates).filter_map(sentence).collect()
}

fn jobs(server: &ApiServer) -> impl Iterator<Item = &Job> {
    server.objects(Kind::Job).filter_map(|stored| stored.job())
}

/// The UIDs of the pods of an obstacle; where not all are listed, of all pods of the Job.
fn pods(obstacle: &Obstacle, job: &Job, server: &ApiServer) -> Vec<Text> {
    if usize::try_from(obstacle.count).is_ok_and(|count| count == obstacle.objects.len()) {
        return obstacle.objects.iter().map(|object| object.uid.clone()).collect();
    }
    let metadata = server.objects(Kind::Pod).map(|stored| stored.metadata());
    let own = metadata.filter(|metadata| metadata.controller().is_some_and(|owner| owner.uid == job.metadata.uid));
    own.map(|metadata| metadata.uid.clone()).collect()
}

/// Whether a warning is about pods that were refused.
fn refusal(warning: &WarningEvent) -> bool {
    &*warning.reason == "FailedCreate"
}

/// The API server's refusal with the message of an Event.
fn error(message: &str) -> ApiError {
    let message = message.strip_prefix("Error creating: ").unwrap_or(message).to_owned();
    let (code, reason) = if message.starts_with("Internal error") { (500, "InternalError") } else { (403, "Forbidden") };
    ApiError { code, reason: reason.to_owned(), message, causes: Vec::new() }
}
