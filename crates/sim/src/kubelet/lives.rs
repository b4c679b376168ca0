//! The lives of pods, written out: one test for each behaviour, one line for each thing that the API server shows.
//!
//! Docs: Pod Lifecycle; Init Containers; Sidecar Containers; Disruptions. What holds for all lives is tested in `fuzz.rs`.

use std::collections::BTreeMap;

use api::{Duration, Kind, Text, Timestamp, time};
use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{Kubelet, PodId};
use crate::apiserver::{ApiServer, WatchId};
use crate::garbage_collector::Dependence;
use crate::script::{Script, Scripted};
use crate::stored::Stored;
use crate::testing::{ask, noon, server};

#[test]
fn a_pod_is_scheduled_runs_and_succeeds() {
    life(
        "",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Succeeded · main exit 0 Completed
    "#]],
    );
}

#[test]
fn a_pod_fails_by_exit_code_or_signal() {
    life(
        "pods: exit 42 after 2s",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Failed · main exit 42 Error
    "#]],
    );
    life(
        "pods: killed by signal 9 after 2s",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Failed · main exit 137 Error
    "#]],
    );
}

#[test]
fn each_step_takes_its_time() {
    life(
        "pods: scheduled after 1s, starts after 500ms, ready after 2s, exit 1 after 20s",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:01 Pending on node-1
        0:01 Pending on node-1 · main waits for ContainerCreating
        0:01.500 Running · main runs
        0:03.500 Running ready · main runs ready
        0:21.500 Failed · main exit 1 Error
    "#]],
    );
}

