//! `jobsmith check`: what is printed in each form, and how it ends.
//!
//! Docs: `jobsmith check --help`. What is found in a file is tested beside `crates/check/src/lib.rs`, what is corrected in `fixes.rs`.

mod advice;
mod against;
mod fixes;
mod predictions;

use std::collections::BTreeSet;

use core_tests::files::root;
use expect_test::{Expect, expect};
use serde_json::json;

use crate::program::{Ended, Folder};

/// A Job with two errors.
const REFUSED: &str = "\
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
spec:
  backoffLimit: 3
  restartPolicy: Never
  completions: -1
  template:
    spec:
      containers:
      - name: main
        image: registry.example/migrate:1
";

/// A CronJob with a warning.
const WARNED: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: 0 3 31 2 *
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: registry.example/report:1}]
";

/// A folder with these two among other files.
fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("k8s/.git")).expect("the folder can be written to");
    for (name, text) in [
        ("k8s/migrate.yaml", REFUSED),
        ("k8s/nightly.yml", WARNED),
        ("k8s/notes.txt", "kind: Job\nmetadata: {}\n"),
        ("k8s/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"),
        ("k8s/values.yaml", "image: {tag: 1}\n"),
        ("k8s/.git/job.yaml", "kind: Job\n"),
    ] {
        folder.write(name, text);
    }
    folder
}

fn run(arguments: &[&str], status: i32) -> Ended {
    folder().run(&[&["check"], arguments].concat()).with_status(status)
}

fn check(arguments: &[&str], status: i32, expected: Expect) {
    let ended = run(arguments, status);
    expected.assert_eq(&format!("{}{}", ended.stdout, ended.stderr));
}

