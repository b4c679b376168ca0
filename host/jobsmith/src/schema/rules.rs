//! Which rules of `jobsmith check` are about a field: those that find something there in the bad examples of their pages, or whose remedy names it.
//!
//! Docs: `jobsmith lint`. The pages are in the crate `advice`; what is found in their examples is found as in any file.

use std::collections::{BTreeMap, BTreeSet};

use ::schema::{FieldPath, SchemaType};
use advice::{AdviceRule, RULES, page};
use api::{Kind, Timestamp};
use check::CheckDepth;
use manifest::{Diagnostic, ManifestObject, RuleName};
use play::scenario;

/// What the claims begin with that show what is bad.
const BAD: &str = "Bad";
/// Where a CronJob has the spec of its Jobs.
const JOB_TEMPLATE: &str = "spec.jobTemplate.";
/// Rules with lower numbers are about any field.
const FIRST: u16 = 100;

/// A field of a Job or a CronJob, whose Jobs have the fields of Jobs: its kind, and its path without the places in lists and the keys of maps.
type FieldPlace = (Kind, String);

/// The fields that rules are about.
pub(super) struct AdvisedFields(BTreeSet<(FieldPlace, &'static str)>);

impl AdvisedFields {
    /// Reads the pages of all rules.
    pub(super) fn read() -> Self {
        let named = [Kind::Job, Kind::CronJob].map(|kind| (kind, outermost(::schema::of(kind.name()))));
        let rules = RULES.iter().filter(|rule| rule.code >= FIRST);
        Self(rules.flat_map(|rule| of_page(rule, &named)).collect())
    }

    /// The names of the rules that are about a field, by their numbers.
    pub(super) fn rules(&self, kind: Kind, path: &str) -> Vec<&'static str> {
        let place = place(kind, path);
        let about = |rule: &&AdviceRule| self.0.contains(&(place.clone(), rule.name.as_str()));
        RULES.iter().filter(about).map(|rule| rule.name.as_str()).collect()
    }
}

/// The path of the outermost field of each name that can be no other word.
fn outermost(of: &'static SchemaType) -> BTreeMap<&'static str, String> {
    let mut named = BTreeMap::new();
    for FieldPath { path, field, .. } in ::schema::paths(of) {
        if field.name.contains(char::is_uppercase) {
            named.entry(field.name).or_insert(path);
        }
    }
    named
}

/// The fields that the page of a rule shows it to be about; `named` has the fields that a remedy may name without their paths.
fn of_page(rule: &'static AdviceRule, named: &[(Kind, BTreeMap<&str, String>)]) -> Vec<(FieldPlace, &'static str)> {
    let name = rule.name.as_str();
    let pedantic: &[RuleName] = &[rule.name];
    let scenarios = page(name).and_then(|page| scenario::read(page).ok()).unwrap_or_default();
    let bad = scenarios.iter().filter(|scenario| scenario.claim.starts_with(BAD)).filter_map(|scenario| scenario.manifest.as_ref());
    let mut places = Vec::new();
    for example in bad {
        let found = check::check(&example.text, CheckDepth::Pedantic(pedantic), Timestamp::now());
        for diagnostic in found.diagnostics.iter().filter(|diagnostic| diagnostic.rule == rule.name) {
            let Some(kind) = kind_at(&found.objects, diagnostic) else { continue };
            let words = diagnostic.remedy.as_deref().unwrap_or_default().split([' ', ',', ':', ';', '`']);
            let field = |word| named.iter().find(|(of, _)| *of == kind)?.1.get(word).map(String::as_str);
            let paths = words.filter_map(|word| if word.starts_with("spec.") { Some(word) } else { field(word) });
            places.extend(paths.chain([&*diagnostic.path]).map(|path| (place(kind, path), name)));
        }
    }
    places
}

/// The kind of the object in which something was found.
fn kind_at(objects: &[ManifestObject], found: &Diagnostic) -> Option<Kind> {
    let before = objects.iter().rev().find(|object| object.document().position("") <= found.position)?;
    before.workload().map(|(kind, _)| kind)
}

fn place(kind: Kind, path: &str) -> FieldPlace {
    let parts =
        path.split('[').enumerate().map(|(at, part)| if at == 0 { part } else { part.split_once(']').map_or("", |(_, rest)| rest) });
    let path: String = parts.collect();
    match path.strip_prefix(JOB_TEMPLATE) {
        Some(of_job) if kind == Kind::CronJob => (Kind::Job, of_job.to_owned()),
        Some(_) | None => (kind, path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_jobs() {
        let job = |path: &str| (Kind::Job, path.to_owned());
        assert_eq!(
            place(Kind::CronJob, "spec.jobTemplate.spec.template.spec.containers[0].image"),
            job("spec.template.spec.containers.image")
        );
        assert_eq!(place(Kind::Job, "spec.template.spec.containers[].image"), job("spec.template.spec.containers.image"));
        assert_eq!(place(Kind::Job, "metadata.annotations[a.b/c]"), job("metadata.annotations"));
        assert_eq!(place(Kind::CronJob, "spec.schedule"), (Kind::CronJob, "spec.schedule".to_owned()));
    }

    #[test]
    fn rules_are_about_fields_of_both_kinds() {
        let fields = AdvisedFields::read();
        let both = [(Kind::Job, "spec.ttlSecondsAfterFinished"), (Kind::CronJob, "spec.jobTemplate.spec.ttlSecondsAfterFinished")];
        assert!(both.iter().all(|(kind, path)| fields.rules(*kind, path).starts_with(&["never-removed"])));
        assert_eq!(fields.rules(Kind::CronJob, "spec.failedJobsHistoryLimit"), ["no-failed-history"]);
        assert_eq!(fields.rules(Kind::Job, "spec.template.spec.hostname"), [""; 0]);
    }
}
