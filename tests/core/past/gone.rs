//! Pods that no longer exist: how those lived that their Job counted, and those that its suspension deleted.
//!
//! Docs: the crate `past`; Jobs, "Suspending a Job". Other records with gaps are in `gaps.rs`.

use expect_test::expect;
use serde_json::{Value, json};

use super::gaps::{at, check, condition, event, job, pod, running};

/// The n-th pod of an index.
fn indexed(mut pod: Value, index: &str) -> Value {
    pod["metadata"]["annotations"] = json!({"batch.kubernetes.io/job-completion-index": index});
    pod["metadata"]["labels"]["batch.kubernetes.io/job-completion-index"] = index.into();
    pod
}

#[test]
fn pods_that_succeeded_and_were_removed_ran_one_after_another() {
    let status = json!({"active": 1, "ready": 1, "succeeded": 2, "completedIndexes": "0,1"});
    let job = job(json!({"completionMode": "Indexed", "completions": 3}), status);
    check(
        &[job, indexed(running("pi-2-c", 200), "2")],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 2 pods that the Job counted no longer exist: what they did is estimated from what happened before and after
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod for index 0: 0 active, 1 wanted (parallelism 1, 3 completions still to come) (J-101)
            0:00 pod pi-0-gone1 Pending: attempt 1 of index 0 ~
            0:00 pod pi-0-gone1 Ready ~
            1:39 pod pi-0-gone1 Succeeded after 99 s ~
            1:39 pod pi-0-gone1 Terminating ~
            1:40 ● Creating 1 pod for index 1: 0 active, 1 wanted (parallelism 1, 2 completions still to come) (J-101)
            1:40 ● Counting index 0 as succeeded: pod pi-0-gone1 succeeded (J-124)
            1:40 pod pi-1-gone2 Pending: attempt 1 of index 1 ~
            1:40 pod pi-0-gone1 gone ~
            1:40 pod pi-1-gone2 Ready ~
            3:19 pod pi-1-gone2 Succeeded after 99 s ~
            3:19 pod pi-1-gone2 Terminating ~
            3:20 ● Creating 1 pod for index 2: 0 active, 1 wanted (J-101)
            3:20 ● Counting index 1 as succeeded: pod pi-1-gone2 succeeded (J-124)
            3:20 pod pi-2-c Pending: attempt 1 of index 2
            3:20 pod pi-1-gone2 gone ~
            3:21 pod pi-2-c Ready
        "#]],
    );
}

