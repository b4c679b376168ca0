//! What the table of runs and the last line of a simulation show of what annotations ask for.
//!
//! Docs: `jobsmith simulate --help`; README, "Beyond Kubernetes" (X-0, X-3, X-6, X-7, X-17, X-18, X-20). What the controllers decide is in `tests/scenarios/`.

use expect_test::expect;

use super::JOB;
use super::cron_jobs::{EVERY_SECOND, simulate_annotated, up_to_the_runs};
use crate::program::Folder;

#[test]
fn x_17_skipped_runs_have_a_line_each() {
    let ended = simulate_annotated(
        "jobsmith.dev/skip-during: '22:00-06:00'",
        "schedule: '0 5,12,23 * * *'",
        &[&["--for", "30h"], EVERY_SECOND].concat(),
    );
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 05:00, 12:00 and 23:00, every day, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 05:00:00 +00:00  -           -        skipped: jobsmith.dev/skip-during (X-17)
        2026-01-01 12:00:00 +00:00  on time     2 s      Complete
        2026-01-01 23:00:00 +00:00  -           -        skipped: jobsmith.dev/skip-during (X-17)
        2026-01-02 05:00:00 +00:00  -           -        skipped: jobsmith.dev/skip-during (X-17)
        Example of X-17: Not starting a Job: the run scheduled for 2026-01-01 05:00:00 +00:00 is in a window of the annotation jobsmith.dev/skip-during; the next run outside its windows is at 2026-01-01 12:00:00 +00:00
        Total: 4 scheduled, 1 started: 1 succeeded, 0 failed; 3 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn x_17_a_cron_job_whose_runs_are_all_skipped_starts_none() {
    let ended = simulate_annotated("jobsmith.dev/skip-during: 'Mon-Fri 00:00-12:00, Sat, Sun'", "schedule: '0 3 * * *'", &[]);
    up_to_the_runs(
        &ended.with_status(3),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 03:00, every day, in UTC
        No run starts within five years.
        Total: 0 scheduled, 0 started: 0 succeeded, 0 failed; 0 skipped
    "#]],
    );
}

#[test]
fn x_18_delayed_runs_are_not_on_time() {
    let annotations = "jobsmith.dev/delay-during: '08:00-18:00'";
    let ended = simulate_annotated(annotations, "schedule: '0 7,12,13 * * *'", &[&["--for", "30h"], EVERY_SECOND].concat());
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
               0:00 cronjob hello: created

            Runs of cronjob hello: at 07:00, 12:00 and 13:00, every day, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 07:00:00 +00:00  on time     2 s      Complete
            2026-01-01 12:00:00 +00:00  -           -        skipped: only the last missed run is started (C-26)
            2026-01-01 13:00:00 +00:00  delayed 5h  2 s      Complete
            Example of C-26: Starting Job hello-29454540 for the run scheduled for 2026-01-01 13:00:00 +00:00, 5h late because the annotation jobsmith.dev/delay-during has a window until 2026-01-01 18:00:00 +00:00, and not for 1 run missed before it
            Total: 3 scheduled, 2 started: 2 succeeded, 0 failed; 1 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
    // In a month, they are folded.
    let ended = simulate_annotated(annotations, "schedule: '0 12,22 * * *'", &[&["--for", "40d"], EVERY_SECOND].concat());
    let folded = ended.with_status(0);
    assert!(folded.stdout.contains("delayed 6h"), "{}", folded.stdout);
}

#[test]
fn x_18_runs_that_windows_delay_past_their_deadline_are_skipped_because_of_them() {
    let arguments = [&["--for", "20h"], EVERY_SECOND].concat();
    let ended = simulate_annotated(
        "jobsmith.dev/delay-during: '08:00-18:00'",
        "schedule: '0 */3 * * *'\n  startingDeadlineSeconds: 600",
        &arguments,
    );
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at minute 0 of every 3 hours, every day, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 03:00:00 +00:00  on time     2 s      Complete
        2026-01-01 06:00:00 +00:00  on time     2 s      Complete
        2026-01-01 09:00:00 +00:00  -           -        skipped: jobsmith.dev/delay-during (X-18)
        2026-01-01 12:00:00 +00:00  -           -        skipped: jobsmith.dev/delay-during (X-18)
        2026-01-01 15:00:00 +00:00  -           -        skipped: jobsmith.dev/delay-during (X-18)
        2026-01-01 18:00:00 +00:00  on time     2 s      Complete
        Example of C-26: Starting Job hello-29454840 for the run scheduled for 2026-01-01 18:00:00 +00:00, and not for 3 runs missed before it
        Example of X-18: Not starting the run scheduled for 2026-01-01 15:00:00 +00:00 before 2026-01-01 18:00:00 +00:00, when a window of the annotation jobsmith.dev/delay-during ends; it will be too late by then: startingDeadlineSeconds allows 10m
        Total: 6 scheduled, 3 started: 3 succeeded, 0 failed; 3 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn x_18_a_run_that_is_spread_out_of_a_window_is_not_delayed_by_it() {
    let annotations = "jobsmith.dev/spread-seconds: '3000', jobsmith.dev/delay-during: '08:00-18:00'";
    let ended = simulate_annotated(annotations, "schedule: '30 17 * * *'", &[&["--for", "20h"], EVERY_SECOND].concat());
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 17:30, every day, in UTC
        SCHEDULED                   STARTED         TOOK     RESULT
        2026-01-01 17:30:00 +00:00  delayed 47m21s  2 s      Complete
        Example of X-3: Starting each run 47m21s after its scheduled time, because of the annotation jobsmith.dev/spread-seconds
        Total: 1 scheduled, 1 started: 1 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn x_18_a_run_that_is_spread_into_a_window_is_delayed_by_it() {
    let annotations = "jobsmith.dev/spread-seconds: '3000', jobsmith.dev/delay-during: '00:30-01:30'";
    let ended = simulate_annotated(annotations, "schedule: '25 */2 * * *'", &[&["--for", "6h"], EVERY_SECOND].concat());
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at minute 25 of every 2 hours, every day, in UTC
        SCHEDULED                   STARTED           TOOK     RESULT
        2026-01-01 00:25:00 +00:00  delayed 1h52m21s  2 s      Complete
        2026-01-01 02:25:00 +00:00  delayed 47m21s    2 s      Complete
        2026-01-01 04:25:00 +00:00  delayed 47m21s    2 s      Complete
        Example of C-26: Starting Job hello-29453785 for the run scheduled for 2026-01-01 00:25:00 +00:00, 1h5m late because the annotation jobsmith.dev/delay-during has a window until 2026-01-01 01:30:00 +00:00
        Example of X-3: Starting each run 47m21s after its scheduled time, because of the annotation jobsmith.dev/spread-seconds
        Total: 3 scheduled, 3 started: 3 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn x_20_runs_of_a_paused_cron_job_are_skipped_up_to_the_end() {
    let script = ["-s", "pods: exit 1 after 1s", "--for", "5m30s"];
    let ended = simulate_annotated("jobsmith.dev/pause-after-failures: '1'", "schedule: '* * * * *'", &script);
    up_to_the_runs(
        &ended.with_status(1),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: every minute, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 00:01:00 +00:00  on time     2 s      Failed: BackoffLimitExceeded
        2026-01-01 00:02:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
        2026-01-01 00:03:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
        2026-01-01 00:04:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
        2026-01-01 00:05:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
        Example of X-20: Not starting Jobs: 1 run failed in a row, the latest with Job hello-29453761, and the annotation jobsmith.dev/pause-after-failures pauses the CronJob until jobsmith.dev/resumed-at is set to a later time
        Total: 5 scheduled, 1 started: 0 succeeded, 1 failed; 4 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn x_20_a_paused_cron_job_is_resumed_by_an_annotation() {
    let script = [
        "-s",
        "pods: exit 1 after 1s",
        "-s",
        "at 3m30s: resume cronjob hello",
        "-s",
        "at 4m30s: annotate cronjob hello jobsmith.dev/resumed-at=2026-01-01T00:04:30Z",
        "--for",
        "7m30s",
    ];
    let ended = simulate_annotated("jobsmith.dev/pause-after-failures: '1'", "schedule: '* * * * *'", &script);
    up_to_the_runs(
        &ended.with_status(1),
        &expect![[r#"
               0:00 cronjob hello: created
               3:30 ! cronjob hello is not suspended; if failures paused it, write 'annotate cronjob hello jobsmith.dev/resumed-at=TIME'
               4:30 ◆ annotate cronjob hello jobsmith.dev/resumed-at=2026-01-01T00:04:30Z

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     2 s      Failed: BackoffLimitExceeded
            2026-01-01 00:02:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
            2026-01-01 00:03:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
            2026-01-01 00:04:00 +00:00  30 s late   2 s      Failed: BackoffLimitExceeded
            2026-01-01 00:05:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
            2026-01-01 00:06:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
            2026-01-01 00:07:00 +00:00  -           -        skipped: jobsmith.dev/pause-after-failures (X-20)
            Example of C-26: Starting Job hello-29453764 for the run scheduled for 2026-01-01 00:04:00 +00:00, 30 s late because the annotation jobsmith.dev/pause-after-failures paused the CronJob, and not for 2 runs missed before it
            Example of X-20: Not starting Jobs: 1 run failed in a row, the latest with Job hello-29453761, and the annotation jobsmith.dev/pause-after-failures pauses the CronJob until jobsmith.dev/resumed-at is set to a later time
            Total: 7 scheduled, 2 started: 0 succeeded, 2 failed; 5 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn x_0_a_schedule_is_shown_beside_a_wrong_annotation() {
    let ended = simulate_annotated("jobsmith.dev/skip-during: at night", "schedule: '* * * * *'", &["--for", "5m"]);
    up_to_the_runs(
        &ended.with_status(1),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: * * * * *, with an invalid annotation
        Total: 0 scheduled, 0 started: 0 succeeded, 0 failed; 0 skipped
    "#]],
    );
}

/// The last line of the simulation of a Job with an annotation.
fn last(annotation: &str, script: &str) -> String {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("name: pi\n", &format!("name: pi\n  annotations: {{{annotation}}}\n")));
    folder.run(&["simulate", "job.yaml", "-q", "-s", script]).with_status(1).stdout
}

#[test]
fn x_6_failures_that_a_rule_does_not_count_are_told_apart() {
    let rule = "jobsmith.dev/on-failure: 'exit 75 at most 3 times: retry uncounted after 5s'";
    expect![[r#"
        job pi: Failed at 0:41: 2 pods failed (2 × exit 75), 3 ignored by jobsmith.dev/on-failure (3 × exit 75); backoffLimit 1
    "#]]
    .assert_eq(&last(rule, "pods: exit 75 after 3s"));
}

#[test]
fn x_7_a_pod_that_was_deleted_before_it_started_says_what_it_waited_for() {
    let rule = "jobsmith.dev/on-pending: 'image 2m: fail'";
    expect![[r#"
        job pi: Failed at 4:11: 2 pods failed (2 × deleted before it started: waited 2m for an image (ImagePullBackOff: the image "perl" cannot be pulled)); backoffLimit 1
    "#]].assert_eq(&last(rule, "pods: never starts (image cannot be pulled)"));
    let rule = "jobsmith.dev/on-pending: 'image 2m: fail the Job'";
    expect![[r#"
        job pi: Failed at 2:01: 1 pod failed (deleted before it started: waited 2m for an image (ImagePullBackOff: the image "perl" cannot be pulled)); PodPendingDeadline
    "#]].assert_eq(&last(rule, "pods: never starts (image cannot be pulled)"));
    let rule = "jobsmith.dev/on-pending: 'unschedulable 2m: fail'";
    expect![[r#"
        job pi: Failed at 4:11: 2 pods failed (2 × never scheduled: waited 2m for a node (Unschedulable: no node matches the pod)); backoffLimit 1
    "#]].assert_eq(&last(rule, "pods: never scheduled"));
}

#[test]
fn x_13_a_held_job_says_what_resumes_it() {
    let folder = Folder::new();
    folder.write("job.yaml", JOB.replace("name: pi\n", "name: pi\n  annotations: {jobsmith.dev/on-failure: 'exit 3: hold'}\n"));
    let ended = folder.run(&["simulate", "job.yaml", "-s", "pods: exit 3 after 5s", "-s", "at 1m: resume"]).with_status(3);
    let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    expect![[r#"   1:00 ! job pi is not suspended; if a failure holds it, write 'annotate job pi jobsmith.dev/resumed-at=TIME'"#]]
        .assert_eq(&last(&ended.stdout));
    expect![[r#"job pi will not finish: not creating pods: pod pi-00001 failed with exit code 3, which matches line 1 of the annotation jobsmith.dev/on-failure (hold); to resume, set the annotation jobsmith.dev/resumed-at to 2026-01-01T00:00:05Z or later"#]].assert_eq(&last(&ended.stderr));
}
