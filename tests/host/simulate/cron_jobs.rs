//! CronJobs in a simulation: a table of runs, from an hour to a month.
//!
//! Docs: `jobsmith simulate --help`, CronJob. What the controller decides is in `tests/scenarios/cronjob/`.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::program::{Ended, Folder};

/// A CronJob; `spec` is what it has beside its template, in YAML.
fn simulate(spec: &str, arguments: &[&str]) -> Ended {
    simulate_annotated("", spec, arguments)
}

/// The same, with annotations in YAML.
pub(super) fn simulate_annotated(annotations: &str, spec: &str, arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write(
        "cronjob.yaml",
        format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: hello, annotations: {{{annotations}}}}}\nspec:\n  jobTemplate: {{spec: {{backoffLimit: 0, template: \
             {{spec: {{restartPolicy: Never, containers: [{{name: main, image: busybox}}]}}}}}}}}\n  {spec}\n"
        ),
    );
    folder.run(&[&["simulate", "cronjob.yaml"], arguments].concat())
}

/// What is printed up to the tables of runs.
#[track_caller]
pub(super) fn check(spec: &str, arguments: &[&str], status: i32, expected: Expect) {
    up_to_the_runs(&simulate(spec, arguments).with_status(status), &expected);
}

#[track_caller]
pub(super) fn up_to_the_runs(ended: &Ended, expected: &Expect) {
    let runs = ended.stdout.split("\n\njob ").next().unwrap_or_default();
    expected.assert_eq(&format!("{}\n", runs.trim_end()));
}

pub(super) const EVERY_SECOND: &[&str] = &["-s", "pods: succeed after 1s"];

