//! Metadata: what every object's name, labels, owners and finalizers look like, and what of them may change.
//!
//! Docs: Objects in Kubernetes, "Required fields"; Owners and Dependents; Finalizers (A-50, A-110). Names are in `names.rs`, labels in `labels.rs`.

use std::collections::BTreeSet;

use api::meta::names::{FOREGROUND, ORPHAN};
use api::{ObjectMeta, OwnerReference, Text};

use super::{FieldError, Path, immutable, labels, names, non_negative};

/// The finalizers that need no domain.
const STANDARD_FINALIZERS: [&str; 3] = [ORPHAN, FOREGROUND, "kubernetes"];

/// Checks an object's metadata on its own (A-50).
pub(super) fn check(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let path = Path::of("metadata");
    if !metadata.generate_name.is_empty() {
        let faults = names::subdomain_faults(&as_if_generated(&metadata.generate_name));
        errors.extend(faults.into_iter().map(|fault| FieldError::invalid(path.field("generateName"), &metadata.generate_name, fault)));
    }
    if metadata.name.is_empty() {
        errors.push(FieldError::required(path.field("name"), "name or generateName is required"));
    } else {
        names::check_subdomain(&path.field("name"), &metadata.name, errors);
    }
    if metadata.namespace.is_empty() {
        errors.push(FieldError::required(path.field("namespace"), ""));
    } else {
        names::check_label(&path.field("namespace"), &metadata.namespace, errors);
    }
    non_negative(&path.field("generation"), Some(metadata.generation), errors);
    check_always(metadata, errors);
    check_finalizers(&path.field("finalizers"), &metadata.finalizers, errors);
}

/// Checks what the API server checks of each object that replaces a stored one, before the rules of its kind.
pub(super) fn check_written(metadata: &ObjectMeta, stored: &ObjectMeta, errors: &mut Vec<FieldError>) {
    check_labels_and_owners(metadata, errors);
    check_finalizers(&Path::of("metadata.finalizers"), &metadata.finalizers, errors);
    check_changes(metadata, stored, errors);
}

/// Checks what an update makes of an object's metadata (A-110).
pub(super) fn check_update(metadata: &ObjectMeta, stored: &ObjectMeta, errors: &mut Vec<FieldError>) {
    check_changes(metadata, stored, errors);
    check_always(metadata, errors);
}

fn check_changes(metadata: &ObjectMeta, stored: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let path = Path::of("metadata");
    let added: BTreeSet<&Text> = metadata.finalizers.iter().filter(|finalizer| !stored.has_finalizer(finalizer)).collect();
    if stored.deleting() && !added.is_empty() {
        let added: Vec<_> = added.into_iter().map(|finalizer| format!("{finalizer:?}")).collect();
        errors.push(FieldError::forbidden(
            path.field("finalizers"),
            format!("no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}", added.join(", ")),
        ));
    }
    if metadata.resource_version.is_empty() {
        errors.push(FieldError::invalid(path.field("resourceVersion"), "", "must be specified for an update"));
    }
    non_negative(&path.field("generation"), Some(metadata.generation), errors);
    if metadata.generation < stored.generation {
        errors.push(FieldError::invalid(path.field("generation"), &metadata.generation, "must not be decremented"));
    }
    immutable(&path.field("name"), &metadata.name, &stored.name, errors);
    immutable(&path.field("namespace"), &metadata.namespace, &stored.namespace, errors);
    immutable(&path.field("uid"), &metadata.uid, &stored.uid, errors);
    immutable(&path.field("creationTimestamp"), &metadata.creation_timestamp, &stored.creation_timestamp, errors);
    immutable(&path.field("deletionTimestamp"), &metadata.deletion_timestamp, &stored.deletion_timestamp, errors);
    let (grace, stored_grace) = (metadata.deletion_grace_period_seconds, stored.deletion_grace_period_seconds);
    immutable(&path.field("deletionGracePeriodSeconds"), &grace, &stored_grace, errors);
}

/// What a generated name has after the prefix is alphanumeric: a hyphen at the end of the prefix does no harm.
fn as_if_generated(prefix: &str) -> String {
    match prefix.strip_suffix('-') {
        Some(start) if !start.is_empty() => format!("{start}a"),
        _ => prefix.to_owned(),
    }
}

/// Checks what is checked on its own and again on each update.
fn check_always(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    check_labels_and_owners(metadata, errors);
    let path = Path::of("metadata");
    for (at, finalizer) in metadata.finalizers.iter().enumerate() {
        if !finalizer.contains('/') && !STANDARD_FINALIZERS.contains(&&**finalizer) {
            let detail = "name is neither a standard finalizer name nor is it fully qualified";
            errors.push(FieldError::invalid(path.field("finalizers").index(at), finalizer, detail));
        }
    }
}

fn check_labels_and_owners(metadata: &ObjectMeta, errors: &mut Vec<FieldError>) {
    let path = Path::of("metadata");
    labels::check_labels(&path.field("labels"), &metadata.labels, errors);
    labels::check_annotations(&path.field("annotations"), &metadata.annotations, errors);
    check_owners(&path.field("ownerReferences"), &metadata.owner_references, errors);
}

