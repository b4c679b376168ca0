//! What is compared of an answer: all of it that two servers can have in common.
//!
//! Docs: API Concepts, "Error responses", "Resource versions". The two servers are in `sides.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use core_tests::texts::without_composite;
use serde_json::{Map, Value, json};

/// How much of `generateName` a name begins with, at most.
const LONGEST_BASE: usize = 58;

/// An answer without what is another on each server.
#[derive(PartialEq)]
pub(super) struct Answer {
    warnings: Vec<String>,
    body: Value,
}

/// How the warnings begin that both servers have: those about CronJobs and Jobs, none about pod templates.
const WARNINGS: [&str; 5] = [
    "child pods are preserved",
    "metadata.name: this is used in Pod names",
    "spec: In Indexed Jobs with",
    "spec.jobTemplate.spec: In Indexed Jobs with",
    "cannot use TZ or CRON_TZ in spec.spec.schedule",
];

/// What stands for UIDs, versions and generated names, in order of appearance.
#[derive(Default)]
pub(super) struct Symbols {
    uids: BTreeMap<String, String>,
    /// By UID, the versions in order.
    versions: BTreeMap<String, Vec<String>>,
    names: BTreeMap<String, String>,
}

impl Answer {
    /// Takes an answer of a server.
    pub(super) fn new(code: u16, mut warnings: Vec<String>, body: Value, symbols: &mut Symbols) -> Self {
        warnings.retain(|warning| WARNINGS.iter().any(|start| warning.starts_with(start)));
        Self { warnings, body: compared(code, body, symbols) }
    }

    /// Whether the request was refused.
    pub(super) fn refused(&self) -> bool {
        self.body["code"].is_u64()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.body)?;
        self.warnings.iter().try_for_each(|warning| write!(formatter, " Warning: {warning}"))
    }
}

/// What is compared of a body.
fn compared(code: u16, body: Value, symbols: &mut Symbols) -> Value {
    if code >= 300 {
        return refusal(code, &body, symbols);
    }
    if body["kind"] == "Status" {
        return json!({"status": body["status"]});
    }
    match body["items"].as_array() {
        Some(items) => items.iter().map(|item| object(item.clone(), symbols)).collect(),
        None => object(body, symbols),
    }
}

/// Code and reason, and the causes, each once, or the message. Of a body that cannot be read, each server's reader reports that in its own words.
fn refusal(code: u16, body: &Value, symbols: &Symbols) -> Value {
    let (reason, message) = (body["reason"].as_str().unwrap_or_default(), body["message"].as_str().unwrap_or_default());
    let causes = body["details"]["causes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let causes: BTreeSet<String> = causes.iter().map(|cause| cause_text(cause, symbols)).collect();
    if !causes.is_empty() {
        return json!({"code": code, "reason": reason, "causes": causes});
    }
    let worded = code != 500 && (code != 400 || message.contains(" of the object ") || message.contains(" of the provided object "));
    let message = if worded { symbols.in_text(message) } else { String::new() };
    json!({"code": code, "reason": reason, "message": message})
}

/// A cause; of a patch that cannot be applied, only that it is one, and of a pod that may not change so, not where it differs.
fn cause_text(cause: &Value, symbols: &Symbols) -> String {
    let part = |name: &str| cause[name].as_str().unwrap_or_default();
    let message = if part("field") == "patch" { "" } else { part("message").lines().next().unwrap_or_default() };
    symbols.in_text(&without_composite(&format!("{} {}: {message}", part("reason"), part("field"))))
}

/// An object without what is another on each server.
fn object(mut object: Value, symbols: &mut Symbols) -> Value {
    let is_pod = object["kind"] == "Pod" || ["template", "jobTemplate"].iter().all(|template| object["spec"][template].is_null());
    let metadata = object["metadata"].as_object_mut().expect("an object has metadata");
    metadata.remove("managedFields");
    metadata.remove("namespace");
    for field in ["creationTimestamp", "deletionTimestamp"] {
        metadata.entry(field).and_modify(|time| *time = json!("a time"));
    }
    symbols.learn(metadata);
    for field in ["kind", "apiVersion"] {
        object.as_object_mut().expect("it is an object").remove(field);
    }
    if is_pod {
        object["spec"] = json!(kept_of_pod(&object["spec"]));
        object["status"].as_object_mut().map(|status| status.remove("qosClass"));
    }
    let text = symbols.in_text(&plain(object).to_string());
    serde_json::from_str(&text).expect("symbols are text")
}

/// The fields of a pod's spec that no server fills in by itself.
fn kept_of_pod(spec: &Value) -> Map<String, Value> {
    let mut kept = Map::new();
    for field in ["nodeName", "restartPolicy", "activeDeadlineSeconds", "terminationGracePeriodSeconds", "hostname"] {
        kept.insert(field.to_owned(), spec[field].clone());
    }
    for list in ["containers", "initContainers"] {
        let containers = spec[list].as_array().map(Vec::as_slice).unwrap_or_default();
        let parts =
            containers.iter().map(|container| json!([container["name"], container["image"], container["env"], container["command"]]));
        kept.insert(list.to_owned(), parts.collect());
    }
    kept
}

/// A value without what encoders differ in: `null`, empty lists, and empty objects.
fn plain(value: Value) -> Value {
    let Value::Object(fields) = value else { return value };
    let plain = fields.into_iter().filter_map(|(field, value)| match value {
        Value::Null => None,
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => Some((field, items.into_iter().map(plain).collect())),
        value @ (Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => Some((field, plain(value))),
    });
    plain.filter(|(_, value)| *value != json!({})).collect()
}

impl Symbols {
    /// Reads an object's metadata and replaces values with symbols.
    fn learn(&mut self, metadata: &mut Map<String, Value>) {
        let text = |metadata: &Map<String, Value>, field: &str| metadata.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        let uid = text(metadata, "uid");
        let known = self.uids.len() + 1;
        self.uids.entry(uid.clone()).or_insert_with(|| format!("uid {known}"));
        let version = text(metadata, "resourceVersion");
        let versions = self.versions.entry(uid).or_default();
        let place = versions.iter().position(|known| *known == version).unwrap_or_else(|| {
            versions.push(version);
            versions.len() - 1
        });
        metadata.insert("resourceVersion".to_owned(), json!(format!("version {}", place + 1)));
        let (name, base) = (text(metadata, "name"), text(metadata, "generateName"));
        let start = &base[..base.len().min(LONGEST_BASE)];
        if !base.is_empty() && name.len() == start.len() + 5 && name.starts_with(start) {
            let known = self.names.len() + 1;
            self.names.entry(name).or_insert_with(|| format!("{start}generated-{known}"));
        }
    }

    /// A text with symbols for UIDs and generated names; of versions, which are in parentheses, none is left.
    fn in_text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (shown, symbol) in self.uids.iter().chain(&self.names) {
            text = text.replace(shown, symbol);
        }
        let parts: Vec<&str> = text.split_inclusive(['(', ')']).collect();
        let numbers = |part: &&str| part.strip_suffix(')').is_some_and(|inner| inner.parse::<u64>().is_ok());
        parts.into_iter().map(|part| if numbers(&part) { "version)" } else { part }).collect()
    }
}
