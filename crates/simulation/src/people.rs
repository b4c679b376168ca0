//! What people and the rest of the cluster do, drawn from a seed, of what can be done to what is there.
//!
//! Docs: Jobs, "Suspending a Job", "Elastic Indexed Jobs", "Job tracking with finalizers"; Garbage Collection, "Cascading deletion"; Disruptions.

use api::meta::names;
use api::request::{ContentType, Method, Request, path};
use api::{Job, Kind, Text};
use cluster::ApiServer;
use cluster::rng::Rng;
use serde_json::{Value, json};

use crate::interventions::{Intervention, NAMESPACE};
use crate::jobs::{self, OWN_LABEL};
use crate::ledger::indexes;
use crate::meddling;

/// Draws something that can be done, if there is anything to do it to.
pub(crate) fn intervention(dice: &mut Rng, server: &ApiServer, job_names: &[&str], node_lost: bool) -> Option<Intervention> {
    match dice.below(100) {
        0..30 => change_job(dice, server),
        30..36 => delete_job(dice, server),
        36..40 => create_job(dice, server, job_names),
        40..54 => delete_pod(dice, server),
        54..66 => change_pod(dice, server),
        66..71 => pod(dice, server).map(Intervention::Evict),
        71..81 => {
            let code = *dice.pick(&[0, 0, 1, 3]);
            pod(dice, server).map(|pod| Intervention::Exit { pod, code })
        }
        81..87 => Some(create_pod(dice, server)),
        87..93 => {
            let name = one_of(dice, server, Kind::Job)?;
            meddling::change_job_status(dice, server, &name)
        }
        93..96 => meddling::turn_phase(server, &pod(dice, server)?),
        _ if node_lost => Some(Intervention::RemoveNodes),
        _ => Some(Intervention::LoseNode),
    }
}

fn change_job(dice: &mut Rng, server: &ApiServer) -> Option<Intervention> {
    let name = one_of(dice, server, Kind::Job)?;
    let job = server.object(Kind::Job, NAMESPACE, &name)?.job()?;
    let spec = match dice.below(16) {
        0..4 => json!({"suspend": !job.suspended()}),
        4 | 5 => json!({"suspend": false}),
        6 | 7 if job.indexed() => {
            let both = dice.below(6);
            json!({"parallelism": both, "completions": both})
        }
        6..10 if may_scale_alone(job) => json!({"parallelism": dice.below(5)}),
        10 => json!({"backoffLimit": dice.below(5)}),
        11 | 12 => json!({"activeDeadlineSeconds": dice.pick(&[json!(1), json!(10), json!(100), json!(null)])}),
        13 if job.spec.backoff_limit_per_index.is_some() => json!({"maxFailedIndexes": dice.pick(&[json!(0), json!(1), json!(null)])}),
        13 => json!({"podReplacementPolicy": dice.pick(&["Failed", "TerminatingOrFailed"])}),
        14 => return Some(patch(Kind::Job, &name, &json!({"metadata": {"labels": {"touched": dice.below(9).to_string()}}}))),
        6..10 => return None,
        _ => {
            return Some(patch(
                Kind::Job,
                &name,
                &json!({"metadata": {"finalizers": dice.pick(&[json!(["example.com/hold"]), json!(null)])}}),
            ));
        }
    };
    Some(patch(Kind::Job, &name, &json!({"spec": spec})))
}

/// Whether `parallelism` may be changed alone. While the controllers have yet to forget indexes that the completions do not reach any more, the API server takes that
/// from them only as long as both are equal.
fn may_scale_alone(job: &Job) -> bool {
    let completions = i64::from(job.spec.completions.unwrap_or(0));
    !job.indexed() || indexes(&job.status.completed_indexes).last().is_none_or(|last| i64::from(*last) < completions)
}

fn delete_job(dice: &mut Rng, server: &ApiServer) -> Option<Intervention> {
    let name = one_of(dice, server, Kind::Job)?;
    let options = json!({"propagationPolicy": dice.pick(&["Background", "Foreground", "Orphan"])});
    Some(Intervention::Request(Request::delete(Kind::Job, NAMESPACE, &name, options.to_string())))
}

