//! CronJobs on this machine: their runs, how many of them there are, and how the program ends.
//!
//! Docs: CronJob; `jobsmith run --help`. What the controller does is in `tests/scenarios/cronjob/`.

use serde_json::{Value, json};

use super::{job, pod};
use crate::program::Folder;

/// A folder with a CronJob in `job.yaml` that is due each second; of a minute, one run starts a Job.
fn folder(name: &str, more: Value, script: &str) -> Folder {
    let mut spec = json!({"schedule": "@every 1s", "jobTemplate": {"spec": {"backoffLimit": 0, "template": {"spec": pod(script)}}}});
    spec.as_object_mut().expect("it is an object").extend(more.as_object().expect("it is an object").clone());
    let folder = Folder::new();
    let cron_job = json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name}, "spec": spec});
    folder.write("job.yaml", cron_job.to_string());
    folder
}

#[test]
fn a_number_of_runs_is_waited_for() {
    let ended = folder("hello", json!({}), "echo hi").run(&["run", "job.yaml", "--runs", "1", "-o", "describe"]).with_status(0);
    assert_eq!(ended.printed(), ["hi"]);
    for shown in [
        "   0:00 cronjob hello: created\n",
        "   0:00 cronjob hello: the next run is at ",
        "\nRuns of cronjob hello: every 1s, counted from the last run, in UTC\n",
        "1 started: 1 succeeded, 0 failed; ",
        "\ncronjob.batch/hello   @every 1s   <none>     True ",
        "\njob.batch/hello-",
        "\nSuccessful Job History Limit:  3\n",
    ] {
        assert!(ended.stdout.contains(shown), "{shown:?}: {}", ended.stdout);
    }
    assert!(
        ended.stderr.contains("note: cronjob hello is due every 1 s, but the names of its Jobs only distinguish minutes"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_first_run_can_be_started_at_once() {
    let folder = folder("yearly", json!({"schedule": "0 0 1 1 *"}), "echo hi");
    let hint = "note: to start a run at once, pass --now\n";
    let ended = folder.run(&["run", "job.yaml", "--now", "--runs", "1"]).with_status(0);
    assert_eq!(ended.printed(), ["hi"]);
    for shown in ["job yearly-manual-", "  by hand  ", "\nTotal: 0 scheduled, 1 started (1 by hand): 1 succeeded, 0 failed; "] {
        assert!(ended.stdout.contains(shown), "{shown:?}: {}", ended.stdout);
    }
    assert!(!ended.stderr.contains(hint), "{}", ended.stderr);
    let waits = folder.run(&["run", "job.yaml", "--until", "1s"]);
    assert!(waits.stderr.contains(hint) && waits.printed().is_empty(), "{}", waits.stderr);
    folder.write("job.yaml", job("pi", json!({}), pod("true")));
    let refused = folder.run(&["run", "job.yaml", "--now"]).with_status(2).stderr;
    assert_eq!(refused, "error: --now needs a CronJob, and these files have none: leave out --now\n");
}

#[test]
fn a_run_that_fails_counts() {
    let ended = folder("broken", json!({}), "exit 3").run(&["run", "job.yaml", "--runs", "1", "-o", "json"]).with_status(1);
    let runs: Vec<Value> = ended.objects().into_iter().filter(|line| line["type"] == "run" && line["result"] != "Skipped").collect();
    assert_eq!((runs.len(), &runs[0]["result"], &runs[0]["reason"]), (1, &json!("Failed"), &json!("BackoffLimitExceeded")), "{runs:?}");
    assert_eq!(ended.objects().iter().filter(|line| line["type"] == "status").count(), 2);
}

#[test]
fn an_interruption_leaves_nothing_behind() {
    let folder = folder("endless", json!({"concurrencyPolicy": "Allow"}), "echo ready; sleep 1000");
    let program = folder.start(&["run", "job.yaml"]);
    program.wait_for("| ready");
    program.signal_group("INT");
    let ended = program.end().with_status(130);
    assert!(
        ended.stderr.contains("interrupted: deleting the CronJobs and Jobs and waiting up to 30 s for their pods to end"),
        "{}",
        ended.stderr
    );
    assert!(ended.stdout.contains("cronjob endless: gone"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("cronjob.batch/") && !ended.stdout.contains("Active Jobs:"), "it is gone: {}", ended.stdout);
    folder.wait_until_empty();
}

#[test]
fn the_end_of_the_time_is_no_failure() {
    // Forbid: the test may run over the end of a minute, in which another Job could start.
    let folder = folder("endless", json!({"concurrencyPolicy": "Forbid"}), "sleep 1000");
    let ended = folder.run(&["run", "job.yaml", "--until", "4s"]).with_status(0);
    assert!(ended.stderr.contains("--until reached: deleting the CronJobs and Jobs"), "{}", ended.stderr);
    assert!(ended.stdout.contains("1 started: 0 succeeded, 0 failed, 1 did not finish"), "{}", ended.stdout);
    folder.wait_until_empty();
}

#[test]
fn a_cron_job_that_is_suspended_starts_nothing() {
    let folder = folder("paused", json!({"schedule": "@hourly", "suspend": true}), "true");
    let ended = folder.run(&["run", "job.yaml"]).with_status(3);
    let advice = "cronjob paused: Not starting Jobs: the CronJob is suspended; resume it with --do 'at 5s: resume cronjob paused'\n";
    assert!(ended.stderr.ends_with(advice), "{}", ended.stderr);
}

#[test]
fn a_schedule_without_any_run_is_in_the_exit_status() {
    let ended = folder("never", json!({"schedule": "0 0 31 2 *"}), "true").run(&["run", "job.yaml"]).with_status(3);
    assert!(ended.stdout.contains("\nIt has no runs within five years.\n"), "{}", ended.stdout);
}

#[test]
fn jobs_run_beside_cron_jobs() {
    let folder = folder("hello", json!({}), "echo from the CronJob");
    folder.write("stdin", job("alone", json!({}), pod("echo alone")));
    let ended = folder.run(&["run", "job.yaml", "-", "--runs", "1"]).with_status(0);
    let mut printed = ended.printed();
    printed.sort_unstable();
    assert_eq!(printed, ["alone", "from the CronJob"]);
    assert!(ended.stdout.contains("\njob alone: Complete at "), "{}", ended.stdout);
}

#[test]
fn what_cannot_run_here_is_refused_before_anything_starts() {
    let folder = Folder::new();
    folder.write(
        "job.yaml",
        "apiVersion: batch/v1
kind: CronJob
metadata: {name: hello}
spec:
  schedule: '* * * * *'
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: busybox
            command: [date]
            volumeMounts: [{name: work, mountPath: /work}]
          volumes: [{name: work, emptyDir: {}}]
",
    );
    let ended = folder.run(&["run", "job.yaml"]).with_status(2);
    assert!(ended.stderr.contains(" --> job.yaml:15:"), "{}", ended.stderr);
    assert!(ended.stderr.contains("spec.jobTemplate.spec.template.spec.containers[0].volumeMounts"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

#[test]
fn an_action_that_is_refused_or_an_annotation_that_is_invalid_fails_the_run() {
    let refused = ["run", "job.yaml", "--until", "2s", "--do", "at 0s: set cronjob hello spec.schedule=\"never\""];
    let ended = folder("hello", json!({"schedule": "@hourly"}), "true").run(&refused).with_status(1);
    assert!(
        ended.stderr.contains("\nrefused: set cronjob default/hello spec.schedule=\"never\": CronJob.batch \"hello\" is invalid"),
        "{}",
        ended.stderr
    );
    let folder = folder("hello", json!({"schedule": "@hourly"}), "true");
    folder.write(
        "job.yaml",
        folder.read("job.yaml").replace(r#""name":"hello""#, r#""name":"hello","annotations":{"jobsmith.dev/dst":"never"}"#),
    );
    let ended = folder.run(&["run", "job.yaml"]).with_status(1);
    let reason = "cronjob hello: Not starting Jobs: the annotation jobsmith.dev/dst must be";
    assert_eq!(ended.stderr.matches(reason).count(), 1, "{}", ended.stderr);
}

#[test]
fn options_that_cannot_be_read_are_refused() {
    let folder = folder("hello", json!({}), "true");
    for (options, expected) in [
        (
            &["--time-zone", "paris"][..],
            "error: invalid value 'paris' for '--time-zone <ZONE>': unknown time zone; did you mean Europe/Paris?\n",
        ),
        (
            &["--until", "noon"],
            "error: --until: \"noon\" is not a time: write it as 10m, 18:30, 2026-03-27, 2026-03-27T18:30 or 2026-03-27T18:30:00Z\n",
        ),
        (
            &["--do", "at 1s: suspend"],
            "error: --do: suspend: there are no Jobs; to act on a CronJob, name it, as in 'suspend cronjob hello'; the CronJobs are: default/hello\n",
        ),
        (
            &["--do", "at 1s: set spec.suspend=true"],
            "error: --do: set spec.suspend=true: there are no Jobs; to act on a CronJob, name it, as in 'set cronjob hello spec.suspend=true'; the CronJobs are: default/hello\n",
        ),
        (&["--do", "at 1s: scale to 3"], "error: --do: scale to 3: there are no Jobs; the CronJobs are: default/hello\n"),
        (
            &["--do", "at 1s: suspend cronjob x"],
            "error: --do: suspend cronjob x: cronjob default/x does not exist; the CronJobs are: default/hello\n",
        ),
    ] {
        let ended = folder.run(&[&["run", "job.yaml"], options].concat()).with_status(2);
        assert!(ended.stderr.starts_with(expected), "{options:?}: {}", ended.stderr);
    }
}
