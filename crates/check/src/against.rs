//! Whether a manifest can be applied over the object that is there, and which of its fields cannot change.
//!
//! Docs: Jobs, "Mutable Scheduling Directives", "Elastic Indexed Jobs" (A-110…A-117). What may change is decided by admission; this names the fields in which two
//! objects differ.

use std::collections::BTreeMap;

use admission::equality;
use api::meta::names;
use api::request::{ApiError, Method, Request, path};
use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta, Timestamp};
use cluster::Dependence;
use cluster::apiserver::{Answer, ApiServer};
use cluster::naming::Names;
use manifest::{Diagnostic, ManifestObject, RuleName, Severity};
use schema::{FieldType, ListPatch, Mutable, SchemaType};
use serde_json::{Map, Value};

use crate::{creation, holds};

/// Labels of pods that the API server makes.
const GENERATED: [&str; 4] = [names::CONTROLLER_UID, names::LEGACY_CONTROLLER_UID, names::JOB_NAME, names::LEGACY_JOB_NAME];

/// What the API server would refuse if the new objects were applied over old ones of the same names. Those that have no old one would be created.
pub(super) fn refused_changes(old: &[ManifestObject], new: &[ManifestObject], now: Timestamp) -> Vec<Diagnostic> {
    let named: BTreeMap<_, _> = old.iter().rev().filter_map(|old| Some((identity(old)?, old))).collect();
    let pairs = new.iter().filter_map(|new| Some((*named.get(&identity(new)?)?, new)));
    pairs.flat_map(|(old, new)| refused_change(old, new, now).unwrap_or_default()).collect()
}

/// The kind, namespace and name of a CronJob or Job; `None` for a pod, and where the name is generated.
#[must_use]
pub fn identity(object: &ManifestObject) -> Option<(Kind, &str, &str)> {
    let (kind, metadata) = object.workload()?;
    (!metadata.name.is_empty()).then(|| (kind, namespace(metadata), &*metadata.name))
}

fn namespace(metadata: &ObjectMeta) -> &str {
    if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &metadata.namespace }
}

/// What is refused of one object; `None` if one of the two would not even be created.
fn refused_change(old: &ManifestObject, new: &ManifestObject, now: Timestamp) -> Option<Vec<Diagnostic>> {
    let (kind, metadata) = new.workload()?;
    let (namespace, name) = (namespace(metadata), &*metadata.name);
    let mut server = server();
    match creation(old) {
        Some(request) => drop(server.execute(&request, now).ok()?),
        None => server.restore(kind, namespace, &old.document().value().to_string()).ok()?,
    }
    let stored: Value = serde_json::from_str(&server.object(kind, namespace, name)?.json()).ok()?;
    let Answer::Object(created) = self::server().execute(&creation(new)?, now).ok()? else { return None };
    let wanted = adopted(serde_json::from_str(&created.json()).ok()?, &stored);
    let body = Value::Object(wanted.clone()).to_string();
    let request = Request { method: Method::Put, path: path(kind, namespace, name, ""), body, ..Request::read(kind, namespace, name) };
    match server.execute(&request, now) {
        Ok(_) => Some(Vec::new()),
        Err(error) => Some(explained(new, &error, &leaves(kind, &stored, &wanted))),
    }
}

/// A server whose first object of a name always has the same UID.
fn server() -> ApiServer {
    ApiServer::new(Names::predictable(), Dependence::OnOwners)
}

/// A new object with what the server made for the old one: who it is, and how a Job finds its pods.
fn adopted(mut new: Map<String, Value>, old: &Value) -> Map<String, Value> {
    for field in ["uid", "resourceVersion"] {
        new["metadata"][field] = old["metadata"][field].clone();
    }
    if new["spec"]["manualSelector"] != true && new["spec"].get("selector").is_some() {
        new["spec"]["selector"] = old["spec"]["selector"].clone();
        let made = &old["spec"]["template"]["metadata"]["labels"];
        if let Some(labels) = new["spec"]["template"]["metadata"]["labels"].as_object_mut() {
            labels.retain(|label, _| !GENERATED.contains(&label.as_str()));
            labels.extend(GENERATED.into_iter().filter_map(|label| Some((label.to_owned(), made.get(label)?.clone()))));
        }
    }
    new
}

/// A field in which two objects differ.
#[derive(Debug)]
struct Leaf {
    /// As in `spec.template.spec.containers[0].image`.
    path: String,
    before: Option<Value>,
    after: Option<Value>,
    mutable: Mutable,
}

