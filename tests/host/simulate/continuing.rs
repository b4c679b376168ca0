//! A simulation that continues from a state of a cluster that is not a clean one: pods of others among its objects, stuck pods, back-offs.
//!
//! Docs: `jobsmith simulate --help`, "given the output of `kubectl get cronjobs,jobs,pods -o yaml`". When such a simulation begins is tested in
//! `found.rs`.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::program::{Ended, Folder};

/// A Job of a cluster with this status.
fn job(name: &str, status: &Value) -> Value {
    let uid = format!("uid-{name}");
    let labels = json!({"batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": name});
    let template = json!({"metadata": {"labels": labels}, "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "c"}]}});
    json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": name, "namespace": "default", "uid": uid, "creationTimestamp": "2026-06-01T08:00:00Z", "labels": labels},
        "spec": {
            "backoffLimit": 6, "completionMode": "NonIndexed", "completions": 1, "parallelism": 1, "suspend": false,
            "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}, "template": template,
        },
        "status": status,
    })
}

/// A Job that counts one active pod.
pub(super) fn running_job(name: &str) -> Value {
    job(name, &json!({"active": 1, "ready": 0, "terminating": 0, "startTime": "2026-06-01T08:00:00Z", "uncountedTerminatedPods": {}}))
}

/// A pod with this owner and this status.
pub(super) fn pod(name: &str, kind: &str, owner: &str, status: &Value) -> Value {
    let uid = format!("uid-{owner}");
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": name, "namespace": "default", "uid": format!("uid-{name}"), "creationTimestamp": "2026-06-01T08:00:00Z",
            "finalizers": ["batch.kubernetes.io/job-tracking"],
            "labels": {"batch.kubernetes.io/controller-uid": uid, "batch.kubernetes.io/job-name": owner},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": kind, "name": owner, "uid": uid, "controller": true, "blockOwnerDeletion": true}],
        },
        "spec": {"nodeName": "n1", "restartPolicy": "Never", "containers": [{"name": "c", "image": "c"}]},
        "status": status,
    })
}

/// The status of a pod that runs since the beginning.
pub(super) fn running() -> Value {
    json!({
        "phase": "Running", "startTime": "2026-06-01T08:00:00Z",
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-06-01T08:00:01Z"}],
        "containerStatuses": [{"name": "c", "image": "c", "imageID": "", "ready": true, "restartCount": 0, "started": true,
            "state": {"running": {"startedAt": "2026-06-01T08:00:01Z"}}}],
    })
}

/// Continues from objects in a file.
pub(super) fn simulate(text: impl AsRef<[u8]>, arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("list.yaml", text);
    folder.run(&[&["simulate", "list.yaml", "--skip-past"], arguments].concat())
}

pub(super) fn list(objects: &[Value]) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string()
}

/// What happens, without the decisions, then what is noted, without the places.
#[track_caller]
pub(super) fn check(objects: &[Value], arguments: &[&str], status: i32, expected: Expect) {
    let ended = simulate(list(objects), arguments).with_status(status);
    let trace = ended.stdout.split("\n\n").next().unwrap_or_default();
    let shown: String = trace.lines().filter(|line| !line.contains(['●', '○'])).map(|line| format!("{}\n", line.trim_start())).collect();
    let noted = ended.stderr.lines().filter(|line| line.starts_with(char::is_alphabetic)).map(|line| format!("{line}\n"));
    expected.assert_eq(&(shown + &noted.collect::<String>()));
}

