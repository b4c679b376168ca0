//! What a step changed of an object, leaf by leaf.
//!
//! Docs: Objects in Kubernetes, "Object spec and status". What the page shows of a Job is in `job_view.rs`, of a CronJob in `cron_job_view.rs`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

/// How many items of a list of words are shown before it is cut.
const SHOWN: usize = 5;

/// One field that is another one.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Change"))]
pub(crate) struct ChangeView {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

/// What changed of the spec and the status, each before and after.
pub(crate) fn changes<Spec, Status>(specs: [&Spec; 2], statuses: [&Status; 2]) -> Vec<ChangeView>
where
    Spec: PartialEq + Serialize,
    Status: PartialEq + Serialize,
{
    let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
    compare("spec", specs, &mut old, &mut new);
    compare("status", statuses, &mut old, &mut new);
    new.retain(|path, value| match old.get(path) {
        Some(known) if known == value => old.remove(path).is_none(),
        Some(_) | None => true,
    });
    let paths: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
    paths.into_iter().map(|path| ChangeView { before: old.remove(&path), after: new.remove(&path), path }).collect()
}

/// The leaves of a part before and after, unless it is as it was.
fn compare<Part: PartialEq + Serialize>(
    path: &str,
    [before, after]: [&Part; 2],
    old: &mut BTreeMap<String, String>,
    new: &mut BTreeMap<String, String>,
) {
    let value = |part: &Part| serde_json::to_value(part).expect("an object has text keys only");
    if before != after {
        leaves(path, &value(before), old);
        leaves(path, &value(after), new);
    }
}

/// All leaves below a path, as text: a list of words is one leaf, a list of objects is shown by their types or names.
fn leaves(path: &str, value: &Value, found: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, field)| leaves(&format!("{path}.{name}"), field, found)),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (at, item) in items.iter().enumerate() {
                let name = ["type", "name"].into_iter().find_map(|field| item[field].as_str());
                leaves(&format!("{path}[{}]", name.map_or(at.to_string(), str::to_owned)), item, found);
            }
        }
        Value::Array(items) => _ = found.insert(path.to_owned(), words(items)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => _ = found.insert(path.to_owned(), word(value)),
    }
}

fn words(items: &[Value]) -> String {
    let shown: Vec<String> = items.iter().take(SHOWN).map(word).collect();
    let rest = if items.len() > SHOWN { format!(" and {} more", items.len() - SHOWN) } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