/// The fields of the specs in which two stored objects differ.
fn leaves(kind: Kind, old: &Value, new: &Map<String, Value>) -> Vec<Leaf> {
    let of = schema::of(kind.name());
    let spec = |object: &Map<String, Value>| equality::essential_fields(of, object.clone()).remove("spec");
    let (old_spec, new_spec) = (old.as_object().and_then(spec), spec(new));
    let mut differences = Differences { root: of, found: Vec::new() };
    if let Some(field) = of.field("spec") {
        let [before, after] =
            [ComparedValue::of(old_spec.as_ref(), old.get("spec")), ComparedValue::of(new_spec.as_ref(), new.get("spec"))];
        differences.compare(&field.kind, ListPatch::Replaced, "spec", before, after);
    }
    differences.found
}

/// A value as it is compared, and as it is written: a quantity is compared by its size.
#[derive(Clone, Copy)]
struct ComparedValue<'v> {
    compared: Option<&'v Value>,
    written: Option<&'v Value>,
}

impl<'v> ComparedValue<'v> {
    fn of(compared: Option<&'v Value>, written: Option<&'v Value>) -> Self {
        Self { compared, written }
    }

    fn field(self, name: &str) -> Self {
        Self::of(self.compared.and_then(|value| value.get(name)), self.written.and_then(|value| value.get(name)))
    }

    fn item(self, place: usize) -> Self {
        Self::of(self.compared.and_then(|value| value.get(place)), self.written.and_then(|value| value.get(place)))
    }
}

struct Differences {
    root: &'static SchemaType,
    found: Vec<Leaf>,
}

impl Differences {
    fn compare(&mut self, kind: &FieldType, patched: ListPatch, path: &str, before: ComparedValue<'_>, after: ComparedValue<'_>) {
        match (kind, patched, before.compared, after.compared) {
            _ if before.compared == after.compared => {}
            (FieldType::Fields(of), _, Some(Value::Object(_)), Some(Value::Object(_))) => {
                for field in of.fields {
                    let path = format!("{path}.{}", field.name);
                    self.compare(&field.kind, field.patched, &path, before.field(field.name), after.field(field.name));
                }
            }
            (FieldType::List(kind), ListPatch::Merged(key), Some(Value::Array(old)), Some(Value::Array(new))) => {
                let same = |list: &'_ [Value], item: &Value| list.iter().position(|other| other[key] == item[key]);
                for (place, item) in new.iter().enumerate() {
                    let old = same(old, item).map_or(ComparedValue::of(None, None), |place| before.item(place));
                    self.compare(kind, ListPatch::Replaced, &format!("{path}[{place}]"), old, after.item(place));
                }
                for (place, _) in old.iter().enumerate().filter(|(_, item)| same(new, item).is_none()) {
                    self.note(path, before.item(place), ComparedValue::of(None, None));
                }
            }
            (FieldType::Map(kind), _, Some(Value::Object(old)), Some(Value::Object(new))) => {
                let added = new.keys().filter(|key| !old.contains_key(*key));
                for key in old.keys().chain(added) {
                    self.compare(kind, ListPatch::Replaced, &format!("{path}[{key}]"), before.field(key), after.field(key));
                }
            }
            _ => self.note(path, before, after),
        }
    }

    fn note(&mut self, path: &str, before: ComparedValue<'_>, after: ComparedValue<'_>) {
        let mutable = schema::resolve(self.root, path).and_then(|known| known.mutable).unwrap_or(Mutable::Never);
        let value = |versions: ComparedValue<'_>| versions.compared.and(versions.written.or(versions.compared)).cloned();
        self.found.push(Leaf { path: path.to_owned(), before: value(before), after: value(after), mutable });
    }
}

