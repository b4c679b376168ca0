//! Runs of CronJobs in nights in which the clock changes, as the table shows them.
//!
//! Docs: CronJob, "Time zones"; `jobsmith simulate --help`. The same without a CronJob is what `jobsmith schedule` shows.

use expect_test::expect;

use super::cron_jobs::{EVERY_SECOND, check, simulate_annotated, up_to_the_runs};

#[test]
fn a_run_that_the_clock_skips_has_a_line() {
    let spec = |schedule: &str| format!("schedule: '{schedule}'\n  timeZone: Europe/Paris");
    let night = |length| [&["--from", "2026-03-27", "--for", length], EVERY_SECOND].concat();
    check(
        &spec("30 2 * * *"),
        &night("5d"),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 02:30, every day, in Europe/Paris
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-03-27 02:30:00 +01:00  on time     2 s      Complete
        2026-03-28 02:30:00 +01:00  on time     2 s      Complete
        2026-03-29 02:30:00         -           -        skipped: the clock is set forward by 60 min
        2026-03-30 02:30:00 +02:00  on time     2 s      Complete
        2026-03-31 02:30:00 +02:00  on time     2 s      Complete
        Total: 5 scheduled, 4 started: 4 succeeded, 0 failed; 1 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
    // The runs at 02:30 and at 03:00 share a moment.
    check(
        &spec("0,30 2,3 * * 0"),
        &night("3d"),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 02:00, 02:30, 03:00 and 03:30, on Sunday, in Europe/Paris
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-03-29 02:00:00         -           -        skipped: the clock is set forward by 60 min
        2026-03-29 02:30:00         -           -        skipped: the clock is set forward by 60 min
        2026-03-29 03:00:00 +02:00  on time     2 s      Complete
        2026-03-29 03:30:00 +02:00  on time     2 s      Complete
        Total: 4 scheduled, 2 started: 2 succeeded, 0 failed; 2 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
    check(
        &spec("30 2 29 3 *"),
        &night("4d"),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 02:30, on day 29 of the month, in March, in Europe/Paris
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-03-29 02:30:00         -           -        skipped: the clock is set forward by 60 min
        Total: 1 scheduled, 0 started: 0 succeeded, 0 failed; 1 skipped
    "#]],
    );
    let printed = simulate_annotated("", &spec("30 2 29 3 *"), &[&night("4d")[..], &["-o", "json"]].concat()).with_status(0).stdout;
    assert!(printed.contains(r#""localTime":"2026-03-29 02:30:00""#), "{printed}");
}

#[test]
fn a_slot_that_comes_once_is_not_skipped() {
    let spec = "schedule: '30 2 * * *'\n  timeZone: Europe/Paris";
    let around = ["--from", "2026-10-24", "--for", "3d"];
    let ended = simulate_annotated("jobsmith.dev/dst: once", spec, &[&around, EVERY_SECOND].concat());
    up_to_the_runs(
        &ended.with_status(0),
        &expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 02:30, every day, in Europe/Paris
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-10-24 02:30:00 +02:00  on time     2 s      Complete
        2026-10-25 02:30:00 +02:00  on time     2 s      Complete
        2026-10-26 02:30:00 +01:00  on time     2 s      Complete
        Total: 3 scheduled, 3 started: 3 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
    check(
        spec,
        &[&around, EVERY_SECOND].concat(),
        0,
        expect![[r#"
           0:00 cronjob hello: created

        Runs of cronjob hello: at 02:30, every day, in Europe/Paris
        SCHEDULED                   STARTED     TOOK     RESULT
        2026-10-24 02:30:00 +02:00  on time     2 s      Complete
        2026-10-25 02:30:00 +02:00  on time     2 s      Complete
        2026-10-25 02:30:00 +01:00  on time     2 s      Complete
        2026-10-26 02:30:00 +01:00  on time     2 s      Complete
        Total: 4 scheduled, 4 started: 4 succeeded, 0 failed; 0 skipped; a run took 2 s on average, 2 s at most
    "#]],
    );
}
