//! What `jobsmith simulate` tells of the past of a Job that a cluster had.
//!
//! Docs: `jobsmith simulate --help`, `--skip-past`. How a past is made is tested in `tests/core/past`; the objects are in `last_night.rs`.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::last_night::{CRON_JOB, NAME, UID, at, complete, cron_job, hanging, job, list, pods};
use crate::program::{Ended, Folder};

fn simulate(objects: &[Value], arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("list.yaml", list(objects));
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
            At 02:07:13 (25 Nov 2026, Europe/Berlin): CronJob nightly is waiting: it is suspended
              help: resume it: kubectl patch cronjob nightly -n reports -p '{"spec":{"suspend":false}}'

            job nightly-29668920: Failed at 02:07:13 (25 Nov 2026, Europe/Berlin): 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2

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
            Up to 02:07:13, everything is as recorded.

            job nightly-29668920: Failed at 02:07:13 (25 Nov 2026, Europe/Berlin): 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2

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
            Its pods are missing from these objects; they have the exit codes, and the times of what happened in between. If they still exist, get them with
              kubectl get jobs,pods -n reports -l batch.kubernetes.io/job-name=nightly-29668920 -o yaml | jobsmith simulate -

        "#]],
    );
}

#[test]
fn the_past_can_be_skipped() {
    check(&[job()], &["--skip-past"], expect![[""]]);
}

