//! How containers are restarted in place.
//!
//! Docs: Pod Lifecycle, "Container restarts". How lives are written out is in `lib.rs`.

use expect_test::expect;
use serde_json::json;

use super::{life, on_failure, spec};

#[test]
fn containers_that_fail_are_restarted_with_back_off() {
    life("pods: exit 1 after 20s", on_failure(0), &[(300, "DELETE pods/pi")]).is(expect![[r#"
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
    "#]]);
}

#[test]
fn back_off_ends_with_the_first_success() {
    life("start 4: succeed after 1s\npods: exit 1 after 1s", on_failure(30), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Running ready · main restarts 1 runs ready
        0:02 Running · main restarts 1 waits for CrashLoopBackOff
        0:12 Running ready · main restarts 2 runs ready
        0:13 Running · main restarts 2 waits for CrashLoopBackOff
        0:33 Running ready · main restarts 3 runs ready
        0:34 Succeeded · main restarts 3 exit 0 Completed
    "#]]);
}

#[test]
fn containers_are_restarted_after_success_only_if_always() {
    life("pods: succeed after 1s", spec(json!({"restartPolicy": "Always"})), &[(25, "DELETE pods/pi")]).is(expect![[r#"
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
    "#]]);
}

#[test]
fn a_long_run_resets_the_back_off() {
    life("start 3: exit 1 after 11m\npods: exit 1 after 1s", on_failure(0), &[(720, "DELETE pods/pi")]).is(expect![[r#"
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
    "#]]);
}

#[test]
fn a_pod_in_back_off_ends_as_its_container_did() {
    life("pods: exit 6 after 1s", on_failure(30), &[(5, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:01 Running ready · main restarts 1 runs ready
        0:02 Running · main restarts 1 waits for CrashLoopBackOff
        0:05 Running deleted with 30s · main restarts 1 waits for CrashLoopBackOff
        0:05 Failed deleted with 30s · main restarts 1 exit 6 Error
        0:05 Failed deleted with 0s · main restarts 1 exit 6 Error
        0:05 gone
    "#]]);
}

/// A pod of the restart policy Never whose container restarts by these rules.
fn with_rules(policy: &str, rules: &serde_json::Value) -> serde_json::Value {
    spec(
        json!({"restartPolicy": "Never", "containers": [{"name": "main", "image": "i", "restartPolicy": policy, "restartPolicyRules": rules}]}),
    )
}

#[test]
fn a_rule_of_the_container_restarts_it_by_its_exit_code_with_back_off() {
    let pod = || with_rules("Never", &json!([{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}]));
    life("start 1: exit 42 after 2s\nstart 2: exit 42 after 2s\nstart 3: succeed after 2s", pod(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Running ready · main restarts 1 runs ready
        0:04 Running · main restarts 1 waits for CrashLoopBackOff
        0:14 Running ready · main restarts 2 runs ready
        0:16 Succeeded · main restarts 2 exit 0 Completed
    "#]]);
    life("start 1: exit 42 after 2s\nstart 2: exit 1 after 2s", pod(), &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Running ready · main restarts 1 runs ready
        0:04 Failed · main restarts 1 exit 1 Error
    "#]]);
}

#[test]
fn a_rule_may_list_the_exit_codes_that_do_not_restart() {
    let pod = with_rules("Never", &json!([{"action": "Restart", "exitCodes": {"operator": "NotIn", "values": [0, 3]}}]));
    life("start 1: exit 42 after 2s\nstart 2: exit 3 after 2s", pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Running ready · main restarts 1 runs ready
        0:04 Failed · main restarts 1 exit 3 Error
    "#]]);
}

#[test]
fn the_policy_of_the_container_counts_where_no_rule_matches() {
    let pod = with_rules("OnFailure", &json!([{"action": "Restart", "exitCodes": {"operator": "In", "values": [0]}}]));
    life("start 1: exit 1 after 2s\nstart 2: succeed after 2s", pod, &[(5, "DELETE pods/pi")]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Running ready · main runs ready
        0:02 Running ready · main restarts 1 runs ready
        0:04 Running · main restarts 1 waits for CrashLoopBackOff
        0:05 Running deleted with 30s · main restarts 1 waits for CrashLoopBackOff
        0:05 Succeeded deleted with 30s · main restarts 1 exit 0 Completed
        0:05 Succeeded deleted with 0s · main restarts 1 exit 0 Completed
        0:05 gone
    "#]]);
}

#[test]
fn a_container_that_always_restarts_keeps_a_pod_that_never_does() {
    let pod = spec(json!({"restartPolicy": "Never", "containers": [{"name": "tests"}, {"name": "browser", "restartPolicy": "Always"}]}));
    life("container tests: exit 1 after 5s\ncontainer browser start 1: exit 0 after 7s\ncontainer browser: runs forever", pod, &[]).is(
        expect![[r#"
            0:00 Pending
            0:00 Pending on node-1
            0:00 Running ready · tests runs ready · browser runs ready
            0:05 Running · tests exit 1 Error · browser runs ready
            0:07 Running · tests exit 1 Error · browser restarts 1 runs ready
        "#]],
    );
}

#[test]
fn an_init_container_restarts_by_its_rule() {
    let rules = json!([{"action": "Restart", "exitCodes": {"operator": "In", "values": [7]}}]);
    let init = json!([{"name": "first", "restartPolicy": "Never", "restartPolicyRules": rules}]);
    let pod = spec(json!({"restartPolicy": "Never", "initContainers": init}));
    life("container first start 1: exit 7 after 2s\ncontainer first: exit 8 after 1s", pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Pending on node-1
        0:00 Pending on node-1 · first runs · main waits for PodInitializing
        0:02 Pending on node-1 · first restarts 1 runs · main waits for PodInitializing
        0:03 Failed · first restarts 1 exit 8 Error · main waits for PodInitializing
    "#]]);
}

#[test]
fn a_rule_that_restarts_all_containers_is_refused_by_the_node() {
    let pod = with_rules("Never", &json!([{"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [42]}}]));
    life("", pod, &[]).is(expect![[r#"
        0:00 Pending
        0:00 Failed (UnexpectedAdmissionError)
    "#]]);
}
