//! `jobsmith run` from end to end: the program, real processes, real time.
//!
//! Docs: Jobs; `jobsmith run --help`. Jobs are short here: whatever waits for back-off is played on virtual time elsewhere.

mod cron_jobs;
mod ends;
mod interruption;
mod output;
mod pods;

use serde_json::{Value, json};

use crate::program::Folder;

/// A Job of this name; `pod` is the spec of its pods.
fn job(name: &str, mut spec: Value, pod: Value) -> String {
    spec["template"] = json!({ "spec": pod });
    json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": spec}).to_string()
}

/// A container that runs a script.
fn container(name: &str, script: &str) -> Value {
    json!({"name": name, "image": "busybox", "command": ["/bin/sh", "-c", script]})
}

/// A pod whose one container runs a script, once.
fn pod(script: &str) -> Value {
    json!({"restartPolicy": "Never", "containers": [container("main", script)]})
}

/// A folder with a Job in `job.yaml`.
fn folder(name: &str, spec: Value, pod: Value) -> Folder {
    let folder = Folder::new();
    folder.write("job.yaml", job(name, spec, pod));
    folder
}
