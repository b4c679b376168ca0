//! CronJobs that the API server refuses: `simulate` and `schedule` show the same, field and remedy included.
//!
//! Docs: CronJob, "Writing a CronJob spec", "Schedule syntax", "Time zones" (A-150…A-162). The rules themselves are tested in `tests/core/admission/cron_jobs.rs`.

use expect_test::{Expect, expect};

use super::check_arguments;
use crate::program::Folder;

const CRON_JOB: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: 0 3 * * *
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: busybox
            command: [sh, -c, 'touch $TMPDIR/started']
";

/// What both commands print about the CronJob with one part replaced.
fn check(part: &str, replacement: &str, expected: Expect) {
    let folder = Folder::new();
    folder.write("cronjob.yaml", CRON_JOB.replace(part, replacement));
    let simulated = folder.run(&["simulate", "cronjob.yaml"]).with_status(2);
    check_arguments(&folder, &["schedule", "cronjob.yaml"], expected);
    assert_eq!(folder.read("stderr"), simulated.stderr);
}

fn check_schedule(schedule: &str, expected: Expect) {
    check("0 3 * * *", schedule, expected);
}

#[test]
fn an_unknown_time_zone() {
    check_schedule(
        "0 3 * * *\n  timeZone: Mars/Olympus",
        expect![[r#"
            error: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus
             --> cronjob.yaml:7:13
              |
            7 |   timeZone: Mars/Olympus
              |             ^^^^^^^^^^^^ spec.timeZone
              |
              = help: write a name from the time zone database, such as Etc/UTC or Europe/Paris

        "#]],
    );
}

#[test]
fn a_time_zone_in_the_schedule() {
    check_schedule(
        "TZ=Europe/Paris 0 3 * * *",
        expect![[r#"
        error: Invalid value: "TZ=Europe/Paris 0 3 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead
         --> cronjob.yaml:6:13
          |
        6 |   schedule: TZ=Europe/Paris 0 3 * * *
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^ spec.schedule
          |
          = help: move the time zone from the schedule to spec.timeZone

    "#]],
    );
}

#[test]
fn six_fields() {
    check_schedule(
        "0 0 3 * * *",
        expect![[r#"
            error: Invalid value: "0 0 3 * * *": expected exactly 5 fields, found 6: [0 0 3 * * *]
             --> cronjob.yaml:6:13
              |
            6 |   schedule: 0 0 3 * * *
              |             ^^^^^^^^^^^ spec.schedule
              |
              = help: Kubernetes schedules have no seconds field: drop the first field: `0 3 * * *`

        "#]],
    );
}

#[test]
fn an_unknown_descriptor() {
    check_schedule(
        "'@reboot'",
        expect![[r#"
            error: Invalid value: "@reboot": unrecognized descriptor: @reboot
             --> cronjob.yaml:6:13
              |
            6 |   schedule: '@reboot'
              |             ^^^^^^^^^ spec.schedule
              |
              = help: Kubernetes does not support @reboot: use a Job, which runs once when you create it

        "#]],
    );
}

#[test]
fn a_negative_deadline() {
    check_schedule(
        "0 3 * * *\n  startingDeadlineSeconds: -1",
        expect![[r#"
        error: Invalid value: -1: must be greater than or equal to 0
         --> cronjob.yaml:7:28
          |
        7 |   startingDeadlineSeconds: -1
          |                            ^^ spec.startingDeadlineSeconds
          |
          = help: set how many seconds late a Job may start (10 or more), or remove the field

    "#]],
    );
}

#[test]
fn a_long_name() {
    check(
        "nightly",
        &"n".repeat(53),
        expect![[r#"
        error: Invalid value: "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn": must be no more than 52 characters
         --> cronjob.yaml:4:9
          |
        4 |   name: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ metadata.name
          |
          = help: shorten the name: the names of its Jobs add a hyphen and up to 10 digits

    "#]],
    );
}

#[test]
fn two_that_are_refused() {
    let folder = Folder::new();
    let bad = CRON_JOB.replace("0 3 * * *", "0 3 * *");
    folder.write("cronjob.yaml", format!("{bad}---\n{}", bad.replace("nightly", "weekly")));
    let shown = folder.run(&["schedule", "cronjob.yaml"]).with_status(2).stderr;
    assert_eq!(shown.matches("expected exactly 5 fields, found 4").count(), 2, "{shown}");
}