#[test]
fn problems_have_their_line_their_rule_and_what_helps() {
    check(
        &["k8s"],
        1,
        expect![[r#"
            error[unknown-field]: unknown field "restartPolicy"
             --> k8s/migrate.yaml:7:3
              |
            7 |   restartPolicy: Never
              |   ^^^^^^^^^^^^^ spec.restartPolicy
              |
              = help: restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy

            error[invalid]: Invalid value: -1: must be greater than or equal to 0
             --> k8s/migrate.yaml:8:16
              |
            8 |   completions: -1
              |                ^^ spec.completions
              |
              = help: use 0 or more

            note[never-ends]: k8s/migrate.yaml:5:1: spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600
            note[never-removed]: k8s/migrate.yaml:5:1: spec: nothing deletes this Job and its pods after it has finished; set spec.ttlSecondsAfterFinished, for example to 86400

            warning[never-fires]: the schedule has no run within five years
             --> k8s/nightly.yml:6:13
              |
            6 |   schedule: 0 3 31 2 *
              |             ^^^^^^^^^^ spec.schedule
              |
              = help: change the day of the month or the month: this month does not have this day
              = note: see `jobsmith lint never-fires`

            2 errors, 1 warning and 2 notes in 1 CronJob and 1 Job
        "#]],
    );
    check(
        &["k8s/nightly.yml"],
        0,
        expect![[r#"
            warning[never-fires]: the schedule has no run within five years
             --> k8s/nightly.yml:6:13
              |
            6 |   schedule: 0 3 31 2 *
              |             ^^^^^^^^^^ spec.schedule
              |
              = help: change the day of the month or the month: this month does not have this day
              = note: see `jobsmith lint never-fires`

            nightly  never runs: its schedule has no run within five years

            1 warning in 1 CronJob
        "#]],
    );
}

#[test]
fn the_readme_shows_what_is_printed() {
    let folder = folder();
    folder.write("k8s/migrate.yaml", REFUSED.replace("  completions: -1\n", ""));
    let stuck = "schedule: 30 4 * * *\n  timeZone: Europe/Zurich\n  concurrencyPolicy: Forbid";
    folder.write("k8s/nightly.yml", WARNED.replace("schedule: 0 3 31 2 *", stuck));
    let ended = folder.run(&["check", "k8s"]).with_status(1);
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it is there");
    let (_, shown) = readme.split_once("$ jobsmith check k8s/\n").expect("it has a sample");
    assert_eq!(shown.split_once("```").expect("the sample ends").0, format!("{}{}", ended.stdout, ended.stderr));
}

#[test]
fn what_is_said_in_one_line() {
    check(
        &["k8s", "-o", "concise"],
        1,
        expect![[r#"
            k8s/migrate.yaml:5:1: spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600 [never-ends]
            k8s/migrate.yaml:5:1: spec: nothing deletes this Job and its pods after it has finished; set spec.ttlSecondsAfterFinished, for example to 86400 [never-removed]
            k8s/migrate.yaml:7:3: spec.restartPolicy: unknown field "restartPolicy"; restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy [unknown-field]
            k8s/migrate.yaml:8:16: spec.completions: Invalid value: -1: must be greater than or equal to 0; use 0 or more [invalid]
            k8s/nightly.yml:6:13: spec.schedule: the schedule has no run within five years; change the day of the month or the month: this month does not have this day [never-fires]
        "#]],
    );
    check(
        &["k8s", "-o", "github"],
        1,
        expect![[r#"
            ::notice file=k8s/migrate.yaml,line=5,col=1,endColumn=4,title=never-ends::spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600
            ::notice file=k8s/migrate.yaml,line=5,col=1,endColumn=4,title=never-removed::spec: nothing deletes this Job and its pods after it has finished; set spec.ttlSecondsAfterFinished, for example to 86400
            ::error file=k8s/migrate.yaml,line=7,col=3,endColumn=15,title=unknown-field::spec.restartPolicy: unknown field "restartPolicy"; restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy
            ::error file=k8s/migrate.yaml,line=8,col=16,endColumn=17,title=invalid::spec.completions: Invalid value: -1: must be greater than or equal to 0; use 0 or more
            ::warning file=k8s/nightly.yml,line=6,col=13,endColumn=22,title=never-fires::spec.schedule: the schedule has no run within five years; change the day of the month or the month: this month does not have this day
        "#]],
    );
}

#[test]
fn warnings_count_only_with_strict() {
    run(&["k8s/nightly.yml"], 0);
    run(&["k8s/nightly.yml", "--strict"], 1);
    run(&["k8s/service.yaml", "--strict"], 0);
}

#[test]
fn programs_read_what_was_found() {
    let json = run(&["k8s", "-o", "json"], 1).json();
    assert_eq!((&json["errors"], &json["warnings"], &json["jobs"], &json["cronJobs"]), (&json!(2), &json!(1), &json!(1), &json!(1)));
    assert_eq!(
        json["diagnostics"][2],
        json!({
            "file": "k8s/migrate.yaml", "line": 7, "column": 3, "length": 13, "severity": "error", "rule": "unknown-field", "path": "spec.restartPolicy",
            "message": "unknown field \"restartPolicy\"",
            "remedy": "restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy",
        })
    );
    let sarif = run(&["k8s", "-o", "sarif"], 1).json();
    let results = sarif["runs"][0]["results"].as_array().expect("there are results");
    assert_eq!((results.len(), &results[4]["ruleId"], &results[4]["level"]), (5, &json!("never-fires"), &json!("warning")));
    let place = &results[2]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"], json!({"uri": "k8s/migrate.yaml"}));
    assert_eq!(place["region"], json!({"startLine": 7, "startColumn": 3, "endColumn": 16}));
    assert_eq!(run(&["k8s/service.yaml", "-o", "sarif"], 0).json()["runs"][0]["results"], json!([]));
    let gitlab = run(&["k8s", "-o", "gitlab"], 1).json();
    assert_eq!((&gitlab[3]["check_name"], &gitlab[3]["location"]["lines"]["begin"]), (&json!("invalid"), &json!(8)));
}

#[test]
fn a_report_has_a_test_for_each_file() {
    check(
        &["k8s", "-o", "junit"],
        1,
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="jobsmith check" tests="2" failures="1">
                <testcase classname="jobsmith check" name="k8s/migrate.yaml">
                  <failure message="7:3: spec.restartPolicy: unknown field &quot;restartPolicy&quot;; restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy [unknown-field]">7:3: spec.restartPolicy: unknown field &quot;restartPolicy&quot;; restartPolicy belongs to the pod: move it to spec.template.spec.restartPolicy [unknown-field]
            8:16: spec.completions: Invalid value: -1: must be greater than or equal to 0; use 0 or more [invalid]
            </failure>
                  <system-out>5:1: spec: this Job never ends if its pod cannot start, for example because its image cannot be pulled; set spec.activeDeadlineSeconds, for example to 3600 [never-ends]
            5:1: spec: nothing deletes this Job and its pods after it has finished; set spec.ttlSecondsAfterFinished, for example to 86400 [never-removed]
            </system-out>
                </testcase>
                <testcase classname="jobsmith check" name="k8s/nightly.yml">
                  <system-out>6:13: spec.schedule: the schedule has no run within five years; change the day of the month or the month: this month does not have this day [never-fires]
            </system-out>
                </testcase>
              </testsuite>
            </testsuites>
        "#]],
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let ended = run(&["k8s", "missing.yaml"], 2);
    assert!(ended.stdout.starts_with("error[unknown-field]"), "{}", ended.stdout);
    let expected = "error: cannot read missing.yaml: No such file or directory (os error 2); check the name\n";
    assert_eq!(ended.stderr, format!("{expected}2 errors, 1 warning and 2 notes in 1 CronJob and 1 Job\n"));
    check(
        &["k8s/notes.txt"],
        1,
        expect![[r#"
            error[invalid]: the Job has no spec
             --> k8s/notes.txt:1:1
              |
            1 | kind: Job
              | ^^^^^^^^^ spec
              |
              = help: give the Job a spec, with a template for its pods

            error[unreadable]: the object has no apiVersion
             --> k8s/notes.txt:1:1
              |
            1 | kind: Job
              | ^^^^^^^^^ apiVersion
              |
              = help: set `apiVersion: batch/v1`

            error[invalid]: Required value: name or generateName is required
             --> k8s/notes.txt:2:1
              |
            2 | metadata: {}
              | ^^^^^^^^ metadata.name
              |
              = help: give the Job a name, as in `name: pi`

            3 errors in 1 Job
        "#]],
    );
    check(
        &["k8s/values.yaml", "k8s/service.yaml"],
        0,
        expect![[r#"
            no problems in 2 files without Jobs and CronJobs
        "#]],
    );
}

#[test]
fn standard_input_has_the_name_it_is_given() {
    let folder = Folder::new();
    folder.write("stdin", WARNED);
    let ended = folder.run(&["check", "-", "-o", "concise", "--stdin-filename", "chart/nightly.yaml"]).with_status(0);
    assert!(ended.stdout.starts_with("chart/nightly.yaml:6:13: spec.schedule: "), "{}", ended.stdout);
}

#[test]
fn what_is_excluded_is_left_out() {
    let folder = folder();
    let checked = |arguments: &[&str]| {
        let report = folder.run(&[&["check", "-o", "json"], arguments].concat()).json();
        (report["cronJobs"].clone(), report["jobs"].clone())
    };
    for (exclusions, found) in [
        (&["--exclude", "k8s/*.yml"] as &[&str], (0, 1)),
        (&["--exclude", "migrate.yaml"], (1, 0)),
        (&["--exclude", "k8s"], (0, 0)),
        (&["--exclude", "*.yml", "--exclude", "migrate.*"], (0, 0)),
        (&["--exclude", "charts/*/templates"], (1, 1)),
    ] {
        let (cron_jobs, jobs) = found;
        assert_eq!(checked(&[&["."], exclusions].concat()), (json!(cron_jobs), json!(jobs)), "{exclusions:?}");
    }
    assert_eq!(
        checked(&["k8s/migrate.yaml", "k8s/nightly.yml", "--exclude", "k8s/nightly.*"]),
        (json!(0), json!(1)),
        "named as by pre-commit"
    );
    let refused = folder.run(&["check", ".", "--exclude", "k8s/["]).with_status(2).stderr;
    assert!(refused.contains("invalid value 'k8s/[' for '--exclude <GLOB>'"), "{refused}");
}

/// A Job; `fields` are those of its one container.
fn job(fields: &str) -> String {
    format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - {fields}\n"
    )
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let folder = folder();
    folder.write("k8s/latin.yaml", b"kind: Job # \xe4\n");
    let ended = folder.run(&["check", ".", "-o", "json"]).with_status(2);
    assert_eq!((&ended.json()["errors"], &ended.json()["diagnostics"][0]["file"]), (&json!(3), &json!("k8s/latin.yaml")));
    assert_eq!(ended.json()["diagnostics"][0]["message"], "this is not valid UTF-8");
    folder.write("stdin", "");
    let ended = folder.run(&["check", "-"]).with_status(2);
    assert_eq!(ended.stderr, "error: standard input is empty: pass manifests\n");
    folder.write("stdin", "Error from server (NotFound): jobs.batch \"pi\" not found\n");
    let ended = folder.run(&["check", "-", "-o", "concise"]).with_status(1);
    assert!(ended.stdout.starts_with("standard input:1:1: this is an error of kubectl: "), "{}", ended.stdout);
}

#[test]
fn problems_that_are_alike_have_fingerprints_of_their_own() {
    let folder = Folder::new();
    let text = job("{name: main, image: 'i:1', foo: 1}");
    folder.write("jobs.yaml", format!("{text}---\n{}", text.replace("name: a}", "name: b}")));
    let issues = folder.run(&["check", "jobs.yaml", "-o", "gitlab"]).with_status(1).json();
    let fingerprints: BTreeSet<&str> = issues.as_array().into_iter().flatten().filter_map(|issue| issue["fingerprint"].as_str()).collect();
    assert_eq!(fingerprints.len(), 6, "{issues}");
}
