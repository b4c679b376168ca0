//! `jobsmith schedule FILE`: what annotations of CronJobs do to their runs.
//!
//! Docs: README, "Beyond Kubernetes" (X-17…X-20). Fields are in `schedule.rs`.

use expect_test::{Expect, expect};

use crate::program::Folder;
use crate::schedule::cron_job;

/// What is shown of so many runs of a CronJob with these annotations after the first moment of 2026-03-28, and the status.
fn check_annotated(annotations: &str, lines: &[&str], arguments: &[&str], status: i32, expected: Expect) {
    check_warned(annotations, lines, arguments, status, "", expected);
}

/// The same for a CronJob that is warned of: the first line of that.
fn check_warned(annotations: &str, lines: &[&str], arguments: &[&str], status: i32, warning: &str, expected: Expect) {
    let folder = Folder::new();
    let metadata = format!("metadata: {{name: a, annotations: {{{annotations}}}}}");
    folder.write("stdin", cron_job("a", lines).replace("metadata: {name: a}", &metadata));
    let ended = folder.run(&[&["schedule", "-", "--from", "2026-03-28"], arguments].concat()).with_status(status);
    assert_eq!(ended.stderr.lines().next().unwrap_or_default(), warning);
    expected.assert_eq(&ended.stdout);
}

