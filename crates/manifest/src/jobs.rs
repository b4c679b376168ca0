//! The objects of a file: its Jobs and CronJobs, with the pods that a cluster has of them, and what to do about all else that a file may hold.
//!
//! Docs: Jobs, "Writing a Job spec"; CronJob, "Example"; Objects in Kubernetes, "Required fields". What an object's fields are is decided in
//! `strict.rs`.

use std::borrow::Cow;

use api::{CronJob, Job, Kind, ObjectMeta};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::misplaced::nearest;
use crate::node::{Content, MapEntry, SourceNode};
use crate::other_kinds::{FORMER, REMOVE, meant, of_others};
use crate::passed_over::{foreign, is_event};
use crate::read::FileReading;
use crate::separators::Separators;
use crate::{Diagnostic, Document, Fix, Position, RuleName, cause, no_manifest, other_kinds, path, strict};

/// What the kind of a list ends with.
const LIST: &str = "List";

/// A Job, and the document that it was written as.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The document.
    pub document: Document,
    /// The Job, before the API server fills in defaults.
    pub job: Job,
}

/// A CronJob, and the document that it was written as.
#[derive(Debug, Clone)]
pub struct CronJobManifest {
    /// The document.
    pub document: Document,
    /// The CronJob, before the API server fills in defaults.
    pub cron_job: CronJob,
}

/// An object of a file.
#[derive(Debug, Clone)]
pub enum ManifestObject {
    /// A CronJob.
    CronJob(Box<CronJobManifest>),
    /// A Job.
    Job(Box<Manifest>),
    /// A pod as a cluster has it.
    Pod(Document),
}

impl ManifestObject {
    /// The document that it was written as.
    #[must_use]
    pub fn document(&self) -> &Document {
        match self {
            Self::CronJob(manifest) => &manifest.document,
            Self::Job(manifest) => &manifest.document,
            Self::Pod(document) => document,
        }
    }

    /// The kind and the metadata of a CronJob or Job.
    #[must_use]
    pub fn workload(&self) -> Option<(Kind, &ObjectMeta)> {
        match self {
            Self::CronJob(manifest) => Some((Kind::CronJob, &manifest.cron_job.metadata)),
            Self::Job(manifest) => Some((Kind::Job, &manifest.job.metadata)),
            Self::Pod(_) => None,
        }
    }

    /// The Job, if it is one.
    #[must_use]
    pub fn into_job(self) -> Option<Manifest> {
        match self {
            Self::Job(manifest) => Some(*manifest),
            Self::CronJob(_) | Self::Pod(_) => None,
        }
    }
}

/// Reads all Jobs of a file, also those in a `List`.
///
/// # Errors
/// All that keeps the file from being Jobs and nothing else: text that cannot be read, other kinds and versions, fields that a Job does not
/// have, values of other types.
pub fn jobs(text: &str) -> Result<Vec<Manifest>, Vec<Diagnostic>> {
    Ok(gather(&FileReading::of(text), &[Kind::Job], false)?.into_iter().filter_map(ManifestObject::into_job).collect())
}

/// Reads all CronJobs and Jobs of a file, and the pods that a cluster has of them: what `kubectl get cronjobs,jobs,pods -o yaml` prints. What
/// else is in the file, such as a ConfigMap, is skipped: [`passed_over`](crate::passed_over) names it. Pods are those of the Jobs and others: [`pods_of_others`](crate::pods_of_others)
/// tells them apart.
///
/// # Errors
/// As [`jobs`] has them; a pod that no cluster has, as it has no UID, is refused as there. So is what is passed over if there is nothing else.
pub fn objects(text: &str) -> Result<Vec<ManifestObject>, Vec<Diagnostic>> {
    objects_of(&FileReading::of(text))
}

/// The same of a file that has been read.
///
/// # Errors
/// As [`objects`] has them.
pub fn objects_of(reading: &FileReading) -> Result<Vec<ManifestObject>, Vec<Diagnostic>> {
    gather(reading, &Kind::ALL, true)
}

/// Reads all CronJobs and Jobs of a file, also those in a `List`.
///
/// # Errors
/// As [`jobs`] has them, of both kinds.
pub fn workloads(text: &str) -> Result<Vec<ManifestObject>, Vec<Diagnostic>> {
    gather(&FileReading::of(text), &[Kind::CronJob, Kind::Job], false)
}

