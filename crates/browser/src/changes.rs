//! The actions that turn one manifest into another: what editing a manifest does while its objects exist.
//!
//! Docs: "Update API Objects in Place Using kubectl patch", "Use a JSON merge patch to update a Deployment". Actions are those of
//! `script`; whether the API server takes them is found out in `refused.rs`.

use std::collections::BTreeSet;

use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta};
use manifest::{Diagnostic, Document, ManifestObject, locate};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::diagnostic_view;

/// The parts of an object that people write.
const WRITTEN: [&str; 4] = ["metadata.annotations", "metadata.finalizers", "metadata.labels", "spec"];

/// The outcome of an edit.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Changes {
    /// What is wrong with the manifest, or cannot be done to objects that are there.
    #[serde(serialize_with = "diagnostic_view::serialize")]
    #[cfg_attr(test, ts(as = "Vec<diagnostic_view::DiagnosticView>"))]
    pub problems: Vec<Diagnostic>,
    /// The actions, in the script language.
    pub actions: Vec<String>,
}

/// A CronJob or Job as it was written.
struct EditedObject {
    kind: Kind,
    metadata: ObjectMeta,
    document: Document,
}

/// The actions that make `after` out of `before`; none if something is wrong with either.
#[must_use]
pub fn changes(before: &str, after: &str) -> Changes {
    let read = written(before).and_then(|before| Ok((before, written(after)?)));
    let (before, after) = match read {
        Ok(manifests) => manifests,
        Err(problems) => return Changes { problems, actions: Vec::new() },
    };
    let (mut problems, mut actions) = (Vec::new(), Vec::new());
    for manifest in &after {
        match before.iter().find(|known| same(known, manifest)) {
            Some(known) => actions.extend(edits(known, manifest)),
            None => problems.push(unknown(manifest)),
        }
    }
    let gone = before.iter().filter(|known| !after.iter().any(|manifest| same(known, manifest)));
    actions.extend(gone.map(|known| format!("delete {} background", named(known))));
    if !problems.is_empty() {
        actions.clear();
    }
    Changes { problems, actions }
}

/// The CronJobs and Jobs of a manifest; pods that are there with them are nothing that people write.
fn written(text: &str) -> Result<Vec<EditedObject>, Vec<Diagnostic>> {
    let written = |object: ManifestObject| match object {
        ManifestObject::CronJob(manifest) => {
            Some(EditedObject { kind: Kind::CronJob, metadata: manifest.cron_job.metadata, document: manifest.document })
        }
        ManifestObject::Job(manifest) => {
            Some(EditedObject { kind: Kind::Job, metadata: manifest.job.metadata, document: manifest.document })
        }
        ManifestObject::Pod(_) => None,
    };
    Ok(manifest::objects(text)?.into_iter().filter_map(written).collect())
}

fn same(one: &EditedObject, other: &EditedObject) -> bool {
    (named(one), &one.metadata.uid) == (named(other), &other.metadata.uid)
}

/// The object as a script writes it: `job pi`.
fn named(manifest: &EditedObject) -> String {
    format!("{} {}", manifest.kind.name().to_lowercase(), address(manifest))
}

/// The object's name, and before it its namespace: the default namespace is meant where there is none.
fn address(EditedObject { metadata: ObjectMeta { namespace, name, .. }, .. }: &EditedObject) -> String {
    if matches!(&**namespace, "" | DEFAULT_NAMESPACE) { name.to_string() } else { format!("{namespace}/{name}") }
}

fn unknown(manifest: &EditedObject) -> Diagnostic {
    let message = format!("{} {} did not exist when the session started", manifest.kind.name(), address(manifest));
    let found = locate(&manifest.document, "metadata.name", &message);
    Diagnostic { remedy: Some("start over with this manifest".to_owned()), ..found }
}

/// One action for each part that differs, because some fields can only change together.
fn edits(before: &EditedObject, after: &EditedObject) -> Vec<String> {
    let mut actions = Vec::new();
    for path in WRITTEN {
        let part = |manifest: &EditedObject| manifest.document.get(path).cloned();
        let mut found = Vec::new();
        compare(path, part(before).as_ref(), part(after).as_ref(), &mut found);
        let together = found.into_iter().reduce(|(one, value), (other, next)| joined(path, [(&*one, value), (&*other, next)]));
        actions.extend(together.map(|(path, value)| format!("set {} {path}={value}", named(after))));
    }
    actions
}

/// Two fields below a path with their values as the path with its own.
fn joined(path: &str, fields: [(&str, Value); 2]) -> (String, Value) {
    let mut all = Value::Object(Map::new());
    for (field, value) in fields {
        let below = field.strip_prefix(path).unwrap_or(field);
        merge(&mut all, below.rsplit('.').filter(|name| !name.is_empty()).fold(value, |inner, name| json!({name: inner})));
    }
    (path.to_owned(), all)
}

/// Takes the fields of one value into another.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => from.into_iter().for_each(|(name, value)| match into.get_mut(&name) {
            Some(known) => merge(known, value),
            None => drop(into.insert(name, value)),
        }),
        (into, from) => *into = from,
    }
}

