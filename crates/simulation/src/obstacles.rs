//! W18: what keeps an object from making progress is explained, and the explanation comes true.
//!
//! Docs: `crates/component/wit/controllers.wit`, `obstacle`. It is checked whenever nothing is to be done: (a) each unfinished
//! Job and each CronJob has an obstacle, and what a person sees in a Job and its pods is among them; (b) one that passes at a known time is gone by then,
//! and something is due until then; (c) one that does not pass stays until something changes.

use std::collections::BTreeMap;

use api::{Duration, Kind, ObjectMeta, Text, Timestamp, time};
use contract::{Explanation, Manager, ObjectRef, Obstacle};
use serde_json::Value;

use crate::invariants::{Checked, Violation, hold};
use crate::page;
use crate::stage::SimulatedCluster;

/// How long changes are collected before a Job is synced (J-04): as long it is not decided yet what it waits for.
const BATCH: Duration = Duration::from_secs(1);

/// By how much a pod may outlast the time of its deletion: nodes are late at times, and the clock may move on before they look.
const LATE: Duration = Duration::from_secs(20);

/// What was last explained about each CronJob and Job, by UID.
#[derive(Debug, Default)]
pub(crate) struct KnownObstacles(BTreeMap<Text, RememberedObstacles>);

/// The obstacles of an object.
#[derive(Debug)]
struct RememberedObstacles {
    name: Text,
    /// The versions of the object and of all that belongs to it.
    versions: Vec<Text>,
    obstacles: Vec<Obstacle>,
}

impl KnownObstacles {
    /// A plan was made for objects of this name: from here on other things may be decided about them, and about what waits for them.
    pub(crate) fn planned(&mut self, name: &str) {
        let about =
            |known: &RememberedObstacles| known.obstacles.iter().flat_map(|obstacle| &obstacle.objects).any(|object| *object.name == *name);
        self.0.retain(|_, known| *known.name != *name && !about(known));
    }

    /// The manager lost its memory.
    pub(crate) fn lose(&mut self) {
        self.0.clear();
    }
}

/// W18: all that waits has obstacles that are true, while nothing is to be done before `due`.
pub(crate) fn kept<M: Manager>(stage: &mut SimulatedCluster<M>, due: Option<Timestamp>) -> Checked {
    let kinds = stage.kinds();
    let waits = |kind: &Kind| [Kind::CronJob, Kind::Job].contains(kind);
    let watched = kinds.into_iter().filter(waits);
    let waiting: Vec<(Kind, ObjectMeta)> = watched
        .flat_map(|kind| stage.server.objects(kind).map(move |stored| (kind, stored)))
        .filter(|(_, stored)| stored.job().is_none_or(|job| !job.finished() || job.metadata.deleting()))
        .map(|(kind, stored)| (kind, stored.metadata().clone()))
        .collect();
    for (kind, metadata) in waiting {
        let (kind, name) = (kind.name(), &metadata.name);
        let explained = stage.manager.explain(&ObjectRef::of(kind, &metadata), &[], stage.now);
        let explanation =
            explained.map_err(|error| Violation { invariant: "W18", message: format!("{kind} {name} is not explained: {error}") })?;
        let Explanation { obstacles, now: decided, .. } = explanation;
        let soon = due.is_some_and(|due| due <= time::after(stage.now, BATCH));
        // A Job whose pods were taken from it while they ended is not told of their end.
        let bereft = stage.ledger.job(&metadata.uid).is_some_and(|record| record.bereft);
        hold(soon || bereft || !obstacles.is_empty(), "W18", || {
            let codes: Vec<&str> = decided.decisions.iter().map(|decision| decision.code()).collect();
            format!("{kind} {name} has no obstacle at {}, but {codes:?}, and the next thing is due at {due:?}", stage.now)
        })?;
        names_causes(stage, &metadata, &obstacles)?;
        for obstacle in &obstacles {
            passes_in_time(name, obstacle, stage.node_lost(), due, stage.now)?;
        }
        let versions = versions(stage, &metadata);
        let known = stage.obstacles.0.insert(metadata.uid.clone(), RememberedObstacles { name: name.clone(), versions, obstacles });
        let explained = &stage.obstacles.0[&metadata.uid];
        if let Some(known) = known.filter(|known| known.versions == explained.versions) {
            stays(&known, explained, stage.now)?;
        }
    }
    Ok(())
}

