//! Jobs that people start by hand: a run of a CronJob, and a Job that has finished once more.
//!
//! Docs: `kubectl create job --from`; CronJob, "Job template"; Jobs, "Specifying your own Pod selector". What is sent and waited for is in
//! `host/jobsmith/src/on_cluster/trigger.rs` and `host/jobsmith/src/on_cluster/rerun.rs`.

use serde_json::{Map, Value, json};

use crate::meta::names;
use crate::{Kind, job};

/// How long a Job's name may be, as its pods have it as a label.
const LONGEST_NAME: usize = 63;
/// How many characters the API server adds to a `generateName`.
const GENERATED: usize = 5;

/// Labels that the API server gives a Job's pods; those of another Job do not fit.
const GENERATED_LABELS: [&str; 4] = [names::CONTROLLER_UID, names::LEGACY_CONTROLLER_UID, names::JOB_NAME, names::LEGACY_JOB_NAME];
/// What `kubectl apply` remembers of an object; it names the object.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The Job that `kubectl create job --from=cronjob/NAME` creates; without a name, the API server makes up one that begins with the CronJob's.
#[must_use]
pub fn from_cron_job(cron_job: &Value, name: Option<&str>) -> Value {
    let (owner, template) = (&cron_job["metadata"], &cron_job["spec"]["jobTemplate"]);
    let mut metadata = Map::new();
    let mut annotations = json!({"cronjob.kubernetes.io/instantiate": "manual"});
    let own = template["metadata"]["annotations"].as_object().into_iter().flatten();
    own.for_each(|(key, value)| annotations[key] = value.clone());
    metadata.insert("annotations".to_owned(), annotations);
    if let Some(labels) = template["metadata"]["labels"].as_object() {
        metadata.insert("labels".to_owned(), json!(labels));
    }
    // It does not block the owner's deletion: that would take the right to change the owner's finalizers.
    let reference = json!({
        "apiVersion": Kind::CronJob.api_version(), "kind": Kind::CronJob.name(),
        "name": owner["name"], "uid": owner["uid"], "controller": true,
    });
    metadata.insert("ownerReferences".to_owned(), json!([reference]));
    job(owner, metadata, "manual", name, template["spec"].clone())
}

/// A Job that does again what this one did; without a name, the API server makes up one that begins with this one's.
#[must_use]
pub fn again(finished: &Value, name: Option<&str>) -> Value {
    let (before, mut spec) = (&finished["metadata"], finished["spec"].clone());
    let mut metadata = Map::new();
    for part in ["labels", "annotations", "ownerReferences", "finalizers"] {
        metadata.insert(part.to_owned(), before[part].clone());
    }
    let renamed = before["name"].as_str() != name;
    let of_its_own = |key: &str| key != names::SCHEDULED_TIMESTAMP && !(renamed && key == LAST_APPLIED);
    keep_keys(&mut metadata["annotations"], of_its_own);
    keep_items(&mut metadata["ownerReferences"], |owner| owner["kind"] != Kind::CronJob.name());
    keep_items(&mut metadata["finalizers"], |finalizer| !names::DELETION_FINALIZERS.iter().any(|own| finalizer == own));
    if spec["manualSelector"] != true {
        spec.as_object_mut().map(|spec| spec.remove("selector"));
        for labels in [metadata.get_mut("labels"), spec.pointer_mut("/template/metadata/labels")].into_iter().flatten() {
            keep_keys(labels, |key| !GENERATED_LABELS.contains(&key));
        }
    }
    metadata.retain(|_, part| !empty(part));
    job(before, metadata, "rerun", name, spec)
}

/// The same Job without the object that owns it, for where that does not exist.
#[must_use]
pub fn without_owner(mut job: Value) -> Value {
    job["metadata"].as_object_mut().map(|metadata| metadata.remove("ownerReferences"));
    job
}

/// A Job in the namespace of the object that it comes from.
fn job(source: &Value, mut metadata: Map<String, Value>, why: &str, name: Option<&str>, spec: Value) -> Value {
    metadata.insert("namespace".to_owned(), source["namespace"].clone());
    match name {
        Some(name) => metadata.insert("name".to_owned(), name.into()),
        None => metadata.insert("generateName".to_owned(), start_of_name(source, why, &spec).into()),
    };
    json!({"apiVersion": Kind::Job.api_version(), "kind": Kind::Job.name(), "metadata": metadata, "spec": spec})
}

/// What a name begins with: `NAME-manual-`, with the name cut so that the rest and the highest index fit.
fn start_of_name(source: &Value, why: &str, spec: &Value) -> String {
    let highest = spec["completions"].as_u64().filter(|_| spec["completionMode"] == job::INDEXED).map(|number| number.saturating_sub(1));
    let index = highest.map_or(0, |highest| format!("-{highest}").len());
    let end = format!("-{why}-");
    let room = LONGEST_NAME.saturating_sub(end.len() + GENERATED + index);
    let name: String = source["name"].as_str().unwrap_or_default().chars().take(room).collect();
    name.trim_end_matches(['-', '.']).to_owned() + &end
}

