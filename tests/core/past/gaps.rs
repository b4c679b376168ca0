//! Records with gaps: each says what is missing, and the rest is reconstructed.
//!
//! Docs: the crate `past`. Complete pasts are compared with plays in `mod.rs`.

use std::collections::BTreeMap;

use api::{Text, Timestamp};
use core_tests::native::Native;
use expect_test::{Expect, expect};
use past::{Past, RecordedJob};
use play::trace::Transcript;
use serde_json::{Value, json};

/// A second of the day on which all happened.
pub(super) fn at(second: i64) -> Value {
    api::time::text(Timestamp::from_second(1_772_323_200 + second).expect("it is a time")).into()
}

/// A Job of one pod at a time, with these fields over those that most have.
pub(super) fn job(spec: Value, status: Value) -> Value {
    let labels =
        json!({"batch.kubernetes.io/controller-uid": "j", "controller-uid": "j", "batch.kubernetes.io/job-name": "pi", "job-name": "pi"});
    let template =
        json!({"metadata": {"labels": labels}, "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "pi"}]}});
    let mut job = json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": "pi", "namespace": "default", "uid": "j", "generation": 1, "creationTimestamp": at(0), "labels": labels},
        "spec": {"backoffLimit": 6, "completions": 1, "parallelism": 1, "template": template,
            "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": "j"}}},
        "status": {"startTime": at(0)},
    });
    merge(&mut job["spec"], spec);
    merge(&mut job["status"], status);
    job
}

fn merge(object: &mut Value, fields: Value) {
    let Value::Object(fields) = fields else { return };
    fields.into_iter().for_each(|(name, value)| object[name] = value);
}

pub(super) fn condition(kind: &str, reason: &str, second: i64) -> Value {
    json!({"type": kind, "status": "True", "reason": reason, "lastTransitionTime": at(second)})
}

/// A pod that ran from a second after its creation to an end with this code.
pub(super) fn pod(name: &str, created: i64, end: i64, code: i32) -> Value {
    let mut pod = running(name, created);
    pod["metadata"]["finalizers"] = json!([]);
    let terminated = json!({"exitCode": code, "reason": if code == 0 { "Completed" } else { "Error" }, "startedAt": at(created + 1), "finishedAt": at(end)});
    pod["status"]["phase"] = if code == 0 { "Succeeded" } else { "Failed" }.into();
    pod["status"]["containerStatuses"][0]["state"] = json!({"terminated": terminated});
    pod["status"]["conditions"][1] = json!({"type": "Ready", "status": "False", "lastTransitionTime": at(end)});
    pod
}

pub(super) fn running(name: &str, created: i64) -> Value {
    let owner =
        json!([{"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "j", "controller": true, "blockOwnerDeletion": true}]);
    let labels =
        json!({"batch.kubernetes.io/controller-uid": "j", "controller-uid": "j", "batch.kubernetes.io/job-name": "pi", "job-name": "pi"});
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "uid": format!("uid-{name}"), "creationTimestamp": at(created), "labels": labels, "ownerReferences": owner,
            "finalizers": ["batch.kubernetes.io/job-tracking"]},
        "spec": {"nodeName": "node", "restartPolicy": "Never", "containers": [{"name": "main", "image": "pi"}]},
        "status": {"phase": "Running", "startTime": at(created),
            "conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": at(created)}, {"type": "Ready", "status": "True", "lastTransitionTime": at(created + 1)}],
            "containerStatuses": [{"name": "main", "image": "pi", "restartCount": 0, "ready": true, "state": {"running": {"startedAt": at(created + 1)}}}]},
    })
}

pub(super) fn failed(second: i64, reason: &str, failed: i32) -> Value {
    json!({"failed": failed, "conditions": [condition("FailureTarget", reason, second), condition("Failed", reason, second)]})
}

pub(super) fn event(reason: &str, message: &str, second: i64, count: i64) -> Value {
    json!({"apiVersion": "v1", "kind": "Event", "involvedObject": {"kind": "Job", "name": "pi", "uid": "j"}, "reason": reason, "message": message,
        "firstTimestamp": at(second), "count": count})
}

