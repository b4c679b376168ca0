//! What the controllers call stuck in the objects of a cluster stays so in a simulation of them: pods that wait for volumes, a container that keeps its pod,
//! pods that are refused.
//!
//! Docs: `jobsmith simulate --help`. What the status of a pod shows by itself is tested in `stuck_pods.rs`.

use expect_test::expect;
use serde_json::{Value, json};

use super::continuing::{check, list, pod, running, running_job, simulate};

const LATER: [&str; 2] = ["--from", "2026-06-01T08:05:00"];

/// A warning about an object.
fn warning(uid: &str, reason: &str, message: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Event", "type": "Warning", "metadata": {"name": uid, "namespace": "default"},
        "involvedObject": {"uid": uid}, "reason": reason, "message": message, "count": 3,
        "firstTimestamp": "2026-06-01T08:00:01Z", "lastTimestamp": "2026-06-01T08:04:00Z",
    })
}

#[test]
fn a_pod_that_waits_for_its_volumes_stays_so() {
    let mut status = running();
    status["phase"] = "Pending".into();
    status["conditions"][0]["status"] = "False".into();
    status["containerStatuses"][0]["state"] = json!({"waiting": {"reason": "ContainerCreating"}});
    let unmounted = warning("uid-stuck-a", "FailedMount", "MountVolume.SetUp failed: configmap \"etl\" not found");
    let objects = [running_job("stuck"), pod("stuck-a", "Job", "stuck", &status), unmounted];
    check(
        &objects,
        &LATER,
        3,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-a Pending
            0:00 ! pod stuck-a stays as it was found: container c cannot start (ContainerCreating: MountVolume.SetUp failed: configmap "etl" not found); to change that, add the rule 'pod stuck-a: starts after 1s'
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            job stuck will not finish: pod stuck-a has been waiting for its containers to be created since 08:00:00 (1 Jun 2026, UTC): MountVolume.SetUp failed: configmap "etl" not found
        "#]],
    );
    check(
        &objects,
        &[&LATER[..], &["-s", "pod stuck-a: starts after 1s"]].concat(),
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Pending
        0:01 pod stuck-a Ready
        0:06 pod stuck-a Succeeded after 5m6s
        0:07 job stuck: SuccessCriteriaMet: CompletionsReached
        0:07 job stuck: Complete: CompletionsReached
    "#]],
    );
}

/// A Job with more pods than an obstacle lists, each of which lacks its volume, and one more that runs.
fn many_stuck() -> Vec<Value> {
    let mut job = running_job("stuck");
    for field in ["parallelism", "completions"] {
        job["spec"][field] = 22.into();
    }
    job["status"]["active"] = 22.into();
    let mut waiting = running();
    waiting["phase"] = "Pending".into();
    waiting["conditions"][0]["status"] = "False".into();
    waiting["containerStatuses"][0]["state"] = json!({"waiting": {"reason": "ContainerCreating"}});
    let mut objects = vec![job, pod("stuck-runs", "Job", "stuck", &running())];
    for number in 10..31 {
        let name = format!("stuck-{number}");
        objects.push(pod(&name, "Job", "stuck", &waiting));
        objects.push(warning(&format!("uid-{name}"), "FailedMount", &format!("volume {number} not found")));
    }
    objects
}

