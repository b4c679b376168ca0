//! Pod templates, beside upstream's code: verdicts, fields and texts of what is refused, and warnings.
//!
//! Docs: Jobs, "Pod Template". Valid templates are in `templates.yaml`; `mutations.rs` changes them, and `agreement.rs` counts where both agree.

mod agreement;
mod mutations;
mod reported;

use std::collections::BTreeSet;

use admission::{preparation, validation};
use api::{Job, Kind};
use cluster::rng::Rng;
use core_tests::built;
use core_tests::oracle::Oracle;
use core_tests::summary::{number, print};
use serde_json::{Value, json};

use super::requests::{edited, edits, merge};
use super::{choices, cron_jobs};
use agreement::Agreement;
use mutations::Mutations;

/// How many requests of each kind are compared; the environment variable `POD_TEMPLATES` chooses another number of creations.
const CREATIONS: u64 = 20_000;
const UPDATES: usize = 5_000;
/// How many manifests have what is refused of them explained.
const EXPLAINED: u64 = 3_000;
/// How many questions the oracle is sent at once.
const BATCH: usize = 500;

const TEMPLATES: &str = include_str!("templates.yaml");

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn pod_templates_are_admitted_as_upstream_does() {
    let templates = templates();
    let mutations = Mutations::of(&templates);
    let creation = |seed| {
        let mut dice = Rng::new(seed);
        let mut object = object(&mut dice, &templates);
        mutations.apply(&mut object["spec"], &mut dice);
        json!({"op": "create", "object": object})
    };
    compare("creations", (0..number("POD_TEMPLATES", CREATIONS)).map(creation));
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn changes_of_pod_templates_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let templates = templates();
    let mutations = Mutations::of(&templates);
    let update = |seed| {
        let mut dice = Rng::new(seed);
        let old = stored(&mut oracle, &object(&mut dice, &templates))?;
        let mut object = old.clone();
        mutations.apply(&mut object["spec"], &mut dice);
        Some(json!({"op": "update", "old": old, "object": object}))
    };
    compare("updates", (0..).filter_map(update).take(UPDATES));
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn statuses_of_jobs_with_all_kinds_of_pods_are_admitted_as_upstream_does() {
    let mut oracle = Oracle::start();
    let templates = templates();
    let update = |seed| {
        let mut dice = Rng::new(seed);
        let old = stored(&mut oracle, &job(&mut dice, &templates))?;
        let old = edited(&old, &edits(&mut dice, choices::STATUSES));
        let object = edited(&old, &edits(&mut dice, choices::STATUSES));
        Some(json!({"op": "status", "old": old, "object": object}))
    };
    compare("status updates", (0..).filter_map(update).take(UPDATES));
}

/// However a manifest is mutated: each error has a place in it, and says what to do.
#[test]
fn what_is_refused_of_pod_templates_has_a_place_and_a_remedy() {
    let templates = templates();
    let mutations = Mutations::of(&templates);
    let mut without = BTreeSet::new();
    let mut found = 0;
    for seed in 0..EXPLAINED {
        let mut dice = Rng::new(seed);
        let mut manifest = job(&mut dice, &templates);
        mutations.apply(&mut manifest["spec"], &mut dice);
        let text = manifest.to_string();
        let Ok(mut job) = serde_json::from_str::<Job>(&text) else { continue };
        preparation::prepare_create(&mut job);
        let errors = validation::job::create(&job);
        // What cannot be decoded is for strict decoding to report.
        if errors.iter().any(|error| error.field == "spec.template") {
            continue;
        }
        let refusal = validation::refusal(Kind::Job, "pi", &errors);
        let documents = manifest::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for diagnostic in manifest::refusals(&documents[0], &refusal) {
            found += 1;
            if diagnostic.position.line == 0 || diagnostic.remedy.is_none() {
                without.insert(diagnostic.to_string());
            }
        }
    }
    print(&format!("pod templates: {found} diagnostics with a place and a remedy"));
    assert_eq!(without, BTreeSet::new());
}

/// Compares the answers to all questions, prints where they differ, and fails if they do so often.
fn compare(what: &str, questions: impl Iterator<Item = Value>) {
    let mut oracle = Oracle::start();
    let mut agreement = Agreement::new();
    let mut questions = questions.peekable();
    while questions.peek().is_some() {
        let batch: Vec<Value> = questions.by_ref().take(BATCH).collect();
        let texts: Vec<String> = batch.iter().map(Value::to_string).collect();
        for (question, answer) in batch.iter().zip(oracle.request_all(&texts)) {
            agreement.compare(question, &serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{answer}: {error}")));
        }
    }
    agreement.print(what);
    agreement.check();
}

pub(super) fn templates() -> Vec<Value> {
    let documents = manifest::read(TEMPLATES).unwrap_or_else(|error| panic!("templates.yaml: {error}"));
    let mut templates: Vec<Value> = documents.iter().map(|document| document.value().clone()).collect();
    if built::kubernetes() == "1.36" {
        templates.iter_mut().for_each(take_out_later_fields);
    }
    templates
}

/// Takes out what v1.36 drops from pods, for it is not yet in use, or has other rules for.
fn take_out_later_fields(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|field, value| {
                let later = ["clusterTrustBundle", "podCertificate", "seLinuxChangePolicy"].contains(&field.as_str());
                !later && (field != "image" || !value.is_object())
            });
            fields.values_mut().for_each(take_out_later_fields);
        }
        Value::Array(items) => {
            items.iter_mut().for_each(take_out_later_fields);
            items.retain(|item| *item != json!({}));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// A valid Job or CronJob.
fn object(dice: &mut Rng, templates: &[Value]) -> Value {
    let mut job = job(dice, templates);
    match dice.below(3) {
        0 => cron_jobs::of_jobs_like(job),
        1 => {
            job["spec"]["suspend"] = json!(true);
            job
        }
        _ => job,
    }
}

fn job(dice: &mut Rng, templates: &[Value]) -> Value {
    let mut job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "pi"}, "spec": {"template": dice.pick(templates)}});
    let shape = *dice.pick(choices::SHAPES);
    merge(&mut job, &serde_json::from_str(shape).unwrap_or_else(|error| panic!("{shape}: {error}")));
    if !dice.one_in(4) {
        job["spec"]["template"]["spec"]["restartPolicy"] = json!("Never");
    }
    job
}

/// The object as it is stored once it is created; `None` if it is not valid: a shape and a template need not go together.
pub(super) fn stored(oracle: &mut Oracle, object: &Value) -> Option<Value> {
    let mut answer = oracle.request(&json!({"op": "create", "object": object}));
    let mut stored = answer["object"].take();
    if stored.is_null() || !answer["errors"].is_null() {
        return None;
    }
    stored["metadata"]["resourceVersion"] = json!("5");
    Some(stored)
}