/// (a) Of a Job, the causes that a person sees in its spec and in its pods are among the obstacles.
fn names_causes<M>(stage: &SimulatedCluster<M>, metadata: &ObjectMeta, obstacles: &[Obstacle]) -> Checked {
    let Some(record) = stage.ledger.job(&metadata.uid) else { return Ok(()) };
    let job = record.job();
    if job.finished() || metadata.deleting() || page::managed_by_other(job) {
        return Ok(());
    }
    let own = [(job.suspended(), "Suspended"), (job.spec.parallelism == Some(0), "NoPodsWanted")];
    let own = own.into_iter().filter(|(holds, _)| *holds).map(|(_, code)| (&metadata.name, code));
    let pods = page::pods_of(&stage.ledger, &metadata.uid).filter(|pod| pod.active());
    let of_pods: Vec<(&Text, &str)> = pods.filter_map(|pod| Some((&pod.metadata().name, cause(&pod.stored.json())?))).collect();
    for (object, code) in own.chain(of_pods) {
        let named = |obstacle: &Obstacle| *obstacle.code == *code && obstacle.objects.iter().any(|named| named.name == *object);
        hold(obstacles.iter().any(named), "W18", || {
            let codes: Vec<&Text> = obstacles.iter().map(|obstacle| &obstacle.code).collect();
            format!("{object} is {code} at {}, and the obstacles of job {} are {codes:?}", stage.now, metadata.name)
        })?;
    }
    Ok(())
}

/// The code of the obstacle that a person sees in a pod which has not ended, if there is one.
fn cause(pod: &str) -> Option<&'static str> {
    let pod: Value = serde_json::from_str(pod).ok()?;
    let (spec, status) = (&pod["spec"], &pod["status"]);
    let conditions = || status["conditions"].as_array().into_iter().flatten();
    let mut containers =
        ["initContainerStatuses", "containerStatuses"].into_iter().flat_map(|list| status[list].as_array().into_iter().flatten());
    let silent =
        |condition: &Value| condition["type"] == "Ready" && (condition["status"] == "Unknown" || condition["reason"] == "NodeNotReady");
    if conditions().any(silent) {
        return Some("NodeLost");
    }
    if spec["nodeName"].is_null() {
        let gated = spec["schedulingGates"].as_array().is_some_and(|gates| !gates.is_empty());
        let refused = || conditions().any(|condition| condition["type"] == "PodScheduled" && condition["status"] == "False");
        return if gated { Some("SchedulingGated") } else { refused().then_some("Unschedulable") };
    }
    containers.find_map(|container| match container["state"]["waiting"]["reason"].as_str()? {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" => Some("ImageNotPulled"),
        "CreateContainerConfigError" => Some("ContainerCannotStart"),
        "CrashLoopBackOff" => Some("CrashLoop"),
        _ => None,
    })
}

/// (b) An obstacle that passes at a known time is not there any more at that time, and something happens until then.
fn passes_in_time(name: &str, obstacle: &Obstacle, node_lost: bool, due: Option<Timestamp>, now: Timestamp) -> Checked {
    let of_pods = obstacle.objects.iter().all(|object| *object.kind == *Kind::Pod.name());
    // That a node is lost shows late.
    let Some(until) = obstacle.until.filter(|_| obstacle.passes && !(of_pods && node_lost)) else { return Ok(()) };
    let sentence = || obstacle.sentence.to_string();
    let late = if of_pods { LATE } else { Duration::ZERO };
    let latest = time::after(until, late);
    hold(latest > now, "W18", || format!("{name}: {:?} is to pass by {until}, and is there at {now}", sentence()))?;
    hold(due.is_some_and(|due| due <= time::after(latest, BATCH)), "W18", || {
        format!("{name}: {:?} is to pass by {until}, and the next thing is due at {due:?}", sentence())
    })
}

/// (c) While nothing changes, an obstacle that does not pass by itself remains, though other pods may join it, and one that does pass is not put off.
fn stays(known: &RememberedObstacles, explained: &RememberedObstacles, now: Timestamp) -> Checked {
    for before in &known.obstacles {
        let after = explained.obstacles.iter().find(|after| after.code == before.code && after.objects == before.objects);
        let name = &known.name;
        let goes_on = |after: &Obstacle| {
            !after.passes && after.code == before.code && before.objects.iter().all(|object| after.objects.contains(object))
        };
        hold(before.passes || explained.obstacles.iter().any(goes_on), "W18", || {
            format!("{name}: {:?} does not pass, and is gone at {now}, although nothing has changed", before.sentence.to_string())
        })?;
        let put_off = after.is_some_and(|after| before.until.is_some_and(|until| until > now) && after.until != before.until);
        hold(!put_off, "W18", || format!("{name}: {:?} is put off at {now}, although nothing has changed", before.sentence.to_string()))?;
    }
    Ok(())
}

/// The versions of an object and of all that it controls, directly or not.
fn versions<M>(stage: &SimulatedCluster<M>, metadata: &ObjectMeta) -> Vec<Text> {
    let of = |kind: Kind, owner: &str| {
        stage
            .server
            .objects(kind)
            .filter(|stored| *stored.metadata().controller_uid() == *owner)
            .map(|stored| stored.metadata().clone())
            .collect::<Vec<_>>()
    };
    let jobs = of(Kind::Job, &metadata.uid);
    let pods = jobs.iter().map(|job| &job.uid).chain([&metadata.uid]).flat_map(|owner| of(Kind::Pod, owner)).collect::<Vec<_>>();
    [metadata].into_iter().chain(&jobs).chain(&pods).map(|metadata| metadata.resource_version.clone()).collect()
}
