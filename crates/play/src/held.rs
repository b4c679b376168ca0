//! What a cluster held back and still does in a play of its objects: what the controllers call stuck, they and the Events of the cluster say why.
//!
//! Docs: Debug Pods; Resource Quotas. What the status of a pod shows by itself is found in `cluster::kubelet`; the sentences are in `stuck.rs`.

use std::collections::BTreeMap;

use api::pod::{ContainerProgress, ContainerStatus, Phase};
use api::request::ApiError;
use api::{Job, Kind, ObjectMeta, Pod, Text, Timestamp, WarningEvent};
use cluster::apiserver::ApiServer;
use contract::{Manager, Obstacle};
use script::Scripted;

use crate::obstacles::obstacles;
use crate::world::World;
use crate::world::turn::Cluster;

/// The warnings of a cluster about the objects that were found, by the UIDs of the objects that they are about, and of those that control these.
#[derive(Debug, Default)]
pub(crate) struct FoundWarnings(BTreeMap<Text, Vec<FoundWarning>>);

/// A warning about an object, or about one that it controls.
#[derive(Debug, Clone)]
struct FoundWarning {
    /// The Event as JSON text.
    event: Text,
    warning: WarningEvent,
}

impl FoundWarnings {
    /// Those among Events, JSON texts, about the objects of a server and others.
    pub(crate) fn of(events: impl Iterator<Item = Text>, server: &ApiServer) -> Self {
        let controlled = [Kind::Job, Kind::Pod].into_iter().flat_map(|kind| server.objects(kind)).map(|stored| stored.metadata());
        let controllers: BTreeMap<&Text, &Text> =
            controlled.filter_map(|metadata| Some((&metadata.uid, &metadata.controller()?.uid))).collect();
        let mut warnings: BTreeMap<Text, Vec<FoundWarning>> = BTreeMap::new();
        for event in events {
            let Some(warning) = WarningEvent::read(&event) else { continue };
            let found = FoundWarning { event, warning };
            if let Some(controller) = controllers.get(&found.warning.uid) {
                warnings.entry(Text::clone(controller)).or_default().push(found.clone());
            }
            warnings.entry(found.warning.uid.clone()).or_default().push(found);
        }
        Self(warnings)
    }

    /// Those about an object and about what it controls.
    fn about(&self, uid: &str) -> &[FoundWarning] {
        self.0.get(uid).map_or(&[], Vec::as_slice)
    }

    /// What keeps an object from making progress, the nearest cause first.
    pub(crate) fn obstacles<M: Manager>(&self, manager: &mut M, kind: Kind, metadata: &ObjectMeta, now: Timestamp) -> Vec<Obstacle> {
        let events: Vec<Text> = self.about(&metadata.uid).iter().map(|found| found.event.clone()).collect();
        obstacles(manager, kind, metadata, &events, now)
    }

    /// Forgets why creations were refused.
    pub(crate) fn forget_refusals(&mut self) {
        self.0.values_mut().for_each(|found| found.retain(|found| found.warning.creation_refusal().is_none()));
    }

    /// The message of the newest one about an object, in one line, of those that have one.
    fn message(&self, uid: &str, message: impl Fn(&WarningEvent) -> Option<&str>) -> String {
        let own = self.about(uid).iter().map(|found| &found.warning).filter(|warning| *warning.uid == *uid);
        let newest = own.filter_map(|warning| Some((warning.last_at, message(warning)?))).max_by_key(|(last_at, _)| *last_at);
        newest.map(|(_, message)| message.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
    }

    /// Has what is stuck stay so: pods are not started or run on, and others are refused.
    pub(crate) fn hold<M: Manager>(&self, cluster: &mut Cluster<M, Scripted>, now: Timestamp) {
        let World { server, manager, .. } = &mut cluster.world;
        let mut held = Vec::new();
        for job in jobs(server).filter(|job| !job.finished()) {
            let found = self.obstacles(manager, Kind::Job, &job.metadata, now);
            for obstacle in found.iter().filter(|obstacle| !obstacle.passes) {
                match &*obstacle.code {
                    "CreationsRefused" => {
                        let message = self.message(&job.metadata.uid, WarningEvent::creation_refusal);
                        cluster.refused_pods.insert(job.metadata.uid.clone(), error(message));
                    }
                    "ContainersNotCreated" => held.extend(pods(obstacle, job, server, not_created)),
                    "ContainerKeepsPod" => held.extend(pods(obstacle, job, server, kept_running)),
                    _ => {}
                }
            }
        }
        for uid in held {
            cluster.kubelet.hold(&uid, self.message(&uid, |warning| Some(&warning.message)).into());
        }
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
        let missing = job.status.active.saturating_sub(there.get(&job.metadata.uid).copied().unwrap_or_default());
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

pub(crate) fn jobs(server: &ApiServer) -> impl Iterator<Item = &Job> {
    server.objects(Kind::Job).filter_map(|stored| stored.job())
}

/// The UIDs of the pods of an obstacle; where not all are listed, of the pods of the Job that are `alike`.
fn pods(obstacle: &Obstacle, job: &Job, server: &ApiServer, alike: impl Fn(&Pod) -> bool) -> Vec<Text> {
    if usize::try_from(obstacle.count).is_ok_and(|count| count == obstacle.objects.len()) {
        return obstacle.objects.iter().map(|object| object.uid.clone()).collect();
    }
    let own = server.objects(Kind::Pod).filter(|stored| *stored.metadata().controller_uid() == *job.metadata.uid);
    let read = own.filter_map(|stored| serde_json::from_str::<Pod>(&stored.json()).ok());
    read.filter(|pod| !pod.phase.ended() && !pod.metadata.deleting() && alike(pod)).map(|pod| pod.metadata.uid).collect()
}

/// Whether a pod has a node, and none of its containers has begun: sidecars may run.
fn not_created(pod: &Pod) -> bool {
    let begun = |container: &ContainerStatus| !matches!(container.state, ContainerProgress::Waiting(_));
    let initializes = pod.init_containers.iter().any(|container| !container.sidecar && container.running());
    pod.assigned && pod.phase == Phase::Pending && !initializes && !pod.containers.iter().any(begun)
}

/// Whether a container of a pod runs on after another one has ended.
fn kept_running(pod: &Pod) -> bool {
    pod.containers.iter().any(ContainerStatus::running) && pod.containers.iter().any(|container| container.terminated().is_some())
}

/// The API server's refusal with the message of an Event.
fn error(message: String) -> ApiError {
    let (code, reason) = if message.starts_with("Internal error") { (500, "InternalError") } else { (403, "Forbidden") };
    ApiError { code, reason: reason.to_owned(), message, causes: Vec::new() }
}
