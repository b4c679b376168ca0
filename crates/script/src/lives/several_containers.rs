//! How init containers, sidecars and regular containers follow one another.
//!
//! Docs: Init Containers; Sidecar Containers; Pod Lifecycle, "Pod shutdown and sidecar containers". How lives are written out is in
//! `lib.rs`.

use expect_test::expect;
use serde_json::json;

use super::{life, spec};

#[test]
fn init_containers_run_one_after_another() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [{"name": "first"}, {"name": "second"}]}));
    life("container first: succeed after 1s\ncontainer second: succeed after 2s", pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · first runs · second waits for PodInitializing · main waits for PodInitializing
        0:01 Pending on node-1 · first exit 0 Completed · second runs · main waits for PodInitializing
        0:03 Running ready · first exit 0 Completed · second exit 0 Completed · main runs ready
        0:08 Succeeded · first exit 0 Completed · second exit 0 Completed · main exit 0 Completed
    "#]]);
}

#[test]
fn a_sidecar_that_waits_for_its_image_starts_while_an_earlier_one_is_in_back_off() {
    let sidecars = json!([{"name": "log", "restartPolicy": "Always"}, {"name": "proxy", "restartPolicy": "Always"}]);
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": sidecars}));
    life("container log starts 1-2: exit 1 after 1s\ncontainer proxy: starts after 5s", pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · log runs ready · proxy waits for PodInitializing · main waits for PodInitializing
        0:01 Pending on node-1 · log restarts 1 runs ready · proxy waits for PodInitializing · main waits for PodInitializing
        0:02 Pending on node-1 · log restarts 1 waits for CrashLoopBackOff · proxy waits for PodInitializing · main waits for PodInitializing
        0:05 Running · log restarts 1 waits for CrashLoopBackOff · proxy runs ready · main runs ready
        0:10 Running · log restarts 1 waits for CrashLoopBackOff · proxy runs ready · main exit 0 Completed
        0:10 Succeeded · log restarts 1 exit 1 Error · proxy exit 143 Error · main exit 0 Completed
    "#]]);
}

#[test]
fn an_init_container_that_fails_fails_the_pod_or_is_restarted() {
    let pod = |policy| spec(json!({"restartPolicy": policy, "initContainers": [{"name": "first"}]}));
    life("container first: exit 3 after 1s", pod("Never"), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · first runs · main waits for PodInitializing
        0:01 Failed · first exit 3 Error · main waits for PodInitializing
    "#]]);
    life("container first start 3: succeed at once\ncontainer first: exit 3 after 1s", pod("Always"), &[(14, "DELETE pods/pi")]).is(
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
fn an_init_container_in_back_off_ends_as_it_did() {
    let pod = spec(json!({"restartPolicy": "OnFailure", "initContainers": [{"name": "first"}]}));
    life("container first: exit 3 after 1s", pod, &[(5, "DELETE pods/pi")]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Pending on node-1 · first runs · main waits for PodInitializing
            0:01 Pending on node-1 · first restarts 1 runs · main waits for PodInitializing
            0:02 Pending on node-1 · first restarts 1 waits for CrashLoopBackOff · main waits for PodInitializing
            0:05 Pending on node-1 deleted with 30s · first restarts 1 waits for CrashLoopBackOff · main waits for PodInitializing
            0:05 Failed deleted with 30s · first restarts 1 exit 3 Error · main waits for PodInitializing
            0:05 Failed deleted with 0s · first restarts 1 exit 3 Error · main waits for PodInitializing
            0:05 gone
    "#]]);
}

#[test]
fn sidecars_start_in_order_are_restarted_and_stop_last_in_reverse_order() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [
        {"name": "log", "restartPolicy": "Always"}, {"name": "first"}, {"name": "proxy", "restartPolicy": "Always"}]}));
    let script =
        "container log start 1: exit 1 after 3s\ncontainer log: ends 2s after TERM with 0\ncontainer proxy: ends 1s after TERM with 7";
    life(script, pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · log runs ready · first runs · proxy waits for PodInitializing · main waits for PodInitializing
        0:00 Running ready · log runs ready · first exit 0 Completed · proxy runs ready · main runs ready
        0:03 Running ready · log restarts 1 runs ready · first exit 0 Completed · proxy runs ready · main runs ready
        0:05 Running · log restarts 1 runs ready · first exit 0 Completed · proxy runs ready · main exit 0 Completed
        0:06 Running · log restarts 1 runs ready · first exit 0 Completed · proxy exit 7 Error · main exit 0 Completed
        0:08 Succeeded · log restarts 1 exit 0 Completed · first exit 0 Completed · proxy exit 7 Error · main exit 0 Completed
    "#]]);
}

/// The kubelet never fell quiet: what was due of the container was not done, because the sidecar before it was in back-off.
#[test]
fn a_container_is_started_although_a_sidecar_before_it_fails_meanwhile() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [{"name": "log", "restartPolicy": "Always"}]}));
    let script = "container log starts 1-2: exit 1 after 1s\ncontainer log: runs forever\npods: starts after 2s, succeed after 1s";
    life(script, pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · log runs ready · main waits for PodInitializing
        0:01 Pending on node-1 · log restarts 1 runs ready · main waits for PodInitializing
        0:02 Running · log restarts 1 waits for CrashLoopBackOff · main runs ready
        0:03 Succeeded · log restarts 1 exit 1 Error · main exit 0 Completed
    "#]]);
}

#[test]
fn a_sidecar_that_does_not_stop_is_killed_and_does_not_decide() {
    let pod = spec(
        json!({"restartPolicy": "Never", "terminationGracePeriodSeconds": 10, "initContainers": [{"name": "log", "restartPolicy": "Always"}]}),
    );
    life("container log: ignores TERM", pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · log runs ready · main runs ready
        0:05 Running · log runs ready · main exit 0 Completed
        0:15 Succeeded · log exit 137 Error · main exit 0 Completed
    "#]]);
}

#[test]
fn sidecars_of_a_deleted_pod_wait_for_the_regular_containers() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [{"name": "log", "restartPolicy": "Always"}]}));
    let script = "container log: ends 1s after TERM with 0\npods: runs forever, ends 4s after TERM with 0";
    life(script, pod, &[(3, "DELETE pods/pi")]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Running ready · log runs ready · main runs ready
            0:03 Running ready deleted with 30s · log runs ready · main runs ready
            0:07 Running deleted with 30s · log runs ready · main exit 0 Completed
            0:08 Succeeded deleted with 30s · log exit 0 Completed · main exit 0 Completed
            0:08 Succeeded deleted with 0s · log exit 0 Completed · main exit 0 Completed
            0:08 gone
    "#]]);
}

#[test]
fn all_regular_containers_decide_together() {
    let pod = |policy| spec(json!({"restartPolicy": policy, "containers": [{"name": "main"}, {"name": "other"}]}));
    life("container other: exit 2 after 1s", pod("Never"), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready · other runs ready
        0:01 Running · main runs ready · other exit 2 Error
        0:05 Failed · main exit 0 Completed · other exit 2 Error
    "#]]);
    life("container other start 1: exit 2 after 1s", pod("OnFailure"), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready · other runs ready
        0:01 Running ready · main runs ready · other restarts 1 runs ready
        0:05 Running · main exit 0 Completed · other restarts 1 runs ready
        0:06 Succeeded · main exit 0 Completed · other restarts 1 exit 0 Completed
    "#]]);
}
