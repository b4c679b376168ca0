//! Stuck pods in the objects of a cluster: a simulation that continues from them leaves them as they are, until a rule or an action says otherwise.
//!
//! Docs: `jobsmith simulate --help`. What else a state of a cluster brings along is tested in `continuing.rs`.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::continuing::{check, list, pod, running, running_job, simulate};

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
            0:00 pod stuck-a: container c cannot be started: CreateContainerConfigError
            0:00 ! pod stuck-a stays as it was found: container c cannot start (CreateContainerConfigError: secret "app-keys" not found); to change that, add the rule 'pod stuck-a: starts after 1s'
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
            0:00 pod stuck-a: container c cannot be started: ImagePullBackOff
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
            0:00 pod stuck-a: container fetch cannot be started: ErrImagePull
            0:00 ! pod stuck-a stays as it was found: container fetch cannot start (ErrImagePull: no such host); to change that, add the rule 'pod stuck-a container fetch: starts after 1s'
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
            0:00 pod stuck-a: container fetch cannot be started: ErrImagePull
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
            0:00 ! pod stuck-a stays as it was found: no node can run it (Unschedulable: 0/3 nodes are available: 3 Insufficient cpu.); to change that, add the rule 'pod stuck-a: scheduled after 1s'
            job stuck will not finish: pod stuck-a has been unschedulable since 0:00: 0/3 nodes are available: 3 Insufficient cpu.
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
            0:00 ! pod stuck-a stays as it was found: its node does not respond; to change that, add the action 'at 5s: remove node'
            5:00 pod stuck-a Terminating: DisruptionTarget (DeletionByTaintManager)
            5:01 pod stuck-00001 Pending
            5:01 pod stuck-00001 Ready
            5:06 pod stuck-00001 Succeeded after 5 s
            5:07 job stuck: SuccessCriteriaMet: CompletionsReached
            job stuck will not finish: pod stuck-a should be gone by 5:30, but its node, n1, has not responded since 0:00; remove the node with --script 'at 310s: remove node'
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
            0:00 ! pod stuck-a stays as it was found: its node does not respond; to change that, add the action 'at 5s: remove node'
            0:05 pod stuck-00001 Succeeded after 5 s
            0:06 job stuck: SuccessCriteriaMet: CompletionsReached
            job stuck will not finish: pod stuck-a should have been gone by 08:11:00 (1 Jun 2026, UTC) but still exists
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
            0:00 ! pod stuck-a stays as it was found: its node does not respond; to change that, add the action 'at 5s: remove node'
            0:05 pod stuck-00001 Succeeded after 5 s
            0:06 job stuck: SuccessCriteriaMet: CompletionsReached
            1:00 pod stuck-a Failed after 21m: DisruptionTarget (DeletionByPodGC)
            1:00 pod stuck-a gone
            1:01 job stuck: Complete: CompletionsReached
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
