//! The TTL-after-finished controller on a real API server.
//!
//! Docs: Automatic Cleanup for Finished Jobs, "Cleanup for finished Jobs" (T-06, T-09…T-11).

use api::request::Request;
use api::{Kind, Text};
use serde_json::{Value, json};

use super::Stage;
use crate::program::wait_until;

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn finished_jobs_are_deleted_when_their_ttl_is_over() {
    let stage = Stage::new();
    let ours = |ttl: Value| json!({"managedBy": "jobsmith.dev/controller", "ttlSecondsAfterFinished": ttl});
    stage.create("default", "brief", ours(json!(1)));
    stage.create("default", "kept", ours(json!(3600)));
    stage.create("default", "plain", ours(Value::Null));
    let controller = stage.start("controller --controllers job,ttl --leader-elect=false");
    // The cluster of the tests collects no garbage: what is deleted in the foreground stays until its pods are deleted.
    let deleting = |name: &str| stage.job("default", name)["metadata"]["deletionTimestamp"].is_string();
    wait_until(|| deleting("brief"), || format!("brief is deleted: {}", stage.job("default", "brief")));
    let finalizers = |name: &str| stage.job("default", name)["metadata"]["finalizers"].clone();
    assert_eq!(finalizers("brief"), json!(["foregroundDeletion"]), "its pods go first (T-10)");
    wait_until(|| !stage.job("default", "kept")["status"]["completionTime"].is_null(), || "kept finishes".to_owned());
    assert!(!deleting("kept") && !deleting("plain"));
    let explained = stage.run("explain job/kept", 0).stdout;
    assert!(explained.contains("Keeping the Job until ") && explained.contains("it then decides:\n  ● Deleting the Job"), "{explained}");
    let shorten: Text = json!({"spec": {"ttlSecondsAfterFinished": 0}}).to_string().into();
    let mut request = Request::patch(Kind::Job, "default", "kept", shorten.to_string());
    request.content_type = api::request::ContentType::MergePatch;
    stage.eyes.ask(&request);
    wait_until(|| deleting("kept"), || "a TTL that is shortened counts at once (T-11)".to_owned());
    assert!(!deleting("plain"));
    controller.signal("TERM");
    let log = controller.end().with_status(0).stderr;
    assert!(log.contains("Deleting the Job: it finished") && !log.contains("WARN"), "{log}");
}