/// What the server refuses, at the fields that cause it; not an error where annotations ask a tool to replace the object.
fn explained(new: &ManifestObject, error: &ApiError, leaves: &[Leaf]) -> Vec<Diagnostic> {
    let Some((kind, metadata)) = new.workload() else { return Vec::new() };
    let replaced_by = advice::replaced_by(metadata);
    let mut found = Vec::new();
    for leaf in leaves.iter().filter(|leaf| leaf.mutable != Mutable::Always) {
        let Some(cause) = error.causes.iter().find(|cause| holds(&cause.field, &leaf.path)) else { continue };
        // While a Job's template may change in part, the reason is what may not.
        let whole = kind == Kind::Job && cause.field == "spec.template.spec";
        if whole && leaf.mutable == Mutable::Suspended {
            continue;
        }
        let message = format!("this cannot be changed in a {} that exists: {} → {}", kind.name(), shown(&leaf.before), shown(&leaf.after));
        let located = Diagnostic::warning(RuleName::IMMUTABLE, new.document(), &leaf.path, &message, remedy(leaf.mutable));
        found.push(match replaced_by {
            Some(tool) => {
                let message = format!("{}; {tool} replaces the {}, as its annotations ask", located.message, kind.name());
                Diagnostic { severity: Severity::Note, message, remedy: None, ..located }
            }
            None => Diagnostic { severity: Severity::Error, ..located },
        });
    }
    if found.is_empty() { manifest::refusals(new.document(), error) } else { found }
}

/// What to do instead.
fn remedy(mutable: Mutable) -> &'static str {
    match mutable {
        Mutable::Suspended => {
            "suspend the Job first (spec.suspend: true), and apply this when it has no active pods; or delete the Job and create it again"
        }
        Mutable::WithParallelism => {
            "set completions and parallelism of an Indexed Job to the same value, or delete the Job and create it again"
        }
        Mutable::Never | Mutable::Always => {
            "create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force)"
        }
    }
}