/// Reads all CronJobs and Jobs of a file, and skips what else is in it, except pods: [`passed_over`](crate::passed_over) names it.
///
/// # Errors
/// As [`jobs`] has them, of both kinds. So is what is skipped if there is nothing else.
pub fn workloads_among_others(text: &str) -> Result<Vec<ManifestObject>, Vec<Diagnostic>> {
    gather(&FileReading::of(text), &[Kind::CronJob, Kind::Job], true)
}

/// Reads all objects of a file, which may be of these kinds; `skip`: others are skipped, unless there is nothing else.
fn gather(reading: &FileReading, kinds: &[Kind], skip: bool) -> Result<Vec<ManifestObject>, Vec<Diagnostic>> {
    gather_documents(reading, kinds, skip).map_err(|found| cause::instead_of(found, reading.text))
}

fn gather_documents(
    FileReading { text, documents, unreadable }: &FileReading,
    kinds: &[Kind],
    skip: bool,
) -> Result<Vec<ManifestObject>, Vec<Diagnostic>> {
    let (mut found, mut objects, mut others, mut event) = (unreadable.clone(), Vec::new(), Vec::new(), None);
    let separators = Separators::of(text);
    for (node, duplicates) in documents.iter().flat_map(|(document, duplicates)| each_with(&separators, document, duplicates)) {
        let sound = duplicates.is_empty();
        found.extend(duplicates);
        match object(&node, kinds) {
            (Some(object), problems) if problems.is_empty() => objects.extend(Some(object).filter(|_| sound)),
            _ if skip && is_event(&node) => event = event.or(Some(node.position)),
            (_, problems) if skip && foreign(&node).is_some() => others.extend(problems),
            (_, problems) => found.extend(problems),
        }
    }
    if found.is_empty() && objects.is_empty() {
        found = others;
        let only_events = event.filter(|_| found.is_empty()).map(|first| Diagnostic::error(first, "there is no Job here, only Events"));
        let remedy = "add what they are about, as printed by `kubectl get cronjobs,jobs,pods,events -o yaml`";
        found.extend(only_events.map(|error| error.remedy(remedy)));
    }
    if found.is_empty() && objects.is_empty() {
        let nothing = Diagnostic::error(Position::START, "there is no Job in this file");
        let nothing = nothing.remedy("a Job starts with the lines `apiVersion: batch/v1` and `kind: Job`");
        found.push(if documents.is_empty() { nothing } else { no_manifest::nothing_found() });
    }
    if objects.is_empty() {
        // Without it, nothing would be left.
        let only = found.iter_mut().filter(|problem| problem.remedy.as_deref() == Some(REMOVE));
        only.for_each(|problem| problem.remedy = Some("pass a file with a Job or a CronJob".to_owned()));
    }
    if found.is_empty() { Ok(objects) } else { Err(found) }
}

/// The objects of a document, each with those of the document's duplicate fields that stand in it.
pub(crate) fn each_with<'d>(
    separators: &Separators<'_>,
    document: &'d Document,
    duplicates: &[Diagnostic],
) -> Vec<(Cow<'d, SourceNode>, Vec<Diagnostic>)> {
    let mut nodes: Vec<(Cow<'d, SourceNode>, Vec<Diagnostic>)> = each(document.root()).into_iter().map(|node| (node, Vec::new())).collect();
    if nodes.is_empty() && !duplicates.is_empty() {
        nodes.push((Cow::Borrowed(document.root()), Vec::new()));
    }
    for duplicate in separators.instead_of(document, duplicates) {
        let place = nodes.iter().rposition(|(node, _)| node.position <= duplicate.position).unwrap_or_default();
        if let Some((_, of_node)) = nodes.get_mut(place) {
            of_node.push(duplicate);
        }
    }
    nodes
}

/// The object that this is, or those of the list that this is.
pub(crate) fn each(node: &SourceNode) -> Vec<Cow<'_, SourceNode>> {
    let Some(items) = items(node) else { return vec![Cow::Borrowed(node)] };
    items.iter().flat_map(|item| inherited(node, item).map_or_else(|| each(item), |item| vec![Cow::Owned(item)])).collect()
}

