//! `jobsmith rerun --replace` where the new Job does not come: what holds the old one up is printed, and no manifest is lost.
//!
//! Docs: `jobsmith rerun --help`; Finalizers. On a real API server it is in `by_hand.rs`.

use serde_json::{Value, json};

use super::server::{Answers, Server};
use crate::cluster::kubeconfig;
use crate::program::Folder;

const JOB: &str = "/apis/batch/v1/namespaces/default/jobs/pi";
const JOBS: &str = "/apis/batch/v1/namespaces/default/jobs";

fn job(finalizers: &[&str]) -> Value {
    let metadata = json!({"name": "pi", "namespace": "default", "uid": "u", "resourceVersion": "5", "finalizers": finalizers});
    let selector = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}});
    json!({"metadata": metadata, "spec": {"selector": selector}, "status": {"conditions": [{"type": "Complete", "status": "True"}]}})
}

fn status(code: u16, message: &str) -> (u16, String) {
    (code, json!({"kind": "Status", "code": code, "message": message}).to_string())
}

/// A watch that begins with these Jobs.
fn watched(jobs: &[Value]) -> (u16, String) {
    let notes = json!({"resourceVersion": "7", "annotations": {"k8s.io/initial-events-end": "true"}});
    let end = json!({"type": "BOOKMARK", "object": {"kind": "Job", "metadata": notes}});
    let jobs = jobs.iter().map(|job| json!({"type": "ADDED", "object": job}));
    (200, jobs.chain([end]).map(|line| format!("{line}\n")).collect())
}

/// A kubeconfig of a server with these answers.
fn stage(answers: Answers) -> (Folder, Server) {
    let (folder, server) = (Folder::new(), Server::start(answers));
    folder.write("config", kubeconfig(&server.address));
    (folder, server)
}

const REPLACE: [&str; 5] = ["rerun", "pi", "--replace", "--kubeconfig", "config"];

/// A finished Job that the API server does not let be created again.
fn refusing(method: &str, path: &str, _: usize) -> (u16, String) {
    match (method, path) {
        ("GET", JOB) => (200, job(&[]).to_string()),
        ("POST", _) => status(422, "the Job is invalid"),
        _ => status(500, "this was not to be requested"),
    }
}

#[test]
fn nothing_is_deleted_for_a_job_that_cannot_be_created() {
    let (folder, server) = stage(refusing);
    let ended = folder.run(&REPLACE).with_status(2);
    assert_eq!(ended.stderr, "error: cannot run the Job again: the Job is invalid; nothing was deleted\n");
    assert_eq!(server.count(&format!("DELETE {JOB}")), 0);
}

/// A finished Job that does not go, because of two finalizers and a pod's.
fn holding(method: &str, path: &str, _: usize) -> (u16, String) {
    let pod = |name: &str, finalizers: &[&str]| {
        let owner = json!({"apiVersion": "batch/v1", "kind": "Job", "name": "pi", "uid": "u", "controller": true});
        json!({"metadata": {"name": name, "namespace": "default", "uid": name, "finalizers": finalizers, "ownerReferences": [owner],
            "deletionTimestamp": "2026-01-02T03:04:05Z"}})
    };
    match (method, path) {
        ("GET", JOB) => (200, job(&[]).to_string()),
        ("GET", JOBS) => watched(&[job(&["foregroundDeletion", "example.com/a", "example.com/b"])]),
        ("GET", "/api/v1/namespaces/default/pods") => {
            let items = [pod("pi-quick", &[]), pod("pi-kept", &["example.com/keep"])];
            (200, json!({"metadata": {"resourceVersion": "7"}, "items": items}).to_string())
        }
        ("POST", JOBS) | ("DELETE", JOB) => (200, job(&[]).to_string()),
        _ => status(500, "this was not to be requested"),
    }
}

const WAITING: &str = "waiting for job pi and 2 pods to be gone: job pi has the finalizers example.com/a and example.com/b, \
    pod pi-kept has the finalizer example.com/keep, pod pi-quick is terminating\n";

/// What is printed about a manifest that was saved.
fn saved(reason: &str, file: &str) -> String {
    let remedy = format!("when job pi is gone, create it with\n  kubectl --kubeconfig config create -f {file}\n");
    format!("error: {reason}; the new Job has not been created. Its manifest is saved; {remedy}")
}

#[test]
fn what_holds_a_job_up_is_named_and_an_interruption_loses_nothing() {
    let (folder, server) = stage(holding);
    let waiting = folder.start(&REPLACE);
    waiting.wait_for_error(WAITING);
    waiting.signal("INT");
    let ended = waiting.end().with_status(130);
    assert_eq!((&*ended.stdout, ended.stderr), ("job.batch/pi deleted\n", WAITING.to_owned() + &saved("interrupted", "pi-rerun.yaml")));
    let manifest = folder.read("pi-rerun.yaml");
    assert!(manifest.contains("\n  name: pi\n  namespace: default\n") && manifest.contains("kind: Job\n"), "{manifest}");

    let ended = folder.run(&[&REPLACE[..], &["--timeout", "2s"]].concat()).with_status(3);
    assert_eq!(ended.stderr, WAITING.to_owned() + &saved("job pi is not gone after 2s", "pi-rerun-2.yaml"));
    assert_eq!(folder.read("pi-rerun-2.yaml"), manifest);
    assert_eq!(server.count(&format!("POST {JOBS}")), 2, "it was tried without effect");
}

/// A finished Job that does not go, and whose pods may not be listed.
fn secretive(method: &str, path: &str, times: usize) -> (u16, String) {
    match (method, path) {
        ("GET", "/api/v1/namespaces/default/pods") => status(403, "pods is forbidden"),
        ("GET", JOBS) => watched(&[job(&["foregroundDeletion"])]),
        _ => holding(method, path, times),
    }
}

#[test]
fn pods_that_may_not_be_listed_are_not_made_up() {
    let (folder, _server) = stage(secretive);
    let ended = folder.run(&[&REPLACE[..], &["--timeout", "1.5s"]].concat()).with_status(3);
    let waiting = "waiting for job pi to be gone: its pods cannot be listed\n";
    assert_eq!(ended.stderr, waiting.to_owned() + &saved("job pi is not gone after 1.5s", "pi-rerun.yaml"));
}

/// A Job that goes, and whose place is taken before the new one comes; pods may not be read.
fn taken(method: &str, path: &str, times: usize) -> (u16, String) {
    match (method, path) {
        ("GET", JOB) => (200, job(&[]).to_string()),
        ("GET", JOBS) => watched(&[]),
        ("POST", JOBS) if times > 0 => status(409, "jobs.batch \"pi\" already exists"),
        ("POST", JOBS) | ("DELETE", JOB) => (200, job(&[]).to_string()),
        _ => status(403, "forbidden"),
    }
}

#[test]
fn the_manifest_of_a_job_that_is_refused_in_the_end_is_saved() {
    let (folder, _server) = stage(taken);
    let ended = folder.run(&REPLACE).with_status(2);
    let reason = "cannot create the Job: jobs.batch \"pi\" already exists";
    assert_eq!((&*ended.stdout, ended.stderr), ("job.batch/pi deleted\n", saved(reason, "pi-rerun.yaml")));
    assert!(folder.read("pi-rerun.yaml").contains("kind: Job\n"));
}

#[test]
fn a_timeout_needs_a_job_that_is_replaced() {
    let refused = Folder::new().run(&["rerun", "pi", "--timeout", "1s"]).with_status(2).stderr;
    assert!(refused.contains("--replace"), "{refused}");
}