#[test]
fn pods_that_the_end_of_the_job_deleted_ended_just_before_it() {
    let mut job = job(
        json!({"backoffLimit": 0, "completions": 2, "parallelism": 2}),
        json!({"failed": 2, "conditions": [condition("FailureTarget", "BackoffLimitExceeded", 21), condition("Failed", "BackoffLimitExceeded", 53)]}),
    );
    job["spec"]["podReplacementPolicy"] = "Failed".into();
    check(
        &[job, pod("pi-a", 0, 20, 1)],
        expect![[r#"
        0:00 job pi: created
        0:00 ≠ 1 pod that the Job counted no longer exists: what it did is estimated from what happened before and after, and its exit code is not known
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 2 pods: 0 active, 2 wanted (J-83)
        0:00 pod pi-a Pending
        0:00 pod pi-gone1 Pending ~
        0:00 pod pi-gone1 Ready ~
        0:01 pod pi-a Ready
        0:20 pod pi-a Failed with exit code 1 after 20 s
        0:21 ● The Job fails: 1 pod failed; backoffLimit allows 0 (J-46d)
        0:21 ● Deleting 1 active pod: the Job is ending (J-47)
        0:21 ○ Waiting for 1 pod to finish before the Job is Failed (J-127)
        0:21 ● Counting pod pi-a as failed with exit code 1: every failed pod counts (J-124)
        0:21 ● Counting pod pi-gone1 as failed: the Job failed while the pod was still running (J-124)
        0:21 pod pi-gone1 Terminating ~
        0:21 job pi: FailureTarget: BackoffLimitExceeded
        0:22 ○ The Job is ending: it already has the condition FailureTarget (BackoffLimitExceeded) (J-46a)
        0:52 pod pi-gone1 Failed after 52 s ~
        0:52 pod pi-gone1 gone ~
        0:53 ● The Job is Failed (BackoffLimitExceeded) (J-127)
        0:53 job pi: Failed: BackoffLimitExceeded
    "#]],
    );
}

/// A Job that was suspended and resumed, with the pods that are left.
fn suspended_and_resumed() -> Vec<Value> {
    let mut resumed = condition("Suspended", "JobResumed", 600);
    resumed["status"] = "False".into();
    let mut job = job(
        json!({"completions": 3, "parallelism": 2}),
        json!({"active": 2, "ready": 2, "succeeded": 1, "startTime": at(600), "conditions": [resumed]}),
    );
    job["metadata"]["generation"] = 3.into();
    vec![job, pod("pi-a", 0, 100, 0), running("pi-c", 600), running("pi-d", 600)]
}

#[test]
fn pods_that_a_suspension_deleted_ran_until_then() {
    check(
        &suspended_and_resumed(),
        expect![[r#"
        0:00 job pi: created
        0:00 ≠ the Job has been edited: its generation is 3: only its latest spec is known
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 2 pods: 0 active, 2 wanted (parallelism 2, 3 completions still to come) (J-83)
        0:00 pod pi-a Pending
        0:00 pod pi-gone1 Pending ~
        0:00 pod pi-gone1 Ready ~
        0:01 pod pi-a Ready
        1:40 pod pi-a Succeeded after 100 s
        1:41 job pi: spec.suspend is true ~
        1:41 ● Deleting 1 active pod: the Job is suspended (J-80)
        1:41 ● Marking the Job as suspended: it has no startTime until it is resumed (J-121)
        1:41 ● Counting pod pi-a as succeeded (J-124)
        1:41 pod pi-gone1 Terminating ~
        1:41 pod pi-gone1 Failed after 101 s ~
        1:41 pod pi-gone1 gone ~
        1:41 job pi: Suspended: JobSuspended
        1:42 ○ Not creating pods: the Job is suspended (J-80)
        10:00 job pi: spec.suspend is false
        10:00 ● Starting the Job: startTime is set (J-46)
        10:00 ● Creating 2 pods: 0 active, 2 wanted (J-83)
        10:00 ● Marking the Job as resumed: its startTime is reset to the current time (J-121)
        10:00 pod pi-c Pending
        10:00 pod pi-d Pending
        10:00 job pi: Suspended is False: JobResumed
        10:01 pod pi-c Ready
        10:01 pod pi-d Ready
    "#]],
    );
}

#[test]
fn an_event_tells_when_the_suspension_was() {
    let mut objects = suspended_and_resumed();
    objects.push(event("Suspended", "Job suspended", 300, 1));
    check(
        &objects,
        expect![[r#"
        0:00 job pi: created
        0:00 ≠ the Job has been edited: its generation is 3: only its latest spec is known
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 2 pods: 0 active, 2 wanted (parallelism 2, 3 completions still to come) (J-83)
        0:00 pod pi-a Pending
        0:00 pod pi-gone1 Pending ~
        0:00 pod pi-gone1 Ready ~
        0:01 pod pi-a Ready
        1:40 pod pi-a Succeeded after 100 s
        1:41 ● Creating 1 pod: 1 active, 2 wanted (J-83)
        1:41 ● Counting pod pi-a as succeeded (J-124)
        1:41 pod pi-gone2 Pending ~
        1:41 pod pi-gone2 Ready ~
        5:00 job pi: spec.suspend is true
        5:00 ● Deleting 2 active pods: the Job is suspended (J-80)
        5:00 ● Marking the Job as suspended: it has no startTime until it is resumed (J-121)
        5:00 pod pi-gone1 Terminating ~
        5:00 pod pi-gone1 Failed after 5m ~
        5:00 pod pi-gone1 gone ~
        5:00 pod pi-gone2 Terminating ~
        5:00 pod pi-gone2 Failed after 3m19s ~
        5:00 pod pi-gone2 gone ~
        5:00 job pi: Suspended: JobSuspended
        5:01 ○ Not creating pods: the Job is suspended (J-80)
        10:00 job pi: spec.suspend is false
        10:00 ● Starting the Job: startTime is set (J-46)
        10:00 ● Creating 2 pods: 0 active, 2 wanted (J-83)
        10:00 ● Marking the Job as resumed: its startTime is reset to the current time (J-121)
        10:00 pod pi-c Pending
        10:00 pod pi-d Pending
        10:00 job pi: Suspended is False: JobResumed
        10:01 pod pi-c Ready
        10:01 pod pi-d Ready
    "#]],
    );
}

#[test]
fn of_very_many_pods_the_last_ones_are_shown() {
    let job = job(json!({"backoffLimit": 2_000_000}), json!({"active": 1, "ready": 1, "failed": 1_000_000}));
    let objects = [job, running("pi-b", 1_000_000)];
    let lines: Vec<String> = super::gaps::shown(&objects).lines().map(str::to_owned).collect();
    expect![[r#"
        807 lines
        0:00 job pi: created
        0:00 ≠ 1000000 pods that the Job counted no longer exist: what they did is estimated from what happened before and after, and their exit codes are not known
        0:00 ≠ only the last 100 of these pods are shown: the Job has counted the others from the start
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:00 pod pi-gone1 Pending ~"#]].assert_eq(&format!("{} lines\n{}", lines.len(), lines[..6].join("\n")));
}