/// An item that leaves its kind to the list, as the API server writes a `JobList`, with the kind and version that it has from it.
fn inherited(list: &SourceNode, item: &SourceNode) -> Option<SourceNode> {
    let kind = text(list, "kind")?.strip_suffix(LIST).filter(|kind| !kind.is_empty())?;
    let Content::Map(entries) = &item.content else { return None };
    if item.entry("kind").is_some() {
        return None;
    }
    let of_kind = |entry: &MapEntry| {
        let content = Content::Scalar { value: Value::from(kind), written: kind.to_owned(), first_line: None };
        MapEntry { node: SourceNode { content, ..entry.node.clone() }, ..entry.clone() }
    };
    let version = list.entry("apiVersion").filter(|_| item.entry("apiVersion").is_none());
    let from_list = version.cloned().into_iter().chain(list.entry("kind").map(of_kind));
    Some(SourceNode { content: Content::Map(from_list.chain(entries.iter().cloned()).collect()), ..item.clone() })
}

/// Whether this is a pod as a cluster has it.
pub(crate) fn stored_pod(node: &SourceNode) -> bool {
    text(node, "kind") == Some(Kind::Pod.name())
        && text(node, "apiVersion") == Some(Kind::Pod.api_version())
        && node.entry("metadata").is_some_and(|metadata| text(&metadata.node, "uid").is_some_and(|uid| !uid.is_empty()))
}

/// The items, if this is a `List`, or a list of one kind such as a `JobList`.
fn items(node: &SourceNode) -> Option<&[SourceNode]> {
    let kind = text(node, "kind")?.strip_suffix(LIST)?;
    let Content::List(items) = &node.entry("items")?.node.content else { return None };
    let known = || Kind::of(kind).is_some() || meant(kind).is_none();
    (kind.is_empty() || known()).then_some(items)
}

/// The object that this is, without what cannot be decoded of it, and all that is wrong with it.
pub(crate) fn object(node: &SourceNode, kinds: &[Kind]) -> (Option<ManifestObject>, Vec<Diagnostic>) {
    if kinds.contains(&Kind::Pod) && stored_pod(node) {
        return (Some(ManifestObject::Pod(Document::of(node.clone()))), Vec::new());
    }
    let workload = match refuse_other_shapes(node).and_then(|()| kind(node, kinds)) {
        Ok(workload) => workload,
        Err(problem) => return (None, vec![problem]),
    };
    let document = Document::of(node.clone());
    match workload {
        Workload::CronJob => {
            let (cron_job, found) = decoded(Kind::CronJob, node);
            (cron_job.map(|cron_job| ManifestObject::CronJob(Box::new(CronJobManifest { document, cron_job }))), found)
        }
        Workload::Job => {
            let (job, found) = decoded(Kind::Job, node);
            (job.map(|job| ManifestObject::Job(Box::new(Manifest { document, job }))), found)
        }
    }
}

/// The object of this kind that this is, without what cannot be decoded of it, and all that is wrong with it.
fn decoded<T: DeserializeOwned>(kind: Kind, node: &SourceNode) -> (Option<T>, Vec<Diagnostic>) {
    let version = other_kinds::former(node).into_iter().chain(refuse_other_versions(kind, node).err());
    let (value, refused) = strict::decode(kind, node);
    let mut found: Vec<Diagnostic> = version.chain(refused).collect();
    // As text: a reader of API objects has this reader too.
    let object = serde_json::from_str(&value.to_string());
    if let Err(error) = &object
        && found.is_empty()
    {
        found.push(Diagnostic::error(node.position, format!("this {} cannot be read: {error}", kind.name())));
    }
    (object.ok(), found)
}

fn refuse_other_shapes(node: &SourceNode) -> Result<(), Diagnostic> {
    let (found, remedy) = match &node.content {
        Content::Map(_) => return Ok(()),
        Content::List(items) if items.first().is_some_and(|item| item.entry("op").is_some() && item.entry("path").is_some()) => {
            ("a JSON patch", "apply it to its Job first, and use what `kubectl kustomize` prints")
        }
        Content::List(_) => ("a list", "put each Job into a document of its own, with a line `---` between them"),
        Content::Scalar { .. } => ("a word", "a Job starts with the lines `apiVersion: batch/v1` and `kind: Job`"),
    };
    Err(Diagnostic::error(node.position, format!("this is {found}, not an object")).remedy(remedy))
}

/// What a file may have people write.
enum Workload {
    CronJob,
    Job,
}