#[test]
fn a_pod_that_fits_on_no_node_waits_until_it_is_deleted() {
    life(
        "pods: never scheduled",
        never(),
        &[(60, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending unschedulable
        1:00 Pending unschedulable deleted with 0s
        1:00 gone
    "#]],
    );
    let held = json!({"metadata": {"finalizers": ["example.com/held"]}, "spec": {"containers": [{"name": "main"}]}});
    life(
        "pods: never scheduled",
        held,
        &[(60, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending unschedulable
        1:00 Pending unschedulable deleted with 0s
        1:00 Failed unschedulable deleted with 0s
    "#]],
    );
}

#[test]
fn an_image_that_cannot_be_pulled_is_waited_for() {
    life(
        "pods: never starts",
        never(),
        &[(60, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · main waits for ImagePullBackOff
        1:00 Pending on node-1 deleted with 30s · main waits for ImagePullBackOff
        1:00 Failed deleted with 30s · main exit 137 ContainerStatusUnknown
        1:00 Failed deleted with 0s · main exit 137 ContainerStatusUnknown
        1:00 gone
    "#]],
    );
}

#[test]
fn containers_that_fail_are_restarted_with_back_off() {
    life(
        "pods: exit 1 after 20s",
        on_failure(0),
        &[(300, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:20 Running ready · main restarts 1 runs ready
        0:40 Running · main restarts 1 waits for CrashLoopBackOff
        0:50 Running ready · main restarts 2 runs ready
        1:10 Running · main restarts 2 waits for CrashLoopBackOff
        1:30 Running ready · main restarts 3 runs ready
        1:50 Running · main restarts 3 waits for CrashLoopBackOff
        2:30 Running ready · main restarts 4 runs ready
        2:50 Running · main restarts 4 waits for CrashLoopBackOff
        4:10 Running ready · main restarts 5 runs ready
        4:30 Running · main restarts 5 waits for CrashLoopBackOff
        5:00 Running deleted with 0s · main restarts 5 waits for CrashLoopBackOff
        5:00 gone
    "#]],
    );
}

#[test]
fn back_off_ends_with_the_first_success() {
    life(
        "start 4: succeed after 1s\npods: exit 1 after 1s",
        on_failure(30),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Running ready · main restarts 1 runs ready
        0:02 Running · main restarts 1 waits for CrashLoopBackOff
        0:12 Running ready · main restarts 2 runs ready
        0:13 Running · main restarts 2 waits for CrashLoopBackOff
        0:33 Running ready · main restarts 3 runs ready
        0:34 Succeeded · main restarts 3 exit 0 Completed
    "#]],
    );
}

#[test]
fn containers_are_restarted_after_success_only_if_always() {
    life(
        "pods: succeed after 1s",
        spec(json!({"restartPolicy": "Always"})),
        &[(25, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Running ready · main restarts 1 runs ready
        0:02 Running · main restarts 1 waits for CrashLoopBackOff
        0:12 Running ready · main restarts 2 runs ready
        0:13 Running · main restarts 2 waits for CrashLoopBackOff
        0:25 Running deleted with 30s · main restarts 2 waits for CrashLoopBackOff
        0:25 Succeeded deleted with 30s · main restarts 2 exit 0 Completed
        0:25 Succeeded deleted with 0s · main restarts 2 exit 0 Completed
        0:25 gone
    "#]],
    );
}

#[test]
fn a_long_run_resets_the_back_off() {
    life(
        "start 3: exit 1 after 11m\npods: exit 1 after 1s",
        on_failure(0),
        &[(720, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Running ready · main restarts 1 runs ready
        0:02 Running · main restarts 1 waits for CrashLoopBackOff
        0:12 Running ready · main restarts 2 runs ready
        11:12 Running ready · main restarts 3 runs ready
        11:13 Running · main restarts 3 waits for CrashLoopBackOff
        11:23 Running ready · main restarts 4 runs ready
        11:24 Running · main restarts 4 waits for CrashLoopBackOff
        11:44 Running ready · main restarts 5 runs ready
        11:45 Running · main restarts 5 waits for CrashLoopBackOff
        12:00 Running deleted with 0s · main restarts 5 waits for CrashLoopBackOff
        12:00 gone
    "#]],
    );
}

#[test]
fn init_containers_run_one_after_another() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [{"name": "first"}, {"name": "second"}]}));
    life(
        "container first: succeed after 1s\ncontainer second: succeed after 2s",
        pod,
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · first runs · second waits for PodInitializing · main waits for PodInitializing
        0:01 Pending on node-1 · first exit 0 Completed · second runs · main waits for PodInitializing
        0:03 Running ready · first exit 0 Completed · second exit 0 Completed · main runs ready
        0:08 Succeeded · first exit 0 Completed · second exit 0 Completed · main exit 0 Completed
    "#]],
    );
}

#[test]
fn an_init_container_that_fails_fails_the_pod_or_is_restarted() {
    let pod = |policy| spec(json!({"restartPolicy": policy, "initContainers": [{"name": "first"}]}));
    life(
        "container first: exit 3 after 1s",
        pod("Never"),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · first runs · main waits for PodInitializing
        0:01 Failed · first exit 3 Error · main waits for PodInitializing
    "#]],
    );
    life(
        "container first start 3: succeed at once\ncontainer first: exit 3 after 1s",
        pod("Always"),
        &[(14, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · first runs · main waits for PodInitializing
        0:01 Pending on node-1 · first restarts 1 runs · main waits for PodInitializing
        0:02 Pending on node-1 · first restarts 1 waits for CrashLoopBackOff · main waits for PodInitializing
        0:12 Pending on node-1 · first restarts 2 runs · main waits for PodInitializing
        0:12 Running ready · first restarts 2 exit 0 Completed · main runs ready
        0:14 Running ready deleted with 30s · first restarts 2 exit 0 Completed · main runs ready
        0:14 Failed deleted with 30s · first restarts 2 exit 0 Completed · main exit 143 Error
        0:14 Failed deleted with 0s · first restarts 2 exit 0 Completed · main exit 143 Error
        0:14 gone
    "#]],
    );
}

#[test]
fn sidecars_start_in_order_are_restarted_and_stop_last_in_reverse_order() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [
        {"name": "log", "restartPolicy": "Always"}, {"name": "first"}, {"name": "proxy", "restartPolicy": "Always"}]}));
    let script =
        "container log start 1: exit 1 after 3s\ncontainer log: ends 2s after TERM with 0\ncontainer proxy: ends 1s after TERM with 7";
    life(
        script,
        pod,
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · log runs ready · first runs · proxy waits for PodInitializing · main waits for PodInitializing
        0:00 Running ready · log runs ready · first exit 0 Completed · proxy runs ready · main runs ready
        0:03 Running ready · log restarts 1 runs ready · first exit 0 Completed · proxy runs ready · main runs ready
        0:05 Running · log restarts 1 runs ready · first exit 0 Completed · proxy runs ready · main exit 0 Completed
        0:06 Running · log restarts 1 runs ready · first exit 0 Completed · proxy exit 7 Error · main exit 0 Completed
        0:08 Succeeded · log restarts 1 exit 0 Completed · first exit 0 Completed · proxy exit 7 Error · main exit 0 Completed
    "#]],
    );
}

#[test]
fn a_sidecar_that_does_not_stop_is_killed_and_does_not_decide() {
    let pod = spec(
        json!({"restartPolicy": "Never", "terminationGracePeriodSeconds": 10, "initContainers": [{"name": "log", "restartPolicy": "Always"}]}),
    );
    life(
        "container log: ignores TERM",
        pod,
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · log runs ready · main runs ready
        0:05 Running · log runs ready · main exit 0 Completed
        0:15 Succeeded · log exit 137 Error · main exit 0 Completed
    "#]],
    );
}

#[test]
fn all_regular_containers_decide_together() {
    let pod = |policy| spec(json!({"restartPolicy": policy, "containers": [{"name": "main"}, {"name": "other"}]}));
    life(
        "container other: exit 2 after 1s",
        pod("Never"),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready · other runs ready
        0:01 Running · main runs ready · other exit 2 Error
        0:05 Failed · main exit 0 Completed · other exit 2 Error
    "#]],
    );
    life(
        "container other start 1: exit 2 after 1s",
        pod("OnFailure"),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready · other runs ready
        0:01 Running ready · main runs ready · other restarts 1 runs ready
        0:05 Running · main exit 0 Completed · other restarts 1 runs ready
        0:06 Succeeded · main exit 0 Completed · other restarts 1 exit 0 Completed
    "#]],
    );
}

#[test]
fn a_deleted_pod_is_asked_to_stop_and_goes() {
    life(
        "pods: runs forever",
        never(),
        &[(3, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:03 Failed deleted with 30s · main exit 143 Error
        0:03 Failed deleted with 0s · main exit 143 Error
        0:03 gone
    "#]],
    );
    life(
        "pods: runs forever, ends 4s after TERM with 0",
        never(),
        &[(3, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:07 Succeeded deleted with 30s · main exit 0 Completed
        0:07 Succeeded deleted with 0s · main exit 0 Completed
        0:07 gone
    "#]],
    );
}

#[test]
fn a_deleted_pod_that_ignores_it_is_killed_after_its_grace_period() {
    life(
        "pods: runs forever, ignores TERM",
        never(),
        &[(3, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:33 Failed deleted with 30s · main exit 137 Error
        0:33 Failed deleted with 0s · main exit 137 Error
        0:33 gone
    "#]],
    );
    let shortened = [(3, "DELETE pods/pi"), (10, r#"DELETE pods/pi {"gracePeriodSeconds":5}"#), (12, "DELETE pods/pi")];
    life(
        "pods: runs forever, ignores TERM",
        never(),
        &shortened,
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:10 Running ready deleted with 5s · main runs ready
        0:15 Failed deleted with 5s · main exit 137 Error
        0:15 Failed deleted with 0s · main exit 137 Error
        0:15 gone
    "#]],
    );
}

#[test]
fn a_deleted_pod_with_a_finalizer_keeps_its_end() {
    let held = json!({"metadata": {"finalizers": ["example.com/held"]}, "spec": {"containers": [{"name": "main"}]}});
    let released = (9, r#"PATCH pods/pi merge {"metadata":{"finalizers":null}}"#);
    life(
        "pods: runs forever",
        held.clone(),
        &[(3, "DELETE pods/pi"), released],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 30s · main runs ready
        0:03 Failed deleted with 30s · main exit 143 Error
        0:03 Failed deleted with 0s · main exit 143 Error
        0:09 gone
    "#]],
    );
    life(
        "",
        held,
        &[(9, "DELETE pods/pi"), (10, released.1)],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Running ready · main restarts 1 runs ready
        0:09 Running ready deleted with 30s · main restarts 1 runs ready
        0:09 Failed deleted with 30s · main restarts 1 exit 143 Error
        0:09 Failed deleted with 0s · main restarts 1 exit 143 Error
        0:10 gone
    "#]],
    );
}

#[test]
fn a_pod_that_is_gone_is_forgotten() {
    life(
        "pods: runs forever",
        never(),
        &[(3, r#"DELETE pods/pi {"gracePeriodSeconds":0}"#)],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 0s · main runs ready
        0:03 gone
    "#]],
    );
    life(
        "pods: runs forever",
        spec(json!({"terminationGracePeriodSeconds": 0})),
        &[(3, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Running ready deleted with 0s · main runs ready
        0:03 gone
    "#]],
    );
}

#[test]
fn a_pod_in_back_off_ends_as_its_container_did() {
    life(
        "pods: exit 6 after 1s",
        on_failure(30),
        &[(5, "DELETE pods/pi")],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Running ready · main restarts 1 runs ready
        0:02 Running · main restarts 1 waits for CrashLoopBackOff
        0:05 Running deleted with 30s · main restarts 1 waits for CrashLoopBackOff
        0:05 Failed deleted with 30s · main restarts 1 exit 6 Error
        0:05 Failed deleted with 0s · main restarts 1 exit 6 Error
        0:05 gone
    "#]],
    );
}

#[test]
fn a_pod_that_is_active_for_too_long_fails() {
    life(
        "pods: runs forever, ends 2s after TERM with 0",
        spec(json!({"restartPolicy": "Never", "activeDeadlineSeconds": 8})),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:10 Failed (DeadlineExceeded) · main exit 0 Completed
    "#]],
    );
}

#[test]
fn an_evicted_pod_is_marked_and_stopped() {
    life(
        "pods: runs forever, evicted after 10s, ends 1s after TERM with 0",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:10 Running ready EvictionByEvictionAPI · main runs ready
        0:10 Running ready EvictionByEvictionAPI deleted with 30s · main runs ready
        0:11 Succeeded EvictionByEvictionAPI deleted with 30s · main exit 0 Completed
        0:11 Succeeded EvictionByEvictionAPI deleted with 0s · main exit 0 Completed
        0:11 gone
    "#]],
    );
    life(
        "pods: runs forever\nat 4s: evict pod pi",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:04 Running ready EvictionByEvictionAPI · main runs ready
        0:04 Running ready EvictionByEvictionAPI deleted with 30s · main runs ready
        0:04 Failed EvictionByEvictionAPI deleted with 30s · main exit 143 Error
        0:04 Failed EvictionByEvictionAPI deleted with 0s · main exit 143 Error
        0:04 gone
    "#]],
    );
}

#[test]
fn a_lost_node_keeps_its_pods_until_it_is_removed() {
    life(
        "pods: runs forever\nat 5s: lose node\nat 10m: remove node",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:55 Running · main runs ready
        5:55 Running DeletionByTaintManager · main runs ready
        5:55 Running DeletionByTaintManager deleted with 30s · main runs ready
        10:00 Failed DeletionByPodGC deleted with 30s · main runs ready
        10:00 Failed DeletionByPodGC deleted with 0s · main runs ready
        10:00 gone
    "#]],
    );
}

#[test]
fn a_pod_on_a_lost_node_can_be_deleted_by_force_only() {
    let deletions = [(7, "DELETE pods/pi"), (400, r#"DELETE pods/pi {"gracePeriodSeconds":0}"#)];
    life(
        "pods: runs forever\nat 5s: lose node",
        never(),
        &deletions,
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:07 Running ready deleted with 30s · main runs ready
        0:55 Running deleted with 30s · main runs ready
        6:40 Running deleted with 0s · main runs ready
        6:40 gone
    "#]],
    );
}

#[test]
fn a_node_that_is_removed_at_once_takes_its_pods_along() {
    life(
        "pods: runs forever\nat 5s: remove node",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Failed ready DeletionByPodGC · main runs ready
        0:05 Failed ready DeletionByPodGC deleted with 0s · main runs ready
        0:05 gone
    "#]],
    );
}

#[test]
fn pods_that_come_after_a_lost_node_get_another() {
    let mut cluster = Cluster::new("pods: runs forever\nat 5s: lose node");
    cluster.create("pi", never());
    cluster.run_to(6);
    cluster.create("rho", never());
    cluster.run_to(6);
    assert_eq!(cluster.lines.join("\n").matches("on node-2").count(), 1);
    assert_eq!(*cluster.kubelet.node_name(), *"node-2");
}

#[test]
fn what_runs_can_be_made_to_exit() {
    life(
        "pods: runs forever\nat 4s: exit 3 in pod pi",
        never(),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:04 Failed · main exit 3 Error
    "#]],
    );
}

#[test]
fn rules_choose_by_job_index_attempt_and_start() {
    let script = "\
index 1 attempt 2 start 2: succeed after 3s
index 1 attempt 2: ready after 1s
job rho: exit 9 at once
index 1: exit 42 after 2s
pod p-3: exit 7 after 1s, ready after 4s
pods: ready at once, succeed after 1s";
    let mut cluster = Cluster::new(script);
    for (minute, (name, job, index)) in
        (1..).zip([("p-0", "pi", "0"), ("p-1", "pi", "1"), ("p-2", "pi", "1"), ("p-3", "pi", "2"), ("p-4", "rho", "0")])
    {
        let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": job, "uid": job, "controller": true});
        let index = json!({"batch.kubernetes.io/job-completion-index": index});
        let mut pod = if name == "p-2" { on_failure(30) } else { never() };
        pod["metadata"] = json!({"ownerReferences": [owner], "annotations": index});
        cluster.create(name, pod);
        cluster.run_to(60 * minute);
    }
    expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Succeeded · main exit 0 Completed
        1:00 Pending
        1:00 Pending on node-1
        1:00 Running ready · main runs ready
        1:02 Failed · main exit 42 Error
        2:00 Pending
        2:00 Pending on node-1
        2:00 Running · main runs
        2:01 Running ready · main runs ready
        2:02 Running · main restarts 1 runs
        2:03 Running ready · main restarts 1 runs ready
        2:05 Succeeded · main restarts 1 exit 0 Completed
        3:00 Pending
        3:00 Pending on node-1
        3:00 Running · main runs
        3:01 Failed · main exit 7 Error
        4:00 Pending
        4:00 Pending on node-1
        4:00 Running ready · main runs ready
        4:00 Failed · main exit 9 Error
    "#]]
    .assert_eq(&cluster.told());
}

#[test]
fn changes_by_others_are_kept_and_disturb_nothing() {
    let others = [
        (1, r#"PATCH pods/pi merge {"metadata":{"labels":{"a":"b"}}}"#),
        (
            2,
            r#"PATCH pods/pi/status merge {"status":{"qosClass":"Burstable","conditions":[{"type":"example.com/other","status":"True"}]}}"#,
        ),
        (3, r#"PATCH pods/pi merge {"metadata":{"finalizers":["example.com/held"]}}"#),
    ];
    let mut cluster = Cluster::new("");
    cluster.live(never(), &others);
    let stored = cluster.server.object(Kind::Pod, "default", "pi").unwrap();
    assert_eq!(&*stored.metadata().labels["a"], "b");
    let status: Value = serde_json::from_str(stored.pod().unwrap().status.json()).unwrap();
    assert_eq!(status["qosClass"], "Burstable");
    assert_eq!(status["conditions"][0]["type"], "example.com/other");
}

#[test]
fn a_pod_that_somebody_else_ended_is_left_as_it_is() {
    let ended = (3, r#"PATCH pods/pi/status merge {"status":{"phase":"Failed","reason":"Elsewhere"}}"#);
    let mut cluster = Cluster::new("pods: runs forever");
    cluster.live(never(), &[ended]);
    expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:03 Failed ready (Elsewhere) · main runs ready
    "#]]
    .assert_eq(&cluster.told());
    assert_eq!(cluster.kubelet.pod_id("pod-pi-1"), None);
    assert_eq!(cluster.kubelet.next_due(), None);
}

#[test]
fn a_spec_that_cannot_be_read_fails_the_pod() {
    life(
        "",
        json!({"spec": {"containers": []}}),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Failed (UnexpectedAdmissionError)
    "#]],
    );
    life(
        "",
        spec(json!({"restartPolicy": "Sometimes"})),
        &[],
        expect![[r#"
        0:00 Pending
        0:00 Failed (UnexpectedAdmissionError)
    "#]],
    );
}

#[test]
fn a_status_holds_what_a_node_reports() {
    let mut cluster = Cluster::new("container main: exit 1 after 1s");
    cluster.create("pi", on_failure(30));
    cluster.run_to(5);
    let stored = cluster.server.object(Kind::Pod, "default", "pi").unwrap();
    let status: Value = serde_json::from_str(stored.pod().unwrap().status.json()).unwrap();
    expect![[r#"
        {
          "conditions": [
            {
              "lastTransitionTime": "2026-01-02T12:00:00Z",
              "status": "True",
              "type": "PodScheduled"
            },
            {
              "lastTransitionTime": "2026-01-02T12:00:00Z",
              "status": "True",
              "type": "Initialized"
            },
            {
              "lastTransitionTime": "2026-01-02T12:00:02Z",
              "message": "not ready: main",
              "reason": "ContainersNotReady",
              "status": "False",
              "type": "ContainersReady"
            },
            {
              "lastTransitionTime": "2026-01-02T12:00:02Z",
              "message": "not ready: main",
              "reason": "ContainersNotReady",
              "status": "False",
              "type": "Ready"
            }
          ],
          "containerStatuses": [
            {
              "image": "i",
              "imageID": "",
              "lastState": {
                "terminated": {
                  "exitCode": 1,
                  "finishedAt": "2026-01-02T12:00:02Z",
                  "reason": "Error",
                  "startedAt": "2026-01-02T12:00:01Z"
                }
              },
              "name": "main",
              "ready": false,
              "restartCount": 1,
              "started": false,
              "state": {
                "waiting": {
                  "message": "the container main is started again 10s after its end",
                  "reason": "CrashLoopBackOff"
                }
              }
            }
          ],
          "hostIP": "10.0.0.1",
          "hostIPs": [
            {
              "ip": "10.0.0.1"
            }
          ],
          "phase": "Running",
          "podIP": "10.1.0.1",
          "podIPs": [
            {
              "ip": "10.1.0.1"
            }
          ],
          "startTime": "2026-01-02T12:00:00Z"
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&status).unwrap());
}

#[test]
fn pods_that_were_there_before_the_kubelet_are_run() {
    let mut server = server(Dependence::OnController);
    ask(&mut server, r#"POST pods {"metadata":{"name":"pi"},"spec":{"containers":[{"name":"main"}]}}"#, 0);
    let mut kubelet = Kubelet::new(&mut server, Scripted::default(), noon());
    assert_eq!(kubelet.pod_id("pod-pi-1"), Some(PodId(1)));
    kubelet.tick(&mut server, noon());
    assert_eq!(&**server.object(Kind::Pod, "default", "pi").unwrap().pod().unwrap().status.phase(), "Running");
}

/// Lives a pod's life under a script, with requests at their seconds from the start, for an hour.
fn life(script: &str, pod: Value, requests: &[(i64, &str)], expected: Expect) {
    let mut cluster = Cluster::new(script);
    cluster.live(pod, requests);
    expected.assert_eq(&cluster.told());
}

fn spec(mut spec: Value) -> Value {
    if spec["containers"].is_null() {
        spec["containers"] = json!([{"name": "main", "image": "i"}]);
    }
    json!({"spec": spec})
}

fn never() -> Value {
    spec(json!({"restartPolicy": "Never"}))
}

fn on_failure(grace: i64) -> Value {
    spec(json!({"restartPolicy": "OnFailure", "terminationGracePeriodSeconds": grace}))
}

/// A cluster with a kubelet, whose clock moves from one thing that is due to the next.
struct Cluster {
    server: ApiServer,
    kubelet: Kubelet<Scripted>,
    script: Script,
    watch: WatchId,
    now: Timestamp,
    lines: Vec<String>,
}

impl Cluster {
    fn new(script: &str) -> Self {
        let script = Script::parse(script).unwrap();
        let mut server = server(Dependence::OnController);
        let watch = server.watch(Some(Kind::Pod));
        let kubelet = Kubelet::new(&mut server, Scripted::new(script.clone()), noon());
        Self { server, kubelet, script, watch, now: noon(), lines: Vec::new() }
    }

    fn create(&mut self, name: &str, mut pod: Value) {
        pod["metadata"]["name"] = name.into();
        let after = self.now.duration_since(noon()).as_secs();
        ask(&mut self.server, &format!("POST pods {pod}"), after);
    }

    fn live(&mut self, pod: Value, requests: &[(i64, &str)]) {
        self.create("pi", pod);
        for (at, request) in requests {
            self.run_to(*at);
            ask(&mut self.server, request, *at);
        }
        self.run_to(3600);
    }

    /// Does all that is due up to so many seconds from the start.
    fn run_to(&mut self, seconds: i64) {
        let end = time::after(noon(), Duration::from_secs(seconds));
        loop {
            for (at, action) in self.script.actions.clone() {
                if time::after(noon(), at) == self.now {
                    self.kubelet.act(&action, &mut self.server, self.now);
                }
            }
            self.kubelet.observe(&mut self.server, self.now);
            self.kubelet.tick(&mut self.server, self.now);
            self.tell();
            let actions = self.script.actions.iter().map(|(at, _)| time::after(noon(), *at)).filter(|at| *at > self.now);
            match actions.chain(self.kubelet.next_due()).min() {
                Some(next) if next <= end => self.now = next,
                Some(_) | None => break,
            }
        }
        self.now = end;
    }

    fn tell(&mut self) {
        let second = self.now.duration_since(noon()).as_millis();
        let fraction = if second % 1000 == 0 { String::new() } else { format!(".{:03}", second % 1000) };
        let clock = format!("{}:{:02}{fraction}", second / 60_000, second / 1000 % 60);
        while let Some(write) = self.server.next_write(self.watch) {
            let state = if write.gone { "gone".to_owned() } else { describe(&write.after) };
            if self.lines.last().and_then(|line| line.split_once(' ')).is_none_or(|(_, last)| last != state) {
                self.lines.push(format!("{clock} {state}"));
            }
        }
    }

    fn told(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// A pod in a line: phase, deletion, node, what is ready, reasons, then its containers.
fn describe(stored: &Stored) -> String {
    let (metadata, pod) = (stored.metadata(), stored.pod().unwrap());
    let status: Value = serde_json::from_str(pod.status.json()).unwrap();
    let list = |name: &str| status[name].as_array().cloned().unwrap_or_default();
    let mut words = vec![pod.status.phase().to_string()];
    let conditions: BTreeMap<String, Value> =
        list("conditions").into_iter().map(|condition| (condition["type"].as_str().unwrap().to_owned(), condition)).collect();
    let holds = |kind: &str| conditions.get(kind).is_some_and(|condition| condition["status"] == "True");
    if holds("Ready") {
        words.push("ready".to_owned());
    }
    if status["phase"] == "Pending" && !pod.spec.node_name().is_empty() {
        words.push(format!("on {}", pod.spec.node_name()));
    }
    if conditions.contains_key("PodScheduled") && !holds("PodScheduled") {
        words.push("unschedulable".to_owned());
    }
    if let Some(target) = conditions.get("DisruptionTarget") {
        words.push(target["reason"].as_str().unwrap().to_owned());
    }
    words.extend(status["reason"].as_str().map(|reason| format!("({reason})")));
    words.extend(metadata.deletion_grace_period_seconds.map(|grace| format!("deleted with {grace}s")));
    for container in list("initContainerStatuses").into_iter().chain(list("containerStatuses")) {
        words.push(format!("· {}", container["name"].as_str().unwrap()));
        let restarts = container["restartCount"].as_i64().unwrap();
        if restarts > 0 {
            words.push(format!("restarts {restarts}"));
        }
        let state = &container["state"];
        let word = |kind: &str, field: &str| state[kind][field].as_str().map(Text::from);
        words.push(match (word("waiting", "reason"), state["terminated"]["exitCode"].as_i64()) {
            (Some(reason), _) => format!("waits for {reason}"),
            (None, Some(code)) => format!("exit {code} {}", word("terminated", "reason").unwrap()),
            (None, None) => if container["ready"] == true { "runs ready" } else { "runs" }.to_owned(),
        });
    }
    words.join(" ")
}
