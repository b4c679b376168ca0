//! One run of a CronJob among others: what it does, its last status, and by which clock it is shown.
//!
//! Docs: `jobsmith simulate --help`; CronJob, "Jobs history limits". The tables of runs are in `cron_jobs.rs`.

use expect_test::expect;

use super::cron_jobs::simulate_annotated;
use crate::program::Ended;

/// A CronJob that runs once a day.
fn daily(spec: &str, arguments: &[&str]) -> Ended {
    simulate_annotated("", &format!("schedule: '0 2 * * *'\n  {spec}"), arguments)
}

/// The results in the table of its runs.
fn results(arguments: &[&str]) -> Vec<bool> {
    let ended = daily("", &[&["--for", "5d"], arguments].concat());
    let rows = ended.stdout.lines().filter(|line| line.starts_with("2026-"));
    rows.map(|row| row.contains("Failed")).collect()
}

#[test]
fn runs_are_selected_by_their_numbers_or_their_scheduled_time() {
    let good = ["-s", "pods: succeed"];
    let with = |rule: &'static str| results(&[&["-s", rule][..], &good].concat());
    assert_eq!(with("run 3: exit 1"), [false, false, true, false, false]);
    assert_eq!(with("cronjob hello runs 1,4-5: exit 1"), [true, false, false, true, true]);
    assert_eq!(with("run 2026-01-02T02:00:00Z: exit 1"), [false, true, false, false, false]);
    assert_eq!(with("cronjob other run 3: exit 1"), [false; 5]);
    assert_eq!(results(&["-s", "pods: succeed after 1m", "-s", "at 50h10s: exit 1 in run 3"]), [false, false, true, false, false]);
    let warnings = daily("", &["-s", "run 2026-01-02T03:00:00Z: exit 1", "-s", "run 70: exit 1", "-s", "pods: succeed"]).stderr;
    assert!(
        warnings.contains("no pod matched \"run 2026-01-02T03:00:00Z: exit 1 after 5s\"") && !warnings.contains("run 70"),
        "{warnings}"
    );
}

#[test]
fn jobs_that_a_history_limit_deletes_have_a_last_status() {
    let spec = "successfulJobsHistoryLimit: 1\n  failedJobsHistoryLimit: 0";
    let lines = daily(spec, &["--for", "4d", "-o", "json", "-s", "run 2: exit 3"]).objects();
    let jobs: Vec<String> = lines
        .iter()
        .filter(|line| line["type"] == "status" && line["job"].is_string())
        .map(|line| format!("{} {} {}", line["job"], line["ending"]["state"], line["ending"]["pods"]))
        .collect();
    expect![[r#"
        "hello-29455320" "Failed" [{"at":"2026-01-02T02:00:05Z","how":"exit 3","pod":"hello-29455320-00001"}]
        "hello-29453880" "Complete" []
        "hello-29456760" "Complete" []
        "hello-29458200" "Complete" []
    "#]]
    .assert_eq(&(jobs.join("\n") + "\n"));
}

#[test]
fn all_that_a_cron_job_does_is_shown_with_dates() {
    let paris = ["--why", "--time-zone", "Europe/Paris", "--until", "2026-01-02T03:00", "-s", "pods: runs forever"];
    let ended = daily("", &paris);
    let first: Vec<&str> = ended.stdout.lines().take(7).collect();
    expect![[r#"
        2026-01-01 01:00:00 cronjob hello: created
        2026-01-01 01:00:00 Reconciling: the CronJob appeared
        2026-01-01 01:00:00 ○ Not starting a Job: the next run is at 2026-01-01 02:00:00 (C-21)
        2026-01-01 02:00:00.1 Reconciling: the next run is due
        2026-01-01 02:00:00.1 ● Starting Job hello-29453820 for the run scheduled for 2026-01-01 02:00:00 (C-26)
        2026-01-01 02:00:00.1 POST /apis/batch/v1/namespaces/default/jobs: done
        2026-01-01 02:00:00.1 job hello-29453820: created
    "#]]
    .assert_eq(&(first.join("\n") + "\n"));
}

#[test]
fn a_simulation_ends_at_a_time() {
    let runs = |until: &str| daily("", &["--until", until, "-s", "pods: succeed"]).with_status(0).stdout.matches(" Complete\n").count();
    assert_eq!([runs("2026-01-03"), runs("2026-01-03T02:01"), runs("18:30"), runs("1w")], [2, 3, 1, 7]);
    let job = super::simulate(&["--until", "2026-01-01T00:00:03Z", "-s", "pods: succeed"]).with_status(3).stderr;
    assert!(job.starts_with("job pi has not finished after 0:03 (--until)"), "{job}");
    let refused = |until: &str| super::simulate(&["--until", until]).with_status(2).stderr;
    expect![[r#"
        error: --until: 2025-12-31 is not after 2026-01-01T00:00:00Z, where the simulation begins
        error: --until: "soon" is not a time: write it as 10m, 18:30, 2026-03-27, 2026-03-27T18:30 or 2026-03-27T18:30:00Z
    "#]]
    .assert_eq(&(refused("2025-12-31") + &refused("soon")));
}
