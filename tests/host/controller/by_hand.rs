//! `jobsmith trigger`, `rerun` and `explain cronjob` on a real API server: a run by hand is the one that kubectl starts, a policy is respected when that
//! is asked for, and a Job that has finished runs once more.
//!
//! Docs: kubectl create job; CronJob, "Concurrency policy"; Garbage Collection, "Foreground cascading deletion". What the Jobs are made of is tested
//! beside `crates/api/src/manual.rs`, what is left where a Job cannot be replaced in `replacing.rs`.

use api::Kind;
use api::request::{ContentType, Method, Request};
use serde_json::{Value, json};

use super::Stage;
use crate::program::{Folder, wait_until};

impl Stage {
    /// Creates a CronJob that is suspended, whose Jobs our controller runs.
    fn create_cron_job(&self, name: &str, spec: &Value) {
        let template = json!({"metadata": {"labels": {"tier": "back"}},
            "spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]}});
        let job = json!({"metadata": {"labels": {"app": "a"}, "annotations": {"b": "c"}},
            "spec": {"managedBy": "jobsmith.dev/controller", "backoffLimit": 2, "template": template}});
        let mut spec = spec.clone();
        (spec["suspend"], spec["jobTemplate"]) = (json!(true), job);
        let cron_job =
            json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name, "labels": {"its": "own"}}, "spec": spec});
        self.eyes.ask(&Request::create(Kind::CronJob, "default", cron_job.to_string()));
    }

    fn patch(&self, kind: Kind, name: &str, patch: &Value) {
        let mut request = Request::patch(kind, "default", name, patch.to_string());
        request.content_type = ContentType::MergePatch;
        self.eyes.ask(&request);
    }

    /// The names of all Jobs.
    fn jobs(&self) -> Vec<String> {
        let listed = self.eyes.ask(&Request::get(api::request::path(Kind::Job, "default", "", "")));
        let name = |job: &Value| job["metadata"]["name"].as_str().expect("a Job has a name").to_owned();
        listed["items"].as_array().expect("it is a list").iter().map(name).collect()
    }
}

