//! Jobs as people write them, drawn from a seed: all kinds of specs, small numbers.
//!
//! Docs: Jobs, "Writing a Job spec". What their pods do is drawn in `scripts.rs`.

use api::Kind;
use api::request::Request;
use cluster::rng::Rng;
use serde_json::{Map, Value, json};

use crate::interventions::NAMESPACE;

/// The names that containers may have: two for the first container of a pod, two for the second, one for an init container, one for a sidecar.
pub(crate) const CONTAINERS: [&str; 6] = ["main", "work", "other", "side", "first", "log"];

/// The label of Jobs that choose their pods themselves.
pub(crate) const OWN_LABEL: &str = "own";

/// The request that creates a Job of this name.
pub(crate) fn creation(dice: &mut Rng, name: &str) -> Request {
    let indexed = dice.below(9) < 4;
    let mut spec = Map::new();
    let mut template = json!({"spec": pod_spec(dice)});
    let never = template["spec"]["restartPolicy"] == "Never";
    numbers(dice, &mut spec, indexed);
    limits(dice, &mut spec, indexed);
    policies(dice, &mut spec, indexed, never.then(|| names_of_containers(&template["spec"])));
    if dice.one_in(20) && !spec.contains_key("podFailurePolicy") {
        // With a policy that ignores what the deadline does to pods, there would be no end to them.
        template["spec"]["activeDeadlineSeconds"] = (1 + dice.below(20)).into();
    }
    if dice.one_in(8) {
        spec.insert("manualSelector".to_owned(), true.into());
        spec.insert("selector".to_owned(), json!({"matchLabels": {"app": OWN_LABEL}}));
        template["metadata"] = json!({"labels": {"app": OWN_LABEL}});
    }
    spec.insert("template".to_owned(), template);
    let mut metadata = json!({"name": name});
    if dice.one_in(12) {
        metadata["finalizers"] = json!(["example.com/hold"]);
    }
    let job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec});
    Request::create(Kind::Job, NAMESPACE, job.to_string())
}

fn pod_spec(dice: &mut Rng) -> Value {
    let mut containers = vec![json!({"name": dice.pick(&CONTAINERS[..2]), "image": "none"})];
    if dice.one_in(6) {
        containers.push(json!({"name": dice.pick(&CONTAINERS[2..4]), "image": "none"}));
    }
    let mut spec = json!({
        "restartPolicy": if dice.one_in(4) { "OnFailure" } else { "Never" },
        "terminationGracePeriodSeconds": dice.pick(&[0, 1, 7, 30]),
        "containers": containers,
    });
    match dice.below(16) {
        0 => spec["initContainers"] = json!([{"name": CONTAINERS[4], "image": "none"}]),
        1 => spec["initContainers"] = json!([{"name": CONTAINERS[5], "image": "none", "restartPolicy": "Always"}]),
        _ => {}
    }
    spec
}

fn numbers(dice: &mut Rng, spec: &mut Map<String, Value>, indexed: bool) {
    let completions = *dice.pick(&[0, 1, 1, 2, 2, 3, 3, 4, 5]);
    if indexed {
        spec.insert("completionMode".to_owned(), "Indexed".into());
    }
    if indexed || !dice.one_in(4) {
        spec.insert("completions".to_owned(), completions.into());
    }
    if indexed && dice.one_in(2) {
        spec.insert("parallelism".to_owned(), completions.into());
    } else if !dice.one_in(4) {
        spec.insert("parallelism".to_owned(), (*dice.pick(&[0, 1, 1, 2, 2, 3, 4])).into());
    }
    if dice.one_in(10) {
        spec.insert("suspend".to_owned(), true.into());
    }
    if dice.one_in(25) {
        let manager = *dice.pick(&["example.com/other", api::meta::names::BUILT_IN_CONTROLLER]);
        spec.insert("managedBy".to_owned(), manager.into());
    }
}

fn limits(dice: &mut Rng, spec: &mut Map<String, Value>, indexed: bool) {
    if !dice.one_in(3) {
        spec.insert("backoffLimit".to_owned(), dice.below(5).into());
    }
    if dice.one_in(6) {
        spec.insert("activeDeadlineSeconds".to_owned(), (*dice.pick(&[1, 5, 30, 120, 900])).into());
    }
    if indexed && dice.one_in(2) {
        spec.insert("backoffLimitPerIndex".to_owned(), dice.below(3).into());
        if dice.one_in(2) {
            let completions = spec.get("completions").and_then(Value::as_u64).unwrap_or(0);
            spec.insert("maxFailedIndexes".to_owned(), dice.below(3).min(completions).into());
        }
    }
}

/// `containers`: those that a failure policy may name, if there may be one.
fn policies(dice: &mut Rng, spec: &mut Map<String, Value>, indexed: bool, containers: Option<Vec<String>>) {
    let containers = containers.filter(|_| dice.one_in(3));
    let failure_policy = containers.is_some();
    if let Some(containers) = containers {
        let per_index = spec.contains_key("backoffLimitPerIndex");
        let rules: Vec<Value> = (0..dice.below(3) + 1).map(|_| failure_rule(dice, per_index, &containers)).collect();
        spec.insert("podFailurePolicy".to_owned(), json!({"rules": rules}));
    }
    if dice.one_in(4) {
        spec.insert("podReplacementPolicy".to_owned(), "Failed".into());
    } else if !failure_policy && dice.one_in(3) {
        spec.insert("podReplacementPolicy".to_owned(), "TerminatingOrFailed".into());
    }
    let completions = spec.get("completions").and_then(Value::as_u64).unwrap_or(0);
    if indexed && completions >= 2 && dice.one_in(3) {
        let rules = [
            json!({"succeededCount": 1}),
            json!({"succeededCount": 2}),
            json!({"succeededIndexes": "0"}),
            json!({"succeededIndexes": "1"}),
            json!({"succeededIndexes": "0-1", "succeededCount": 1}),
        ];
        let rules: Vec<&Value> = (0..dice.below(2) + 1).map(|_| dice.pick(&rules)).collect();
        spec.insert("successPolicy".to_owned(), json!({"rules": rules}));
    }
}

fn names_of_containers(pod: &Value) -> Vec<String> {
    let containers = ["containers", "initContainers"].iter().flat_map(|list| pod[list].as_array().into_iter().flatten());
    containers.filter_map(|container| container["name"].as_str()).map(str::to_owned).collect()
}

fn failure_rule(dice: &mut Rng, per_index: bool, containers: &[String]) -> Value {
    let actions = if per_index { &["FailJob", "Ignore", "Count", "FailIndex"][..] } else { &["FailJob", "Ignore", "Count"] };
    let action = *dice.pick(actions);
    let name = dice.pick(containers);
    match dice.below(4) {
        0 => json!({"action": action, "onExitCodes": {"operator": "In", "values": dice.pick(&[&[1][..], &[2, 3], &[42]])}}),
        1 => json!({"action": action, "onExitCodes": {"containerName": name, "operator": "NotIn", "values": [1, 2]}}),
        2 => json!({"action": action, "onExitCodes": {"operator": "NotIn", "values": dice.pick(&[&[1][..], &[3, 42]])}}),
        _ => json!({"action": action, "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}),
    }
}