/// The kind of an object, if it is one of these.
fn kind(node: &SourceNode, kinds: &[Kind]) -> Result<Workload, Diagnostic> {
    let Some(entry) = node.entry("kind") else {
        if let Some(entry) = misspelt(node, "kind") {
            let error = Diagnostic::error(entry.position, format!("unknown field {:?}", entry.key)).rule(RuleName::UNKNOWN_FIELD);
            let meant = Fix::Move { to: "kind".to_owned() };
            return Err(error.at(path::step(&entry.key)).remedy("did you mean kind?").fix(Some(meant)));
        }
        let missing = Fix::Add { path: "kind".to_owned(), value: Kind::Job.name().to_owned() };
        return Err(Diagnostic::error(node.position, "the object has no kind").at("kind").remedy("add `kind: Job`").fix(Some(missing)));
    };
    let Some(kind) = text(node, "kind") else {
        return Err(Diagnostic::error(entry.position, "the kind is not text").at("kind").remedy("use `kind: Job`"));
    };
    match Kind::of(kind).filter(|kind| kinds.contains(kind) && !of_others(node)) {
        Some(Kind::CronJob) => Ok(Workload::CronJob),
        Some(Kind::Job) => Ok(Workload::Job),
        None if kind == FORMER && kinds.contains(&Kind::CronJob) => Ok(Workload::CronJob),
        Some(Kind::Pod) | None => Err(other_kinds::refused(node, kind, kinds)),
    }
}

/// Versions in which Kubernetes had Jobs or CronJobs, and no longer serves them.
const REMOVED_VERSIONS: [&str; 3] = ["batch/v1beta1", "batch/v2alpha1", "extensions/v1beta1"];

/// Refuses other versions of a kind; one that is not text is left to [`strict`].
fn refuse_other_versions(kind: Kind, node: &SourceNode) -> Result<(), Diagnostic> {
    let wanted = kind.api_version();
    let refused = |position, message: String, fix: Option<Fix>| {
        Err(Diagnostic::error(position, message).at("apiVersion").remedy(format!("set `apiVersion: {wanted}`")).fix(fix))
    };
    let removed = |refused: Diagnostic, version: &str| {
        if REMOVED_VERSIONS.contains(&version) { refused.rule(RuleName::REMOVED_VERSION) } else { refused }
    };
    let value = || wanted.to_owned();
    match (node.entry("apiVersion"), text(node, "apiVersion")) {
        (Some(entry), Some(version)) if version != wanted => refused(
            entry.node.position,
            format!("there is no {} in apiVersion {version:?}", kind.name()),
            Some(Fix::Write { value: value() }),
        )
        .map_err(|refused| removed(refused, version)),
        (Some(entry), None) if entry.node.null() => refused(entry.position, "the apiVersion is empty".to_owned(), None),
        // It is there, under a name that is refused.
        (None, _) if misspelt(node, "apiVersion").is_some() => Ok(()),
        (None, _) => refused(
            node.position,
            "the object has no apiVersion".to_owned(),
            Some(Fix::Add { path: "apiVersion".to_owned(), value: value() }),
        ),
        (Some(_), _) => Ok(()),
    }
}

/// The entry at the top that is meant to be this field, which is not there.
fn misspelt<'n>(node: &'n SourceNode, field: &str) -> Option<&'n MapEntry> {
    let Content::Map(entries) = &node.content else { return None };
    entries.iter().find(|entry| !schema::of(Kind::Job.name()).has(&entry.key) && nearest(&entry.key, std::iter::once(field)).is_some())
}

