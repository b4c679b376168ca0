//! The Job that failed last night, and others of its cluster, as objects.
//!
//! Docs: `kubectl get --help`, `-o yaml`. What the program tells of them is tested in `past.rs`.

use serde_json::{Value, json};

pub(crate) const UID: &str = "7a1f0c9e-3b52-4a0e-9a44-0d3f7e1c5b21";
pub(crate) const CRON_JOB: &str = "0b6b7c52-65a0-4f3f-8c7e-9f3c2f1d7a10";
pub(crate) const NAME: &str = "nightly-29668920";

/// A time in the hour in which all happened.
pub(crate) fn at(minute_and_second: &str) -> Value {
    format!("2026-11-25T01:{minute_and_second}Z").into()
}

fn template() -> Value {
    json!({"restartPolicy": "Never", "containers": [{"name": "report", "image": "registry.example.com/report:1.4"}]})
}

pub(crate) fn cron_job() -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "CronJob",
        "metadata": {"name": "nightly", "namespace": "reports", "uid": CRON_JOB, "creationTimestamp": "2026-10-01T09:00:00Z"},
        "spec": {"schedule": "0 2 * * *", "timeZone": "Europe/Berlin", "suspend": true, "jobTemplate": {"spec": {"template": {"spec": template()}}}},
        "status": {"lastScheduleTime": "2026-11-25T01:00:00Z"},
    })
}

/// The Job that failed last night.
pub(crate) fn job() -> Value {
    let labels =
        json!({"batch.kubernetes.io/controller-uid": UID, "controller-uid": UID, "batch.kubernetes.io/job-name": NAME, "job-name": NAME});
    let failed = |kind: &str| json!({"type": kind, "status": "True", "reason": "BackoffLimitExceeded", "lastTransitionTime": at("07:13")});
    json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": NAME, "namespace": "reports", "uid": UID, "generation": 1, "creationTimestamp": at("00:00"), "labels": labels,
            "annotations": {"batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-11-25T02:00:00+01:00"},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "CronJob", "name": "nightly", "uid": CRON_JOB, "controller": true}]},
        "spec": {"backoffLimit": 2, "completions": 1, "parallelism": 1, "template": {"metadata": {"labels": labels}, "spec": template()},
            "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": UID}}},
        "status": {"startTime": at("00:00"), "failed": 3, "conditions": [failed("FailureTarget"), failed("Failed")]},
    })
}

/// A pod that started a second after its creation, and whose end was reported a second or two after it.
fn pod(end: &str, [created, started, finished, reported]: [&str; 4], code: i32, reason: &str) -> Value {
    let owner =
        json!([{"apiVersion": "batch/v1", "kind": "Job", "name": NAME, "uid": UID, "controller": true, "blockOwnerDeletion": true}]);
    let condition = |kind: &str, status: &str, time: &str| json!({"type": kind, "status": status, "lastTransitionTime": at(time)});
    let terminated = json!({"exitCode": code, "reason": reason, "startedAt": at(started), "finishedAt": at(finished)});
    let mut spec = template();
    spec["nodeName"] = "worker-2".into();
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": format!("{NAME}-{end}"), "generateName": format!("{NAME}-"), "namespace": "reports", "uid": format!("uid-{end}"),
            "creationTimestamp": at(created), "ownerReferences": owner,
            "labels": {"batch.kubernetes.io/controller-uid": UID, "batch.kubernetes.io/job-name": NAME}},
        "spec": spec,
        "status": {"phase": "Failed", "startTime": at(created),
            "conditions": [condition("Ready", "False", reported), condition("PodScheduled", "True", created)],
            "containerStatuses": [{"name": "report", "restartCount": 0, "ready": false, "state": {"terminated": terminated}}]},
    })
}

pub(crate) fn pods() -> [Value; 3] {
    [
        pod("4x7kd", ["00:00", "00:02", "01:41", "01:42"], 1, "Error"),
        pod("9qzvt", ["01:53", "01:54", "03:20", "03:21"], 1, "Error"),
        pod("mw2hb", ["03:42", "03:43", "07:10", "07:12"], 137, "OOMKilled"),
    ]
}

/// Objects as they are pasted.
pub(crate) fn list(objects: &[Value]) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string()
}

/// A Job that has been Complete since.
pub(crate) fn complete(name: &str) -> Value {
    let mut job = job();
    job["metadata"]["name"] = name.into();
    job["metadata"]["uid"] = name.into();
    job["status"] = json!({"startTime": at("00:00"), "completionTime": at("00:05"), "succeeded": 1, "conditions": [
        {"type": "Complete", "status": "True", "reason": "CompletionsReached", "lastTransitionTime": at("00:05")}]});
    job
}

/// A Job whose pod lacks a Secret.
pub(crate) fn hanging() -> [Value; 2] {
    let mut hanging = job();
    hanging["status"] = json!({"startTime": at("00:00"), "active": 1, "ready": 0, "terminating": 0});
    let mut stuck = pod("4x7kd", ["00:00", "00:01", "00:02", "00:03"], 0, "");
    stuck["metadata"]["finalizers"] = json!(["batch.kubernetes.io/job-tracking"]);
    stuck["status"] = json!({"phase": "Pending", "startTime": at("00:00"),
        "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": at("00:00")},
            {"type": "Ready", "status": "False", "reason": "ContainersNotReady", "lastTransitionTime": at("00:01")}],
        "containerStatuses": [{"name": "report", "restartCount": 0, "ready": false,
            "state": {"waiting": {"reason": "CreateContainerConfigError", "message": "secret \"smtp\" not found"}}}]});
    [hanging, stuck]
}