/// A value in few words.
fn shown(value: &Option<Value>) -> String {
    const MOST: usize = 60;
    let text = match value {
        None => return "nothing".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    if text.chars().count() > MOST { format!("{}…", text.chars().take(MOST).collect::<String>()) } else { text }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const JOB: &str = "apiVersion: batch/v1
kind: Job
metadata: {name: migrate}
spec:
  completions: 3
  parallelism: 3
  completionMode: Indexed
  suspend: false
  template:
    metadata: {labels: {app: migrate}}
    spec:
      restartPolicy: Never
      nodeSelector: {disk: ssd}
      containers:
      - name: main
        image: perl:5.34
        resources: {limits: {cpu: 1000m}}
";

    fn check(old: &str, changes: &[(&str, &str)], expected: Expect) {
        let mut new = old.to_owned();
        for (from, to) in changes {
            assert!(new.contains(from), "{from}");
            new = new.replace(from, to);
        }
        let objects = |text: &str| crate::check(text, crate::CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).objects;
        let found = refused_changes(&objects(old), &objects(&new), Timestamp::UNIX_EPOCH);
        expected.assert_eq(&found.iter().map(|found| format!("{found}\n")).collect::<String>());
    }

    #[test]
    fn what_may_change_is_applied() {
        check(JOB, &[], expect![""]);
        check(JOB, &[("parallelism: 3", "parallelism: 1"), ("cpu: 1000m", "cpu: 1"), ("suspend: false", "suspend: true")], expect![""]);
        check(JOB, &[("completions: 3", "completions: 5"), ("parallelism: 3", "parallelism: 5")], expect![""]);
        check(JOB, &[("name: migrate}", "name: other}"), ("perl:5.34", "perl:5.36")], expect![""]);
    }

    #[test]
    fn what_may_not_is_named_field_by_field() {
        check(
            JOB,
            &[("perl:5.34", "perl:5.36"), ("app: migrate", "app: other"), ("parallelism: 3", "parallelism: 2")],
            expect![[r#"
            10:30: spec.template.metadata.labels[app]: this cannot be changed in a Job that exists: migrate → other; suspend the Job first (spec.suspend: true), and apply this when it has no active pods; or delete the Job and create it again
            16:16: spec.template.spec.containers[0].image: this cannot be changed in a Job that exists: perl:5.34 → perl:5.36; create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force)
        "#]],
        );
        check(
            JOB,
            &[("completions: 3", "completions: 5")],
            expect![[r#"
            5:16: spec.completions: this cannot be changed in a Job that exists: 3 → 5; set completions and parallelism of an Indexed Job to the same value, or delete the Job and create it again
        "#]],
        );
        check(
            JOB,
            &[("  completionMode: Indexed\n", "")],
            expect![[r#"
            4:1: spec.completionMode: this cannot be changed in a Job that exists: Indexed → NonIndexed; create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force)
        "#]],
        );
        check(
            JOB,
            &[("restartPolicy: Never", "restartPolicy: Never\n      initContainers: [{name: a, image: b}]")],
            expect![[r#"
                13:7: spec.template.spec.initContainers: this cannot be changed in a Job that exists: nothing → [{"image":"b","imagePullPolicy":"Always","name":"a","resourc…; create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force)
            "#]],
        );
    }

    #[test]
    fn of_a_suspended_job_the_template_may_change_in_part() {
        let suspended = JOB.replace("suspend: false", "suspend: true");
        check(&suspended, &[("disk: ssd", "disk: hdd"), ("app: migrate", "app: other"), ("cpu: 1000m", "cpu: 2")], expect![""]);
        check(
            &suspended,
            &[("disk: ssd", "disk: hdd"), ("perl:5.34", "perl:5.36")],
            expect![[r#"
            16:16: spec.template.spec.containers[0].image: this cannot be changed in a Job that exists: perl:5.34 → perl:5.36; create another Job: delete the old one first, or use another name (Helm: make it a hook; Argo CD: Replace=true,Force=true; Flux: force)
        "#]],
        );
        check(
            JOB,
            &[("disk: ssd", "disk: hdd")],
            expect![[r#"
            13:28: spec.template.spec.nodeSelector[disk]: this cannot be changed in a Job that exists: ssd → hdd; suspend the Job first (spec.suspend: true), and apply this when it has no active pods; or delete the Job and create it again
        "#]],
        );
    }

    #[test]
    fn what_a_tool_replaces_may_change() {
        for (annotation, tool) in [
            ("helm.sh/hook: pre-upgrade", "Helm"),
            ("argocd.argoproj.io/hook: PreSync", "Argo CD"),
            ("argocd.argoproj.io/sync-options: 'Replace=true,Force=true'", "Argo CD"),
            ("kustomize.toolkit.fluxcd.io/force: Enabled", "Flux"),
        ] {
            let hook = JOB.replace("{name: migrate}", &format!("{{name: migrate, annotations: {{{annotation}}}}}"));
            let objects = |text: &str| crate::check(text, crate::CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).objects;
            let found = refused_changes(&objects(&hook), &objects(&hook.replace("perl:5.34", "perl:5.36")), Timestamp::UNIX_EPOCH);
            let note = format!(
                "16:16: spec.template.spec.containers[0].image: this cannot be changed in a Job that exists: perl:5.34 → perl:5.36; {tool} replaces the Job, as its annotations ask"
            );
            assert_eq!(found.iter().map(|found| (found.severity, found.to_string())).collect::<Vec<_>>(), [(Severity::Note, note)]);
        }
    }

    #[test]
    fn quantities_are_shown_as_they_are_stored() {
        check(
            JOB,
            &[("cpu: 1000m", "cpu: 2, memory: 1Gi")],
            expect![[r#"
                17:35: spec.template.spec.containers[0].resources.limits[cpu]: this cannot be changed in a Job that exists: 1 → 2; suspend the Job first (spec.suspend: true), and apply this when it has no active pods; or delete the Job and create it again
                17:46: spec.template.spec.containers[0].resources.limits[memory]: this cannot be changed in a Job that exists: nothing → 1Gi; suspend the Job first (spec.suspend: true), and apply this when it has no active pods; or delete the Job and create it again
            "#]],
        );
    }

    #[test]
    fn cron_jobs_may_change_in_all_their_spec() {
        let cron_job = format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: nightly}}\nspec:\n  schedule: '@daily'\n  jobTemplate:\n    spec:\n{}",
            JOB.split_once("spec:\n").unwrap().1.replace("\n  ", "\n      ").replacen("  comp", "      comp", 1)
        );
        check(&cron_job, &[("perl:5.34", "perl:5.36"), ("@daily", "@hourly")], expect![""]);
    }

    #[test]
    fn jobs_of_a_cluster_are_compared_as_they_are() {
        let started =
            JOB.replace("name: migrate}", "name: migrate, uid: u, resourceVersion: '7'}").replace("suspend: false", "suspend: true")
                + "status: {startTime: 2026-01-01T00:00:00Z, active: 1}\n";
        let objects = |text: &str| crate::check(text, crate::CheckDepth::Mistakes, Timestamp::UNIX_EPOCH).objects;
        let new = JOB.replace("disk: ssd", "disk: hdd");
        let found = refused_changes(&objects(&started), &objects(&new), Timestamp::UNIX_EPOCH);
        expect![[r#"
            13:28: spec.template.spec.nodeSelector[disk]: this cannot be changed in a Job that exists: ssd → hdd; suspend the Job first (spec.suspend: true), and apply this when it has no active pods; or delete the Job and create it again
        "#]].assert_eq(&found.iter().map(|found| format!("{found}\n")).collect::<String>());
    }
}