#[test]
fn runs_in_windows_are_skipped_or_delayed() {
    let paris = ["schedule: 30 1,2,12 * * *", "timeZone: Europe/Paris"];
    let skip = "jobsmith.dev/skip-during: '22:00-02:00, 2026-03-30'";
    check_annotated(
        skip,
        &paris,
        &["--count", "8"],
        0,
        expect![[r#"
        cronjob a: 30 1,2,12 * * *: at 01:30, 02:30 and 12:30, every day, in Europe/Paris

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 01:30:00  +01:00  2026-03-28 00:30:00   skipped: in a window of jobsmith.dev/skip-during
        Sat 2026-03-28 02:30:00  +01:00  2026-03-28 01:30:00
        Sat 2026-03-28 12:30:00  +01:00  2026-03-28 11:30:00
        Sun 2026-03-29 01:30:00  +01:00  2026-03-29 00:30:00   skipped: in a window of jobsmith.dev/skip-during
        Sun 2026-03-29 02:30:00          -                     skipped: the clock is set forward by 60 min
        Sun 2026-03-29 12:30:00  +02:00  2026-03-29 10:30:00
        Mon 2026-03-30 01:30:00  +02:00  2026-03-29 23:30:00   skipped: in a window of jobsmith.dev/skip-during
        Mon 2026-03-30 02:30:00  +02:00  2026-03-30 00:30:00   skipped: in a window of jobsmith.dev/skip-during
        Mon 2026-03-30 12:30:00  +02:00  2026-03-30 10:30:00   skipped: in a window of jobsmith.dev/skip-during

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
    check_annotated(
        skip,
        &paris,
        &["--count", "2", "-o", "json"],
        0,
        expect![[r#"
        {"at":"2026-03-28T00:30:00Z","cronJob":"a","local":"2026-03-28T01:30:00","namespace":"default","schedule":"30 1,2,12 * * *","skipped":"in a window of jobsmith.dev/skip-during","timeZone":"Europe/Paris"}
        {"at":"2026-03-28T01:30:00Z","cronJob":"a","local":"2026-03-28T02:30:00","namespace":"default","schedule":"30 1,2,12 * * *","timeZone":"Europe/Paris"}
    "#]],
    );
    check_annotated(
        "jobsmith.dev/delay-during: '22:00-02:45'",
        &paris,
        &["--count", "6"],
        0,
        expect![[r#"
        cronjob a: 30 1,2,12 * * *: at 01:30, 02:30 and 12:30, every day, in Europe/Paris

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 01:30:00  +01:00  2026-03-28 00:30:00   skipped: delayed by jobsmith.dev/delay-during until a later run starts
        Sat 2026-03-28 02:30:00  +01:00  2026-03-28 01:30:00   delayed to 2026-03-28 02:45:00 by jobsmith.dev/delay-during
        Sat 2026-03-28 12:30:00  +01:00  2026-03-28 11:30:00
        Sun 2026-03-29 01:30:00  +01:00  2026-03-29 00:30:00   delayed to 2026-03-29 03:00:00 by jobsmith.dev/delay-during
        Sun 2026-03-29 02:30:00          -                     skipped: the clock is set forward by 60 min
        Sun 2026-03-29 12:30:00  +02:00  2026-03-29 10:30:00
        Mon 2026-03-30 01:30:00  +02:00  2026-03-29 23:30:00   skipped: delayed by jobsmith.dev/delay-during until a later run starts

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
    check_annotated(
        "jobsmith.dev/delay-during: '22:00-02:45'",
        &paris,
        &["--count", "2", "-o", "json"],
        0,
        expect![[r#"
        {"at":"2026-03-28T00:30:00Z","cronJob":"a","local":"2026-03-28T01:30:00","namespace":"default","schedule":"30 1,2,12 * * *","skipped":"delayed by jobsmith.dev/delay-during until a later run starts","timeZone":"Europe/Paris"}
        {"at":"2026-03-28T01:30:00Z","cronJob":"a","delayedUntil":"2026-03-28T01:45:00Z","local":"2026-03-28T02:30:00","namespace":"default","schedule":"30 1,2,12 * * *","timeZone":"Europe/Paris"}
    "#]],
    );
}

#[test]
fn of_delayed_runs_the_last_starts_if_it_is_in_time() {
    let delay = "jobsmith.dev/delay-during: '08:00-18:00'";
    check_annotated(
        delay,
        &["schedule: 30 */3 * * *"],
        &["--count", "8"],
        0,
        expect![[r#"
        cronjob a: 30 */3 * * *: at minute 30 of every 3 hours, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 00:30:00  +00:00  2026-03-28 00:30:00
        Sat 2026-03-28 03:30:00  +00:00  2026-03-28 03:30:00
        Sat 2026-03-28 06:30:00  +00:00  2026-03-28 06:30:00
        Sat 2026-03-28 09:30:00  +00:00  2026-03-28 09:30:00   skipped: delayed by jobsmith.dev/delay-during until a later run starts
        Sat 2026-03-28 12:30:00  +00:00  2026-03-28 12:30:00   skipped: delayed by jobsmith.dev/delay-during until a later run starts
        Sat 2026-03-28 15:30:00  +00:00  2026-03-28 15:30:00   delayed to 2026-03-28 18:00:00 by jobsmith.dev/delay-during
        Sat 2026-03-28 18:30:00  +00:00  2026-03-28 18:30:00
        Sat 2026-03-28 21:30:00  +00:00  2026-03-28 21:30:00

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
    check_annotated(
        delay,
        &["schedule: 0 */3 * * *", "startingDeadlineSeconds: 600"],
        &["--count", "7"],
        0,
        expect![[r#"
        cronjob a: 0 */3 * * *: at minute 0 of every 3 hours, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 03:00:00  +00:00  2026-03-28 03:00:00
        Sat 2026-03-28 06:00:00  +00:00  2026-03-28 06:00:00
        Sat 2026-03-28 09:00:00  +00:00  2026-03-28 09:00:00   skipped: delayed past its deadline by jobsmith.dev/delay-during
        Sat 2026-03-28 12:00:00  +00:00  2026-03-28 12:00:00   skipped: delayed past its deadline by jobsmith.dev/delay-during
        Sat 2026-03-28 15:00:00  +00:00  2026-03-28 15:00:00   skipped: delayed past its deadline by jobsmith.dev/delay-during
        Sat 2026-03-28 18:00:00  +00:00  2026-03-28 18:00:00
        Sat 2026-03-28 21:00:00  +00:00  2026-03-28 21:00:00

        startingDeadlineSeconds is 600: a run that cannot start within 600 s of its time is skipped.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
    // 17:58 may be spread to a time after the window.
    let both = "jobsmith.dev/delay-during: '08:00-18:00', jobsmith.dev/spread-seconds: '1800'";
    check_annotated(
        both,
        &["schedule: 58 16,17 * * *"],
        &["--count", "2"],
        0,
        expect![[r#"
        cronjob a: 58 16,17 * * *: at 16:58 and 17:58, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 16:58:00  +00:00  2026-03-28 16:58:00   skipped: delayed by jobsmith.dev/delay-during until a later run starts
        Sat 2026-03-28 17:58:00  +00:00  2026-03-28 17:58:00

        jobsmith.dev/spread-seconds is 1800: each run starts up to 1800 s after its scheduled time, with the same delay every time. jobsmith.dev/delay-during delays a run that would then start in a window.
        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
}

#[test]
fn runs_that_are_all_skipped_are_followed_by_the_first_one_that_starts() {
    let holidays = "jobsmith.dev/skip-during: '2026-03-27..2026-04-10'";
    check_annotated(
        holidays,
        &["schedule: 0 9 * * *"],
        &["--count", "2"],
        0,
        expect![[r#"
        cronjob a: 0 9 * * *: at 09:00, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 09:00:00  +00:00  2026-03-28 09:00:00   skipped: in a window of jobsmith.dev/skip-during
        Sun 2026-03-29 09:00:00  +00:00  2026-03-29 09:00:00   skipped: in a window of jobsmith.dev/skip-during

        These runs are all skipped; the first one that starts is that of 2026-04-11 09:00:00.

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
    check_annotated(
        holidays,
        &["schedule: 0 9 * * *"],
        &["--until", "2026-03-29"],
        1,
        expect![[r#"
        cronjob a: 0 9 * * *: at 09:00, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 09:00:00  +00:00  2026-03-28 09:00:00   skipped: in a window of jobsmith.dev/skip-during

        No run starts up to 2026-03-29T00:00:00Z.

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
    check_warned(
        "jobsmith.dev/skip-during: '08:00-10:00'",
        &["schedule: 0 9 * * *"],
        &["--count", "2"],
        3,
        "warning: every run within five years is in a window of jobsmith.dev/skip-during",
        expect![[r#"
        cronjob a: 0 9 * * *: at 09:00, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 09:00:00  +00:00  2026-03-28 09:00:00   skipped: in a window of jobsmith.dev/skip-during
        Sun 2026-03-29 09:00:00  +00:00  2026-03-29 09:00:00   skipped: in a window of jobsmith.dev/skip-during

        No run starts within five years.

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow: each run starts, even while Jobs of earlier runs are still running.
        The history limits keep the last 3 successful Jobs and the last failed Job.
    "#]],
    );
}

#[test]
fn limits_and_pauses_have_a_sentence() {
    let both = "jobsmith.dev/max-active: '3', jobsmith.dev/pause-after-failures: '1'";
    check_annotated(
        both,
        &["schedule: 0 9 * * *"],
        &["--count", "1"],
        0,
        expect![[r#"
        cronjob a: 0 9 * * *: at 09:00, every day, in UTC

        LOCAL                    OFFSET  UTC
        Sat 2026-03-28 09:00:00  +00:00  2026-03-28 09:00:00

        startingDeadlineSeconds is not set: a missed run starts as soon as it can, however late; of several, only the last one starts.
        concurrencyPolicy is Allow, and jobsmith.dev/max-active is 3: no run starts while 3 Jobs are running; when one ends, the last of the missed runs starts at once.
        The history limits keep the last 3 successful Jobs and the last failed Job.
        jobsmith.dev/pause-after-failures is 1: after a run has failed, no more start until jobsmith.dev/resumed-at has a later time, or a Job of it succeeds.
    "#]],
    );
}
