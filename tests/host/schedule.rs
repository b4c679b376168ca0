//! `jobsmith schedule FILE`: the CronJobs of a file, and what their fields do to their runs.
//!
//! Docs: CronJob, "Deadline for delayed Job start", "Concurrency policy", "Schedule suspension". The table of runs is tested beside
//! `host/jobsmith/src/schedule/mod.rs`, what is refused in `bad_input/cron_jobs.rs`.

use expect_test::{Expect, expect};

use crate::program::Folder;

/// A CronJob with these lines in its spec.
pub(crate) fn cron_job(name: &str, lines: &[&str]) -> String {
    let spec: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    let template = "  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}\n";
    format!("apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: {name}}}\nspec:\n{spec}{template}")
}

/// What is shown of one run of CronJobs after the first moment of 2026-03-29.
fn check(text: &str, expected: Expect) {
    let folder = Folder::new();
    folder.write("stdin", text);
    let ended = folder.run(&["schedule", "-", "--from", "2026-03-29", "--count", "1"]).with_status(0);
    assert_eq!(ended.stderr, "");
    expected.assert_eq(&ended.stdout);
}

#[test]
fn each_cron_job_has_its_runs_and_its_fields() {
    let first = cron_job(
        "nightly",
        &["schedule: 30 2 * * *", "timeZone: Europe/Paris", "startingDeadlineSeconds: 200", "concurrencyPolicy: Forbid"],
    );
    check(
        &format!("{first}---\n{}", cron_job("hourly", &["schedule: '@hourly'"])),
        expect![[r#"
            cronjob nightly: 30 2 * * *: at 02:30, every day, in Europe/Paris

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 02:30:00          -                     skipped: the clock is set forward by 60 min
            Mon 2026-03-30 02:30:00  +02:00  2026-03-30 00:30:00

            startingDeadlineSeconds is 200: a run that cannot start within 200 s of its time is skipped.
            concurrencyPolicy is Forbid: no run starts while the Job of an earlier one is running; when that Job ends, the last of the missed runs starts at once, if its scheduled time is at most 200 s ago.
            The history limits keep the last 3 successful Jobs and the last failed Job.

            cronjob hourly: @hourly: every hour, on the hour, in UTC

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 01:00:00  +00:00  2026-03-29 01:00:00

            startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
            concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
            The history limits keep the last 3 successful Jobs and the last failed Job.
        "#]],
    );
}

#[test]
fn a_suspended_cron_job_has_runs_that_do_not_start() {
    let policy = "concurrencyPolicy: Replace";
    let limits = ["successfulJobsHistoryLimit: 0", "failedJobsHistoryLimit: 10"];
    check(
        &cron_job("a", &["schedule: 0 3 * * *", "suspend: true", policy, limits[0], limits[1]]),
        expect![[r#"
            cronjob a: 0 3 * * *: at 03:00, every day, in UTC

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 03:00:00  +00:00  2026-03-29 03:00:00

            suspend is true: none of these runs starts. When the CronJob is resumed, the last of the missed runs starts at once.
            startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
            concurrencyPolicy is Replace: a Job that is still running is deleted with its pods when the next run starts.
            The history limits keep no successful Jobs and the last 10 failed Jobs.
        "#]],
    );
    check(
        &cron_job("a", &["schedule: 0 3 * * *", "suspend: true", "startingDeadlineSeconds: 60"]),
        expect![[r#"
            cronjob a: 0 3 * * *: at 03:00, every day, in UTC

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 03:00:00  +00:00  2026-03-29 03:00:00

            suspend is true: none of these runs starts. When the CronJob is resumed, the last of the missed runs starts at once, if its scheduled time is at most 60 s ago.
            startingDeadlineSeconds is 60: a run that cannot start within 60 s of its time is skipped.
            concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
            The history limits keep the last 3 successful Jobs and the last failed Job.
        "#]],
    );
}

#[test]
fn short_deadlines_have_a_warning() {
    check(
        &cron_job("a", &["schedule: 0 3 * * *", "startingDeadlineSeconds: 9"]),
        expect![[r#"
            cronjob a: 0 3 * * *: at 03:00, every day, in UTC

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 03:00:00  +00:00  2026-03-29 03:00:00

            startingDeadlineSeconds is 9: a run that cannot start within 9 s of its time is skipped. Kubernetes warns that with less than 10 s, Jobs may not be scheduled at all, because the controller may check only every 10 s.
            concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
            The history limits keep the last 3 successful Jobs and the last failed Job.
        "#]],
    );
    check(
        &cron_job("a", &["schedule: 0 3 * * *", "startingDeadlineSeconds: 0"]),
        expect![[r#"
            cronjob a: 0 3 * * *: at 03:00, every day, in UTC

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 03:00:00  +00:00  2026-03-29 03:00:00

            startingDeadlineSeconds is 0: no run ever starts, as each is too late as soon as it is due. Set it to 10 or more, or remove it.
            concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
            The history limits keep the last 3 successful Jobs and the last failed Job.
        "#]],
    );
}

#[test]
fn what_is_valid_and_surprising_has_a_sentence() {
    check(
        &cron_job("a", &["schedule: '* */3 * * *'"]),
        expect![[r#"
            cronjob a: * */3 * * *: every minute of every 3 hours, in UTC
            With `*` as the minute, it runs every minute of each matching hour; to run once an hour, write `0 */3 * * *`.

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 00:01:00  +00:00  2026-03-29 00:01:00

            startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
            concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
            The history limits keep the last 3 successful Jobs and the last failed Job.
        "#]],
    );
}

#[test]
fn a_ttl_deletes_jobs_that_the_limits_keep() {
    let keeping =
        |ttl: &str| cron_job("a", &["schedule: 0 3 * * *"]).replace("{template:", &format!("{{ttlSecondsAfterFinished: {ttl}, template:"));
    check(
        &keeping("60"),
        expect![[r#"
        cronjob a: 0 3 * * *: at 03:00, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sun 2026-03-29 03:00:00  +00:00  2026-03-29 03:00:00

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job, but ttlSecondsAfterFinished is 60: each Job is deleted 60 s after it has finished at the latest.
    "#]],
    );
    check(
        &keeping("0"),
        expect![[r#"
        cronjob a: 0 3 * * *: at 03:00, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sun 2026-03-29 03:00:00  +00:00  2026-03-29 03:00:00

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job, but ttlSecondsAfterFinished is 0: each Job is deleted as soon as it has finished.
    "#]],
    );
}

#[test]
fn a_cron_job_of_a_cluster_is_read_as_it_is() {
    let stored = cron_job("a", &["schedule: TZ=Asia/Tokyo 0 3 * * *", "concurrencyPolicy: Allow"]);
    check(
        &stored.replace("{name: a}", "{name: a, namespace: team-a, uid: u, resourceVersion: '7'}"),
        expect![[r#"
            cronjob a: TZ=Asia/Tokyo 0 3 * * *: at 03:00, every day, in Asia/Tokyo

            LOCAL                    OFFSET  UTC
            Sun 2026-03-29 03:00:00  +09:00  2026-03-28 18:00:00

            startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
            concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
            The history limits keep the last 3 successful Jobs and the last failed Job.
        "#]],
    );
}

#[test]
fn all_runs_up_to_a_time_are_shown_unless_they_are_too_many() {
    let folder = Folder::new();
    let minutes = |until: &str| folder.run(&["schedule", "* * * * *", "--from", "2026-01-01", "--until", until, "-o", "json"]);
    assert_eq!(minutes("2026-03-01").with_status(0).stdout.lines().count(), 59 * 24 * 60);
    assert_eq!(
        minutes("2030-01-01").with_status(2).stderr,
        "error: \"* * * * *\" has more than 1000000 runs up to 2030-01-01T00:00:00Z: pass an earlier --until, or --count\n"
    );
}

#[test]
fn a_date_that_no_year_has_is_warned_of() {
    let folder = Folder::new();
    folder.write("cronjob.yaml", cron_job("a", &["schedule: 0 0 31 2 *"]));
    let ended = folder.run(&["schedule", "cronjob.yaml"]).with_status(3);
    assert!(ended.stdout.contains("\nIt has no runs within five years.\n"), "{}", ended.stdout);
    expect![[r#"
        warning: the schedule has no run within five years
         --> cronjob.yaml:5:13
          |
        5 |   schedule: 0 0 31 2 *
          |             ^^^^^^^^^^ spec.schedule
          |
          = help: change the day of the month or the month: this month does not have this day

    "#]]
    .assert_eq(&ended.stderr);
}

/// What is printed about something else than CronJobs.
fn refused(argument: &str, expected: &str) {
    let folder = Folder::new();
    folder.write("job.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\n");
    std::fs::create_dir(folder.path().join("folder")).expect("the folder can be written to");
    let ended = folder.run(&["schedule", argument]).with_status(2);
    assert_eq!((&*ended.stderr, &*ended.stdout), (expected, ""));
}

#[test]
fn a_file_without_cron_jobs_is_refused() {
    refused("job.yaml", "error: there is no CronJob in job.yaml; pass a file with an object of kind CronJob\n");
}

#[test]
fn a_path_is_no_schedule() {
    refused("cronjob.yaml", "error: cannot read cronjob.yaml: No such file or directory (os error 2); check the name\n");
    refused(
        "no/such/file",
        "error: there is no file \"no/such/file\": check its name, or write a schedule in quotes, as in '30 2 * * *'\n",
    );
    refused("folder", "error: cannot read folder: Is a directory (os error 21); pass the files in it\n");
}

#[test]
fn a_schedule_that_the_shell_split_or_a_second_file_is_refused() {
    let refused = |arguments: &[&str]| Folder::new().run(&[&["schedule"], arguments].concat()).with_status(2).stderr;
    expect![[r#"
        error: the schedule is not in quotes, so that the shell splits it and replaces each * with file names: write it as in jobsmith schedule '0 3 * * *'
        error: there is more than one file: pass one; it may have several CronJobs
    "#]]
    .assert_eq(&(refused(&["0", "3", "*", "*", "*"]) + &refused(&["a.yaml", "b.yaml"])));
}

#[test]
fn options_of_other_names_are_named() {
    let refused = |arguments: &[&str]| Folder::new().run(arguments).with_status(2).stderr;
    let tip = |arguments: &[&str]| refused(arguments).lines().find(|line| line.contains("tip:")).unwrap_or_default().trim().to_owned();
    assert_eq!(tip(&["schedule", "@daily", "--tz", "UTC"]), "tip: a similar argument exists: '--time-zone'");
    assert_eq!(tip(&["simulate", "job.yaml", "--tz", "UTC"]), "tip: a similar argument exists: '--time-zone'");
    assert_eq!(tip(&["schedule", "@daily", "-n", "5"]), "tip: a similar argument exists: '--count'");
    let namespace = "tip: write the namespace into the manifest, as metadata.namespace";
    assert_eq!([tip(&["run", "job.yaml", "-n", "a"]), tip(&["simulate", "job.yaml", "--namespace", "a"])], [namespace; 2]);
}

#[test]
fn runs_until_a_time_are_listed_for_programs() {
    let folder = Folder::new();
    folder.write("cronjob.yaml", cron_job("nightly", &["schedule: 30 2 * * *", "timeZone: Europe/Paris"]));
    let arguments = ["--from", "2026-03-28", "--until", "2026-03-31", "-o", "json"];
    let ended = folder.run(&[&["schedule", "cronjob.yaml"], &arguments[..]].concat()).with_status(0);
    expect![[r#"
        {"at":"2026-03-28T01:30:00Z","cronJob":"nightly","local":"2026-03-28T02:30:00","namespace":"default","schedule":"30 2 * * *","timeZone":"Europe/Paris"}
        {"at":"2026-03-29T01:00:00Z","cronJob":"nightly","local":"2026-03-29T02:30:00","namespace":"default","schedule":"30 2 * * *","skipped":"the clock is set forward by 60 min","timeZone":"Europe/Paris"}
        {"at":"2026-03-30T00:30:00Z","cronJob":"nightly","local":"2026-03-30T02:30:00","namespace":"default","schedule":"30 2 * * *","timeZone":"Europe/Paris"}
    "#]].assert_eq(&ended.stdout);
}

#[test]
fn a_schedule_without_a_run_is_in_the_exit_status() {
    let folder = Folder::new();
    let shown = |arguments: &[&str], status: i32| folder.run(&[&["schedule"], arguments].concat()).with_status(status).stdout;
    let never = shown(&["0 0 30 2 *", "--from", "2026-01-01"], 3);
    assert!(shown(&["0 0 30 2 *", "--until", "2126-01-02"], 3).ends_with("\nIt has no runs within five years.\n"));
    let none = shown(&["0 9 1 * 1", "--from", "2026-01-01T10:00", "--until", "2026-01-02"], 1);
    expect![[r#"
        0 0 30 2 *: at 00:00, on day 30 of the month, in February, in UTC

        It has no runs within five years.
        0 9 1 * 1: at 09:00, on day 1 of the month or on Monday, in UTC
        Day of month and day of week are both restricted: it runs on each day that matches one of them. For days that match both, restrict one of them, and test the other in the command.

        It has no runs up to 2026-01-02T00:00:00Z.
    "#]].assert_eq(&(never + &none));
}
