//! A Job that is replaced by another one of its name while the creation of its first pod is under way: what the first one waits for does not hold up the second.
//!
//! Docs: Jobs, "Handling Pod and container failures" (J-08, J-31). It is what Kubernetes' own suite holds a request back for, in its own process; here the proxy
//! does.

use std::time::Duration;

use api::Kind;
use api::request::{ContentType, Method, path};
use serde_json::{Value, json};

use super::Stage;
use crate::program::wait_until;

/// How long it takes at most until the pods of the second Job are there: far less than anybody waits for a pod that no watch shows.
const SOON: Duration = Duration::from_secs(15);

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_job_that_replaces_another_one_waits_for_none_of_its_pods() {
    replaces("recreation", false);
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn a_suspended_job_that_replaces_another_one_waits_for_none_of_its_pods() {
    replaces("recreation-suspended", true);
}

fn replaces(test: &str, suspended: bool) {
    let stage = Stage::new(test, 1, 1);
    stage.proxies.hold_creations(true);
    let first = create(&stage, false);
    wait_until(|| stage.proxies.held() == 1, || "the first pod is being created".to_owned());
    let options = json!({"propagationPolicy": "Background"});
    stage.request(Method::Delete, &path(Kind::Job, "default", "again", ""), &options);
    let second = create(&stage, suspended);
    assert_ne!(first, second);
    // The watch shows both to the controller before the creation goes through.
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(stage.proxies.held(), 1, "the plan for the first Job is under way, and no other one");
    stage.proxies.hold_creations(false);
    if suspended {
        let halted = || stage.status("again")["conditions"][0]["type"] == "Suspended";
        wait_until(halted, || format!("the Job is suspended: {}", stage.status("again")));
        assert_eq!(pods_of(&stage, &second), 0);
        let resume = json!({"spec": {"suspend": false}});
        let mut request = api::request::Request::patch(Kind::Job, "default", "again", resume.to_string());
        request.content_type = ContentType::MergePatch;
        stage.eyes.ask(&request);
    }
    let begin = std::time::Instant::now();
    wait_until(|| pods_of(&stage, &second) == 2, || format!("the Job has its pods: {}", stage.status("again")));
    assert!(begin.elapsed() < SOON, "it took {:?}", begin.elapsed());
    let succeeded = || stage.status("again")["succeeded"] == 2;
    wait_until(succeeded, || format!("the Job counts its pods: {}", stage.status("again")));
}

/// Creates a Job of two pods; returns its UID.
fn create(stage: &Stage, suspended: bool) -> String {
    let template = json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}]}});
    let job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "again"}, "spec": {
        "managedBy": "jobsmith.dev/controller", "completions": 2, "parallelism": 2, "suspend": suspended, "template": template}});
    let created = stage.request(Method::Post, &path(Kind::Job, "default", "", ""), &job);
    created["metadata"]["uid"].as_str().expect("the server gives it a UID").to_owned()
}

/// How many pods the Job of a UID has.
fn pods_of(stage: &Stage, uid: &str) -> usize {
    let own = |pod: &&Value| pod["metadata"]["ownerReferences"][0]["uid"] == *uid && pod["status"]["phase"] != "Failed";
    stage.pods().iter().filter(own).count()
}
