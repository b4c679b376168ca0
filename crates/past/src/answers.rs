//! The answers to requests that create pods: the recorded pod, or one that no longer exists.
//!
//! Docs: API Concepts, "Generated names". When it answers is decided in `pacing.rs` and `recorded.rs`.

use api::meta::names;
use api::{Duration, Kind, Timestamp, time};
use cluster::ApiServer;
use serde_json::{Map, Value, json};

use crate::fields::items;
use crate::gaps::GoneCourse;
use crate::judged::{JudgedBy, JudgedPod};
use crate::life::{Frame, frames};
use crate::record::RecordedPod;

/// The completion index of a pod, from the body of the request that creates it.
pub(crate) fn index(body: &Value) -> Option<u32> {
    body["metadata"]["annotations"][names::COMPLETION_INDEX].as_str()?.parse().ok()
}

/// Creates a recorded pod as the controllers asked for it, or, without a request, as they would have; returns whether it is there now.
pub(crate) fn create(server: &mut ApiServer, pod: &RecordedPod, asked: Option<&Value>) -> bool {
    let mut value = pod.value.clone();
    if let Some(metadata) = value["metadata"].as_object_mut() {
        for field in ["deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "managedFields"] {
            metadata.remove(field);
        }
        metadata.insert("creationTimestamp".to_owned(), time::text(pod.created_at).into());
        let known = [names::TRACKING_FINALIZERS, names::DELETION_FINALIZERS].concat();
        let own = |finalizer: &&Value| finalizer.as_str().is_some_and(|name| known.contains(&name));
        let theirs = items(&pod.value["metadata"]["finalizers"]).filter(|finalizer| !own(finalizer)).cloned();
        let tracking = || vec![Value::from(names::JOB_TRACKING)];
        let given = asked.map_or_else(tracking, |body| items(&body["metadata"]["finalizers"]).cloned().collect());
        metadata.insert("finalizers".to_owned(), given.into_iter().chain(theirs).collect());
    }
    if let Some(spec) = value["spec"].as_object_mut() {
        spec.remove("nodeName");
    }
    value["status"] = json!({"phase": "Pending"});
    server.restore(Kind::Pod, &pod.metadata.namespace, &value.to_string()).is_ok()
}

/// A pod that no longer exists in the record, as the controllers created it just now.
///
/// `judged`: what is known of its end.
pub(crate) fn gone(
    value: Value,
    course: GoneCourse,
    succeeds: bool,
    judged: Option<&JudgedPod>,
    until: Timestamp,
    now: Timestamp,
) -> Option<RecordedPod> {
    let metadata = api::json::from_str(&value["metadata"].to_string()).ok()?;
    let container = |state: Value| {
        let containers = items(&value["spec"]["containers"]);
        containers.map(|container| json!({"name": container["name"], "image": container["image"], "state": state})).collect::<Vec<_>>()
    };
    let second = |at: Timestamp| Value::from(time::text(time::whole_seconds(at)));
    let running = json!({"running": {"startedAt": second(now)}});
    let condition = |kind: &str, status: &str, at| json!({"type": kind, "status": status, "lastTransitionTime": second(at)});
    let mut status = json!({
        "phase": "Running", "startTime": second(now), "containerStatuses": container(running),
        "conditions": [condition("PodScheduled", "True", now), condition("Initialized", "True", now), condition("Ready", "True", now)],
    });
    let mut all = vec![frame(&status, now)];
    if let Some(ends_at) = course.ends_at {
        // Nobody knows with which code it failed.
        let ended = json!({"terminated": {"exitCode": 0, "reason": "Completed", "startedAt": second(now), "finishedAt": second(ends_at)}});
        status["phase"] = if succeeds { "Succeeded" } else { "Failed" }.into();
        status["containerStatuses"] = if succeeds { container(ended).into() } else { json!([]) };
        status["conditions"][2] = condition("Ready", "False", ends_at);
        match judged.map(|judged| &judged.by) {
            Some(JudgedBy::ExitCode { container, code }) => {
                let ended = json!({"exitCode": code, "reason": "Error", "startedAt": second(now), "finishedAt": second(ends_at)});
                let initial = items(&value["spec"]["initContainers"]).any(|initial| initial["name"] == **container);
                let list = if initial { "initContainerStatuses" } else { "containerStatuses" };
                status[list] = json!([{"name": container, "state": {"terminated": ended}}]);
            }
            Some(JudgedBy::Condition(kind)) => {
                status["conditions"].as_array_mut().into_iter().for_each(|all| all.push(condition(kind, "True", ends_at)));
            }
            None => {}
        }
        all.push(frame(&status, time::after(now, ends_at.duration_since(now).max(Duration::ZERO))));
    } else if course.restarts > 0 {
        let last = time::after(until, -RESTART_NOTICED).max(now);
        status["containerStatuses"] = container(json!({"running": {"startedAt": second(last)}})).into();
        for container in status["containerStatuses"].as_array_mut().into_iter().flatten() {
            container["restartCount"] = course.restarts.into();
        }
        all = frames(&status, true, now, None, last);
        all.iter_mut().for_each(|frame| frame.estimated = true);
    }
    let ended = course.ends_at.is_some();
    let index = script::completion_index(&metadata);
    Some(RecordedPod { metadata, index, created_at: now, deletion: None, value, frames: all, ended, uncounted: false, estimated: true })
}

/// How long after a restart its Job is synced.
const RESTART_NOTICED: Duration = Duration::from_secs(1);

fn frame(status: &Value, at: Timestamp) -> Frame {
    let status: Map<String, Value> = status.as_object().cloned().unwrap_or_default();
    Frame { at, status, assigned: true, estimated: true }
}
