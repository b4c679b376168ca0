//! What does not go as it was written in a simulation: it fails, and the reason is printed.
//!
//! Docs: `jobsmith simulate --help`, exit status 1. What the API server refuses is in `apiserver/`.

use expect_test::{Expect, expect};

use super::JOB;
use crate::program::Folder;

const CRON_JOB: &str = "\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: hello
spec:
  schedule: '* * * * *'
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

/// What a simulation prints besides what happens.
#[track_caller]
fn check(manifest: &str, script: &[&str], status: i32, expected: Expect) {
    let folder = Folder::new();
    folder.write("job.yaml", manifest);
    let rules = ["pods: succeed after 1s"].iter().chain(script).flat_map(|rule| ["-s", rule]);
    let ended = folder.run(&["simulate", "job.yaml", "--for", "3m"].into_iter().chain(rules).collect::<Vec<_>>()).with_status(status);
    expected.assert_eq(&ended.stderr);
}

#[test]
fn an_action_that_is_not_carried_out_fails_the_simulation() {
    check(
        JOB,
        &["at 0s: set spec.parallelism=-1", "at 0s: evict pod pi-00007"],
        1,
        expect![[r#"
        refused: set spec.parallelism=-1: Job.batch "pi" is invalid: spec.parallelism: Invalid value: -1: must be greater than or equal to 0
        evict pod pi-00007: no pod matches
    "#]],
    );
    check(
        CRON_JOB,
        &["at 5s: set cronjob hello spec.schedule=\"bad\"", "at 5s: suspend cronjob other"],
        1,
        expect![[r#"
        refused: set cronjob hello spec.schedule="bad": CronJob.batch "hello" is invalid: spec.schedule: Invalid value: "bad": expected exactly 5 fields, found 1: [bad]
        refused: suspend cronjob other: cronjobs.batch "other" not found
    "#]],
    );
    check(CRON_JOB, &["at 5s: set cronjob hello spec.schedule=\"@hourly\""], 0, expect![[""]]);
}

#[test]
fn an_annotation_that_is_invalid_fails_the_simulation() {
    let annotated =
        |manifest: &str, annotation: &str| manifest.replacen("metadata:\n", &format!("metadata:\n  annotations: {{{annotation}}}\n"), 1);
    check(
        &annotated(CRON_JOB, "jobsmith.dev/spread-seconds: 5m"),
        &[],
        1,
        expect![[r#"
            warning: jobsmith.dev/spread-seconds cannot be "5m": jobsmith's controllers start no Jobs until it is corrected, and Kubernetes' own ignore it
             --> job.yaml:4:46
              |
            4 |   annotations: {jobsmith.dev/spread-seconds: 5m}
              |                                              ^^ metadata.annotations[jobsmith.dev/spread-seconds]
              |
              = help: write a number of seconds, from 0 to 86400

            cronjob hello: Not starting Jobs: the annotation jobsmith.dev/spread-seconds must be a number of seconds, from 0 to 86400, not 5m
        "#]],
    );
    check(
        &annotated(JOB, "jobsmith.dev/ttl-seconds-after-complete: soon"),
        &[],
        1,
        expect![[r#"
            warning: jobsmith.dev/ttl-seconds-after-complete cannot be "soon": jobsmith's controllers do not delete the Job until it is corrected, and Kubernetes' own ignore it
             --> job.yaml:4:58
              |
            4 |   annotations: {jobsmith.dev/ttl-seconds-after-complete: soon}
              |                                                          ^^^^ metadata.annotations[jobsmith.dev/ttl-seconds-after-complete]
              |
              = help: write a number of seconds

            job pi: Keeping the Job: the annotation jobsmith.dev/ttl-seconds-after-complete must be a number of seconds, not soon
        "#]],
    );
}

#[test]
fn a_job_that_does_not_finish_comes_first() {
    check(
        JOB,
        &["at 0s: suspend", "at 1s: delete job other"],
        3,
        expect![[r#"
            refused: delete job other background: jobs.batch "other" not found
            job pi will not finish: it has been suspended since 0:00; resume it with --script 'at 5s: resume'
        "#]],
    );
}

#[test]
fn what_is_accepted_and_hardly_meant_is_warned_of() {
    let indexed = JOB.replacen("spec:\n", "spec:\n  completions: 2\n  completionMode: Indexed\n  backoffLimitPerIndex: 1\n", 1).replacen(
        "restartPolicy: Never",
        "restartPolicy: OnFailure",
        1,
    );
    assert!(indexed.contains("backoffLimitPerIndex") && indexed.contains("OnFailure"), "{indexed}");
    check(
        &indexed,
        &[],
        0,
        expect![[r#"
            warning: backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart without end
              --> job.yaml:12:22
               |
            12 |       restartPolicy: OnFailure
               |                      ^^^^^^^^^ spec.template.spec.restartPolicy
               |
               = help: set restartPolicy to Never

        "#]],
    );
    let manual = |name: &str| {
        let selector = "spec:\n  manualSelector: true\n  selector: {matchLabels: {app: a}}\n  template:\n    metadata: {labels: {app: a}}\n    spec: {restartPolicy: Never, containers: [{name: main, image: i}]}\n";
        format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: {name}}}\n{selector}")
    };
    check(
        &format!("{}---\n{}", manual("a"), manual("b")),
        &[],
        0,
        expect![[r#"
        warning: this selector also matches the pods of job b: a Job may then count or delete pods that are not its own, or never complete
         --> job.yaml:6:3
          |
        6 |   selector: {matchLabels: {app: a}}
          |   ^^^^^^^^ spec.selector
          |
          = help: give the pods of each Job a label of their own, and select them by it

        warning: this selector also matches the pods of job a: a Job may then count or delete pods that are not its own, or never complete
          --> job.yaml:16:3
           |
        16 |   selector: {matchLabels: {app: a}}
           |   ^^^^^^^^ spec.selector
           |
           = help: give the pods of each Job a label of their own, and select them by it

    "#]],
    );
}