/// Finds the fields that differ, as deep down as their names can be written in a path.
fn compare(path: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<(String, Value)>) {
    if before == after {
        return;
    }
    let (Some(Value::Object(old)), Some(Value::Object(new))) = (before, after) else {
        found.push((path.to_owned(), after.cloned().unwrap_or_default()));
        return;
    };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).filter(|name| old.get(*name) != new.get(*name)).collect();
    let plain = |name: &&String| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    let (deeper, here): (Vec<&String>, Vec<&String>) = names.into_iter().partition(plain);
    for name in deeper {
        compare(&format!("{path}.{name}"), old.get(name), new.get(name), found);
    }
    if !here.is_empty() {
        let patch = here.into_iter().map(|name| (name.clone(), new.get(name).cloned().unwrap_or_default()));
        found.push((path.to_owned(), Value::Object(patch.collect())));
    }
}

#[cfg(test)]
mod tests {
    use script::Script;

    use super::*;

    const BEFORE: &str = "
apiVersion: batch/v1
kind: Job
metadata: {name: pi, labels: {app: a, example.com/team: x}}
spec:
  parallelism: 2
  activeDeadlineSeconds: 9
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}
";

    fn check(edit: impl Fn(&str) -> String, expected: &[&str]) {
        let changes = changes(BEFORE, &edit(BEFORE));
        assert_eq!(
            (changes.problems, changes.actions.as_slice()),
            (Vec::new(), expected.iter().map(|&one| one.to_owned()).collect::<Vec<_>>().as_slice())
        );
        for action in &changes.actions {
            let line = format!("at 1s: {action}\n");
            assert_eq!(Script::parse(&line).map(|script| script.to_string()).as_deref(), Ok(line.as_str()));
        }
    }

    #[test]
    fn fields_are_set_and_unset() {
        check(str::to_owned, &[]);
        check(|before| before.replace("parallelism: 2", "parallelism: 5"), &["set job pi spec.parallelism=5"]);
        check(
            |before| before.replace("  activeDeadlineSeconds: 9\n", "  suspend: true\n"),
            &[r#"set job pi spec={"activeDeadlineSeconds":null,"suspend":true}"#],
        );
    }

    #[test]
    fn lists_are_set_as_a_whole() {
        check(
            |before| before.replace("busybox", "other"),
            &[r#"set job pi spec.template.spec.containers=[{"image":"other","name":"main"}]"#],
        );
    }

    #[test]
    fn fields_that_differ_are_set_together() {
        check(
            |before| {
                before
                    .replace("parallelism: 2", "parallelism: 5\n  podFailurePolicy: {rules: []}")
                    .replace("app: a", "app: b")
                    .replace("busybox", "other")
            },
            &[
                r#"set job pi metadata.labels.app="b""#,
                r#"set job pi spec={"parallelism":5,"podFailurePolicy":{"rules":[]},"template":{"spec":{"containers":[{"image":"other","name":"main"}]}}}"#,
            ],
        );
    }

    #[test]
    fn names_that_no_path_can_hold_are_set_from_above() {
        check(
            |before| before.replace("app: a, example.com/team: x", "app: b, example.com/unit: b"),
            &[r#"set job pi metadata.labels={"app":"b","example.com/team":null,"example.com/unit":"b"}"#],
        );
    }

    #[test]
    fn a_job_that_is_taken_away_is_deleted() {
        let two = format!("{BEFORE}---{}", BEFORE.replace("name: pi", "name: e"));
        assert_eq!(changes(&two, BEFORE).actions, ["delete job e background"]);
    }

    #[test]
    fn a_job_of_another_namespace_is_named_with_it() {
        let two = |parallelism: u32| {
            let other =
                BEFORE.replace("name: pi", "name: pi, namespace: b").replace("parallelism: 2", &format!("parallelism: {parallelism}"));
            format!("{BEFORE}---{other}")
        };
        assert_eq!(changes(&two(2), &two(3)).actions, ["set job b/pi spec.parallelism=3"]);
        assert_eq!(changes(&two(2), BEFORE).actions, ["delete job b/pi background"]);
        check(|before| before.replace("name: pi", "name: pi, namespace: default"), &[]);
    }

    #[test]
    fn a_cron_job_is_set_and_deleted_too() {
        let cron_job = "
apiVersion: batch/v1
kind: CronJob
metadata: {name: pi}
spec:
  schedule: '@hourly'
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: busybox}]}}}}
";
        let both = format!("{BEFORE}---{cron_job}");
        let edited = both.replace("'@hourly'", "'*/5 * * * *'\n  concurrencyPolicy: Forbid");
        let expected = [r#"set cronjob pi spec={"concurrencyPolicy":"Forbid","schedule":"*/5 * * * *"}"#];
        assert_eq!(changes(&both, &edited).actions, expected);
        for action in expected {
            let line = format!("at 1s: {action}\n");
            assert_eq!(Script::parse(&line).map(|script| script.to_string()).as_deref(), Ok(line.as_str()));
        }
        assert_eq!(changes(&both, BEFORE).actions, ["delete cronjob pi background"]);
        assert_eq!(changes(BEFORE, cron_job).problems.len(), 1);
    }

    #[test]
    fn another_job_is_a_problem() {
        let found = changes(BEFORE, &BEFORE.replace("name: pi", "name: e"));
        assert_eq!(found.actions, Vec::<String>::new());
        assert_eq!(
            found.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["4:18: metadata.name: Job e did not exist when the session started; start over with this manifest"]
        );
    }

    #[test]
    fn a_job_that_a_cluster_has_is_another_one() {
        let found = changes(BEFORE, &BEFORE.replace("name: pi,", "name: pi, uid: b3,"));
        assert_eq!((found.problems.len(), found.actions.len()), (1, 0));
    }

    #[test]
    fn what_cannot_be_read_is_a_problem() {
        assert_eq!(changes(BEFORE, "kind: [").problems.len(), 1);
    }
}