/// The Job that was created, from what was printed.
fn created(stdout: &str) -> &str {
    let name = stdout.lines().find_map(|line| line.strip_prefix("job.batch/")?.strip_suffix(" created"));
    name.unwrap_or_else(|| panic!("nothing was created: {stdout}"))
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_run_by_hand_is_the_one_that_kubectl_starts() {
    let stage = Stage::new();
    stage.create_cron_job("nightly", &json!({"schedule": "0 3 * * *"}));
    stage.cluster.kubectl_output(&["create", "job", "theirs", "--from=cronjob/nightly"]);
    stage.run("trigger cronjob/nightly --name mine", 0);
    let comparable = |name: &str| {
        let mut job = stage.job("default", name);
        let metadata = job["metadata"].as_object_mut().expect("it has metadata");
        let uid = metadata["uid"].as_str().expect("it has a UID").to_owned();
        ["managedFields", "creationTimestamp", "resourceVersion"].iter().for_each(|field| drop(metadata.remove(*field)));
        let text = job.to_string().replace(&uid, "UID").replace(&format!("\"{name}\""), "\"NAME\"");
        serde_json::from_str::<Value>(&text).expect("it still is JSON")
    };
    assert_eq!(comparable("mine"), comparable("theirs"));
    let shown = stage.run("trigger nightly --dry-run", 0).stdout;
    stage.folder.write("shown.yaml", &shown);
    let file = stage.folder.path().join("shown.yaml");
    let taken = stage.cluster.kubectl_output(&["create", "-f", file.to_str().expect("the path is text")]);
    assert!(shown.contains("generateName: nightly-manual-") && taken.contains("job.batch/nightly-manual-"), "{shown}{taken}");
    let taken = stage.run("trigger cronjob/nightly --name mine", 2).stderr;
    assert!(taken.ends_with("\"mine\" already exists; choose another name with --name\n"), "{taken}");
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_policy_is_respected_where_that_is_asked_for() {
    let stage = Stage::new();
    stage.create_cron_job("nightly", &json!({"schedule": "0 3 * * *", "concurrencyPolicy": "Forbid"}));
    stage.create_cron_job("other", &json!({"schedule": "0 3 * * *"}));
    stage.run("trigger other --name foreign --respect-policy", 0);
    let first = created(&stage.run("trigger nightly --respect-policy", 0).stdout).to_owned();
    assert!(first.starts_with("nightly-manual-") && first.len() == "nightly-manual-".len() + 5, "{first}");
    let refused = stage.run("trigger nightly --respect-policy", 3).stderr;
    let reason = "the concurrencyPolicy of cronjob nightly is Forbid: wait, or leave out --respect-policy";
    assert_eq!(refused, format!("error: job {first} is still running, and {reason}\n"));
    stage.run("trigger nightly --name second", 0);
    stage.patch(Kind::CronJob, "nightly", &json!({"spec": {"concurrencyPolicy": "Replace"}}));
    let noted = stage.run("trigger nightly --respect-policy --dry-run", 0).stderr;
    assert_eq!(noted.matches(" would be deleted first, as the concurrencyPolicy is Replace\n").count(), 2, "{noted}");
    assert_eq!(stage.jobs().len(), 3);
    stage.run("trigger nightly --name third --respect-policy", 0);
    assert_eq!(stage.jobs(), ["foreign", "third"]);
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_job_that_has_finished_runs_once_more() {
    let stage = Stage::new();
    let controller = stage.start("controller --controllers job --leader-elect=false");
    // Commands have their own output.
    let here = Stage { folder: Folder::new(), ..stage };
    here.cluster.give_kubeconfig(&here.folder);
    here.create_cron_job("nightly", &json!({"schedule": "0 3 * * *"}));
    let waited = here.run("trigger nightly --name first --wait", 0).stdout;
    assert!(waited.starts_with("job.batch/first created\njob first is Complete: CompletionsReached: "), "{waited}");
    let second = created(&here.run("rerun job/first --wait", 0).stdout).to_owned();
    let (before, after) = (here.job("default", "first"), here.job("default", &second));
    assert!(second.starts_with("first-rerun-") && after["metadata"]["ownerReferences"].is_null(), "{after}");
    assert_ne!(before["spec"]["selector"], after["spec"]["selector"]);
    for part in ["backoffLimit", "managedBy", "completions"] {
        assert_eq!(before["spec"][part], after["spec"][part]);
    }
    here.create("default", "endless", json!({"suspend": true}));
    let refused = here.run("rerun job/endless", 3).stderr;
    assert_eq!(refused, "error: job endless has not finished: wait until it has, or pass --force\n");
    here.run("rerun job/endless --force --name another", 0);

    let replacing = here.start("rerun job/first --replace");
    let deleting = || here.job("default", "first")["metadata"]["deletionTimestamp"].is_string();
    wait_until(deleting, || "it is deleted first".to_owned());
    // The cluster of the tests collects no garbage: what is deleted in the foreground stays until it is released.
    here.patch(Kind::Job, "first", &json!({"metadata": {"finalizers": null}}));
    let replaced = replacing.end().with_status(0).stdout;
    assert_eq!(replaced, "job.batch/first deleted\njob.batch/first created\n");
    assert_ne!(here.job("default", "first")["metadata"]["uid"], before["metadata"]["uid"]);
    controller.signal("TERM");
    controller.end().with_status(0);
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn the_last_runs_of_a_cron_job_are_explained_and_a_job_without_reading_cron_jobs() {
    let stage = Stage::new();
    stage.create_cron_job("nightly", &json!({"schedule": "@every 1s", "concurrencyPolicy": "Forbid"}));
    let explained = || stage.run("explain cronjob/nightly", 0).stdout;
    wait_until(|| explained().contains(" was not started; the CronJob is suspended (C-18)\n"), explained);
    let text = explained();
    assert!(
        text.starts_with("CronJob nightly is waiting: it is suspended\n  help: resume it: kubectl patch cronjob nightly -n default "),
        "{text}"
    );
    assert!(text.contains("\n\ncronjob nightly, suspended: @every 1s: every 1s, counted from the last run, in UTC\nIts last "), "{text}");
    assert!(text.contains("the CronJob controller would decide:\n  ○ Not starting Jobs: the CronJob is suspended\n"), "{text}");
    assert!(!text.contains("It waits only for changes to the CronJob and its Jobs.\n"), "{text}");
    let programs = stage.run("explain cj/nightly -o json", 0).objects();
    assert_eq!((&programs[0]["cronjob"], &programs[0]["manager"]), (&json!("nightly"), &Value::Null));

    stage.run("trigger nightly --name by-hand", 0);
    let job = stage.job("default", "by-hand");
    let condition = json!({"type": "Complete", "status": "True", "lastTransitionTime": job["metadata"]["creationTimestamp"]});
    let target = json!({"type": "SuccessCriteriaMet", "status": "True", "lastTransitionTime": job["metadata"]["creationTimestamp"]});
    let (mut ended, at) = (job.clone(), job["metadata"]["creationTimestamp"].clone());
    ended["status"] = json!({"startTime": at, "completionTime": at, "succeeded": 1, "conditions": [target, condition]});
    let path = api::request::path(Kind::Job, "default", "by-hand", "status");
    stage.eyes.ask(&Request { method: Method::Put, path, content_type: ContentType::Json, body: ended.to_string() });
    stage.patch(Kind::Job, "by-hand", &json!({"spec": {"ttlSecondsAfterFinished": 3600}}));
    let reader = |arguments: &[&str]| stage.cluster.kubectl_output(arguments);
    reader(&["create", "role", "reader", "--verb=get,list,watch", "--resource=jobs.batch,pods"]);
    reader(&["create", "rolebinding", "reader", "--role=reader", "--user=reader"]);
    let config = stage.folder.read("config");
    let narrow = Folder::new();
    narrow.write("config", config.replace("    token: ", "    as: reader\n    token: "));
    let explained = narrow.run(&["explain", "job/by-hand", "--kubeconfig", "config"]).with_status(0).stdout;
    assert!(explained.contains("Keeping the Job until ") && explained.contains("(T-06); spec.ttlSecondsAfterFinished\n"), "{explained}");
    let history = "CronJob nightly may delete the Job earlier, because of its history limits: see jobsmith explain cronjob/nightly\n";
    assert!(explained.ends_with(history), "{explained}");
    let refused = narrow.run(&["explain", "cronjob/nightly", "--kubeconfig", "config"]).with_status(2).stderr;
    assert!(refused.starts_with("error: cannot read cronjob default/nightly: permission denied: cronjobs.batch \"nightly\""), "{refused}");
}
