//! Requests about Jobs: made up from a seed, mostly valid, with a few edits each.
//!
//! Docs: Jobs, "Writing a Job spec". The values to choose from are in `choices.rs`.

use cluster::rng::Rng;
use core_tests::oracle::Oracle;
use serde_json::{Map, Value, json};

use super::choices;

/// A field, and the JSON text of the value that it is set to; `null` takes it away.
pub(super) type Edit<'a> = (&'a str, &'a str);

/// A field, and the JSON text of a list of values that it may be set to.
pub(super) type Choice<'a> = (&'a str, &'a str);

/// None to three of the choices, as edits.
pub(super) fn edits<'a>(dice: &mut Rng, choices: &[Choice<'a>]) -> Vec<(&'a str, String)> {
    let count = dice.below(4);
    let edit = |_| {
        let (field, values) = *dice.pick(choices);
        let values: Vec<Value> = serde_json::from_str(values).unwrap_or_else(|error| panic!("{values}: {error}"));
        (field, dice.pick(&values).to_string())
    };
    (0..count).map(edit).collect()
}

/// A Job with no more than it must have.
pub(super) fn plain() -> Value {
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "pi"},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox:1"}]}}},
    })
}

/// A valid Job of one of many shapes.
pub(super) fn job(dice: &mut Rng) -> Value {
    let mut job = plain();
    for shape in [dice.pick(choices::SHAPES), dice.pick(choices::TEMPLATES)] {
        merge(&mut job, &serde_json::from_str(shape).unwrap_or_else(|error| panic!("{shape}: {error}")));
    }
    job
}

/// The Job as it is stored once it is created.
pub(super) fn stored(oracle: &mut Oracle, job: &Value) -> Value {
    let mut answer = oracle.request(&json!({"op": "create", "object": job}));
    assert_eq!(answer["errors"], Value::Null, "{job}");
    let mut stored = answer["object"].take();
    stored["metadata"]["resourceVersion"] = json!("5");
    stored
}

/// The object with the edits.
pub(super) fn edited(object: &Value, edits: &[(impl AsRef<str>, impl AsRef<str>)]) -> Value {
    let mut object = object.clone();
    for (field, value) in edits {
        let value = value.as_ref();
        set(&mut object, field.as_ref(), serde_json::from_str(value).unwrap_or_else(|error| panic!("{value}: {error}")));
    }
    object
}

/// Sets a field; steps are parted by spaces, since names of fields may have dots and slashes. A list that is too short stays as it is.
fn set(object: &mut Value, field: &str, value: Value) {
    let (step, rest) = field.split_once(' ').map_or((field, None), |(step, rest)| (step, Some(rest)));
    let place = match object {
        Value::Array(items) => match items.get_mut(step.parse::<usize>().unwrap_or(usize::MAX)) {
            Some(item) => item,
            None => return,
        },
        Value::Object(fields) if rest.is_none() && value.is_null() => {
            fields.remove(step);
            return;
        }
        Value::Object(fields) => fields.entry(step).or_insert(Value::Null),
        _ if value.is_null() => return,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            *object = Value::Object(Map::new());
            &mut object[step]
        }
    };
    match rest {
        Some(rest) => set(place, rest, value),
        None => *place = value,
    }
}

/// Puts the fields of an object into another.
pub(super) fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (field, value) in from {
                merge(into.entry(field).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from.clone(),
    }
}
