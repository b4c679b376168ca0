//! What `jobsmith simulate` tells of the past of a Job that a cluster had.
//!
//! Docs: `jobsmith simulate --help`, `--skip-past`. How a past is made is tested in `tests/core/past`.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::program::{Ended, Folder};

const UID: &str = "7a1f0c9e-3b52-4a0e-9a44-0d3f7e1c5b21";
const CRON_JOB: &str = "0b6b7c52-65a0-4f3f-8c7e-9f3c2f1d7a10";
const NAME: &str = "nightly-29668920";

/// A time in the hour in which all happened.
fn at(minute_and_second: &str) -> Value {
    format!("2026-11-25T01:{minute_and_second}Z").into()
}

fn template() -> Value {
    json!({"restartPolicy": "Never", "containers": [{"name": "report", "image": "registry.example.com/report:1.4"}]})
}

fn cron_job() -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "CronJob",
        "metadata": {"name": "nightly", "namespace": "reports", "uid": CRON_JOB, "creationTimestamp": "2026-10-01T09:00:00Z"},
        "spec": {"schedule": "0 2 * * *", "timeZone": "Europe/Berlin", "suspend": true, "jobTemplate": {"spec": {"template": {"spec": template()}}}},
        "status": {"lastScheduleTime": "2026-11-25T01:00:00Z"},
    })
}

/// The Job that failed last night.
fn job() -> Value {
    let labels =
        json!({"batch.kubernetes.io/controller-uid": UID, "controller-uid": UID, "batch.kubernetes.io/job-name": NAME, "job-name": NAME});
    let failed = |kind: &str| json!({"type": kind, "status": "True", "reason": "BackoffLimitExceeded", "lastTransitionTime": at("07:13")});
    json!({
        "apiVersion": "batch/v1", "kind": "Job",
        "metadata": {"name": NAME, "namespace": "reports", "uid": UID, "generation": 1, "creationTimestamp": at("00:00"), "labels": labels,
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "CronJob", "name": "nightly", "uid": CRON_JOB, "controller": true}]},
        "spec": {"backoffLimit": 2, "completions": 1, "parallelism": 1, "template": {"metadata": {"labels": labels}, "spec": template()},
            "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": UID}}},
        "status": {"startTime": at("00:00"), "failed": 3, "conditions": [failed("FailureTarget"), failed("Failed")]},
    })
}

/// A pod that started a second after its creation, and whose end was reported a second or two after it.
fn pod(end: &str, [created, started, finished, reported]: [&str; 4], code: i32, reason: &str) -> Value {
    let owner =
        json!([{"apiVersion": "batch/v1", "kind": "Job", "name": NAME, "uid": UID, "controller": true, "blockOwnerDeletion": true}]);
    let condition = |kind: &str, status: &str, time: &str| json!({"type": kind, "status": status, "lastTransitionTime": at(time)});
    let terminated = json!({"exitCode": code, "reason": reason, "startedAt": at(started), "finishedAt": at(finished)});
    let mut spec = template();
    spec["nodeName"] = "worker-2".into();
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": format!("{NAME}-{end}"), "generateName": format!("{NAME}-"), "namespace": "reports", "uid": format!("uid-{end}"),
            "creationTimestamp": at(created), "ownerReferences": owner,
            "labels": {"batch.kubernetes.io/controller-uid": UID, "batch.kubernetes.io/job-name": NAME}},
        "spec": spec,
        "status": {"phase": "Failed", "startTime": at(created),
            "conditions": [condition("Ready", "False", reported), condition("PodScheduled", "True", created)],
            "containerStatuses": [{"name": "report", "restartCount": 0, "ready": false, "state": {"terminated": terminated}}]},
    })
}

fn pods() -> [Value; 3] {
    [
        pod("4x7kd", ["00:00", "00:02", "01:41", "01:42"], 1, "Error"),
        pod("9qzvt", ["01:53", "01:54", "03:20", "03:21"], 1, "Error"),
        pod("mw2hb", ["03:42", "03:43", "07:10", "07:12"], 137, "OOMKilled"),
    ]
}

/// The Job and its pods, as a list.
pub(crate) fn nightly() -> String {
    let [first, second, third] = pods();
    json!({"apiVersion": "v1", "kind": "List", "items": [job(), first, second, third]}).to_string()
}

fn simulate(objects: &[Value], arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("list.yaml", json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string());
    folder.run(&[&["simulate", "list.yaml", "--for", "1m"], arguments].concat())
}

/// What is printed before the play goes on.
fn check(objects: &[Value], arguments: &[&str], expected: Expect) {
    let ended = simulate(objects, arguments);
    let past = ended.stdout.split("   0:00 ").next().unwrap_or_default();
    expected.assert_eq(past);
}