pub(super) fn shown(objects: &[Value]) -> String {
    let texts: Vec<Text> = objects.iter().map(|object| object.to_string().into()).collect();
    let record = RecordedJob::all(&texts).pop().expect("it has a past");
    let (mut past, _) = Past::new(Native::default(), record);
    let mut transcript = Transcript::new(past.start());
    let (mut text, mut seen) = (String::new(), BTreeMap::<String, u32>::new());
    while let Some(steps) = past.next_moment() {
        for entry in steps.iter().flat_map(|step| &step.entries) {
            let Some(line) = transcript.line(entry, false) else { continue };
            *seen.entry(line.clone()).or_default() += 1;
            text += &format!("{}{}\n", line.trim_start(), if entry.estimated { " ~" } else { "" });
        }
    }
    text
}

pub(super) fn check(objects: &[Value], expected: Expect) {
    let text = shown(objects);
    expected.assert_eq(&text);
    assert_eq!(shown(objects), text, "always the same");
}

#[test]
fn a_pod_that_is_gone_lived_between_what_was_wanted_and_what_came_next() {
    let objects = [job(json!({"backoffLimit": 1}), failed(52, "BackoffLimitExceeded", 2)), pod("pi-b", 30, 51, 3)];
    check(
        &objects,
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 1 pod that the Job counted no longer exists: what it did is estimated from what happened before and after, and its exit code is not known
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-gone1 Pending ~
            0:00 pod pi-gone1 Ready ~
            0:19 pod pi-gone1 Failed after 19 s ~
            0:19 pod pi-gone1 Terminating ~
            0:20 ○ Retrying pod creation at 0:29: back-off of 10 s after 1 consecutive failure (J-84)
            0:20 ● Counting pod pi-gone1 as failed: every failed pod counts (J-124)
            0:20 pod pi-gone1 gone ~
            0:30 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:30 pod pi-b Pending
            0:31 pod pi-b Ready
            0:51 pod pi-b Failed with exit code 3 after 21 s
            0:52 ● The Job fails: 2 pods failed; backoffLimit allows 1 (J-46d)
            0:52 ● Counting pod pi-b as failed with exit code 3: every failed pod counts (J-124)
            0:52 job pi: FailureTarget: BackoffLimitExceeded
            0:52 ● The Job is Failed (BackoffLimitExceeded) (J-127)
            0:52 job pi: Failed: BackoffLimitExceeded
        "#]],
    );
}

#[test]
fn a_job_of_which_only_the_status_is_left_says_so() {
    check(
        &[job(json!({"backoffLimit": 0}), failed(22, "BackoffLimitExceeded", 1))],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 1 pod that the Job counted no longer exists: what it did is estimated from what happened before and after, and its exit code is not known
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-gone1 Pending ~
            0:00 pod pi-gone1 Ready ~
            0:21 pod pi-gone1 Failed after 21 s ~
            0:21 pod pi-gone1 Terminating ~
            0:22 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
            0:22 ● Counting pod pi-gone1 as failed: every failed pod counts (J-124)
            0:22 job pi: FailureTarget: BackoffLimitExceeded
            0:22 pod pi-gone1 gone ~
            0:22 ● The Job is Failed (BackoffLimitExceeded) (J-127)
            0:22 job pi: Failed: BackoffLimitExceeded
        "#]],
    );
}