/// The text of a field at the top.
pub(crate) fn text<'n>(node: &'n SourceNode, key: &str) -> Option<&'n str> {
    match &node.entry(key)?.node.content {
        Content::Scalar { value, .. } => value.as_str(),
        Content::List(_) | Content::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| match jobs(text) {
            Ok(jobs) => jobs.iter().map(|manifest| format!("{}\n", manifest.job.metadata.name)).collect::<String>(),
            Err(found) => found.iter().map(|found| format!("{found}\n")).collect(),
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    #[test]
    fn jobs_of_several_documents_and_lists() {
        check(
            &["
apiVersion: batch/v1
kind: Job
metadata: {name: a}
---
# nothing
---
apiVersion: v1
kind: List
items:
- apiVersion: batch/v1
  kind: Job
  metadata: {name: b, labels: {empty: }}
- {apiVersion: batch/v1, kind: Job, metadata: {name: c}, spec: {template: {spec: {containers: [null]}}}}
---
{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"metadata\": {\"name\": \"d\"}}
"],
            expect![[r#"
                a
                b
                c
                d
            "#]],
        );
    }

    #[test]
    fn items_of_a_list_of_one_kind_have_its_kind() {
        let list = |version: &str, kind: &str, items: &str| format!("apiVersion: {version}\nkind: {kind}List\nitems:\n{items}");
        let names = |text: &str| {
            let read = |object: &ManifestObject| {
                let value = object.document().value();
                format!("{} {} {}", value["apiVersion"], value["kind"], value["metadata"]["name"]).replace('"', "")
            };
            objects(text)
                .map_or_else(|found| found[0].to_string(), |read_objects| read_objects.iter().map(read).collect::<Vec<_>>().join(", "))
        };
        let two = "- metadata: {name: a}\n- {apiVersion: batch/v1, metadata: {name: b}}\n";
        assert_eq!(names(&list("batch/v1", "Job", two)), "batch/v1 Job a, batch/v1 Job b");
        let cron_job = "- {metadata: {name: c}, spec: {schedule: '@daily'}}\n";
        assert_eq!(names(&list("batch/v1", "CronJob", cron_job)), "batch/v1 CronJob c");
        let (pods, jobs) = ("- metadata: {name: p, uid: u}\n", "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n");
        assert_eq!(names(&list("v1", "Pod", pods)), "v1 Pod p");
        assert_eq!(names(&(list("v1", "ConfigMap", "- metadata: {name: s}\n") + jobs)), "batch/v1 Job a", "others are passed over");
        let unknown = "- metadata: {name: a}\n  spec: {paralelism: 2}\n";
        let found = "5:10: spec.paralelism: unknown field \"paralelism\"; did you mean parallelism?";
        assert_eq!(names(&list("batch/v1", "Job", unknown)), found);
        assert!(names(&list("batch/v1", "", two)).contains("the object has no kind"), "a List has items of all kinds");
    }

    #[test]
    fn pods_that_a_cluster_has_come_with_their_jobs() {
        let list = |pod: &str| {
            format!(
                "apiVersion: v1\nkind: List\nitems:\n- {{apiVersion: batch/v1, kind: Job, metadata: {{name: a}}}}\n- {{apiVersion: v1, kind: Pod, metadata: {{name: a-x, {pod}}}}}\n"
            )
        };
        let pod = list("uid: b3");
        let names: Vec<String> =
            objects(&pod).unwrap().iter().map(|object| object.document().value()["metadata"]["name"].to_string()).collect();
        assert_eq!(names, ["\"a\"", "\"a-x\""]);
        assert_eq!(jobs(&pod).unwrap_err().len(), 1);
        assert_eq!(objects(&list("labels: {}")).unwrap_err().len(), 1);
        let pods = objects("{apiVersion: v1, kind: Pod, metadata: {uid: b3}}").unwrap();
        assert!(matches!(pods[..], [ManifestObject::Pod(_)]), "a controller of pods needs no Job");
    }

    #[test]
    fn cron_jobs_come_where_they_are_asked_for() {
        let cron_job =
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {schedule: '@daily', jobTemplate: {spec: {parallelism: 2}}}\n";
        let read = workloads(cron_job).unwrap();
        let [ManifestObject::CronJob(manifest)] = &read[..] else { panic!("it is a CronJob") };
        assert_eq!(manifest.cron_job.spec.job_template.spec.json(), r#"{"parallelism":2}"#);
        assert_eq!((&*manifest.cron_job.metadata.name, &*manifest.cron_job.spec.schedule), ("c", "@daily"));
        let list = "{apiVersion: v1, kind: List, items: [{apiVersion: batch/v1, kind: Job}, {apiVersion: batch/v1, kind: CronJob}]}";
        assert!(matches!(workloads(list).unwrap()[..], [ManifestObject::Job(_), ManifestObject::CronJob(_)]));
        let problems = |text: &str| workloads(text).unwrap_err().iter().map(|found| format!("{found}\n")).collect::<String>();
        expect![[r#"
            1:13: apiVersion: there is no CronJob in apiVersion "batch/v1beta1"; set `apiVersion: batch/v1`
            3:8: spec.backoffLimit: unknown field "backoffLimit"; backoffLimit belongs to the Job: move it to spec.jobTemplate.spec.backoffLimit
            5:7: kind: "cronjob" is not a kind that jobsmith runs; use `kind: CronJob`
            7:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Pod; use a Job with the pod's metadata and spec as its spec.template, and a restartPolicy of Never or OnFailure
            9:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a CronJobList; add `items` to the list
        "#]]
        .assert_eq(&problems(
            "apiVersion: batch/v1beta1\nkind: CronJob\nspec: {backoffLimit: 2}\n---\nkind: cronjob\n---\nkind: Pod\n---\nkind: CronJobList\n",
        ));
    }

    #[test]
    fn files_without_jobs() {
        let list = "apiVersion: v1\nkind: List\n";
        check(
            &["", "# nothing\n---\n", "- a\n- b\n", "hello", list, &format!("{list}items: []")],
            expect![[r#"
                1:1: the input is empty; if it comes from a command, look at the errors of that command
                1:1: there is no Job in this file; a Job starts with the lines `apiVersion: batch/v1` and `kind: Job`
                1:1: this is a list, not an object; put each Job into a document of its own, with a line `---` between them
                1:1: this is a word, not an object; a Job starts with the lines `apiVersion: batch/v1` and `kind: Job`
                2:7: kind: jobsmith runs Jobs: it cannot run a List; add `items` to the list
                1:1: kubectl found nothing; is the namespace right? Pass it to kubectl with -n, or -A for all namespaces
            "#]],
        );
    }

    #[test]
    fn other_kinds() {
        check(
            &[
                "apiVersion: apps/v1\nkind: Deployment\n",
                "apiVersion: batch/v1\nkind: CronJob\n",
                "apiVersion: v1\nkind: Service\n",
                "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod}]\n",
                "apiVersion: batch/v1\nkind: job\n",
                "apiVersion: batch/v1\n",
                "apiVersion: batch/v1\nkind: yes\n",
            ],
            expect![[r#"
                2:7: kind: jobsmith runs Jobs: it cannot run a Deployment; its pods run forever; for work that ends, use a Job with the same spec.template and a restartPolicy of Never or OnFailure
                2:7: kind: jobsmith runs Jobs: it cannot run a CronJob; turn its spec.jobTemplate into a Job: `kind: Job`, with spec.jobTemplate.spec as its spec
                2:7: kind: jobsmith runs Jobs: it cannot run a Service; pass a file with a Job or a CronJob
                3:32: kind: jobsmith runs Jobs: it cannot run a Pod; use a Job with the pod's metadata and spec as its spec.template, and a restartPolicy of Never or OnFailure
                2:7: kind: "job" is not a kind that jobsmith runs; use `kind: Job`
                1:1: kind: the object has no kind; add `kind: Job`
                2:1: kind: the kind is not text; use `kind: Job`
            "#]],
        );
    }

    #[test]
    fn other_versions() {
        let versions = ["", "apiVersion: batch/v1beta1", "apiVersion: Batch/v1", "apiVersion:", "apiVersion: 1"];
        let texts = versions.map(|version| format!("kind: Job\n{version}\n"));
        check(
            &texts.each_ref().map(String::as_str),
            expect![[r#"
                1:1: apiVersion: the object has no apiVersion; set `apiVersion: batch/v1`
                2:13: apiVersion: there is no Job in apiVersion "batch/v1beta1"; set `apiVersion: batch/v1`
                2:13: apiVersion: there is no Job in apiVersion "Batch/v1"; set `apiVersion: batch/v1`
                2:1: apiVersion: the apiVersion is empty; set `apiVersion: batch/v1`
                2:13: apiVersion: expected text, found the number 1; write it in quotes: "1"
            "#]],
        );
    }

    #[test]
    fn all_errors_are_reported() {
        check(
            &["apiVersion: batch/v2\nkind: Job\nspec: {foo: 1}\n---\nkind: Pod\n"],
            expect![[r#"
                1:13: apiVersion: there is no Job in apiVersion "batch/v2"; set `apiVersion: batch/v1`
                3:8: spec.foo: unknown field "foo"; the fields here are activeDeadlineSeconds, backoffLimit, backoffLimitPerIndex, completionMode, completions, managedBy, manualSelector, maxFailedIndexes, parallelism, podFailurePolicy, podReplacementPolicy, scheduling, selector, successPolicy, suspend, template, ttlSecondsAfterFinished
                5:7: kind: jobsmith runs Jobs: it cannot run a Pod; use a Job with the pod's metadata and spec as its spec.template, and a restartPolicy of Never or OnFailure
            "#]],
        );
    }
}