#[test]
fn a_month_is_a_few_lines() {
    check(
        "schedule: '0 */8 * * *'",
        &[&["--for", "30d"], EVERY_SECOND].concat(),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 00:00, 08:00 and 16:00, every day, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 08:00:00 +00:00  on time     2 s      Complete
        … 88 more until 2026-01-30 16:00:00 +00:00, all Complete, 2 s each
        Total: 89 scheduled, 89 started: 89 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn few_runs_have_a_line_each_in_the_time_of_their_zone() {
    let spec = "schedule: '30 1 * * *'\n  timeZone: America/New_York";
    check(
        spec,
        &[&["--for", "3d"], EVERY_SECOND].concat(),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 01:30, every day, in America/New_York
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 01:30:00 -05:00  on time     2 s      Complete
        2026-01-02 01:30:00 -05:00  on time     2 s      Complete
        2026-01-03 01:30:00 -05:00  on time     2 s      Complete
        Total: 3 scheduled, 3 started: 3 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
    let zone = ["--time-zone", "Asia/Tokyo", "--for", "1d"];
    check(
        "schedule: '@daily'",
        &[&zone, EVERY_SECOND].concat(),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 00:00, every day, in Asia/Tokyo
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-02 00:00:00 +09:00  on time     2 s      Complete
        Total: 1 scheduled, 1 started: 1 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn a_run_that_is_late_skipped_replaced_or_failed_has_its_reason() {
    let rule = ["-s", "pods: succeed after 130s", "--for", "7m"];
    check(
        "schedule: '* * * * *'\n  concurrencyPolicy: Forbid",
        &rule,
        0,
        expect![[r#"
               0:00 cronjob hello: created

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     2m11s    Complete
            2026-01-01 00:02:00 +00:00  -           -        skipped: concurrencyPolicy Forbid (C-24)
            2026-01-01 00:03:00 +00:00  11 s late   2m11s    Complete
            2026-01-01 00:04:00 +00:00  -           -        skipped: concurrencyPolicy Forbid (C-24)
            2026-01-01 00:05:00 +00:00  22 s late   -        still running
            2026-01-01 00:06:00 +00:00  -           -        skipped: concurrencyPolicy Forbid (C-24)
            Example of C-24: Not starting the run scheduled for 2026-01-01 00:02:00 +00:00 while Job hello-29453761 is active: concurrencyPolicy is Forbid
            Example of C-26: Starting Job hello-29453763 for the run scheduled for 2026-01-01 00:03:00 +00:00, 11 s late because Job hello-29453761 was still running and concurrencyPolicy is Forbid, and not for 1 run missed before it
            Total: 6 scheduled, 3 started: 2 succeeded, 0 failed, 1 did not finish; 3 skipped; a run took 2m11s on average, 2m11s at most
        "#]],
    );
    check(
        "schedule: '* * * * *'\n  concurrencyPolicy: Replace",
        &rule,
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: every minute, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 00:01:00 +00:00  on time     60 s     replaced by the next run
        2026-01-01 00:02:00 +00:00  on time     60 s     replaced by the next run
        2026-01-01 00:03:00 +00:00  on time     60 s     replaced by the next run
        2026-01-01 00:04:00 +00:00  on time     60 s     replaced by the next run
        2026-01-01 00:05:00 +00:00  on time     60 s     replaced by the next run
        2026-01-01 00:06:00 +00:00  on time     -        still running
        Total: 6 scheduled, 6 started: 0 succeeded, 0 failed, 6 did not finish; 0 skipped
    "#]],
    );
    check(
        "schedule: '* * * * *'",
        &["-s", "pods: exit 1 after 1s", "--for", "3m"],
        1,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: every minute, in UTC
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-01-01 00:01:00 +00:00  on time     2 s      Failed: BackoffLimitExceeded
        2026-01-01 00:02:00 +00:00  on time     2 s      Failed: BackoffLimitExceeded
        Total: 2 scheduled, 2 started: 0 succeeded, 2 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}

#[test]
fn runs_within_a_minute_share_a_job() {
    let ended = simulate("schedule: '@every 20s'", &[&["--for", "2m"], EVERY_SECOND].concat()).with_status(0);
    expect![[r#"
        note: cronjob hello is due every 20 s, but the names of its Jobs only distinguish minutes: while the Job of an earlier run in the same minute exists, no other Job is started
    "#]].assert_eq(&ended.stderr);
    check(
        "schedule: '@every 20s'",
        &[&["--for", "2m"], EVERY_SECOND].concat(),
        0,
        expect![[r#"
               0:00 cronjob hello: created

            Runs of cronjob hello: every 20s, counted from the last run, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:00:20 +00:00  on time     2 s      Complete
            2026-01-01 00:00:40 +00:00  -           -        skipped: schedule @every 20s (C-29)
            2026-01-01 00:01:00 +00:00  on time     2 s      Complete
            2026-01-01 00:01:20 +00:00  -           -        skipped: schedule @every 20s (C-29)
            2026-01-01 00:01:40 +00:00  -           -        skipped: schedule @every 20s (C-29)
            Example of C-29: Job hello-29453760 for the run scheduled for 2026-01-01 00:00:40 +00:00 already exists; recording it as started
            Total: 5 scheduled, 2 started: 2 succeeded, 0 failed; 3 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn all_actions_of_a_script_are_carried_out() {
    check(
        "schedule: '0 */2 * * *'",
        &[&["-s", "at 90m: suspend cronjob hello"], EVERY_SECOND].concat(),
        0,
        expect![[r#"
               0:00 cronjob hello: created
            1:30:00 cronjob hello: spec.suspend is true

            Runs of cronjob hello: at minute 0 of every 2 hours, every day, in UTC
            Total: 0 scheduled, 0 started: 0 succeeded, 0 failed; 0 skipped
        "#]],
    );
}

#[test]
fn scripts_may_have_days() {
    let rules = ["--for", "4d", "-s", "at 1d: suspend cronjob hello", "-s", "at 1d12h: advance 1d", "-s", "at 2d13h: resume cronjob hello"];
    check(
        "schedule: '0 12 * * *'",
        &[&rules, EVERY_SECOND].concat(),
        0,
        expect![[r#"
               0:00 cronjob hello: created
            24:00:00 cronjob hello: spec.suspend is true
            60:00:00 ◆ advance 24h
            61:00:00 cronjob hello: spec.suspend is false

            Runs of cronjob hello: at 12:00, every day, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 12:00:00 +00:00  on time     2 s      Complete
            2026-01-02 12:00:00 +00:00  -           -        skipped: suspend true (C-18)
            2026-01-03 12:00:00 +00:00  1h late     2 s      Complete
            2026-01-04 12:00:00 +00:00  on time     2 s      Complete
            Example of C-18: Not starting Jobs: the CronJob is suspended
            Example of C-26: Starting Job hello-29457360 for the run scheduled for 2026-01-03 12:00:00 +00:00, 1h late because the CronJob was resumed at 2026-01-03 13:00:00 +00:00, and not for 1 run missed before it
            Total: 4 scheduled, 3 started: 3 succeeded, 0 failed; 1 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn why_shows_everything() {
    let arguments = [&["--for", "2m", "--why"], EVERY_SECOND].concat();
    let ended = simulate("schedule: '* * * * *'", &arguments).with_status(0);
    for shown in
        ["job hello-29453761: created", "pod hello-29453761-00001 Ready", "Event Normal SuccessfulCreate: Created job hello-29453761"]
    {
        assert!(ended.stdout.contains(shown), "{shown}: {}", ended.stdout);
    }
}

#[test]
fn programs_are_given_each_run() {
    let ended = simulate("schedule: '* * * * *'", &["--for", "3m", "-o", "json", "-s", "pods: succeed after 100s"]).with_status(0);
    let runs: Vec<Value> = ended.objects().into_iter().filter(|line| line["type"] == "run").collect();
    expect![[r#"
        {"cronJob":"hello","endedAt":"2026-01-01T00:02:41.1Z","job":"hello-29453761","namespace":"default","result":"Complete","scheduledAt":"2026-01-01T00:01:00Z","startedAt":"2026-01-01T00:01:00.1Z","type":"run"}
        {"cronJob":"hello","job":"hello-29453762","namespace":"default","result":"Running","scheduledAt":"2026-01-01T00:02:00Z","startedAt":"2026-01-01T00:02:00.1Z","type":"run"}
    "#]].assert_eq(&runs.iter().map(|run| format!("{run}\n")).collect::<String>());
}

#[test]
fn cron_jobs_of_one_name_are_named_with_their_namespaces() {
    let folder = Folder::new();
    let cron_job = |namespace: &str| {
        format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: a.b, namespace: {namespace}}}\nspec:\n  schedule: '@every 20s'\n  suspend: true\n  \
             jobTemplate: {{spec: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: main, image: busybox}}]}}}}}}}}\n"
        )
    };
    folder.write("both.yaml", format!("{}---\n{}", cron_job("a"), cron_job("b")));
    let ended = folder.run(&[&["simulate", "both.yaml"], EVERY_SECOND].concat()).with_status(0);
    expect![[r#"
        note: cronjob a/a.b is due every 20 s, but the names of its Jobs only distinguish minutes: while the Job of an earlier run in the same minute exists, no other Job is started
        note: cronjob b/a.b is due every 20 s, but the names of its Jobs only distinguish minutes: while the Job of an earlier run in the same minute exists, no other Job is started
        cronjob a/a.b: Not starting Jobs: the CronJob is suspended; resume it with --script 'at 5s: resume cronjob a/a.b'
        cronjob b/a.b: Not starting Jobs: the CronJob is suspended; resume it with --script 'at 5s: resume cronjob b/a.b'
    "#]].assert_eq(&ended.stderr);
    let warnings = ended
        .stdout
        .lines()
        .filter_map(|line| line.split_once(" ! "))
        .map(|(_, warning)| warning.split(": metadata").next().unwrap_or(warning));
    assert_eq!(warnings.collect::<Vec<_>>(), ["Warning: cronjob a/a.b", "Warning: cronjob b/a.b"]);
}

#[test]
fn a_cron_job_that_runs_daily_has_its_next_runs() {
    check(
        "schedule: '0 3 * * *'",
        EVERY_SECOND,
        0,
        expect![[r#"
               0:00 cronjob hello: created

            Runs of cronjob hello: at 03:00, every day, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 03:00:00 +00:00  on time     2 s      Complete
            2026-01-02 03:00:00 +00:00  on time     2 s      Complete
            2026-01-03 03:00:00 +00:00  on time     2 s      Complete
            Total: 3 scheduled, 3 started: 3 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn jobs_beside_cron_jobs_are_shown_as_ever() {
    let folder = Folder::new();
    let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: hello}\nspec:\n  schedule: '* * * * *'\n  jobTemplate:\n    spec:\n      template:\n        spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n";
    folder.write("both.yaml", format!("{cron_job}---\n{}", super::JOB));
    let ended = folder.run(&[&["simulate", "both.yaml", "--for", "2m"], EVERY_SECOND].concat()).with_status(0);
    assert!(ended.stdout.contains("job pi: pod pi-00001 Succeeded after 1 s"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("pod hello-29453761-00001 Succeeded"), "{}", ended.stdout);
    assert!(ended.stdout.ends_with("\njob pi: Complete at 0:02: 1 pod succeeded\n"), "{}", ended.stdout);
}

#[test]
fn x_3_runs_whose_starts_are_spread_say_by_how_much() {
    let ended =
        simulate_annotated("jobsmith.dev/spread-seconds: '600'", "schedule: '*/5 * * * *'", &[&["--for", "30m"], EVERY_SECOND].concat());
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
               0:00 cronjob hello: created

            Runs of cronjob hello: every 5 minutes, in UTC
            SCHEDULED                   STARTED        TOOK     RESULT
            2026-01-01 00:05:00 +00:00  delayed 8m56s  2 s      Complete
            2026-01-01 00:10:00 +00:00  delayed 8m56s  2 s      Complete
            2026-01-01 00:15:00 +00:00  delayed 8m56s  2 s      Complete
            2026-01-01 00:20:00 +00:00  delayed 8m56s  2 s      Complete
            Example of X-3: Starting each run 8m56s after its scheduled time, because of the annotation jobsmith.dev/spread-seconds
            Total: 4 scheduled, 4 started: 4 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn a_cron_job_that_starts_nothing_has_its_reason() {
    let ended = simulate("schedule: '* * * * *'\n  suspend: true", &["--for", "1h"]).with_status(0);
    let advice = "cronjob hello: Not starting Jobs: the CronJob is suspended; resume it with --script 'at 5s: resume cronjob hello'\n";
    assert!(ended.stderr.ends_with(advice), "{}", ended.stderr);
    check(
        "schedule: '* * * * *'\n  suspend: true",
        &[&["--for", "5m", "-s", "at 150s: resume cronjob hello"], EVERY_SECOND].concat(),
        0,
        expect![[r#"
               0:00 cronjob hello: created
               2:30 cronjob hello: spec.suspend is false

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  -           -        skipped: suspend true (C-18)
            2026-01-01 00:02:00 +00:00  30 s late   2 s      Complete
            2026-01-01 00:03:00 +00:00  on time     2 s      Complete
            2026-01-01 00:04:00 +00:00  on time     2 s      Complete
            Example of C-18: Not starting Jobs: the CronJob is suspended
            Example of C-26: Starting Job hello-29453762 for the run scheduled for 2026-01-01 00:02:00 +00:00, 30 s late because the CronJob was resumed at 2026-01-01 00:02:30 +00:00, and not for 1 run missed before it
            Total: 4 scheduled, 3 started: 3 succeeded, 0 failed; 1 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
    check(
        "schedule: '0 3 * * *'",
        &[&["--for", "1h"], EVERY_SECOND].concat(),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 03:00, every day, in UTC
        No run is due in this time: the next one is at 2026-01-01 03:00:00 +00:00.
        Total: 0 scheduled, 0 started: 0 succeeded, 0 failed; 0 skipped
    "#]],
    );
    let refused = ["--for", "3m", "-s", "at 59s: refuse next write with forbidden", "-s", "at 90s: end"];
    check(
        "schedule: '* * * * *'",
        &[&refused, EVERY_SECOND].concat(),
        0,
        expect![[r#"
               0:00 cronjob hello: created
               0:59 ◆ refuse next write with forbidden

            Runs of cronjob hello: every minute, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-01-01 00:01:00 +00:00  on time     2 s      Complete
            Total: 1 scheduled, 1 started: 1 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
        "#]],
    );
}

#[test]
fn the_start_of_a_simulation_is_a_time() {
    let ended = simulate("schedule: '@daily'", &["--from", "tomorrow"]).with_status(2);
    assert!(ended.stderr.starts_with("error: --from: \"tomorrow\" is not a time: write it as 2026-03-27"), "{}", ended.stderr);
}

#[test]
fn a_schedule_without_any_run_is_in_the_exit_status() {
    let ended = simulate("schedule: 0 0 31 2 *", &[]).with_status(3);
    expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 00:00, on day 31 of the month, in February, in UTC
        It has no runs within five years.
        Total: 0 scheduled, 0 started: 0 succeeded, 0 failed; 0 skipped
    "#]]
    .assert_eq(&ended.stdout);
    simulate("schedule: 0 0 31 2 *\n  suspend: true", &[]).with_status(0);
}

#[test]
fn a_local_beginning_is_in_the_time_zone_of_the_cron_jobs() {
    let first = |spec: &str, arguments: &[&str]| {
        let ended = simulate(spec, &[&["--from", "2026-03-27T14:00", "-o", "json", "--for", "90m"], arguments].concat()).with_status(0);
        ended.objects().into_iter().find(|line| line["type"] == "run").expect("there is a run")["scheduledAt"].clone()
    };
    let tokyo = ["--time-zone", "Asia/Tokyo"];
    assert_eq!(first("schedule: '@hourly'\n  timeZone: Europe/Berlin", &tokyo), "2026-03-27T14:00:00Z");
    assert_eq!(first("schedule: '@hourly'", &tokyo), "2026-03-27T06:00:00Z");
}
