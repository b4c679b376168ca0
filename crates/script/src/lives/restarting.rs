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
