//! Which rules of a script count for which pods and containers.
//!
//! Docs: none; the language is described in `../lib.rs`. How lives are written out is in `mod.rs` beside this file.

use expect_test::expect;
use serde_json::json;

use super::{Cluster, life, never, on_failure, spec};

#[test]
fn rules_that_name_no_container_are_about_regular_ones() {
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": [{"name": "first"}, {"name": "log", "restartPolicy": "Always"}]}));
    life("pods: exit 3 after 2s, starts after 1s", pod.clone(), &[]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Pending on node-1 · first runs · log waits for PodInitializing · main waits for PodInitializing
            0:00 Pending on node-1 · first exit 0 Completed · log runs ready · main waits for PodInitializing
            0:01 Running ready · first exit 0 Completed · log runs ready · main runs ready
            0:03 Running · first exit 0 Completed · log runs ready · main exit 3 Error
            0:03 Failed · first exit 0 Completed · log exit 143 Error · main exit 3 Error
    "#]]);
    life("pods: runs forever\nat 4s: exit 3 in pod pi", pod.clone(), &[]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Pending on node-1 · first runs · log waits for PodInitializing · main waits for PodInitializing
            0:00 Running ready · first exit 0 Completed · log runs ready · main runs ready
            0:04 Running · first exit 0 Completed · log runs ready · main exit 3 Error
            0:04 Failed · first exit 0 Completed · log exit 143 Error · main exit 3 Error
    "#]]);
    life("pods: runs forever\nat 4s: exit 3 in pod pi container log", pod, &[(5, "DELETE pods/pi")]).is(expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Pending on node-1 · first runs · log waits for PodInitializing · main waits for PodInitializing
            0:00 Running ready · first exit 0 Completed · log runs ready · main runs ready
            0:04 Running ready · first exit 0 Completed · log restarts 1 runs ready · main runs ready
            0:05 Running ready deleted with 30s · first exit 0 Completed · log restarts 1 runs ready · main runs ready
            0:05 Running deleted with 30s · first exit 0 Completed · log restarts 1 runs ready · main exit 143 Error
            0:05 Failed deleted with 30s · first exit 0 Completed · log restarts 1 exit 143 Error · main exit 143 Error
            0:05 Failed deleted with 0s · first exit 0 Completed · log restarts 1 exit 143 Error · main exit 143 Error
            0:05 gone
    "#]]);
}

#[test]
fn what_runs_can_be_made_to_exit() {
    life("pods: runs forever\nat 4s: exit 3 in pod pi", never(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:04 Failed · main exit 3 Error
    "#]]);
}

#[test]
fn a_rule_can_hold_for_the_first_starts_only() {
    life("pods: exit 42 after 2s twice\npods: succeed after 3s", on_failure(30), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Running ready · main restarts 1 runs ready
        0:04 Running · main restarts 1 waits for CrashLoopBackOff
        0:14 Running ready · main restarts 2 runs ready
        0:17 Succeeded · main restarts 2 exit 0 Completed
    "#]]);
    life("starts 1-2: exit 42\npods: succeed", on_failure(30), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Running ready · main restarts 1 runs ready
        0:10 Running · main restarts 1 waits for CrashLoopBackOff
        0:20 Running ready · main restarts 2 runs ready
        0:25 Succeeded · main restarts 2 exit 0 Completed
    "#]]);
}

#[test]
fn a_rule_can_hold_for_the_first_attempts_only() {
    let lived = |script: &str| {
        let mut cluster = Cluster::new(script);
        for (minute, name) in (1..).zip(["p-0", "p-1", "p-2"]) {
            let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "pi", "controller": true});
            let mut pod = never();
            pod["metadata"] = json!({"ownerReferences": [owner], "annotations": {"batch.kubernetes.io/job-completion-index": "1"}});
            cluster.create(name, pod);
            cluster.run_to(60 * minute);
        }
        cluster.shown()
    };
    let twice = lived("index 1: exit 42 twice");
    assert_eq!(twice, lived("index 1 attempts 1-2: exit 42"));
    expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:05 Failed · main exit 42 Error
        1:00 Pending
        1:00 Pending on node-1
        1:00 Running ready · main runs ready
        1:05 Failed · main exit 42 Error
        2:00 Pending
        2:00 Pending on node-1
        2:00 Running ready · main runs ready
        2:05 Succeeded · main exit 0 Completed
    "#]]
    .assert_eq(&twice);
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
    .assert_eq(&cluster.shown());
}