#[test]
fn jobs_that_are_not_asked_about_take_a_line_each() {
    let other = |number: usize| complete(&format!("other-{number}"));
    let [first, second, third] = pods();
    let objects: Vec<Value> = (0..12).map(other).chain([job(), first, second, third]).collect();
    let ended = simulate(&objects, &["--time-zone", "UTC"]);
    let lines: Vec<&str> = ended.stdout.lines().take(14).collect();
    expect![[r#"
        job nightly-29668920: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2
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
        2 more Jobs: 2 Complete

        What happened to job nightly-29668920 (--job NAME shows another one):"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_job_of_a_cron_job_that_had_failed_is_in_the_exit_status() {
    let [first, second, third] = pods();
    simulate(&[job(), first.clone(), second.clone(), third.clone()], &[]).with_status(1);
    simulate(&[cron_job(), job(), first, second, third], &["--from", "2026-11-25T08:00:00Z"]).with_status(1);
}

#[test]
fn what_is_stuck_comes_first_then_what_failed_however_many_there_are() {
    let renamed = |mut job: Value, name: String| {
        (job["metadata"]["name"], job["metadata"]["uid"]) = (name.clone().into(), name.into());
        job
    };
    let failed = (0..11).map(|number| renamed(job(), format!("failed-{number}")));
    let [hanging, stuck] = hanging();
    let objects: Vec<Value> = failed.chain([complete("complete"), hanging, stuck]).collect();
    check(
        &objects,
        &["--time-zone", "UTC"],
        expect![[r#"
            At 01:07:13 (25 Nov 2026, UTC): Job nightly-29668920 is stuck: pod nightly-29668920-4x7kd cannot start container report (CreateContainerConfigError since 01:00:01): secret "smtp" not found
              help: create what is missing, or correct the container in the jobTemplate of CronJob nightly, and delete the Job
            job failed-0: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-1: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-2: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-3: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-4: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-5: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-6: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-7: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-8: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-9: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            job failed-10: Failed at 01:07:13 (25 Nov 2026, UTC): 3 pods failed; backoffLimit 2
            1 more Job: 1 Complete

            What happened to job nightly-29668920 (--job NAME shows another one):
            01:00:00 job nightly-29668920: created
            01:00:00 ● Starting the Job: startTime is set (J-46)
            01:00:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            01:00:00 pod nightly-29668920-4x7kd Pending
            01:00:01 pod nightly-29668920-4x7kd: container report cannot be started: CreateContainerConfigError
            Up to 01:00:01, everything is as recorded.

        "#]],
    );
    let ended = simulate(&objects, &["--job", "failed-3"]);
    assert!(ended.stdout.contains("\nWhat happened to job failed-3 ("), "{}", ended.stdout);
    assert_eq!(
        simulate(&objects, &["--job", "none"]).with_status(2).stderr,
        "error: there is no Job none in the input; pass --job with the name of one that is\n"
    );
}

#[test]
fn a_job_of_several_namespaces_is_named_with_its_own() {
    let mut other = job();
    (other["metadata"]["namespace"], other["metadata"]["uid"]) = ("other".into(), "other".into());
    let mut unseen = job();
    (unseen["metadata"]["name"], unseen["metadata"]["uid"]) = ("unseen".into(), "unseen".into());
    unseen["status"] = json!({});
    let objects = [job(), other, unseen];
    let shown = simulate(&objects, &["--job", &format!("other/{NAME}")]).stdout;
    assert!(shown.contains(&format!("\nWhat happened to job other/{NAME} (")), "{shown}");
    let refused = |name: &str| simulate(&objects, &["--job", name]).with_status(2).stderr;
    expect![[r#"
        error: there are several Jobs nightly-29668920 in the input; name the namespace, as in --job reports/nightly-29668920 or --job other/nightly-29668920
        error: nothing has happened to Job unseen yet: no controller has acted on it
    "#]]
    .assert_eq(&(refused(NAME) + &refused("unseen")));
}

#[test]
fn the_first_line_of_a_past_has_a_date_where_its_heading_has_another() {
    let [hanging, stuck] = hanging();
    let ended = simulate(&[hanging, stuck], &["--time-zone", "UTC", "--from", "2026-11-26T08:00:00Z"]);
    let (_, past) = ended.stdout.split_once("\n\n").expect("the past follows");
    assert!(past.starts_with("2026-11-25 01:00:00 job nightly-29668920: created\n01:00:00 "), "{past}");
}

#[test]
fn a_job_that_hangs_is_headed_by_what_it_is_stuck_on() {
    let [hanging, stuck] = hanging();
    check(
        &[hanging.clone(), stuck.clone()],
        &["--from", "2026-11-25T01:30:00Z", "--time-zone", "Europe/Berlin"],
        expect![[r#"
            At 02:30:00 (25 Nov 2026, Europe/Berlin): Job nightly-29668920 is stuck: pod nightly-29668920-4x7kd cannot start container report (CreateContainerConfigError since 02:00:01): secret "smtp" not found
              help: create what is missing, or correct the container in the jobTemplate of CronJob nightly, and delete the Job

            02:00:00 job nightly-29668920: created
            02:00:00 ● Starting the Job: startTime is set (J-46)
            02:00:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            02:00:00 pod nightly-29668920-4x7kd Pending
            02:00:01 pod nightly-29668920-4x7kd: container report cannot be started: CreateContainerConfigError
            Up to 02:00:01, everything is as recorded.

        "#]],
    );
    let ended = simulate(&[hanging, stuck], &["-o", "json"]);
    let first: Value = serde_json::from_str(ended.stdout.lines().next().expect("it begins with the past")).expect("it is JSON");
    assert_eq!((&first["type"], &first["ending"]["state"]), (&json!("past"), &json!("Running")));
    assert_eq!(first["headline"][1]["object"]["name"], NAME);
    assert_eq!(first["obstacles"][0]["code"], "ContainerCannotStart");
}

#[test]
fn the_last_time_in_a_dump_is_noted_as_a_guess_where_a_job_goes_on() {
    let note = "note: the simulation begins at 2026-11-25T01:00:01Z, the last time in these objects; if they were read later, pass that time with --from, or --from now\n";
    assert!(simulate(&hanging(), &[]).stderr.contains(note));
    assert!(!simulate(&hanging(), &["--from", "now"]).stderr.contains("begins at"));
    let [first, second, third] = pods();
    assert!(!simulate(&[job(), first, second, third], &[]).stderr.contains("begins at"));
}

#[test]
fn a_job_that_hangs_without_its_pods_is_told_from_its_status() {
    let [hanging, _] = hanging();
    check(
        &[hanging],
        &["--time-zone", "UTC"],
        expect![[r#"
            At 01:00:00 (25 Nov 2026, UTC): job nightly-29668920: Running: 1 pod active

            01:00:00 job nightly-29668920: created
            01:00:00 job nightly-29668920: started
            Its pods are missing from these objects; they have the exit codes, and the times of what happened in between. If they still exist, get them with
              kubectl get jobs,pods -n reports -l batch.kubernetes.io/job-name=nightly-29668920 -o yaml | jobsmith simulate -

        "#]],
    );
}

#[test]
fn other_jobs_that_have_not_finished_are_summed_up_by_what_they_wait_for() {
    let mut later = job();
    later["metadata"]["name"] = "later".into();
    later["metadata"]["namespace"] = "other".into();
    later["metadata"]["uid"] = CRON_JOB.into();
    later["metadata"]["creationTimestamp"] = at("05:00");
    later["spec"]["suspend"] = true.into();
    later["status"] = json!({"active": 0, "conditions": [
        {"type": "Suspended", "status": "True", "reason": "JobSuspended", "message": "Job suspended", "lastTransitionTime": at("05:00")}]});
    let [hanging, stuck] = hanging();
    check(
        &[hanging, stuck, later],
        &["--time-zone", "UTC"],
        expect![[r#"
            At 01:05:00 (25 Nov 2026, UTC): Job reports/nightly-29668920 is stuck: pod nightly-29668920-4x7kd cannot start container report (CreateContainerConfigError since 01:00:01): secret "smtp" not found
              help: create what is missing, or correct the container in the jobTemplate of CronJob nightly, and delete the Job
            At 01:05:00 (25 Nov 2026, UTC): Job other/later is waiting: it has been suspended since 01:05:00

            What happened to job reports/nightly-29668920 (--job NAME shows another one):
            01:00:00 job nightly-29668920: created
            01:00:00 ● Starting the Job: startTime is set (J-46)
            01:00:00 ● Creating 1 pod: 0 active, 1 wanted (J-83)
            01:00:00 pod nightly-29668920-4x7kd Pending
            01:00:01 pod nightly-29668920-4x7kd: container report cannot be started: CreateContainerConfigError
            Up to 01:00:01, everything is as recorded.

        "#]],
    );
}

/// A run of the CronJob on a day, started so many minutes late, whose Job is Complete.
fn run(day: u8, late: u8) -> Value {
    let mut run = complete(&format!("nightly-{day}"));
    let at = |second: u8| format!("2026-11-{day:02}T01:{late:02}:{second:02}Z");
    run["metadata"]["creationTimestamp"] = at(0).into();
    // On older clusters only the name has the time, in minutes.
    let minutes = 29_924_700 + 1440 * (i64::from(day) - 24);
    run["metadata"]["name"] = format!("nightly-{minutes}").into();
    run["metadata"]["annotations"] = json!({});
    run["status"] = json!({"startTime": at(0), "completionTime": at(41), "succeeded": 1, "conditions": [
        {"type": "Complete", "status": "True", "reason": "CompletionsReached", "lastTransitionTime": at(41)}]});
    run
}

#[test]
fn the_recorded_runs_of_a_cron_job_are_a_table() {
    let mut by_hand = complete("nightly-by-hand");
    by_hand["metadata"]["annotations"] = json!({"cronjob.kubernetes.io/instantiate": "manual"});
    let [first, second, third] = pods();
    let ended = simulate(
        &[cron_job(), run(24, 3), run(22, 0), run(21, 0), by_hand, job(), first, second, third],
        &["--from", "2026-11-25T08:00:00Z"],
    );
    let (table, _) = ended.stdout.split_once("\n02:00:00 ").expect("the past follows");
    expect![[r#"
        At 09:00:00 (25 Nov 2026, Europe/Berlin): CronJob nightly is waiting: it is suspended
          help: resume it: kubectl patch cronjob nightly -n reports -p '{"spec":{"suspend":false}}'

        Recorded runs of cronjob nightly: at 02:00, every day, in Europe/Berlin
        SCHEDULED                   STARTED                     TOOK     RESULT
        2026-11-21 02:00:00 +01:00  on time                     41 s     Complete
        2026-11-22 02:00:00 +01:00  on time                     41 s     Complete
        2026-11-24 02:00:00 +01:00  3m late                     41 s     Complete
        2026-11-25 02:00:00 +01:00  on time                     7m13s    Failed: BackoffLimitExceeded
        by hand                     2026-11-25 02:00:00 +01:00  5 s      Complete
        1 more run was due in this time and has no Job: skipped, or the Job has been deleted

        job nightly-29668920: Failed at 02:07:13 (25 Nov 2026, Europe/Berlin): 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2

        What happened to job nightly-29668920 (--job NAME shows another one):"#]]
    .assert_eq(table);
}

#[test]
fn a_run_that_hangs_is_stuck_in_the_table_of_runs() {
    let [hanging, stuck] = hanging();
    let ended = simulate(&[cron_job(), run(24, 0), hanging, stuck], &["--from", "2026-11-25T08:00:00Z"]);
    let (table, _) = ended.stdout.split_once("\n\nAt 09:00:00 (25 Nov 2026, Europe/Berlin): Job ").expect("the Job follows");
    expect![[r#"
        At 09:00:00 (25 Nov 2026, Europe/Berlin): CronJob nightly is waiting: it is suspended
          help: resume it: kubectl patch cronjob nightly -n reports -p '{"spec":{"suspend":false}}'

        Recorded runs of cronjob nightly: at 02:00, every day, in Europe/Berlin
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-11-24 02:00:00 +01:00  on time     41 s     Complete
        2026-11-25 02:00:00 +01:00  on time     -        stuck: pod nightly-29668920-4x7kd cannot start container report (CreateContainerConfigError since 2026-11-25 02:00:01 +01:00): secret "smtp" not found"#]].assert_eq(table);
}

#[test]
fn objects_that_are_older_than_now_may_be_why_no_run_was_started() {
    let mut running = cron_job();
    running["spec"]["suspend"] = false.into();
    running["metadata"]["creationTimestamp"] = "2020-01-01T00:00:00Z".into();
    running["status"]["lastScheduleTime"] = "2020-01-02T01:00:00Z".into();
    let last = "        Or these objects are older than that: pass --from 2020-01-02T01:00:00Z, the last time in them\n";
    let ended = simulate(&[running.clone()], &[]);
    assert!(ended.stdout.contains(last), "{}", ended.stdout);
    assert!(!simulate(&[running], &["--from", "2020-01-05"]).stdout.contains("older than that"));
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

#[test]
fn cron_jobs_and_jobs_without_a_past_say_how_they_stand() {
    let mut running = cron_job();
    running["spec"]["suspend"] = false.into();
    running["metadata"]["name"] = "hourly".into();
    running["metadata"]["uid"] = UID.into();
    let mut unattended = complete("unattended");
    unattended["metadata"]["ownerReferences"] = json!([]);
    unattended["status"] = json!({});
    let ended = simulate(&[running, unattended], &["--from", "2026-11-25T08:00:00Z", "--time-zone", "UTC"]);
    let (standings, _) = ended.stdout.split_once("   0:00 ").expect("the play follows");
    expect![[r#"
        At 08:00:00 (25 Nov 2026, UTC): CronJob hourly is on schedule: the next run is at 2026-11-26 01:00:00

        At 08:00:00 (25 Nov 2026, UTC): Job unattended is stuck: no controller has acted on it since it was created at 01:00:00
          help: is the kube-controller-manager running? Its log may say what is wrong

    "#]]
    .assert_eq(standings);
}
