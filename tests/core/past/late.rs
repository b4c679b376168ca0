//! What happened much later than the controllers do it, and what they cannot know: which of equal pods go.
//!
//! Docs: the crate `past`. Pods that no longer exist are in `gone.rs`.

use expect_test::expect;
use serde_json::json;

use super::gaps::{at, check, failed, job, pod, running};

#[test]
fn a_pod_that_was_created_late() {
    check(
        &[job(json!({"backoffLimit": 0}), failed(330, "BackoffLimitExceeded", 1)), pod("pi-a", 300, 329, 1)],
        expect![[r#"
            0:00 job pi: created
            0:00 ● Starting the Job: startTime is set (J-46)
            5:00 ≠ the Job's controller acted 4m59s later than expected: the controller may not have been running, or its requests may have been refused
            5:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            5:00 pod pi-a Pending
            5:01 pod pi-a Ready
            5:29 pod pi-a Failed with exit code 1 after 29 s
            5:30 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
            5:30 ● Counting pod pi-a as failed with exit code 1: every failed pod counts (J-124)
            5:30 job pi: FailureTarget: BackoffLimitExceeded
            5:30 ● The Job is Failed (BackoffLimitExceeded) (J-127)
            5:30 job pi: Failed: BackoffLimitExceeded
        "#]],
    );
}

#[test]
fn a_pod_is_counted_although_its_successor_is_late() {
    let status = json!({"active": 1, "ready": 1, "succeeded": 1});
    check(
        &[job(json!({"completions": 2}), status), pod("pi-a", 0, 20, 0), running("pi-b", 300)],
        expect![[r#"
            0:00 job pi: created
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (parallelism 1, 2 completions still to come) (J-83)
            0:00 pod pi-a Pending
            0:01 pod pi-a Ready
            0:20 pod pi-a Succeeded after 20 s
            0:21 ● Counting pod pi-a as succeeded (J-124)
            5:00 ≠ the Job's controller acted 4m38s later than expected: the controller may not have been running, or its requests may have been refused
            5:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            5:00 pod pi-b Pending
            5:01 pod pi-b Ready
        "#]],
    );
}

#[test]
fn the_record_says_which_of_equal_pods_were_deleted() {
    let mut job = job(json!({"completions": 9}), json!({"active": 1, "ready": 1, "terminating": 1}));
    job["metadata"]["generation"] = 2.into();
    let mut deleted = running("pi-b", 0);
    deleted["metadata"]["finalizers"] = json!([]);
    deleted["metadata"]["deletionTimestamp"] = at(90);
    deleted["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    check(
        &[job, running("pi-a", 0), deleted],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ the Job has been edited: its generation is 2: only its latest spec is known
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (parallelism 1, 9 completions still to come) (J-83)
            0:00 pod pi-a Pending
            0:00 ≠ pod pi-b was created here, as recorded, but no new pod was expected: the Job was edited, and its earlier spec is not known
            0:00 pod pi-b Pending
            0:01 pod pi-a Ready
            0:01 pod pi-b Ready
            1:00 ≠ the Job's controller acted 60 s later than expected: the Job was edited, and its earlier spec is not known
            1:00 ● Deleting pi-b: 2 active, 1 wanted (parallelism 1, 9 completions still to come) (J-81a)
            1:00 pod pi-b Terminating
        "#]],
    );
}