#[test]
fn pods_that_run_beside_many_stuck_ones_run_on() {
    let ended = simulate(list(&many_stuck()), &LATER).with_status(3);
    let shown: Vec<&str> =
        ended.stdout.lines().map(str::trim_start).filter(|line| line.contains(['!']) || line.contains("stuck-runs ")).collect();
    expect![[r#"
        0:00 pod stuck-runs Ready
        0:00 ! pods stuck-10, stuck-11, stuck-12 and 18 more stay as they were found: container c cannot start (ContainerCreating: volume 10 not found); to change that, add the rule 'pods: starts after 1s'
        0:05 pod stuck-runs Succeeded after 5m5s
        0:06 ● Counting pod stuck-runs as succeeded (J-124)"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn a_container_that_keeps_its_pod_runs_on() {
    let mut status = running();
    let mut proxy = status["containerStatuses"][0].clone();
    proxy["name"] = "proxy".into();
    status["containerStatuses"][0]["state"] = json!({"terminated": {"exitCode": 0, "reason": "Completed",
        "startedAt": "2026-06-01T08:00:01Z", "finishedAt": "2026-06-01T08:01:00Z"}});
    status["containerStatuses"].as_array_mut().expect("it is a list").push(proxy);
    let mut pod = pod("stuck-a", "Job", "stuck", &status);
    pod["spec"]["containers"].as_array_mut().expect("it is a list").push(json!({"name": "proxy", "image": "p"}));
    let objects = [running_job("stuck"), pod];
    check(
        &objects,
        &LATER,
        3,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-a Ready
            0:00 ! pod stuck-a stays as it was found: container proxy keeps it running; to change that, add the rule 'pod stuck-a container proxy: succeed after 5s'
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            job stuck will not finish: pod stuck-a keeps running: container c ended at 08:01:00 (1 Jun 2026, UTC), but container proxy is still running; proxy is not in the Pod template but was injected: have it injected as an init container with restartPolicy Always, or exclude the Job from the injection
        "#]],
    );
    check(
        &objects,
        &[&LATER[..], &["-s", "pod stuck-a container proxy: succeed after 5s"]].concat(),
        0,
        expect![[r#"
        0:00 job stuck: found
        0:00 pod stuck-a Ready
        0:05 pod stuck-a: container proxy exited with code 0 after 5m4s
        0:05 pod stuck-a Succeeded after 5m5s
        0:06 job stuck: SuccessCriteriaMet: CompletionsReached
        0:06 job stuck: Complete: CompletionsReached
    "#]],
    );
}

#[test]
fn a_sidecar_in_its_back_off_comes_first() {
    let mut status = running();
    status["phase"] = "Pending".into();
    status["containerStatuses"][0]["state"] = json!({"waiting": {"reason": "PodInitializing"}});
    let end = json!({"exitCode": 1, "reason": "Error", "startedAt": "2026-06-01T08:04:30Z", "finishedAt": "2026-06-01T08:04:50Z"});
    status["initContainerStatuses"] = json!([{"name": "proxy", "image": "p", "imageID": "", "ready": false, "restartCount": 2,
        "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": end}}]);
    let mut pod = pod("stuck-a", "Job", "stuck", &status);
    pod["spec"]["initContainers"] = json!([{"name": "proxy", "image": "p", "restartPolicy": "Always"}]);
    check(
        &[running_job("stuck"), pod],
        &LATER,
        0,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-a Pending
            0:10 pod stuck-a: container c started
            0:10 pod stuck-a Restarted: start 4 of container proxy
            0:10 pod stuck-a Ready
            0:15 pod stuck-a: container c exited with code 0 after 5 s
            0:15 pod stuck-a: start 4 of container proxy was sent TERM and has until 0:45 to exit
            0:15 pod stuck-a: start 4 of container proxy terminated after 5 s (exit code 143)
            0:15 pod stuck-a Succeeded after 5m15s
            0:16 job stuck: SuccessCriteriaMet: CompletionsReached
            0:16 job stuck: Complete: CompletionsReached
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
        "#]],
    );
}

#[test]
fn pods_that_were_refused_stay_refused() {
    let mut job = running_job("stuck");
    job["status"]["active"] = 0.into();
    let message = "Error creating: pods \"stuck-\" is forbidden: exceeded quota: compute";
    let mut combined = warning("uid-stuck", "FailedCreate", &format!("(combined from similar events): {message}"));
    combined["firstTimestamp"] = "2026-06-01T08:02:00Z".into();
    combined["lastTimestamp"] = "2026-06-01T08:04:30Z".into();
    let objects = [job.clone(), warning("uid-stuck", "FailedCreate", message), combined];
    check(
        &objects,
        &LATER,
        3,
        expect![[r#"
            0:00 job stuck: found
            0:00 POST /api/v1/namespaces/default/pods: pods "stuck-" is forbidden: exceeded quota: compute
            0:00 ! job stuck stays as it was found: the API server refuses to create its pods (pods "stuck-" is forbidden: exceeded quota: compute); to change that, add the action 'at 5s: accept pods'
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            job stuck will not finish: the API server has refused to create its pods since 08:00:01 (1 Jun 2026, UTC): pods "stuck-" is forbidden: exceeded quota: compute; waiting until 0:01 before creating pods again, after 1 failed request; have them accepted with --script 'at 5s: accept pods'
        "#]],
    );
    check(
        &objects,
        &[&LATER[..], &["-s", "at 1s: accept pods"]].concat(),
        0,
        expect![[r#"
            0:00 job stuck: found
            0:00 POST /api/v1/namespaces/default/pods: pods "stuck-" is forbidden: exceeded quota: compute
            0:00 ! job stuck stays as it was found: the API server refuses to create its pods (pods "stuck-" is forbidden: exceeded quota: compute); to change that, add the action 'at 5s: accept pods'
            0:01 ◆ accept pods
            0:01 pod stuck-00001 Pending
            0:01 pod stuck-00001 Ready
            0:06 pod stuck-00001 Succeeded after 5 s
            0:07 job stuck: SuccessCriteriaMet: CompletionsReached
            0:07 job stuck: Complete: CompletionsReached
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
        "#]],
    );
    check(
        &[job.clone()],
        &[&LATER[..], &["-s", "at 1s: accept pods"]].concat(),
        1,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-00001 Pending
            0:00 pod stuck-00001 Ready
            0:01 ! accept pods: the API server refuses none
            0:05 pod stuck-00001 Succeeded after 5 s
            0:06 job stuck: SuccessCriteriaMet: CompletionsReached
            0:06 job stuck: Complete: CompletionsReached
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
            accept pods: the API server refuses none
        "#]],
    );
}

#[test]
fn a_job_whose_pods_are_refused_fails_when_its_time_is_over() {
    let mut job = running_job("stuck");
    job["status"]["active"] = 0.into();
    let message = "Error creating: pods \"stuck-\" is forbidden: exceeded quota: compute";
    job["spec"]["activeDeadlineSeconds"] = 302.into();
    check(
        &[job, warning("uid-stuck", "FailedCreate", message)],
        &LATER,
        1,
        expect![[r#"
            0:00 job stuck: found
            0:00 POST /api/v1/namespaces/default/pods: pods "stuck-" is forbidden: exceeded quota: compute
            0:00 ! job stuck stays as it was found: the API server refuses to create its pods (pods "stuck-" is forbidden: exceeded quota: compute); to change that, add the action 'at 5s: accept pods'
            0:01 POST /api/v1/namespaces/default/pods: pods "stuck-" is forbidden: exceeded quota: compute
            0:02 job stuck: FailureTarget: DeadlineExceeded
            0:02 job stuck: Failed: DeadlineExceeded
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
        "#]],
    );
}

#[test]
fn pods_that_are_missing_are_named() {
    check(
        &[running_job("stuck")],
        &LATER,
        0,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-00001 Pending
            0:00 pod stuck-00001 Ready
            0:00 ! 1 active pod of job stuck is missing from these objects: the controllers treat it as deleted; to change that, add it to the input, as printed by `kubectl get cronjobs,jobs,pods -o yaml`
            0:05 pod stuck-00001 Succeeded after 5 s
            0:06 job stuck: SuccessCriteriaMet: CompletionsReached
            0:06 job stuck: Complete: CompletionsReached
            note: containers' commands are not run: without a rule, every pod succeeds after 5 s; to change that, pass for example --script 'pods: exit 1 after 3s'
        "#]],
    );
}

#[test]
fn pods_that_nobody_creates_are_not_missing() {
    let mut jobs = ["elsewhere", "suspended"].map(running_job);
    jobs[0]["spec"]["managedBy"] = "kueue.x-k8s.io/multikueue".into();
    jobs[1]["spec"]["suspend"] = true.into();
    let ended = simulate(list(&jobs), &LATER).with_status(3);
    assert!(!ended.stdout.contains("missing") && !ended.stderr.contains("status.active"), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn a_pod_that_is_being_deleted_is_stopped_as_of_then() {
    let mut pod = pod("stuck-a", "Job", "stuck", &running());
    pod["metadata"]["deletionTimestamp"] = "2026-06-01T08:10:30Z".into();
    pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    check(
        &[running_job("stuck"), pod],
        &["-s", "pods: ends 20s after TERM with 3"],
        0,
        expect![[r#"
            0:00 job stuck: found
            0:00 pod stuck-a Ready
            0:10 pod stuck-00001 Pending
            0:10 pod stuck-00001 Ready
            0:15 pod stuck-00001 Succeeded after 5 s
            0:16 job stuck: SuccessCriteriaMet: CompletionsReached
            0:20 pod stuck-a Failed with exit code 3 after 10m20s
            0:20 pod stuck-a gone
            0:21 job stuck: Complete: CompletionsReached
        "#]],
    );
}
