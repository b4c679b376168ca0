//! Object set: all objects that are applied together, and what the rules find in them.
//!
//! Docs: kubectl apply, "Apply multiple objects". Jobs and CronJobs are in `workload.rs`; other objects are read as plain values, and never validated.

use std::ops::Range;

use api::meta::Labels;
use api::{DEFAULT_NAMESPACE, Timestamp};
use manifest::{Diagnostic, Document, ManifestObject};
use serde_json::Value;

use crate::finding::{FieldPart, Finding};
use crate::origin::Origin;
use crate::rule::AdviceRule;
use crate::rules::RULES;
use crate::workload::Advised;

/// All objects that are applied together.
pub struct ObjectSet<'w> {
    /// The Jobs and CronJobs.
    pub(crate) workloads: Vec<Advised<'w>>,
    /// The other objects.
    others: Vec<&'w Document>,
    /// When they are applied.
    pub(crate) now: Timestamp,
}

impl<'w> ObjectSet<'w> {
    /// The kinds of the other objects that rules ask for.
    pub const OTHERS: [&'static str; 8] =
        ["ConfigMap", "DaemonSet", "Deployment", "PersistentVolumeClaim", "Secret", "Service", "ServiceAccount", "StatefulSet"];

    /// These objects beside others, applied at a time.
    #[must_use]
    pub fn new(
        objects: impl IntoIterator<Item = (&'w ManifestObject, Origin)>,
        others: impl IntoIterator<Item = &'w Document>,
        now: Timestamp,
    ) -> Self {
        let objects = objects.into_iter().enumerate();
        let workloads = objects.filter_map(|(at, (object, origin))| Advised::of(at, object, origin)).collect();
        Self { workloads, others: others.into_iter().collect(), now }
    }

    /// What the rules that are wanted find in the objects at these places, each with the place of its object.
    #[must_use]
    pub fn findings(&self, places: &Range<usize>, wanted: impl Fn(&AdviceRule) -> bool) -> Vec<(usize, Diagnostic)> {
        let mut found = Vec::new();
        for rule in RULES.iter().filter(|rule| wanted(rule)) {
            let Some(condition) = rule.condition() else { continue };
            for workload in self.workloads.iter().filter(|workload| places.contains(&workload.at)) {
                found.extend(condition(workload, self).into_iter().map(|finding| (workload.at, diagnostic(rule, workload, finding))));
            }
        }
        found
    }

    /// The other objects of a kind in a namespace.
    pub(crate) fn others(&self, kind: &str, namespace: &str) -> impl Iterator<Item = &'w Value> {
        debug_assert!(Self::OTHERS.contains(&kind), "callers pass on the kinds of OTHERS only");
        let there = move |value: &&Value| {
            value["kind"] == kind && value["metadata"]["namespace"].as_str().unwrap_or(DEFAULT_NAMESPACE) == namespace
        };
        self.others.iter().map(|other| other.value()).filter(there)
    }

    /// The other object of a kind, a namespace and a name.
    pub(crate) fn other(&self, kind: &str, namespace: &str, name: &str) -> Option<&'w Value> {
        self.others(kind, namespace).find(|value| value["metadata"]["name"] == name)
    }
}

/// Labels, as a map of an object has them.
pub(crate) fn labels(value: &Value) -> Labels {
    let fields = value.as_object().into_iter().flatten();
    fields.filter_map(|(key, value)| Some((key.as_str().into(), value.as_str()?.into()))).collect()
}

fn diagnostic(rule: &AdviceRule, workload: &Advised<'_>, Finding { path, message, remedy, fix, part, severity }: Finding) -> Diagnostic {
    let document = workload.document;
    let (position, line) = match part {
        FieldPart::All => (document.position(&path), None),
        FieldPart::Key => (document.key_position(&path), None),
        FieldPart::Line(line) => (document.line_position(&path, line), None),
        FieldPart::Within(part) => (document.part_position(&path, part), Some(part.line)),
    };
    // Where the file does not have the text as it is, the message names the line.
    let lines = || document.get(&path).and_then(Value::as_str).is_some_and(|text| text.trim_end().contains('\n'));
    let message = match line {
        Some(line) if position == document.position(&path) && lines() => format!("line {line}: {message}"),
        _ => message,
    };
    Diagnostic {
        severity: severity.unwrap_or(rule.severity),
        rule: rule.name,
        position,
        path,
        message,
        remedy: Some(remedy),
        fix: fix.map(Box::new),
    }
}