#[test]
fn the_job_that_failed_last_night_is_told_by_the_clock_of_its_cron_job() {
    let [first, second, third] = pods();
    check(
        &[cron_job(), job(), first, second, third],
        &["--from", "2026-11-25T01:07:13Z"],
        expect![[r#"
            job nightly-29668920: Failed at 02:07:13 (25 Nov 2026, Europe/Berlin): 3 pods failed (exit 1, exit 1, OOMKilled); backoffLimit 2

            02:00:00 job nightly-29668920: created
            02:00:00 ● Starting the Job: startTime is set (J-46)
            02:00:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            02:00:00 pod nightly-29668920-4x7kd Pending
            02:00:02 pod nightly-29668920-4x7kd Ready
            02:01:42 pod nightly-29668920-4x7kd Failed with exit code 1 after 102 s
            02:01:42 ○ Retrying pod creation at 02:01:51: back-off of 10 s after 1 consecutive failure (J-84)
            02:01:42 ● Counting pod nightly-29668920-4x7kd as failed with exit code 1: every failed pod counts (J-124)
            02:01:53 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            02:01:53 pod nightly-29668920-9qzvt Pending
            02:01:54 pod nightly-29668920-9qzvt Ready
            02:03:21 pod nightly-29668920-9qzvt Failed with exit code 1 after 88 s
            02:03:21 ○ Retrying pod creation at 02:03:40: back-off of 20 s after 2 consecutive failures (J-84)
            02:03:21 ● Counting pod nightly-29668920-9qzvt as failed with exit code 1: every failed pod counts (J-124)
            02:03:42 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            02:03:42 pod nightly-29668920-mw2hb Pending
            02:03:43 pod nightly-29668920-mw2hb Ready
            02:07:12 pod nightly-29668920-mw2hb Failed with exit code 137 after 3m30s: OOMKilled
            02:07:13 ● The Job fails: 3 pods failed; backoffLimit allows 2 (J-46d)
            02:07:13 ● Counting pod nightly-29668920-mw2hb as failed with exit code 137: every failed pod counts (J-124)
            02:07:13 job nightly-29668920: FailureTarget: BackoffLimitExceeded
            02:07:13 ● The Job is Failed (BackoffLimitExceeded) (J-127)
            02:07:13 job nightly-29668920: Failed: BackoffLimitExceeded
            At 02:07:13 all is as recorded.

        "#]],
    );
}

#[test]
fn a_job_without_its_pods_is_told_from_its_status_and_the_pods_are_asked_for() {
    check(
        &[job()],
        &["--time-zone", "Europe/Berlin"],
        expect![[r#"
            job nightly-29668920: Failed at 02:07:13 (25 Nov 2026, Europe/Berlin): 3 pods failed; backoffLimit 2

            02:00:00 job nightly-29668920: created
            02:00:00 job nightly-29668920: started
            02:07:13 job nightly-29668920: FailureTarget: BackoffLimitExceeded
            02:07:13 job nightly-29668920: Failed: BackoffLimitExceeded
            Its pods are not among these objects: they have the exit codes and the times of what happened in between. If they still exist, get them with
              kubectl get jobs,pods -n reports -l batch.kubernetes.io/job-name=nightly-29668920 -o yaml | jobsmith simulate -


            NAME                         STATUS   COMPLETIONS   DURATION   AGE
            job.batch/nightly-29668920   Failed   0/1           7m13s      7m13s
        "#]],
    );
}

#[test]
fn the_past_can_be_skipped() {
    check(&[job()], &["--skip-past"], expect![[""]]);
}

#[test]
fn jobs_that_are_not_asked_about_take_a_line_each() {
    let other = |number: usize| {
        let mut job = job();
        job["metadata"]["name"] = format!("other-{number}").into();
        job["metadata"]["uid"] = format!("other-{number}").into();
        job["status"] = json!({"startTime": at("00:00"), "completionTime": at("00:05"), "succeeded": 1, "conditions": [
            {"type": "Complete", "status": "True", "reason": "CompletionsReached", "lastTransitionTime": at("00:05")}]});
        job
    };
    let [first, second, third] = pods();
    let objects: Vec<Value> = (0..12).map(other).chain([job(), first, second, third]).collect();
    let ended = simulate(&objects, &["--time-zone", "UTC"]);
    let lines: Vec<&str> = ended.stdout.lines().take(14).collect();
    expect![[r#"
        job other-0: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-1: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-2: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-3: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-4: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-5: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-6: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-7: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-8: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        job other-9: Complete at 01:00:05 (25 Nov 2026, UTC): 1 pod succeeded
        2 more Jobs, of which 0 are Failed

        job nightly-29668920: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed (exit 1, exit 1, OOMKilled); backoffLimit 2
    "#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn the_readme_shows_what_is_printed() {
    let root = core_tests::files::root();
    let readme = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let after = |text: &str, mark: &str| -> String { text.split_once(mark).map(|(_, after)| after.to_owned()).expect(mark) };
    let section = after(&after(&readme, "## When a Job has failed, or hangs"), "target/release/jobsmith ");
    let (command, sample) = (section.lines().next().unwrap_or_default(), after(&section, "```text\n"));
    let sample = sample.split("```").next().unwrap_or_default();
    let arguments: Vec<String> =
        command.split(' ').map(|argument| argument.replace("tests/", &format!("{}/tests/", root.display()))).collect();
    let ended = Folder::new().run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let mut printed = ended.stdout;
    for part in sample.split("…\n") {
        printed = after(&printed, part);
    }
}