/// Creates a Job of a name that is free, perhaps because an earlier one of that name is gone.
fn create_job(dice: &mut Rng, server: &ApiServer, job_names: &[&str]) -> Option<Intervention> {
    let free = job_names.iter().find(|name| server.object(Kind::Job, NAMESPACE, name).is_none())?;
    Some(Intervention::Request(jobs::creation(dice, free)))
}

fn delete_pod(dice: &mut Rng, server: &ApiServer) -> Option<Intervention> {
    let name = pod(dice, server)?;
    let options = if dice.one_in(3) { json!({"gracePeriodSeconds": 0}) } else { json!({}) };
    Some(Intervention::Request(Request::delete(Kind::Pod, NAMESPACE, &name, options.to_string())))
}

fn change_pod(dice: &mut Rng, server: &ApiServer) -> Option<Intervention> {
    let name = pod(dice, server)?;
    let stored = server.object(Kind::Pod, NAMESPACE, &name)?;
    let labels = |value: Value| json!({"labels": {"app": value, names::CONTROLLER_UID: value}});
    let metadata = match dice.below(8) {
        0 => json!({"finalizers": null}),
        1 => labels(json!("other")),
        2 => {
            let jobs: Vec<Text> = server.objects(Kind::Job).map(|job| job.metadata().uid.clone()).collect();
            let uid = if jobs.is_empty() { "nobody".into() } else { dice.pick(&jobs).clone() };
            json!({"labels": {"app": OWN_LABEL, names::CONTROLLER_UID: &*uid}})
        }
        3 => json!({"ownerReferences": null}),
        4 => json!({"annotations": {names::COMPLETION_INDEX: dice.pick(&["7", "x", "1", "0"])}}),
        5 => json!({"ownerReferences": [replica_set(dice)]}),
        6 => json!({"annotations": {names::INDEX_FAILURE_COUNT: dice.pick(&["7", "x", "1"])}}),
        _ => {
            let mut finalizers: Vec<Text> = stored.metadata().finalizers.to_vec();
            if finalizers.iter().any(|held| &**held == "example.com/hold") {
                finalizers.retain(|held| &**held != "example.com/hold");
            } else {
                finalizers.push("example.com/hold".into());
            }
            json!({"finalizers": finalizers})
        }
    };
    Some(patch(Kind::Pod, &name, &json!({"metadata": metadata})))
}

/// A pod that no Job made, perhaps with labels that a Job selects, perhaps of another kind of controller.
fn create_pod(dice: &mut Rng, server: &ApiServer) -> Intervention {
    let mut metadata = json!({"generateName": "loose-", "labels": {"app": OWN_LABEL}});
    let jobs: Vec<Text> = server.objects(Kind::Job).map(|job| job.metadata().uid.clone()).collect();
    if !jobs.is_empty() && dice.one_in(2) {
        metadata["labels"] = json!({names::CONTROLLER_UID: &**dice.pick(&jobs)});
    }
    if dice.one_in(3) {
        metadata["finalizers"] = json!([names::JOB_TRACKING]);
    }
    if dice.one_in(2) {
        metadata["annotations"] = json!({names::COMPLETION_INDEX: dice.below(4).to_string()});
    }
    if dice.one_in(4) {
        metadata["ownerReferences"] = json!([replica_set(dice)]);
    }
    let spec = json!({"restartPolicy": "Never", "containers": [{"name": dice.pick(&["main", "web"]), "image": "none"}]});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
    Intervention::Request(Request::create(Kind::Pod, NAMESPACE, pod.to_string()))
}

/// A reference to a controller of another kind, which has the name of a Job.
fn replica_set(dice: &mut Rng) -> Value {
    let name = *dice.pick(&["a", "b", "web"]);
    json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": format!("replicaset-{name}-1"), "controller": true, "blockOwnerDeletion": true})
}

fn pod(dice: &mut Rng, server: &ApiServer) -> Option<Text> {
    one_of(dice, server, Kind::Pod)
}

fn one_of(dice: &mut Rng, server: &ApiServer, kind: Kind) -> Option<Text> {
    let names: Vec<&Text> = server.objects(kind).map(|object| &object.metadata().name).collect();
    if names.is_empty() { None } else { Some((*dice.pick(&names)).clone()) }
}

fn patch(kind: Kind, name: &str, patch: &Value) -> Intervention {
    let content_type = ContentType::MergePatch;
    Intervention::Request(Request { method: Method::Patch, path: path(kind, NAMESPACE, name, ""), content_type, body: patch.to_string() })
}