#[test]
fn a_container_that_nobody_saw_end() {
    let mut lost = pod("pi-a", 0, 60, 137);
    lost["status"]["containerStatuses"][0]["state"] =
        json!({"terminated": {"exitCode": 137, "reason": "ContainerStatusUnknown", "startedAt": null, "finishedAt": null}});
    check(
        &[job(json!({"backoffLimit": 0}), failed(61, "BackoffLimitExceeded", 1)), lost],
        expect![[r#"
            0:00 job pi: created
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-a Pending
            1:00 ≠ the end of container main of pod pi-a was not observed: its node was lost, or the container never ran: the time is when the pod was reported
            1:00 pod pi-a Failed with exit code 137 after 60 s: ContainerStatusUnknown
            1:01 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
            1:01 ● Counting pod pi-a as failed with exit code 137: every failed pod counts (J-124)
            1:01 job pi: FailureTarget: BackoffLimitExceeded
            1:01 ● The Job is Failed (BackoffLimitExceeded) (J-127)
            1:01 job pi: Failed: BackoffLimitExceeded
        "#]],
    );
}

#[test]
fn a_job_that_was_edited() {
    let mut edited = job(json!({"parallelism": 2, "completions": 2}), json!({"active": 2}));
    edited["metadata"]["generation"] = 2.into();
    check(
        &[edited, running("pi-a", 0), running("pi-b", 20)],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ the Job has been edited: its generation is 2: only its latest spec is known
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 2 pods: 0 active, 2 wanted (J-83)
            0:00 pod pi-a Pending
            0:01 pod pi-a Ready
            0:20 ≠ the Job's controller acted 19 s later than expected: the Job was edited, and its earlier spec is not known
            0:20 ● Creating 1 pod: 1 active, 2 wanted (J-83)
            0:20 pod pi-b Pending
            0:21 pod pi-b Ready
        "#]],
    );
}

#[test]
fn a_job_that_was_resumed() {
    let mut resumed = job(json!({"suspend": false}), json!({"startTime": at(600), "succeeded": 1, "completionTime": at(612)}));
    resumed["metadata"]["generation"] = 2.into();
    let mut suspended = condition("Suspended", "JobResumed", 600);
    suspended["status"] = "False".into();
    resumed["status"]["conditions"] =
        json!([suspended, condition("SuccessCriteriaMet", "CompletionsReached", 612), condition("Complete", "CompletionsReached", 612)]);
    check(
        &[resumed, pod("pi-a", 600, 611, 0)],
        expect![[r#"
        0:00 job pi: created
        0:00 ○ Not creating pods: the Job is suspended (J-80)
        0:00 ● Marking the Job as suspended: it has no startTime until it is resumed (J-121)
        0:00 job pi: Suspended: JobSuspended
        10:00 job pi: spec.suspend is false
        10:00 ● Starting the Job: startTime is set (J-46)
        10:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        10:00 ● Marking the Job as resumed: its startTime is reset to the current time (J-121)
        10:00 pod pi-a Pending
        10:00 job pi: Suspended is False: JobResumed
        10:01 pod pi-a Ready
        10:11 pod pi-a Succeeded after 11 s
        10:12 ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
        10:12 ● Counting pod pi-a as succeeded (J-124)
        10:12 job pi: SuccessCriteriaMet: CompletionsReached
        10:12 ● The Job is Complete (CompletionsReached) (J-127)
        10:12 job pi: Complete: CompletionsReached
    "#]],
    );
}

#[test]
fn a_node_whose_clock_is_wrong() {
    let mut early = pod("pi-a", 10, 21, 1);
    early["status"]["startTime"] = at(3);
    early["status"]["containerStatuses"][0]["state"]["terminated"]["startedAt"] = at(4);
    let mut status = failed(22, "BackoffLimitExceeded", 1);
    status["startTime"] = at(10);
    check(
        &[job(json!({"backoffLimit": 0}), status), early],
        expect![[r#"
        0:00 job pi: created
        0:10 ≠ pod pi-a started 7 s before it was created: the clock of its node differs from that of the API server; it is shown as if it had started when it was created
        0:10 ● Starting the Job: startTime is set (J-46)
        0:10 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:10 pod pi-a Pending
        0:10 pod pi-a Ready
        0:21 pod pi-a Failed with exit code 1 after 11 s
        0:22 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
        0:22 ● Counting pod pi-a as failed with exit code 1: every failed pod counts (J-124)
        0:22 job pi: FailureTarget: BackoffLimitExceeded
        0:22 ● The Job is Failed (BackoffLimitExceeded) (J-127)
        0:22 job pi: Failed: BackoffLimitExceeded
    "#]],
    );
}

#[test]
fn pods_of_one_second_are_told_in_the_order_that_fits() {
    let both = [pod("pi-a", 0, 5, 1), pod("pi-b", 0, 5, 1)];
    let status = failed(6, "BackoffLimitExceeded", 2);
    let [a, b] = both;
    check(
        &[job(json!({"backoffLimit": 1, "parallelism": 2, "completions": 2}), status), a, b],
        expect![[r#"
        0:00 job pi: created
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 2 pods: 0 active, 2 wanted (J-83)
        0:00 pod pi-a Pending
        0:00 pod pi-b Pending
        0:01 pod pi-a Ready
        0:01 pod pi-b Ready
        0:05 pod pi-a Failed with exit code 1 after 5 s
        0:05 pod pi-b Failed with exit code 1 after 5 s
        0:06 ● The Job fails: 2 pods failed; backoffLimit allows 1 (J-46d)
        0:06 ● Counting pod pi-a as failed with exit code 1: every failed pod counts (J-124)
        0:06 ● Counting pod pi-b as failed with exit code 1: every failed pod counts (J-124)
        0:06 job pi: FailureTarget: BackoffLimitExceeded
        0:06 ● The Job is Failed (BackoffLimitExceeded) (J-127)
        0:06 job pi: Failed: BackoffLimitExceeded
    "#]],
    );
}

#[test]
fn a_pod_that_is_not_counted_yet() {
    let mut uncounted = pod("pi-a", 0, 9, 1);
    uncounted["metadata"]["finalizers"] = json!(["batch.kubernetes.io/job-tracking"]);
    check(
        &[job(json!({}), json!({"active": 1, "ready": 0, "terminating": 0})), uncounted],
        expect![[r#"
            0:00 job pi: created
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-a Pending
            0:01 pod pi-a Ready
            0:09 pod pi-a Failed with exit code 1 after 9 s
        "#]],
    );
}

#[test]
fn pods_of_which_only_events_tell() {
    let objects = [
        job(json!({"backoffLimit": 1}), failed(80, "BackoffLimitExceeded", 2)),
        event("FailedCreate", "pods \"pi-\" is forbidden: exceeded quota", 0, 4),
        event("SuccessfulCreate", "Created pod: pi-x7k2p", 15, 1),
        event("SuccessfulCreate", "Created pod: pi-q2w3e", 50, 1),
    ];
    check(
        &objects,
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 2 pods that the Job counted no longer exist: what they did is estimated from what happened before and after, and their exit codes are not known
            0:00 ≠ Event FailedCreate, 4 times from here on: pods "pi-" is forbidden: exceeded quota
            0:00 ● Starting the Job: startTime is set (J-46)
            0:15 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:15 pod pi-x7k2p Pending
            0:15 pod pi-x7k2p Ready ~
            0:39 pod pi-x7k2p Failed after 24 s ~
            0:39 pod pi-x7k2p Terminating ~
            0:40 ○ Retrying pod creation at 0:49: back-off of 10 s after 1 consecutive failure (J-84)
            0:40 ● Counting pod pi-x7k2p as failed: every failed pod counts (J-124)
            0:40 pod pi-x7k2p gone ~
            0:50 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:50 pod pi-q2w3e Pending
            0:50 pod pi-q2w3e Ready ~
            1:19 pod pi-q2w3e Failed after 29 s ~
            1:19 pod pi-q2w3e Terminating ~
            1:20 ● The Job fails: 2 pods failed; backoffLimit allows 1 (J-46d)
            1:20 ● Counting pod pi-q2w3e as failed: every failed pod counts (J-124)
            1:20 job pi: FailureTarget: BackoffLimitExceeded
            1:20 pod pi-q2w3e gone ~
            1:20 ● The Job is Failed (BackoffLimitExceeded) (J-127)
            1:20 job pi: Failed: BackoffLimitExceeded
        "#]],
    );
}

#[test]
fn a_job_of_another_manager() {
    let status = json!({"succeeded": 1, "completionTime": at(12),
        "conditions": [condition("SuccessCriteriaMet", "CompletionsReached", 12), condition("Complete", "CompletionsReached", 12)]});
    check(
        &[job(json!({"managedBy": "kueue.x-k8s.io/multikueue"}), status), pod("pi-a", 2, 11, 0)],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ spec.managedBy assigns the Job to kueue.x-k8s.io/multikueue: its decisions are not known here, so this is the record alone
            0:00 ○ Leaving the Job alone: kueue.x-k8s.io/multikueue manages it (J-42)
            0:02 pod pi-a Pending
            0:03 pod pi-a Ready
            0:11 pod pi-a Succeeded after 9 s
            0:12 job pi: SuccessCriteriaMet: CompletionsReached
            0:12 job pi: Complete: CompletionsReached
            0:12 ○ Leaving pod pi-a alone: its Job is managed by another controller (J-136)
        "#]],
    );
}

#[test]
fn a_pod_that_the_controllers_would_not_have_created() {
    let objects = [job(json!({}), json!({"active": 2, "ready": 2})), running("pi-a", 0), running("pi-b", 20)];
    check(
        &objects,
        expect![[r#"
            0:00 job pi: created
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-a Pending
            0:01 pod pi-a Ready
            0:20 ≠ pod pi-b was created here, as recorded, but no new pod was expected: it may replace a pod that no longer exists, or the controller was restarted, or another version of it was at work
            0:20 pod pi-b Pending
            0:21 pod pi-b Ready
            0:21 ≠ recorded: status.active 2; expected: 1
        "#]],
    );
}
