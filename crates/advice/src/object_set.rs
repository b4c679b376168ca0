//! Object set: all objects that are applied together, and what the rules find in them.
//!
//! Docs: kubectl apply, "Apply multiple objects". Jobs and CronJobs are in `workload.rs`; other objects are read as plain values, and never validated.

use api::meta::Labels;
use api::{DEFAULT_NAMESPACE, Timestamp};
use manifest::{Diagnostic, Document, ManifestObject};
use serde_json::Value;

use crate::finding::Finding;
use crate::rule::{AdviceRule, Finder};
use crate::rules::RULES;
use crate::workload::Advised;

/// All objects that are applied together.
pub struct ObjectSet<'w> {
    /// The Jobs and CronJobs.
    pub(crate) workloads: Vec<Advised<'w>>,
    /// The other objects.
    others: &'w [Document],
    /// When they are applied.
    pub(crate) now: Timestamp,
}

impl<'w> ObjectSet<'w> {
    /// These objects beside others, applied at a time.
    #[must_use]
    pub fn new(objects: &[&'w ManifestObject], others: &'w [Document], now: Timestamp) -> Self {
        let workloads = objects.iter().enumerate().filter_map(|(at, object)| Advised::of(at, object)).collect();
        Self { workloads, others, now }
    }

    /// What is a mistake whatever is meant, each with the place of its object.
    #[must_use]
    pub fn mistakes(&self) -> Vec<(usize, Diagnostic)> {
        self.found(|finder| matches!(finder, Finder::Mistake(_)))
    }

    /// What all rules find, each with the place of its object.
    #[must_use]
    pub fn advice(&self) -> Vec<(usize, Diagnostic)> {
        self.found(|_| true)
    }

    fn found(&self, wanted: fn(&Finder) -> bool) -> Vec<(usize, Diagnostic)> {
        let mut found = Vec::new();
        for rule in RULES.iter().filter(|rule| wanted(&rule.finder)) {
            let (Finder::Mistake(condition) | Finder::Advice(condition)) = rule.finder else { continue };
            for workload in &self.workloads {
                found.extend(condition(workload, self).into_iter().map(|finding| (workload.at, diagnostic(rule, workload, finding))));
            }
        }
        found
    }

    /// The other objects of a kind in a namespace.
    pub(crate) fn others(&self, kind: &str, namespace: &str) -> impl Iterator<Item = &'w Value> {
        let there = move |value: &&Value| {
            value["kind"] == kind && value["metadata"]["namespace"].as_str().unwrap_or(DEFAULT_NAMESPACE) == namespace
        };
        self.others.iter().map(Document::value).filter(there)
    }
}

/// Labels, as a map of an object has them.
pub(crate) fn labels(value: &Value) -> Labels {
    let fields = value.as_object().into_iter().flatten();
    fields.filter_map(|(key, value)| Some((key.as_str().into(), value.as_str()?.into()))).collect()
}

fn diagnostic(rule: &AdviceRule, workload: &Advised<'_>, Finding { path, message, remedy, fix, severity }: Finding) -> Diagnostic {
    Diagnostic {
        severity: severity.unwrap_or(rule.severity),
        rule: rule.name,
        position: workload.document.position(&path),
        path,
        message,
        remedy: Some(remedy),
        fix: fix.map(Box::new),
    }
}
