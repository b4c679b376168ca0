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
fn running_job(name: &str) -> Value {
    job(name, &json!({"active": 1, "ready": 0, "terminating": 0, "startTime": "2026-06-01T08:00:00Z", "uncountedTerminatedPods": {}}))
}

/// A pod with this owner and this status.
fn pod(name: &str, kind: &str, owner: &str, status: &Value) -> Value {
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
fn running() -> Value {
    json!({
        "phase": "Running", "startTime": "2026-06-01T08:00:00Z",
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-06-01T08:00:01Z"}],
        "containerStatuses": [{"name": "c", "image": "c", "imageID": "", "ready": true, "restartCount": 0, "started": true,
            "state": {"running": {"startedAt": "2026-06-01T08:00:01Z"}}}],
    })
}

/// Continues from objects in a file.
fn simulate(text: impl AsRef<[u8]>, arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("list.yaml", text);
    folder.run(&[&["simulate", "list.yaml", "--skip-past"], arguments].concat())
}

fn list(objects: &[Value]) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string()
}

/// What happens, without the decisions, then what is noted, without the places.
#[track_caller]
fn check(objects: &[Value], arguments: &[&str], status: i32, expected: Expect) {
    let ended = simulate(list(objects), arguments).with_status(status);
    let (trace, _) = ended.stdout.split_once("\n\n").expect("an empty line parts trace and status");
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

/// The status of a pod with a node whose container waits for this reason.
fn waiting(reason: &str, message: &str) -> Value {
    json!({
        "phase": "Pending", "startTime": "2026-06-01T08:00:00Z",
        "conditions": [
            {"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-06-01T08:00:00Z"},
            {"type": "Ready", "status": "False", "reason": "ContainersNotReady", "lastTransitionTime": "2026-06-01T08:00:00Z"},
        ],
        "containerStatuses": [{"name": "c", "image": "c", "imageID": "", "ready": false, "restartCount": 0, "started": false,
            "state": {"waiting": {"reason": reason, "message": message}}}],
    })
}

/// The status of a pod that has no node for this reason.
fn without_node(reason: &str, message: &str) -> Value {
    let condition = json!({"type": "PodScheduled", "status": "False", "reason": reason, "message": message, "lastTransitionTime": "2026-06-01T08:00:00Z"});
    json!({"phase": "Pending", "conditions": [condition]})
}

/// Continues from a Job `stuck` with one pod.
#[track_caller]
fn check_stuck(pod: Value, arguments: &[&str], status: i32, expected: Expect) {
    check(&[running_job("stuck"), pod], &[arguments, &["-s", "pods: succeed after 5s"]].concat(), status, expected);
}

#[test]
fn a_container_that_cannot_start_stays_so() {
    check_stuck(
        pod("stuck-a", "Job", "stuck", &waiting("CreateContainerConfigError", "secret \"app-keys\" not found")),
        &[],
        3,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-a Pending
            0:00 ! pod stuck-a stays as it was found: container c cannot start (CreateContainerConfigError: secret "app-keys" not found); the rule 'pod stuck-a: starts after 1s' changes that
            job stuck will not finish: pod stuck-a cannot start container c (CreateContainerConfigError since 0:00): secret "app-keys" not found
        "#]],
    );
    for reason in [
        "ErrImagePull",
        "ImagePullBackOff",
        "InvalidImageName",
        "ErrImageNeverPull",
        "CreateContainerError",
        "RunContainerError",
        "Unknown",
    ] {
        let ended = simulate(list(&[running_job("stuck"), pod("stuck-a", "Job", "stuck", &waiting(reason, "m"))]), &["-o", "yaml"]);
        let ended = ended.with_status(3);
        assert!(ended.stdout.contains(&format!("reason: {reason}")) && ended.stdout.contains("message: m"), "{}", ended.stdout);
    }
    for reason in ["ContainerCreating", "PodInitializing"] {
        simulate(list(&[running_job("stuck"), pod("stuck-a", "Job", "stuck", &waiting(reason, ""))]), &[]).with_status(0);
    }
}

#[test]
fn a_rule_about_its_start_lets_a_container_go_on() {
    check_stuck(
        pod("stuck-a", "Job", "stuck", &waiting("ImagePullBackOff", "not found")),
        &["-s", "pod stuck-a: starts after 10s"],
        0,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-a Pending
            0:10 pod stuck-a Ready
            0:15 pod stuck-a Succeeded after 15 s
            0:16 job stuck: SuccessCriteriaMet: CompletionsReached
            0:16 job stuck: Complete: CompletionsReached
        "#]],
    );
}

#[test]
fn an_init_container_that_cannot_start_holds_the_others() {
    let mut status = waiting("PodInitializing", "");
    status["initContainerStatuses"] = waiting("ErrImagePull", "no such host")["containerStatuses"].clone();
    status["initContainerStatuses"][0]["name"] = "fetch".into();
    let mut pod = pod("stuck-a", "Job", "stuck", &status);
    pod["spec"]["initContainers"] = json!([{"name": "fetch", "image": "f"}]);
    check_stuck(
        pod.clone(),
        &[],
        3,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        0:00 ! pod stuck-a stays as it was found: container fetch cannot start (ErrImagePull: no such host); the rule 'pod stuck-a container fetch: starts after 1s' changes that
        job stuck will not finish: pod stuck-a cannot pull the image of container fetch (ErrImagePull since 0:00): no such host
    "#]],
    );
    check_stuck(
        pod,
        &["-s", "pod stuck-a container fetch: starts after 1s"],
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        0:01 pod stuck-a: container fetch started
        0:01 pod stuck-a: container fetch exited with code 0 after 0 s
        0:01 pod stuck-a: container c started
        0:01 pod stuck-a Ready
        0:06 pod stuck-a: container c exited with code 0 after 5 s
        0:06 pod stuck-a Succeeded after 6 s
        0:07 job stuck: SuccessCriteriaMet: CompletionsReached
        0:07 job stuck: Complete: CompletionsReached
    "#]],
    );
}

#[test]
fn a_pod_without_a_node_stays_so() {
    let unassigned = |status: &Value| {
        let mut pod = pod("stuck-a", "Job", "stuck", status);
        pod["spec"]["nodeName"] = Value::Null;
        pod
    };
    let unschedulable = unassigned(&without_node("Unschedulable", "0/3 nodes are available: 3 Insufficient cpu."));
    check_stuck(
        unschedulable.clone(),
        &[],
        3,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        0:00 ! pod stuck-a stays as it was found: no node takes it (Unschedulable: 0/3 nodes are available: 3 Insufficient cpu.); the rule 'pod stuck-a: scheduled after 1s' changes that
        job stuck will not finish: pod stuck-a cannot be scheduled (since 0:00): 0/3 nodes are available: 3 Insufficient cpu.
    "#]],
    );
    check_stuck(
        unschedulable,
        &["-s", "pods: scheduled after 1m"],
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        1:00 pod stuck-a Ready
        1:05 pod stuck-a Succeeded after 65 s
        1:06 job stuck: SuccessCriteriaMet: CompletionsReached
        1:06 job stuck: Complete: CompletionsReached
    "#]],
    );
    let mut gated = unassigned(&without_node("SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates"));
    gated["spec"]["schedulingGates"] = json!([{"name": "example.com/quota"}]);
    check_stuck(
        gated,
        &[],
        3,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        0:00 ! pod stuck-a stays as it was found: a scheduling gate holds it back (SchedulingGated: Scheduling is blocked due to non-empty scheduling gates)
        job stuck will not finish: pod stuck-a has been held back by the scheduling gate example.com/quota since 0:00
    "#]],
    );
}

#[test]
fn a_pod_on_a_lost_node_stays_there() {
    let mut status = running();
    status["conditions"] =
        json!([{"type": "Ready", "status": "False", "reason": "NodeNotReady", "lastTransitionTime": "2026-06-01T08:10:00Z"}]);
    let mut pod = pod("stuck-a", "Job", "stuck", &status);
    check_stuck(
        pod.clone(),
        &[],
        3,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Running
        0:00 ! pod stuck-a stays as it was found: it cannot go on, because the node does not respond; the action 'at 5s: remove node' changes that
        5:00 pod stuck-a Terminating
        5:01 pod stuck-00001 Pending
        5:01 pod stuck-00001 Ready
        5:06 pod stuck-00001 Succeeded after 5 s
        5:07 job stuck: SuccessCriteriaMet: CompletionsReached
        job stuck will not finish: pod stuck-a is on node n1, which has not responded since 0:00, and should have been gone by 5:30; remove the node with --script 'at 310s: remove node'
    "#]],
    );
    // The node has never stopped it, and nobody has noticed.
    pod["status"] = running();
    pod["metadata"]["deletionTimestamp"] = "2026-06-01T08:11:00Z".into();
    pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    check_stuck(
        pod.clone(),
        &["--from", "2026-06-01T08:20:00"],
        3,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Ready
        0:00 pod stuck-00001 Pending
        0:00 pod stuck-00001 Ready
        0:00 ! pod stuck-a stays as it was found: it cannot go on, because the node does not respond; the action 'at 5s: remove node' changes that
        0:05 pod stuck-00001 Succeeded after 5 s
        0:06 job stuck: SuccessCriteriaMet: CompletionsReached
        warning: status.active counts 1 pod, but the manifest does not contain it; the controllers treat it as deleted
        job stuck will not finish: pod stuck-a should have been gone by -9:00, but is still there
    "#]],
    );
    check_stuck(
        pod,
        &["--from", "2026-06-01T08:20:00", "-s", "at 1m: remove node"],
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Ready
        0:00 pod stuck-00001 Pending
        0:00 pod stuck-00001 Ready
        0:00 ! pod stuck-a stays as it was found: it cannot go on, because the node does not respond; the action 'at 5s: remove node' changes that
        0:05 pod stuck-00001 Succeeded after 5 s
        0:06 job stuck: SuccessCriteriaMet: CompletionsReached
        1:00 pod stuck-a Failed after 1260 s
        1:00 pod stuck-a gone
        1:01 job stuck: Complete: CompletionsReached
        warning: status.active counts 1 pod, but the manifest does not contain it; the controllers treat it as deleted
    "#]],
    );
}

#[test]
fn a_foreign_finalizer_keeps_its_pod() {
    let mut pod = pod("stuck-a", "Job", "stuck", &running());
    pod["metadata"]["finalizers"] = json!(["batch.kubernetes.io/job-tracking", "example.com/keep"]);
    pod["metadata"]["deletionTimestamp"] = "2026-06-01T08:00:40Z".into();
    pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    check_stuck(
        pod,
        &["--from", "2026-06-01T08:00:20"],
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Ready
        0:00 pod stuck-a Failed with exit code 143 after 20 s
        0:00 pod stuck-00001 Pending
        0:00 pod stuck-00001 Ready
        0:05 pod stuck-00001 Succeeded after 5 s
        0:06 job stuck: SuccessCriteriaMet: CompletionsReached
        0:06 job stuck: Complete: CompletionsReached
        warning: status.active counts 1 pod, but the manifest does not contain it; the controllers treat it as deleted
    "#]],
    );
}

#[test]
fn a_crash_loop_goes_on_after_its_back_off() {
    let mut status = waiting("CrashLoopBackOff", "back-off 40s restarting failed container=c");
    status["containerStatuses"][0]["restartCount"] = 3.into();
    status["containerStatuses"][0]["lastState"] = json!({"terminated": {"exitCode": 1, "reason": "Error",
        "startedAt": "2026-06-01T08:01:00Z", "finishedAt": "2026-06-01T08:01:05Z"}});
    let mut pod = pod("stuck-a", "Job", "stuck", &status);
    pod["spec"]["restartPolicy"] = "OnFailure".into();
    check_stuck(
        pod,
        &["--from", "2026-06-01T08:01:25"],
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        0:20 pod stuck-a Restarted: start 5 of container c
        0:20 pod stuck-a Ready
        0:25 pod stuck-a Succeeded after 110 s
        0:26 job stuck: SuccessCriteriaMet: CompletionsReached
        0:26 job stuck: Complete: CompletionsReached
        0:26 job stuck: 1 pod, 5 starts: all ran to their end
    "#]],
    );
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
