//! Runs of CronJobs that do not start, or do not end, in the table of a simulation: each says why.
//!
//! Docs: CronJob, "Concurrency policy", "Deadline for delayed Job start". The other results are in `cron_jobs.rs`.

use expect_test::expect;

use super::cron_jobs::{check, up_to_the_runs};
use crate::program::Folder;

/// A CronJob whose runs exclude each other and have two minutes.
const FORBID: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: hello
spec:
  schedule: '*/10 * * * *'
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      activeDeadlineSeconds: 120
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: busybox
";

#[test]
fn a_run_that_nobody_starts_in_time_has_its_reason() {
    let suspended =
        ["-s", "pods: succeed after 1s", "-s", "at 90s: suspend cronjob hello", "-s", "at 5m30s: resume cronjob hello", "--for", "7m"];
    check(
        "schedule: '* * * * *'\n  startingDeadlineSeconds: 10",
        &suspended,
        0,
        expect![[r#"
               0:00 cronjob hello: created
               1:30 cronjob hello: spec.suspend is true
               5:30 cronjob hello: spec.suspend is false

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     2 s      Complete
            2026-01-01 00:02:00 +00:00  -           -        skipped: suspend true (C-18)
            2026-01-01 00:03:00 +00:00  -           -        skipped: suspend true (C-18)
            2026-01-01 00:04:00 +00:00  -           -        skipped: suspend true (C-18)
            2026-01-01 00:05:00 +00:00  -           -        skipped: startingDeadlineSeconds 10 (C-40)
            2026-01-01 00:06:00 +00:00  on time     2 s      Complete
            Example of C-18: Not starting Jobs: the CronJob is suspended
            Example of C-26: Starting Job hello-29453766 for the run scheduled for 2026-01-01 00:06:00 +00:00, and not for 4 runs missed before it
            Example of C-40: Not starting a Job: the run scheduled for 2026-01-01 00:05:00 +00:00 is more than 10 s late because the CronJob was resumed at 2026-01-01 00:05:30 +00:00; startingDeadlineSeconds allows no more
            Total: 6 scheduled, 2 started: 2 succeeded, 0 failed; 4 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
    let paused = ["-s", "pods: succeed after 1s", "-s", "at 90s: pause controller for 3m", "--for", "6m"];
    check(
        "schedule: '* * * * *'",
        &paused,
        0,
        expect![[r#"
               0:00 cronjob hello: created
               1:30 ◆ pause controller for 3m

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     2 s      Complete
            2026-01-01 00:02:00 +00:00  -           -        skipped: only the last missed run is started (C-26)
            2026-01-01 00:03:00 +00:00  -           -        skipped: only the last missed run is started (C-26)
            2026-01-01 00:04:00 +00:00  30 s late   2 s      Complete
            2026-01-01 00:05:00 +00:00  on time     2 s      Complete
            Example of C-26: Starting Job hello-29453764 for the run scheduled for 2026-01-01 00:04:00 +00:00, 30 s late, and not for 2 runs missed before it
            Total: 5 scheduled, 3 started: 3 succeeded, 0 failed; 2 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn a_run_that_is_stuck_says_on_what_and_the_runs_that_it_holds_up_name_its_job() {
    let folder = Folder::new();
    folder.write("cronjob.yaml", FORBID);
    let stuck = ["simulate", "cronjob.yaml", "-s", "pods: runs forever", "-s", "at 10m30s: lose node", "--for", "40m"];
    let ended = folder.run(&stuck).with_status(3);
    up_to_the_runs(
        &ended,
        &expect![[r#"
           0:00 cronjob hello: created
          10:30 ◆ lose node

        Runs of cronjob hello: every 10 minutes, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 00:10:00 +00:00  on time     -        failing (DeadlineExceeded): pod hello-29453770-00001 should have been gone by 2026-01-01 00:12:30 +00:00, but its node, node-1, has not responded since 2026-01-01 00:11:20 +00:00
        2026-01-01 00:20:00 +00:00  -           -        skipped: concurrencyPolicy Forbid (C-24)
        2026-01-01 00:30:00 +00:00  -           -        skipped: concurrencyPolicy Forbid (C-24)
        Example of C-24: Not starting the run scheduled for 2026-01-01 00:20:00 +00:00 while Job hello-29453770 is active: concurrencyPolicy is Forbid
        Total: 3 scheduled, 1 started: 0 succeeded, 0 failed, 1 did not finish; 2 skipped
    "#]],
    );
    expect![[r#"
        job hello-29453770 has not finished after 40:00 (--for): pod hello-29453770-00001 should have been gone by 12:30, but its node, node-1, has not responded since 11:20; the next event is due at 40:00.1
    "#]].assert_eq(&ended.stderr);
    let json = folder.run(&[&stuck[..], &["-o", "json"]].concat()).with_status(3).stdout;
    let runs: String = json.lines().filter(|line| line.contains(r#""type":"run""#)).map(|line| format!("{line}\n")).take(1).collect();
    expect![[r#"
        {"cronJob":"hello","job":"hello-29453770","namespace":"default","reason":"pod hello-29453770-00001 should have been gone by 2026-01-01 00:12:30 +00:00, but its node, node-1, has not responded since 2026-01-01 00:11:20 +00:00","result":"Running","scheduledAt":"2026-01-01T00:10:00Z","startedAt":"2026-01-01T00:10:00.1Z","type":"run"}
    "#]].assert_eq(&runs);
}

#[test]
fn a_run_whose_pod_cannot_start_says_so() {
    let image = ["-s", "pods: never starts", "--for", "11m"];
    check(
        "schedule: '*/5 * * * *'",
        &image,
        3,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: every 5 minutes, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 00:05:00 +00:00  on time     -        still running: pod hello-29453765-00001 cannot pull the image of container main (ImagePullBackOff since 2026-01-01 00:05:00 +00:00): the image "busybox" cannot be pulled
        2026-01-01 00:10:00 +00:00  on time     -        still running: pod hello-29453770-00001 cannot pull the image of container main (ImagePullBackOff since 2026-01-01 00:10:00 +00:00): the image "busybox" cannot be pulled
        Total: 2 scheduled, 2 started: 0 succeeded, 0 failed, 2 did not finish; 0 skipped
    "#]],
    );
}

#[test]
fn a_run_about_which_nothing_is_decided_any_more_says_that() {
    let paused = ["-s", "pods: succeed after 1s", "-s", "at 90s: pause controller for 1h", "--for", "4m"];
    check(
        "schedule: '* * * * *'",
        &paused,
        0,
        expect![[r#"
               0:00 cronjob hello: created
               1:30 ◆ pause controller for 1h

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     2 s      Complete
            2026-01-01 00:02:00 +00:00  -           -        skipped: nothing was decided about it in time
            2026-01-01 00:03:00 +00:00  -           -        skipped: nothing was decided about it in time
            Total: 3 scheduled, 1 started: 1 succeeded, 0 failed; 2 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn a_run_that_is_held_up_until_its_deadline_has_passed_says_both() {
    let slow = ["-s", "pods: succeed after 90s", "--for", "4m"];
    let spec = "schedule: '* * * * *'\n  concurrencyPolicy: Forbid\n  startingDeadlineSeconds: 20";
    check(
        spec,
        &slow,
        0,
        expect![[r#"
               0:00 cronjob hello: created

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     91 s     Complete
            2026-01-01 00:02:00 +00:00  -           -        skipped: concurrencyPolicy Forbid (C-24), then startingDeadlineSeconds 20 (C-40)
            2026-01-01 00:03:00 +00:00  on time     -        still running
            Example of C-24: Not starting the run scheduled for 2026-01-01 00:02:00 +00:00 while Job hello-29453761 is active: concurrencyPolicy is Forbid
            Example of C-26: Starting Job hello-29453763 for the run scheduled for 2026-01-01 00:03:00 +00:00, and not for 1 run missed before it
            Example of C-40: Not starting a Job: the run scheduled for 2026-01-01 00:02:00 +00:00 is more than 20 s late because Job hello-29453761 was still running and concurrencyPolicy is Forbid; startingDeadlineSeconds allows no more
            Total: 3 scheduled, 2 started: 1 succeeded, 0 failed, 1 did not finish; 1 skipped; a run took 91 s on average, 91 s at most
        "#]],
    );
}

#[test]
fn a_run_that_is_late_because_the_schedule_was_changed_has_its_reason() {
    check(
        "schedule: '0 * * * *'",
        &["-s", "pods: succeed after 30m", "-s", "at 65m: set cronjob hello spec.schedule=\"2 * * * *\"", "--for", "2h"],
        0,
        expect![[r#"
               0:00 cronjob hello: created
            1:05:00 cronjob hello: spec.schedule is "2 * * * *"

            Runs of cronjob hello: at minute 2 of every hour, every day, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 01:00:00 +00:00  on time     30m1s    Complete
            2026-01-01 01:02:00 +00:00  28m1s late  -        still running
            Example of C-26: Starting Job hello-29453822 for the run scheduled for 2026-01-01 01:02:00 +00:00, 28m1s late because the schedule was changed at 2026-01-01 01:05:00 +00:00
            Total: 2 scheduled, 2 started: 1 succeeded, 0 failed, 1 did not finish; 0 skipped; a run took 30m1s on average, 30m1s at most
        "#]],
    );
}
