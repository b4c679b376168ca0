//! Ways from an object to its fields: `spec.template.spec.containers[].image`.
//!
//! Docs: Kubernetes API Conventions, "Validation", for how fields are named in errors.

use crate::{FieldType, Mutable, SchemaField, SchemaType};

/// A field, and the way to it.
#[derive(Debug, Clone)]
pub struct FieldPath {
    /// As in `spec.template.spec.containers[].image`.
    pub path: String,
    /// The type that has it.
    pub owner: &'static SchemaType,
    /// The field.
    pub field: &'static SchemaField,
    /// When an update may change it; `None` for an object that does not say it for all of its fields.
    pub mutable: Option<Mutable>,
}

/// All fields of objects of a type, those of an object before those in it.
#[must_use]
pub fn paths(of: &'static SchemaType) -> Vec<FieldPath> {
    let mut found = Vec::new();
    collect(of, "", None, &mut found);
    found
}

/// The field at this path of an object of a type. The places of items may be given, left out, or empty: `containers[0].image`, `containers.image`.
#[must_use]
pub fn resolve(of: &'static SchemaType, path: &str) -> Option<FieldPath> {
    let wanted = without_places(path);
    paths(of).into_iter().find(|known| without_places(&known.path) == wanted)
}

/// The fields of an object of a type whose paths end so, if letters of either case are alike: `backofflimit`, `containers.image`.
#[must_use]
pub fn find(of: &'static SchemaType, end: &str) -> Vec<FieldPath> {
    let wanted = without_places(end).to_ascii_lowercase();
    let ends = |path: &str| path.strip_suffix(&wanted).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    paths(of).into_iter().filter(|known| ends(&without_places(&known.path).to_ascii_lowercase())).collect()
}

fn collect(of: &'static SchemaType, outer: &str, mutable: Option<Mutable>, into: &mut Vec<FieldPath>) {
    let known = |field: &'static SchemaField| {
        let items = if matches!(field.kind, FieldType::List(FieldType::Fields(_))) { "[]" } else { "" };
        let path = if outer.is_empty() { format!("{}{items}", field.name) } else { format!("{outer}.{}{items}", field.name) };
        let unsaid = || field.kind.object().is_none().then_some(Mutable::Never);
        FieldPath { path, owner: of, field, mutable: within(mutable, outer, field).or_else(unsaid) }
    };
    let here: Vec<FieldPath> = of.fields.iter().map(known).collect();
    into.extend(here.iter().map(|known| FieldPath { path: known.path.trim_end_matches("[]").to_owned(), ..known.clone() }));
    for FieldPath { path, field, .. } in here {
        if let Some(inner) = field.kind.object() {
            collect(inner, &path, within(mutable, outer, field), into);
        }
    }
}

/// When a field may change that is at this path, in one which may change then; `None` where nothing is said of either.
fn within(outer: Option<Mutable>, path: &str, field: &SchemaField) -> Option<Mutable> {
    match (outer, field.mutable) {
        (None, own) => own,
        (Some(Mutable::Never), Some(Mutable::Suspended)) => Some(Mutable::Suspended),
        // Of a pod template.
        (Some(Mutable::Never), _) if path.ends_with(".template.metadata") && ["labels", "annotations"].contains(&field.name) => {
            Some(Mutable::Suspended)
        }
        (outer, _) => outer,
    }
}

/// A path without what stands in brackets.
fn without_places(path: &str) -> String {
    let mut inside = false;
    let outside = |letter: &char| {
        inside = *letter == '[' || inside && *letter != ']';
        !inside && *letter != ']'
    };
    path.chars().filter(outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::of;

    #[test]
    fn fields_are_found_by_their_paths() {
        let job = of("Job");
        for path in
            ["spec.template.spec.containers[0].image", "spec.template.spec.containers.image", "spec.template.spec.containers[].image"]
        {
            let found = resolve(job, path).unwrap();
            assert_eq!((found.path.as_str(), found.owner.name), ("spec.template.spec.containers[].image", "Container"));
        }
        assert!(resolve(job, "spec.images").is_none());
        let found: Vec<String> = find(job, "containers.IMAGE").into_iter().map(|found| found.path).collect();
        assert_eq!(found, ["spec.template.spec.containers[].image"]);
        assert_eq!(find(of("CronJob"), "suspend").len(), 2);
    }

    #[test]
    fn what_is_in_a_field_may_change_when_it_may() {
        let mutable = |kind: &str, path: &str| resolve(of(kind), path).unwrap().mutable.unwrap();
        assert_eq!(mutable("Job", "spec.parallelism"), Mutable::Always);
        assert_eq!(mutable("Job", "spec.completions"), Mutable::WithParallelism);
        assert_eq!(mutable("Job", "spec.podFailurePolicy.rules.action"), Mutable::Never);
        assert_eq!(mutable("Job", "spec.template.spec.containers.image"), Mutable::Never);
        assert_eq!(mutable("Job", "spec.template.spec.nodeSelector"), Mutable::Suspended);
        assert_eq!(mutable("Job", "spec.template.metadata.labels"), Mutable::Suspended);
        assert_eq!(mutable("Job", "spec.template.spec.volumes.ephemeral.volumeClaimTemplate.metadata.labels"), Mutable::Never);
        assert_eq!(mutable("Job", "metadata.labels"), Mutable::Always);
        assert_eq!(mutable("Job", "metadata.name"), Mutable::Never);
        assert_eq!(mutable("CronJob", "spec.jobTemplate.spec.completionMode"), Mutable::Always);
    }
}
