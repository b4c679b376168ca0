//! Sessions of the page that begin with the past of a Job of a cluster.
//!
//! Docs: `crates/browser/src/past_session.rs`. Other sessions are tested in `playing.rs`, what the program prints of the same objects in `simulate/past.rs`.

use expect_test::expect;
use serde_json::Value;

use crate::playing::{outline, playing};
use crate::simulate::last_night;

/// The Job that failed last night, with its pods and these objects.
fn nightly(others: &[Value]) -> String {
    last_night::list(&[&[last_night::job()], &last_night::pods()[..], others].concat())
}

/// What is shown above a past: the sentences, each with its state.
fn answers(progress: &Value) -> String {
    let part = |part: &Value| part.as_str().or(part["text"].as_str()).expect("a part has a text").to_owned();
    let words = |parts: &Value| parts.as_array().into_iter().flatten().map(part).collect::<String>();
    let past = &progress["past"];
    let answer = |standing: &Value| format!("{}: {}\n", standing["state"].as_str().expect("it has one"), words(&standing["parts"]));
    let others: String = past["others"].as_array().into_iter().flatten().map(answer).collect();
    format!(
        "{}help: {}\nuntil {} in {}; stepwise: {}; pods: {}\n{others}",
        answer(&past["job"]),
        words(&past["job"]["help"]),
        past["until"],
        past["zone"]["name"],
        past["stepwise"],
        past["pods"]
    )
}