#[test]
fn pods_of_others_are_named_and_not_simulated() {
    let web = (0..10).map(|number| pod(&format!("web-7d4b9-{number}"), "ReplicaSet", "web-7d4b9", &running()));
    let objects: Vec<Value> = [running_job("import"), pod("import-a", "Job", "import", &running())].into_iter().chain(web).collect();
    check(
        &objects,
        &["-s", "pods: succeed after 30s"],
        0,
        expect![[r#"
            0:00 job import: found
            0:00 pod import-a Ready
            0:30 pod import-a Succeeded after 31 s
            0:31 job import: SuccessCriteriaMet: CompletionsReached
            0:31 job import: Complete: CompletionsReached
            warning: Skipped: 10 pods of ReplicaSet web-7d4b9
        "#]],
    );
}

#[test]
fn pods_of_others_alone_are_no_input() {
    let ended = simulate(list(&[pod("a", "Job", "gone", &running()), pod("b", "DaemonSet", "log", &running())]), &[]).with_status(2);
    assert!(
        ended.stderr.contains("there is no Job here, only 1 pod of Job gone, which is missing, 1 pod of DaemonSet log"),
        "{}",
        ended.stderr
    );
}

#[test]
fn items_of_a_job_list_need_no_kind() {
    let items = "- metadata: {name: from-list, namespace: default}\n  spec:\n    template:\n      spec:\n        restartPolicy: Never\n        \
                 containers: [{name: c, image: c}]\n";
    let list = format!("apiVersion: batch/v1\nkind: JobList\nmetadata: {{resourceVersion: \"3\"}}\nitems:\n{items}");
    let ended = simulate(list, &["-s", "pods: succeed after 1s"]).with_status(0);
    assert!(ended.stdout.contains("0:00 job from-list: created"), "{}", ended.stdout);
}

/// A pod that failed in the second after this minute.
fn failed(name: &str, at: &str) -> Value {
    let status = json!({
        "phase": "Failed", "startTime": "2026-06-01T08:00:00Z",
        "containerStatuses": [{"name": "c", "image": "c", "imageID": "", "ready": false, "restartCount": 0, "started": false,
            "state": {"terminated": {"exitCode": 1, "reason": "Error", "startedAt": "2026-06-01T08:00:00Z", "finishedAt": at}}}],
    });
    let mut pod = pod(name, "Job", "retry", &status);
    pod["metadata"]["finalizers"] = json!([]);
    pod
}

#[test]
fn a_job_waits_for_the_rest_of_its_back_off() {
    let status = json!({"failed": 3, "ready": 0, "terminating": 0, "startTime": "2026-06-01T08:00:00Z", "uncountedTerminatedPods": {}});
    let failed = [("a", "02"), ("b", "14"), ("c", "36")].map(|(name, second)| failed(name, &format!("2026-06-01T08:00:{second}Z")));
    let objects = [vec![job("retry", &status)], failed.to_vec()].concat();
    let first = |arguments: &[&str]| {
        let ended = simulate(list(&objects), &[&["-s", "pods: succeed after 5s", "--from", "2026-06-01T08:00:50"], arguments].concat());
        let stdout = ended.with_status(0).stdout;
        stdout
            .lines()
            .filter(|line| line.contains("Retrying") || line.contains("Creating"))
            .map(|line| format!("{}\n", line.trim_start()))
            .collect::<String>()
    };
    expect![[r#"
           0:00 ○ Retrying pod creation at 0:26: back-off of 40 s after 3 consecutive failures (J-84)
           0:26 ● Creating 1 pod: 0 active, 1 wanted (J-83)
    "#]]
    .assert_eq(&first(&[]));
    expect![[r#"
           0:00 ○ Retrying pod creation at 0:26: back-off of 40 s after 3 consecutive failures (J-84)
           0:05 ● Creating 1 pod: 0 active, 1 wanted (J-83)
    "#]]
    .assert_eq(&first(&["-s", "at 5s: restart controller"]));
    expect![[r#"
           0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
    "#]]
    .assert_eq(&first(&["--config", r#"{"memory": "empty"}"#]));
}

/// The status of a Job that is Complete.
fn complete() -> Value {
    let condition =
        |kind: &str| json!({"type": kind, "status": "True", "reason": "CompletionsReached", "lastTransitionTime": "2026-06-01T08:00:06Z"});
    json!({
        "startTime": "2026-06-01T08:00:00Z", "completionTime": "2026-06-01T08:00:06Z", "succeeded": 1,
        "conditions": [condition("SuccessCriteriaMet"), condition("Complete")],
    })
}

#[test]
fn a_finished_job_that_a_finalizer_keeps_is_named_with_it() {
    let mut job = job("pi", &complete());
    job["metadata"]["finalizers"] = json!(["example.com/keep"]);
    job["metadata"]["deletionTimestamp"] = "2026-06-01T08:01:00Z".into();
    let ended = simulate(list(&[job]), &["--from", "2026-06-01T09:00"]).with_status(0);
    expect![[r#"
        job pi has finished and is still there: its deletion was requested at 08:01:00 (1 Jun 2026, UTC), but the finalizer example.com/keep holds it
    "#]].assert_eq(&ended.stderr);
}

#[test]
fn jobs_that_had_finished_are_summed_up_where_another_one_runs() {
    let ended = json!({
        "phase": "Succeeded", "startTime": "2026-06-01T08:00:00Z",
        "containerStatuses": [{"name": "c", "ready": false, "restartCount": 0, "state": {"terminated": {
            "exitCode": 0, "reason": "Completed", "startedAt": "2026-06-01T08:00:01Z", "finishedAt": "2026-06-01T08:00:05Z"}}}],
    });
    let mut objects = vec![running_job("busy"), pod("busy-a", "Job", "busy", &running())];
    for name in ["import-1", "import-2"] {
        let mut pod = pod(&format!("{name}-a"), "Job", name, &ended);
        pod["metadata"]["finalizers"] = json!([]);
        objects.extend([job(name, &complete()), pod]);
    }
    let folder = Folder::new();
    folder.write("list.yaml", list(&objects));
    let stdout = folder.run(&["simulate", "list.yaml", "-s", "pods: succeed after 2m"]).with_status(0).stdout;
    let about_finished: Vec<&str> = stdout.lines().filter(|line| line.contains("import-")).collect();
    assert_eq!(about_finished.len(), 2, "a line of the past each: {about_finished:#?}");
    assert!(!stdout.contains("job import-1: Complete at 0:"), "how they ended is not shown twice: {stdout}");
    let described = folder.run(&["simulate", "list.yaml", "-s", "pods: succeed after 2m", "-o", "describe"]).with_status(0).stdout;
    assert!(described.contains("\n2 more Jobs had finished before: -o wide lists them\n"), "{described}");
    let wide = folder.run(&["simulate", "list.yaml", "-s", "pods: succeed after 2m", "-o", "wide"]).with_status(0).stdout;
    assert!(wide.contains("job.batch/import-1") && wide.contains("pod/import-2-a"), "{wide}");
}
