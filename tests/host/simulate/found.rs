//! A simulation that continues from the objects of a cluster: when it begins, and what it shows of them.
//!
//! Docs: `jobsmith simulate --help`, `--from`. What the API server restores is in `cluster::apiserver::restore`.

use expect_test::expect;
use serde_json::{Value, json};

use super::cron_jobs::up_to_the_runs;
use crate::program::{Ended, Folder};

/// A UID as a cluster makes them.
const UID: &str = "8b2b1c0e-5d1f-4b5f-9a35-0f2f6d2f3c01";

fn template() -> Value {
    json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]}})
}

/// A CronJob that a cluster had on 1 March 2026.
fn cron_job(name: &str, uid: &str) -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "CronJob",
        "metadata": {"name": name, "namespace": "default", "uid": uid, "creationTimestamp": "2026-02-01T00:00:00Z"},
        "spec": {"schedule": "@daily", "concurrencyPolicy": "Allow", "jobTemplate": {"spec": {"template": template()}}},
        "status": {"lastScheduleTime": "2026-03-01T00:00:00Z"},
    })
}

fn simulate(objects: &[Value], arguments: &[&str]) -> Ended {
    let folder = Folder::new();
    folder.write("list.yaml", json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string());
    folder.run(&[&["simulate", "list.yaml", "--for", "1m", "-s", "pods: succeed after 1s"], arguments].concat())
}

#[test]
fn a_cron_job_of_a_cluster_is_continued_by_the_clock() {
    let ended = simulate(&[cron_job("hello", UID)], &[]).with_status(0);
    let (now, last) =
        ("note: the simulation begins now, at 2", "Z; to begin at the last time in these objects, pass --from 2026-03-01T00:00:00Z\n");
    assert!(ended.stderr.starts_with(now) && ended.stderr.ends_with(last), "{}", ended.stderr);
    let ended = simulate(&[cron_job("hello", UID)], &["--from", "2026-03-01"]).with_status(0);
    assert_eq!(ended.stderr, "");
    assert!(ended.stdout.contains("the next one is at 2026-03-02 00:00:00 +00:00"), "{}", ended.stdout);
    let ended = simulate(&[cron_job("hello", "cronjob-hello-1")], &[]).with_status(0);
    assert_eq!(ended.stderr, "", "a simulation made it");
    assert!(ended.stdout.contains("the next one is at 2026-03-02 00:00:00 +00:00"), "{}", ended.stdout);
}

/// A CronJob, the Job that it started on 1 March 2026, and the pod of that.
fn run_of(name: &str) -> [Value; 3] {
    let job = format!("{name}-29538720");
    let owner = |kind: &str, name: &str, uid: &str| {
        let version = "batch/v1";
        json!([{"apiVersion": version, "kind": kind, "name": name, "uid": uid, "controller": true, "blockOwnerDeletion": true}])
    };
    let labels = json!({"batch.kubernetes.io/controller-uid": "job-uid", "controller-uid": "job-uid", "batch.kubernetes.io/job-name": job, "job-name": job});
    let mut template = template();
    template["metadata"] = json!({"labels": labels});
    let metadata = json!({
        "name": job, "namespace": "default", "uid": "job-uid", "creationTimestamp": "2026-03-01T00:00:00Z", "labels": labels,
        "annotations": {"batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-03-01T00:00:00Z"}, "ownerReferences": owner("CronJob", name, UID),
    });
    let selector = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": "job-uid"}});
    let started = json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": metadata,
        "spec": {"completions": 1, "parallelism": 1, "backoffLimit": 6, "selector": selector, "template": template},
        "status": {"active": 1, "startTime": "2026-03-01T00:00:00Z"},
    });
    let metadata = json!({
        "name": format!("{}x7k2p", &job[..job.len().min(58)]), "generateName": format!("{job}-"), "namespace": "default", "uid": "pod-uid", "labels": labels,
        "creationTimestamp": "2026-03-01T00:00:00Z", "finalizers": ["batch.kubernetes.io/job-tracking"], "ownerReferences": owner("Job", &job, "job-uid"),
    });
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"], "status": {"phase": "Pending"}});
    let mut cron_job = cron_job(name, UID);
    cron_job["status"]["active"] =
        json!([{"apiVersion": "batch/v1", "kind": "Job", "name": job, "namespace": "default", "uid": "job-uid"}]);
    [cron_job, started, pod]
}

#[test]
fn pods_whose_names_are_cut_are_summed_up() {
    let ended = simulate(&run_of(&"a".repeat(52)), &["--skip-past", "--from", "2026-03-01T00:00:01Z"]).with_status(0);
    let (happened, _) = ended.stdout.split_once("\n\n").expect("an empty line comes before the runs");
    assert_eq!(happened.lines().filter(|line| !line.contains("cronjob")).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn a_run_that_the_cluster_started_is_timed_from_there() {
    let ended = simulate(&run_of("hello"), &["--skip-past", "--from", "2026-03-01T00:20:00Z"]).with_status(0);
    up_to_the_runs(
        &ended,
        &expect![[r#"
               0:00 cronjob hello: found

            Runs of cronjob hello: at 00:00, every day, in UTC
            SCHEDULED                   STARTED     TOOK     RESULT
            2026-03-01 00:00:00 +00:00  on time     20m2s    Complete
            Total: 1 scheduled, 1 started: 1 succeeded, 0 failed; 0 skipped; a run took 20m2s on average, 20m2s at most
        "#]],
    );
}