#[test]
fn a_job_of_a_cluster_that_has_finished_begins_with_its_past() {
    let mut playing = playing(&nightly(&[]), "");
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    assert_eq!((&progress["start"], &progress["ended"]), (&"2026-11-25T01:00:00Z".into(), &true.into()));
    expect![[r#"
        0:00 job nightly-29668920: created
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:00 pod nightly-29668920-4x7kd Pending
        0:02 pod nightly-29668920-4x7kd Ready
        1:42 pod nightly-29668920-4x7kd Failed with exit code 1 after 102 s
        1:42 ○ Retrying pod creation at 1:51: back-off of 10 s after 1 consecutive failure (J-84)
        1:42 ● Counting pod nightly-29668920-4x7kd as failed with exit code 1: every failed pod counts (J-124)
        1:53 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        1:53 pod nightly-29668920-9qzvt Pending
        1:54 pod nightly-29668920-9qzvt Ready
        3:21 pod nightly-29668920-9qzvt Failed with exit code 1 after 88 s
        3:21 ○ Retrying pod creation at 3:40: back-off of 20 s after 2 consecutive failures (J-84)
        3:21 ● Counting pod nightly-29668920-9qzvt as failed with exit code 1: every failed pod counts (J-124)
        3:42 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        3:42 pod nightly-29668920-mw2hb Pending
        3:43 pod nightly-29668920-mw2hb Ready
        7:12 pod nightly-29668920-mw2hb Failed with exit code 137 after 3m30s: OOMKilled
        7:13 ● The Job fails: 3 pods failed; backoffLimit allows 2 (J-46d)
        7:13 ● Counting pod nightly-29668920-mw2hb as failed with exit code 137: every failed pod counts (J-124)
        7:13 job nightly-29668920: FailureTarget: BackoffLimitExceeded
        7:13 ● The Job is Failed (BackoffLimitExceeded) (J-127)
        7:13 job nightly-29668920: Failed: BackoffLimitExceeded
    "#]]
    .assert_eq(&outline(&playing));
}

#[test]
fn above_a_past_stands_how_the_job_ended_and_in_which_zone() {
    let progress = |text: &str| serde_json::to_value(playing(text, "").run(usize::MAX)).expect("progress is JSON");
    expect![[r#"
        failed: job nightly-29668920: Failed at 7:13: 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2
        help: 
        until 433000 in "Europe/Berlin"; stepwise: true; pods: null
    "#]]
    .assert_eq(&answers(&progress(&nightly(&[last_night::cron_job()]))));
    expect![[r#"
        failed: job nightly-29668920: Failed at 0:00: 3 pods failed; backoffLimit 2
        help: 
        until 0 in "UTC"; stepwise: false; pods: "kubectl get jobs,pods -n reports -l batch.kubernetes.io/job-name=nightly-29668920 -o yaml"
    "#]]
    .assert_eq(&answers(&progress(&last_night::list(&[last_night::job()]))));
}

#[test]
fn a_past_is_in_the_zone_of_the_reader_unless_its_cron_job_names_one() {
    let shown = |text: &str, reader: &str| {
        let mut playing = playing(text, "");
        playing.read_in(reader);
        let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
        progress["past"]["zone"]["name"].clone()
    };
    assert_eq!(shown(&nightly(&[last_night::cron_job()]), "Asia/Tokyo"), "Europe/Berlin");
    assert_eq!(shown(&nightly(&[]), "Asia/Tokyo"), "Asia/Tokyo");
    assert_eq!(shown(&nightly(&[]), "Mars/Olympus"), "UTC");
}

#[test]
fn a_job_that_hangs_begins_with_its_past_and_scripts_go_on_from_there() {
    let [job, pod] = last_night::hanging();
    let mut playing =
        playing(&last_night::list(&[job, pod, last_night::complete("other")]), "at 10s: delete pod reports/nightly-29668920-4x7kd");
    let progress = serde_json::to_value(playing.run(usize::MAX)).expect("progress is JSON");
    expect![[r#"
        stuck: Job nightly-29668920 is stuck: pod nightly-29668920-4x7kd cannot start container report (CreateContainerConfigError since 0:01): secret "smtp" not found
        help: create what is missing, or correct the container in the jobTemplate of CronJob nightly, and delete the Job
        until 5000 in "UTC"; stepwise: true; pods: null
        complete: job other: Complete at 0:05: 1 pod succeeded
    "#]].assert_eq(&answers(&progress));
    expect![[r#"
        0:00 job nightly-29668920: created
        0:00 ● Starting the Job: startTime is set (J-46)
        0:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:00 pod nightly-29668920-4x7kd Pending
        0:01 pod nightly-29668920-4x7kd: container report cannot be started: CreateContainerConfigError
        0:05 ! pod reports/nightly-29668920-4x7kd stays as it was found: container report cannot start (CreateContainerConfigError: secret "smtp" not found); to change that, add the rule 'pod reports/nightly-29668920-4x7kd: starts after 1s'
        0:15 job nightly-29668920: pod nightly-29668920-4x7kd Terminating
        0:15 job nightly-29668920: pod nightly-29668920-4x7kd Failed with exit code 137 after 15 s: ContainerStatusUnknown
        0:16 job nightly-29668920: ● Creating 1 pod: 0 active, 1 wanted (J-83)
        0:16 job nightly-29668920: ● Counting pod nightly-29668920-4x7kd as failed with exit code 137: every failed pod counts (J-124)
        0:16 job nightly-29668920: pod nightly-29668920-00001 Pending
        0:16 job nightly-29668920: pod nightly-29668920-4x7kd gone
        0:16 job nightly-29668920: pod nightly-29668920-00001 Ready
        0:21 job nightly-29668920: pod nightly-29668920-00001 Succeeded after 5 s
        0:22 job nightly-29668920: ● The Job succeeds: 1 of 1 completion reached, and no pod is active (J-49)
        0:22 job nightly-29668920: ● Counting pod nightly-29668920-00001 as succeeded (J-124)
        0:22 job nightly-29668920: SuccessCriteriaMet: CompletionsReached
        0:22 job nightly-29668920: ● The Job is Complete (CompletionsReached) (J-127)
        0:22 job nightly-29668920: Complete: CompletionsReached
    "#]].assert_eq(&outline(&playing));
    let steps = progress["steps"].as_array().expect("steps are a list");
    let acted = steps.iter().find(|step| step["kind"] == "action").expect("it was deleted");
    assert_eq!(acted["at"].as_i64(), progress["past"]["until"].as_i64().map(|until| until + 10_000));
    let jobs = steps.iter().flat_map(|step| step["jobs"].as_array().into_iter().flatten());
    assert!(jobs.clone().all(|job| job["name"] != "other"), "it has a line above");
    assert!(playing.objects(0).len() < playing.objects(steps.len() - 1).len(), "but it is there");
}

#[test]
fn the_cron_job_of_a_past_was_there_before_it() {
    let mut playing = playing(&nightly(&[last_night::cron_job()]), "");
    playing.run(usize::MAX);
    let lines = outline(&playing);
    expect![[r#"
        2026-11-25 02:00:00 cronjob nightly: found
        2026-11-25 02:00:00 job nightly-29668920: created
        2026-11-25 02:00:00 job nightly-29668920: ● Starting the Job: startTime is set (J-46)
    "#]]
    .assert_eq(&lines.lines().take(3).map(|line| format!("{line}\n")).collect::<String>());
    assert_eq!(lines.matches("cronjob nightly: found").count(), 1);
}
