//! What each Job and CronJob will do, below what was found in its file.
//!
//! Docs: `jobsmith check --help`. Each sentence is tested beside `crates/prediction/src/words.rs`, and what is predicted in `tests/core/prediction`.

use core_tests::files::root;
use expect_test::{Expect, expect};
use serde_json::json;

use super::REFUSED;
use crate::program::{Ended, Folder};

/// A CronJob that runs each day, and a Job that never fails.
const OBJECTS: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: 30 2 * * *
  timeZone: Europe/Berlin
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: registry.example/report:1}]
---
apiVersion: batch/v1
kind: Job
metadata:
  generateName: rehearsal-of-a-migration-
spec:
  completions: 6
  parallelism: 2
  podFailurePolicy:
    rules: [{action: Ignore, onExitCodes: {operator: In, values: [1]}}]
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: registry.example/migrate:1}]
";

/// A folder with these in a file, and with a refused Job beside another in another one.
fn run(arguments: &[&str], status: i32) -> Ended {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("k8s")).expect("the folder can be written to");
    folder.write("k8s/nightly.yaml", OBJECTS);
    let accepted = REFUSED
        .replace("  restartPolicy: Never\n  completions: -1\n", "")
        .replace("    spec:\n", "    spec:\n      restartPolicy: OnFailure\n");
    folder.write("k8s/migrate.yaml", format!("{REFUSED}---\n{}", accepted.replace("migrate\n", "again\n")));
    folder.run(&[&["check"], arguments].concat()).with_status(status)
}

fn check(shown: &str, expected: Expect) {
    expected.assert_eq(shown);
}

/// What is printed from the first paragraph on, which is about this object.
fn paragraphs<'s>(printed: &'s str, name: &str) -> &'s str {
    let start = printed.find(&format!("\n{name}  ")).unwrap_or_else(|| panic!("nothing is predicted of {name}:\n{printed}"));
    &printed[start + 1..]
}

#[test]
fn files_given_by_name_have_a_paragraph_for_each_object() {
    let ended = run(&["k8s/nightly.yaml"], 0);
    let (first, rest) = paragraphs(&ended.stdout, "nightly").split_once('\n').expect("there are lines");
    assert!(first.starts_with("nightly  runs 365 times in the next year, next "), "{first}");
    check(
        rest,
        expect![[r#"
                     one run: up to 7 attempts, 10m30s of waiting between them; no deadline
                     if it fails: the pods of all 7 attempts stay until the next failed run
                     if a node is drained: the pod counts as a failed attempt

            rehearsal-of-a-migration-…
                6 pods, 2 at a time, in 3 rounds
                if pods fail: attempts without end, up to 10m apart: rule 0 of podFailurePolicy ignores each failure, and there is no deadline
                if a node is drained: the pod counts as a failed attempt

        "#]],
    );
    assert_eq!(ended.stderr, "3 warnings and 3 notes in 1 CronJob and 1 Job\n");
}

#[test]
fn windows_that_delay_runs_are_left_out_and_named() {
    let folder = Folder::new();
    let annotated = "  name: nightly\n  annotations: {jobsmith.dev/delay-during: '00:00-01:00'}\n";
    folder.write("nightly.yaml", OBJECTS.replace("  name: nightly\n", annotated));
    let ended = folder.run(&["check", "nightly.yaml"]);
    let said = "what jobsmith.dev/delay-during asks for is left out here; a simulation shows it";
    assert!(ended.stdout.contains(said), "{}", ended.stdout);
}

#[test]
fn what_is_refused_has_none() {
    let ended = run(&["k8s/migrate.yaml"], 1);
    check(
        paragraphs(&ended.stdout, "again"),
        expect![[r#"
            again  up to 4 attempts in 1 pod, the last one stopped as it starts, 30 s of waiting between them; no deadline
                   if it fails: its pod is deleted, and its logs with it
                   if a node is drained: the pod counts as a failed attempt

        "#]],
    );
}

#[test]
fn folders_have_none_unless_they_are_asked_for() {
    assert!(!run(&["k8s"], 1).stdout.contains("if a node is drained"));
    assert_eq!(run(&["k8s", "--prediction", "always"], 1).stdout.matches("if a node is drained").count(), 3);
    assert!(!run(&["k8s/nightly.yaml", "--prediction", "never"], 0).stdout.contains("if a node is drained"));
    assert_eq!(run(&["k8s", "-o", "json"], 1).json()["predictions"], json!([]));
}

#[test]
fn programs_read_numbers() {
    let json = run(&["k8s/nightly.yaml", "-o", "json"], 0).json();
    let [cron_job, job] = &json["predictions"].as_array().expect("there are predictions")[..] else { panic!("{json}") };
    assert_eq!(
        (&cron_job["file"], &cron_job["kind"], &cron_job["name"]),
        (&json!("k8s/nightly.yaml"), &json!("CronJob"), &json!("nightly"))
    );
    let scheduled = &cron_job["prediction"]["cronJob"]["runs"]["scheduled"];
    assert_eq!((&scheduled["inAYear"], &scheduled["zone"]), (&json!(365), &json!("Europe/Berlin")));
    assert_eq!(
        cron_job["prediction"]["cronJob"]["run"]["runs"]["failing"]["ends"],
        json!({
            "pods": 7, "attempts": 7, "stoppedAtStart": 0, "attemptsWithoutDeadline": 7, "waitingSeconds": 630, "longestWaitSeconds": 320, "afterSeconds": 631,
            "reason": "BackoffLimitExceeded", "kept": 7, "exact": true,
        })
    );
    let goes_on = &job["prediction"]["job"]["runs"]["failing"]["goesOn"];
    assert_eq!(*goes_on, json!({"why": {"ignored": 0}, "atOnce": 2, "longestWaitSeconds": 600}));
    assert_eq!(job["text"][0], "6 pods, 2 at a time, in 3 rounds");
}

#[test]
fn the_readme_shows_what_is_predicted() {
    let ended = run(&["k8s/nightly.yaml"], 0);
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it is there");
    let (_, sample) = readme.split_once("$ jobsmith check nightly.yaml\n").expect("it has a sample");
    // Without the dates, which pass.
    let shown = |text: &str| paragraphs(text, "nightly").lines().take(4).skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(shown(sample), shown(&ended.stdout));
}