fn check_owners(path: &Path, owners: &[OwnerReference], errors: &mut Vec<FieldError>) {
    let mut controller: Option<&OwnerReference> = None;
    for (at, owner) in owners.iter().enumerate() {
        check_owner(&path.index(at), owner, errors);
        if owner.controller != Some(true) {
            continue;
        }
        let Some(first) = controller else {
            controller = Some(owner);
            continue;
        };
        let both = format!("{}/{} and {}/{}", first.kind, first.name, owner.kind, owner.name);
        let detail = format!("Only one reference can have Controller set to true. Found \"true\" in references for {both}");
        errors.push(FieldError::invalid(path, owners, detail));
    }
}

fn check_owner(path: &Path, owner: &OwnerReference, errors: &mut Vec<FieldError>) {
    let version = match owner.api_version.split_once('/') {
        None => &owner.api_version,
        Some((_, version)) if version.contains('/') => "",
        Some((_, version)) => version,
    };
    if version.is_empty() && !owner.api_version.is_empty() {
        errors.push(FieldError::invalid(path.field("apiVersion"), &owner.api_version, "must be <group>/<version> or <version>"));
    }
    for (field, text) in [("apiVersion", &owner.api_version), ("kind", &owner.kind), ("name", &owner.name), ("uid", &owner.uid)] {
        if text.is_empty() {
            errors.push(FieldError::required(path.field(field), "must not be empty"));
        }
    }
    if (&*owner.api_version, &*owner.kind) == ("v1", "Event") {
        errors.push(FieldError::invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
}

fn check_finalizers(path: &Path, finalizers: &[Text], errors: &mut Vec<FieldError>) {
    for finalizer in finalizers {
        labels::check_key(path, finalizer, errors);
    }
    let has = |name: &str| finalizers.iter().any(|finalizer| &**finalizer == name);
    if has(ORPHAN) && has(FOREGROUND) {
        errors.push(FieldError::invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> ObjectMeta {
        ObjectMeta {
            name: "pi".into(),
            namespace: "default".into(),
            uid: "u".into(),
            resource_version: "5".into(),
            generation: 2,
            ..ObjectMeta::default()
        }
    }

    fn fields(errors: &[FieldError]) -> Vec<&str> {
        errors.iter().map(|error| error.field.as_str()).collect()
    }

    #[track_caller]
    fn check_one(change: impl FnOnce(&mut ObjectMeta), expected: &[&str]) {
        let mut metadata = metadata();
        change(&mut metadata);
        let mut errors = Vec::new();
        check(&metadata, &mut errors);
        assert_eq!(fields(&errors), expected);
    }

    #[track_caller]
    fn check_change(change: impl FnOnce(&mut ObjectMeta, &mut ObjectMeta), expected: &[&str]) {
        let (mut new, mut stored) = (metadata(), metadata());
        change(&mut new, &mut stored);
        let mut errors = Vec::new();
        check_update(&new, &stored, &mut errors);
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_50_names_are_dns_subdomains() {
        check_one(|_| (), &[]);
        check_one(|m| m.name = "".into(), &["metadata.name"]);
        check_one(|m| m.name = "A".into(), &["metadata.name"]);
        check_one(|m| m.generate_name = "pi-".into(), &[]);
        check_one(|m| m.generate_name = "-".into(), &["metadata.generateName"]);
        check_one(|m| m.namespace = "a.b".into(), &["metadata.namespace"]);
    }

    #[test]
    fn a_50_owners_are_complete_and_one_of_them_controls() {
        let owner = |kind: &str| OwnerReference {
            api_version: "a/v1".into(),
            kind: kind.into(),
            name: "x".into(),
            uid: "1".into(),
            controller: Some(true),
            ..OwnerReference::default()
        };
        check_one(|m| *m.owner_references = vec![owner("A")], &[]);
        check_one(|m| *m.owner_references = vec![owner("A"), owner("B"), owner("C")], &["metadata.ownerReferences"; 2]);
        check_one(
            |m| *m.owner_references = vec![OwnerReference::default()],
            &[
                "metadata.ownerReferences[0].apiVersion",
                "metadata.ownerReferences[0].kind",
                "metadata.ownerReferences[0].name",
                "metadata.ownerReferences[0].uid",
            ],
        );
    }

    #[test]
    fn a_50_finalizers_have_a_domain() {
        check_one(|m| *m.finalizers = vec!["orphan".into(), "a.b/c".into()], &[]);
        check_one(|m| *m.finalizers = vec!["orphan".into(), "mine".into()], &["metadata.finalizers[1]"]);
        check_one(|m| *m.finalizers = vec!["orphan".into(), "foregroundDeletion".into()], &["metadata.finalizers"]);
    }

    #[test]
    fn a_110_identity_stays() {
        check_change(|_, _| (), &[]);
        check_change(|new, _| new.uid = "v".into(), &[r#"metadata.uid: Invalid value: "v": field is immutable"#]);
        check_change(|new, _| new.generation = 1, &["metadata.generation: Invalid value: 1: must not be decremented"]);
        check_change(
            |new, _| new.resource_version = "".into(),
            &[r#"metadata.resourceVersion: Invalid value: "": must be specified for an update"#],
        );
    }

    #[test]
    fn a_110_no_finalizer_comes_while_the_object_goes() {
        let forbidden = "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, \
                         found new finalizers []string{\"a/b\", \"c/d\"}";
        check_change(
            |new, stored| {
                stored.deletion_timestamp = Some(api::Timestamp::UNIX_EPOCH);
                new.deletion_timestamp = stored.deletion_timestamp;
                *new.finalizers = vec!["c/d".into(), "a/b".into()];
            },
            &[forbidden],
        );
    }
}