fn keep_keys(map: &mut Value, keep: impl Fn(&str) -> bool) {
    if let Some(map) = map.as_object_mut() {
        map.retain(|key, _| keep(key));
    }
}

fn keep_items(list: &mut Value, keep: impl Fn(&Value) -> bool) {
    if let Some(list) = list.as_array_mut() {
        list.retain(keep);
    }
}

fn empty(part: &Value) -> bool {
    part.is_null() || part.as_object().is_some_and(Map::is_empty) || part.as_array().is_some_and(Vec::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cron_job(name: &str, spec: Value) -> Value {
        let metadata = json!({"labels": {"app": "a"}, "annotations": {"b": "c"}, "finalizers": ["d/e"]});
        let template = json!({"metadata": metadata, "spec": spec});
        json!({"metadata": {"name": name, "namespace": "team-a", "uid": "u", "labels": {"its": "own"}}, "spec": {"jobTemplate": template}})
    }

    #[test]
    fn a_run_by_hand_has_the_template_and_its_owner() {
        let metadata = json!({
            "generateName": "k-manual-", "namespace": "team-a", "labels": {"app": "a"},
            "annotations": {"b": "c", "cronjob.kubernetes.io/instantiate": "manual"},
            "ownerReferences": [{"apiVersion": "batch/v1", "kind": "CronJob", "name": "k", "uid": "u", "controller": true}],
        });
        let expected = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {"parallelism": 2}});
        assert_eq!(from_cron_job(&cron_job("k", json!({"parallelism": 2})), None), expected);
        let named = from_cron_job(&cron_job("k", json!({})), Some("mine"));
        assert_eq!((&named["metadata"]["name"], &named["metadata"]["generateName"]), (&json!("mine"), &Value::Null));
    }

    #[test]
    fn names_leave_room_for_their_ends() {
        let start =
            |name: &str, spec: Value| from_cron_job(&cron_job(name, spec), None)["metadata"]["generateName"].as_str().unwrap().to_owned();
        assert_eq!(start(&"x".repeat(52), json!({})), "x".repeat(50) + "-manual-");
        assert_eq!(start(&format!("{}.y", "x".repeat(49)), json!({})), "x".repeat(49) + "-manual-");
        let indexed = json!({"completionMode": "Indexed", "completions": 1000});
        assert_eq!(start(&"x".repeat(52), indexed).len() + GENERATED + "-999".len(), LONGEST_NAME);
    }

    fn finished(manual_selector: bool) -> Value {
        let labels = json!({"app": "a", "controller-uid": "u", "batch.kubernetes.io/controller-uid": "u", "job-name": "pi", "batch.kubernetes.io/job-name": "pi"});
        let owner = |kind: &str| json!({"apiVersion": "a/v1", "kind": kind, "name": "k", "uid": "o"});
        json!({
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {
                "name": "pi", "namespace": "team-a", "uid": "u", "resourceVersion": "7", "generation": 2, "creationTimestamp": "2026-01-02T12:00:00Z",
                "labels": labels, "annotations": {LAST_APPLIED: "{}", names::SCHEDULED_TIMESTAMP: "2026-01-02T12:00:00Z"},
                "ownerReferences": [owner("CronJob"), owner("Workflow")], "finalizers": ["foregroundDeletion", "example.com/hold"],
                "managedFields": [],
            },
            "spec": {"manualSelector": manual_selector, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}},
            "status": {"succeeded": 1},
        })
    }

    #[test]
    fn a_job_that_runs_again_leaves_behind_what_was_made_for_it() {
        let metadata = json!({
            "generateName": "pi-rerun-", "namespace": "team-a", "labels": {"app": "a"},
            "ownerReferences": [{"apiVersion": "a/v1", "kind": "Workflow", "name": "k", "uid": "o"}], "finalizers": ["example.com/hold"],
        });
        let spec = json!({"manualSelector": false, "template": {"metadata": {"labels": {"app": "a"}}}});
        let expected = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec});
        assert_eq!(again(&finished(false), None), expected);
        let kept = again(&finished(false), Some("pi"));
        assert_eq!(kept["metadata"]["annotations"], json!({LAST_APPLIED: "{}"}), "it still is what was applied");
    }

    #[test]
    fn a_selector_of_its_own_stays() {
        let (before, after) = (finished(true), again(&finished(true), None));
        assert_eq!((&after["spec"], &after["metadata"]["labels"]), (&before["spec"], &before["metadata"]["labels"]));
    }
}
