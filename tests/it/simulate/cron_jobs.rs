//! CronJobs in a simulation: a table of runs, from an hour to a month.
//!
//! Docs: `jobsmith simulate --help`, CronJob. What the controller decides is in `scenarios/cronjob/`.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::program::{Ended, Folder};

/// A CronJob; `spec` is what it has beside its template, in YAML.
fn simulate(spec: &str, arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write(
        "cronjob.yaml",
        format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: hello}}\nspec:\n  jobTemplate: {{spec: {{backoffLimit: 0, template: \
             {{spec: {{restartPolicy: Never, containers: [{{name: main, image: busybox}}]}}}}}}}}\n  {spec}\n"
        ),
    );
    folder.run(&[&["simulate", "cronjob.yaml"], arguments].concat())
}

/// What is printed before the tables of kubectl.
#[track_caller]
fn check(spec: &str, arguments: &[&str], status: i32, expected: Expect) {
    let ended = simulate(spec, arguments).with_status(status);
    let (runs, _) = ended.stdout.split_once("\n\nNAME ").expect("the tables of kubectl come after the runs");
    expected.assert_eq(&format!("{runs}\n"));
}

const EVERY_SECOND: &[&str] = &["-s", "pods: succeed after 1s"];

#[test]
fn a_month_is_a_few_lines() {
    check("schedule: '0 */8 * * *'", &[&["--for", "30d"], EVERY_SECOND].concat(), 0, expect![[r#""#]]);
}

#[test]
fn few_runs_have_a_line_each_in_the_time_of_their_zone() {
    let spec = "schedule: '30 1 * * *'\n  timeZone: America/New_York";
    check(spec, &[&["--for", "3d"], EVERY_SECOND].concat(), 0, expect![[r#""#]]);
    let zone = ["--time-zone", "Asia/Tokyo", "--for", "1d"];
    check("schedule: '@daily'", &[&zone, EVERY_SECOND].concat(), 0, expect![[r#""#]]);
}

#[test]
fn a_run_that_is_late_skipped_replaced_or_failed_has_its_reason() {
    let rule = ["-s", "pods: succeed after 130s", "--for", "7m"];
    check("schedule: '* * * * *'\n  concurrencyPolicy: Forbid", &rule, 0, expect![[r#""#]]);
    check("schedule: '* * * * *'\n  concurrencyPolicy: Replace", &rule, 0, expect![[r#""#]]);
    check("schedule: '* * * * *'", &["-s", "pods: exit 1 after 1s", "--for", "3m"], 1, expect![[r#""#]]);
    let suspended =
        ["-s", "pods: succeed after 1s", "-s", "at 90s: suspend cronjob hello", "-s", "at 5m30s: resume cronjob hello", "--for", "7m"];
    check("schedule: '* * * * *'\n  startingDeadlineSeconds: 10", &suspended, 0, expect![[r#""#]]);
    let paused = ["-s", "pods: succeed after 1s", "-s", "at 90s: pause controller for 3m", "--for", "6m"];
    check("schedule: '* * * * *'", &paused, 0, expect![[r#""#]]);
}

#[test]
fn runs_within_a_minute_share_a_job() {
    let ended = simulate("schedule: '@every 20s'", &[&["--for", "2m"], EVERY_SECOND].concat()).with_status(0);
    expect![[r#""#]].assert_eq(&ended.stderr);
    check("schedule: '@every 20s'", &[&["--for", "2m"], EVERY_SECOND].concat(), 0, expect![[r#""#]]);
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
    expect![[r#""#]].assert_eq(&runs.iter().map(|run| format!("{run}\n")).collect::<String>());
}

#[test]
fn jobs_beside_cron_jobs_are_shown_as_ever() {
    let folder = Folder::new();
    let cron_job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: hello}\nspec:\n  schedule: '* * * * *'\n  jobTemplate:\n    spec:\n      template:\n        spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}\n";
    folder.write("both.yaml", format!("{cron_job}---\n{}", super::JOB));
    let ended = folder.run(&[&["simulate", "both.yaml", "--for", "2m"], EVERY_SECOND].concat()).with_status(0);
    assert!(ended.stdout.contains("job pi: pod pi-00001 Succeeded after 1 s"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("pod hello-29453761-00001 Succeeded"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nName:             pi\n"), "{}", ended.stdout);
}
