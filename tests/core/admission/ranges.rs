//! Ranges of numbers: the table of fields has those that the API server takes.
//!
//! Docs: Kubernetes API reference, "CronJob" and "Job" (A-54…A-70). What is validated is compared with upstream's in `mod.rs`.

use std::collections::BTreeMap;

use api::Kind;
use api::request::Request;
use cluster::naming::Names;
use cluster::{ApiServer, Dependence};
use schema::FieldPath;
use serde_json::{Map, Value, json};

#[test]
fn numbers_outside_of_their_ranges_are_refused_and_their_ends_are_not() {
    let mut held: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for FieldPath { path, owner, field, .. } in schema::paths(schema::of("CronJob")) {
        let Some((least, most)) = field.range.copied() else { continue };
        let errors = |number: i64| errors(&path, number);
        let within = errors(least) < errors(least - 1) && (most == i64::MAX || errors(most) < errors(most + 1));
        // Some containers cannot have probes at all.
        *held.entry((owner.name, field.name)).or_default() |= within;
    }
    let wrong: Vec<_> = held.iter().filter(|(_, held)| !**held).map(|(field, _)| field).collect();
    assert!(wrong.is_empty() && held.len() > 30, "{wrong:?} of {}", held.len());
}

/// How many errors an object has that has this number in a field, whatever else it lacks.
fn errors(path: &str, number: i64) -> usize {
    let mut object = json!({"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a"}, "spec": {}});
    let mut value = &mut object;
    for step in path.split('.') {
        let (name, item) = step.strip_suffix("[]").map_or((step, false), |name| (name, true));
        if !value.is_object() {
            *value = Value::Object(Map::new());
        }
        value = &mut value[name];
        if item {
            if !value.is_array() {
                *value = json!([null]);
            }
            value = &mut value[0];
        }
    }
    *value = number.into();
    let mut server = ApiServer::new(Names::predictable(), Dependence::OnOwners);
    let answer = server.execute(&Request::create(Kind::CronJob, "default", object.to_string()), play::start());
    answer.map_or_else(|error| error.causes.len(), |_| 0)
}
