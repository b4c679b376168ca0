//! Pods that are gone, whose end the condition of their Job still shows.
//!
//! Docs: Jobs, "Pod failure policy" (J-97). Records with other gaps are in `gaps.rs`.

use api::Text;
use expect_test::expect;
use past::{JobEnding, PodDecisions, RecordedJob};
use serde_json::{Value, json};

use super::gaps::{check, event, failed, job};

/// A Job that a rule failed for a pod that is gone, with the message of its condition.
fn failed_by_rule(rule: Value, message: &str) -> Value {
    let mut job = job(json!({"podFailurePolicy": {"rules": [rule]}}), failed(30, "PodFailurePolicy", 1));
    for condition in job["status"]["conditions"].as_array_mut().expect("it has them") {
        condition["message"] = message.into();
    }
    job
}

#[test]
fn the_condition_of_a_job_tells_how_the_pod_ended_for_which_a_rule_failed_it() {
    let rule = json!({"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}});
    let message = "Container main for pod default/pi-x7k2p failed with exit code 42 matching FailJob rule at index 0";
    check(
        &[failed_by_rule(rule.clone(), message)],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 1 pod that the Job counted no longer exists: what it did is estimated from what happened before and after, and how it ended is known from the Job's condition
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-x7k2p Pending ~
            0:00 pod pi-x7k2p Ready ~
            0:29 pod pi-x7k2p Failed with exit code 42 after 29 s ~
            0:29 pod pi-x7k2p Terminating ~
            0:30 ● The Job fails: container main of pod pi-x7k2p exited with code 42, which matches rule 0 of podFailurePolicy (FailJob) (J-46c)
            0:30 ● Counting pod pi-x7k2p as failed: container main exited with code 42, which matches rule 0 of podFailurePolicy (FailJob) (J-96)
            0:30 job pi: FailureTarget: PodFailurePolicy
            0:30 pod pi-x7k2p gone ~
            0:30 ● The Job is Failed (PodFailurePolicy) (J-127)
            0:30 job pi: Failed: PodFailurePolicy
        "#]],
    );
    // An Event may tell of it, too.
    check(
        &[failed_by_rule(rule, message), event("SuccessfulCreate", "Created pod: pi-x7k2p", 3, 1)],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 1 pod that the Job counted no longer exists: what it did is estimated from what happened before and after, and how it ended is known from the Job's condition
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:03 pod pi-x7k2p Pending
            0:03 pod pi-x7k2p Ready ~
            0:29 pod pi-x7k2p Failed with exit code 42 after 26 s ~
            0:29 pod pi-x7k2p Terminating ~
            0:30 ● The Job fails: container main of pod pi-x7k2p exited with code 42, which matches rule 0 of podFailurePolicy (FailJob) (J-46c)
            0:30 ● Counting pod pi-x7k2p as failed: container main exited with code 42, which matches rule 0 of podFailurePolicy (FailJob) (J-96)
            0:30 job pi: FailureTarget: PodFailurePolicy
            0:30 pod pi-x7k2p gone ~
            0:30 ● The Job is Failed (PodFailurePolicy) (J-127)
            0:30 job pi: Failed: PodFailurePolicy
        "#]],
    );
    let rule = json!({"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]});
    let message = "Pod default/pi-x7k2p has condition DisruptionTarget matching FailJob rule at index 0";
    let texts: Vec<Text> = vec![failed_by_rule(rule.clone(), message).to_string().into()];
    let ending = JobEnding::of(&RecordedJob::all(&texts)[0], |_| PodDecisions::default()).sentence().to_string();
    assert!(
        ending.ends_with(": 1 pod failed (DisruptionTarget); podFailurePolicy rule 0 (FailJob) matched condition DisruptionTarget"),
        "{ending}"
    );
    check(
        &[failed_by_rule(rule, message)],
        expect![[r#"
            0:00 job pi: created
            0:00 ≠ 1 pod that the Job counted no longer exists: what it did is estimated from what happened before and after, and how it ended is known from the Job's condition
            0:00 ● Starting the Job: startTime is set (J-46)
            0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            0:00 pod pi-x7k2p Pending ~
            0:00 pod pi-x7k2p Ready ~
            0:29 pod pi-x7k2p Failed after 29 s: DisruptionTarget ~
            0:29 pod pi-x7k2p Terminating: DisruptionTarget ~
            0:30 ● The Job fails: condition DisruptionTarget of pod pi-x7k2p matches rule 0 of podFailurePolicy (FailJob) (J-46c)
            0:30 ● Counting pod pi-x7k2p as failed: its condition DisruptionTarget matches rule 0 of podFailurePolicy (FailJob) (J-96)
            0:30 job pi: FailureTarget: PodFailurePolicy
            0:30 pod pi-x7k2p gone ~
            0:30 ● The Job is Failed (PodFailurePolicy) (J-127)
            0:30 job pi: Failed: PodFailurePolicy
        "#]],
    );
}
