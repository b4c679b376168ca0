//! When fields may change: an update of a Job may change what the table of fields says, beside upstream's code.
//!
//! Docs: Jobs, "Mutable Scheduling Directives" (A-110…A-116). The table is in `crates/schema`; the fields are those of the valid templates in `pods/`.

use std::collections::{BTreeMap, BTreeSet};

use core_tests::oracle::Oracle;
use core_tests::summary::print;
use schema::{FieldType, Mutable};
use serde_json::{Value, json};

use super::{choices, pods, requests};

/// How many fields are changed at least.
const FIELDS: usize = 250;

/// A value in an object.
struct Leaf<'o> {
    /// As in `/spec/template/spec/containers/0/image`.
    pointer: String,
    /// As in `spec.template.spec.containers[].image`.
    path: String,
    value: &'o Value,
    /// The values that it may have; none if any will do.
    values: &'static [&'static str],
}

#[test]
#[ignore = "needs Go: `cargo xtask test --all`"]
fn an_update_may_change_what_the_table_says() {
    let mut oracle = Oracle::start();
    let mutable: BTreeMap<String, Mutable> =
        schema::paths(schema::of("Job")).into_iter().map(|known| (known.path, known.mutable.unwrap_or(Mutable::Never))).collect();
    let (mut differences, mut changed) = (BTreeSet::new(), BTreeSet::new());
    for job in jobs() {
        for suspended in [false, true] {
            let mut job = job.clone();
            job["spec"]["suspend"] = json!(suspended);
            let Some(stored) = pods::stored(&mut oracle, &job) else { continue };
            let mut leaves = Vec::new();
            walk(&job["spec"], &FieldType::Fields(schema::of("JobSpec")), ("/spec", "spec"), &[], &mut leaves);
            for leaf in leaves {
                let Some(other) = other_value(&leaf) else { continue };
                let with = |object: &Value| {
                    let mut object = object.clone();
                    object.pointer_mut(&leaf.pointer).map(|value| *value = other.clone()).map(|()| object)
                };
                // What no Job can have says nothing about changes.
                let Some(new) = with(&job).filter(|job| pods::stored(&mut oracle, job).is_some()).and_then(|_| with(&stored)) else {
                    continue;
                };
                let answer = oracle.request(&json!({"op": "update", "old": stored, "object": new}));
                let may = match mutable[&leaf.path] {
                    Mutable::Always => true,
                    Mutable::Suspended => suspended,
                    // It alone changes here.
                    Mutable::Never | Mutable::WithParallelism => false,
                };
                changed.insert(leaf.path.clone());
                if answer["errors"].is_null() != may {
                    let of = if suspended { "a suspended" } else { "a running" };
                    let upstream = if may { "refuses" } else { "accepts" };
                    differences.insert(format!("{} of {of} Job: upstream {upstream} what is {:?}", leaf.path, mutable[&leaf.path]));
                }
            }
        }
    }
    print(&format!("mutability: {} fields changed", changed.len()));
    assert!(changed.len() >= FIELDS, "only {changed:#?}");
    assert_eq!(differences, BTreeSet::new());
}

/// Valid Jobs: each template, and each shape.
fn jobs() -> Vec<Value> {
    let templates = pods::templates();
    let with_template = templates.iter().map(|template| {
        let mut job = requests::plain();
        job["spec"]["template"] = template.clone();
        job["spec"]["template"]["spec"]["restartPolicy"] = json!("Never");
        job
    });
    let with_shape = choices::SHAPES.iter().map(|shape| {
        let mut job = requests::plain();
        requests::merge(&mut job, &serde_json::from_str(shape).unwrap_or_else(|error| panic!("{shape}: {error}")));
        job
    });
    with_template.chain(with_shape).collect()
}

/// Another value of the same kind; `None` unless it is text, a number or a truth value.
fn other_value(leaf: &Leaf) -> Option<Value> {
    match leaf.value {
        Value::Bool(value) => Some(json!(!value)),
        Value::Number(number) => Some(json!(number.as_i64()? + 1)),
        Value::String(text) if leaf.values.is_empty() => Some(json!(format!("{text}1"))),
        Value::String(text) => leaf.values.iter().find(|value| *value != text).map(|value| json!(value)),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn walk<'o>(value: &'o Value, kind: &FieldType, (pointer, path): (&str, &str), values: &'static [&'static str], into: &mut Vec<Leaf<'o>>) {
    let step = |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
    match (kind, value) {
        (FieldType::Fields(of), Value::Object(entries)) => {
            for (key, value) in entries {
                let Some(field) = of.field(key) else { continue };
                walk(value, &field.kind, (&step(key), &format!("{path}.{key}")), field.values, into);
            }
        }
        (FieldType::List(item), Value::Array(items)) => {
            let of_item = if matches!(item, FieldType::Fields(_)) { format!("{path}[]") } else { path.to_owned() };
            for (at, value) in items.iter().enumerate() {
                walk(value, item, (&step(&at.to_string()), &of_item), values, into);
            }
        }
        (FieldType::Map(item), Value::Object(entries)) => {
            entries.iter().for_each(|(key, value)| walk(value, item, (&step(key), path), values, into));
        }
        _ => into.push(Leaf { pointer: pointer.to_owned(), path: path.to_owned(), value, values }),
    }
}
