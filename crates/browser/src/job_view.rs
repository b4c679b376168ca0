//! A Job as the page shows it, and what a step changed of it, leaf by leaf.
//!
//! Docs: Jobs, "Terminal Job conditions"; Job API, "JobStatus". Whole objects are in `history.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Job, Text};
use cluster::stored::Stored;
use play::step::Touched;
use serde::Serialize;
use serde_json::Value;

/// How many items of a list of words are shown before it is cut.
const SHOWN: usize = 5;

/// A Job after a step.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobView {
    name: Text,
    namespace: Text,
    completion_mode: Text,
    completions: Option<i32>,
    suspend: bool,
    active: i32,
    succeeded: i32,
    failed: i32,
    terminating: Option<i32>,
    conditions: Vec<ConditionView>,
    deleting: bool,
    gone: bool,
    /// What the step changed of its spec and status, leaf by leaf.
    changes: Vec<Change>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Condition"))]
pub(crate) struct ConditionView {
    #[serde(rename = "type")]
    kind: Text,
    status: Text,
    reason: Text,
}

/// One field that is another one.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Change {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

impl JobView {
    /// The object that was written, if it is a Job.
    pub(crate) fn of(touched: &Touched) -> Option<Self> {
        let job = touched.after.job()?;
        let (spec, status) = (&job.spec, &job.status);
        let condition = |condition: &api::JobCondition| ConditionView {
            kind: condition.kind.clone(),
            status: condition.status.clone(),
            reason: condition.reason.clone(),
        };
        Some(Self {
            name: job.metadata.name.clone(),
            namespace: job.metadata.namespace.clone(),
            completion_mode: spec.completion_mode.clone().unwrap_or_default(),
            completions: spec.completions,
            suspend: job.suspended(),
            active: status.active,
            succeeded: status.succeeded,
            failed: status.failed,
            terminating: status.terminating,
            conditions: status.conditions.iter().map(condition).collect(),
            deleting: job.metadata.deleting(),
            gone: touched.gone,
            changes: touched.before.as_deref().and_then(Stored::job).map(|before| changes(before, job)).unwrap_or_default(),
        })
    }
}

/// What changed of the spec and the status.
fn changes(before: &Job, after: &Job) -> Vec<Change> {
    let (mut old, mut new) = (BTreeMap::new(), BTreeMap::new());
    if before.spec != after.spec {
        leaves("spec", &value(&before.spec), &mut old);
        leaves("spec", &value(&after.spec), &mut new);
    }
    if before.status != after.status {
        leaves("status", &value(&before.status), &mut old);
        leaves("status", &value(&after.status), &mut new);
    }
    new.retain(|path, value| match old.get(path) {
        Some(known) if known == value => old.remove(path).is_none(),
        Some(_) | None => true,
    });
    let paths: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
    paths.into_iter().map(|path| Change { before: old.remove(&path), after: new.remove(&path), path }).collect()
}

fn value(part: &impl Serialize) -> Value {
    serde_json::to_value(part).expect("a Job has text keys only")
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
