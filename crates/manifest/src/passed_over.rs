//! What is in a file and is not played: objects that are neither CronJobs nor Jobs, such as a ConfigMap, and pods of other controllers. They are
//! named in a warning.
//!
//! Docs: Objects in Kubernetes, "Required fields"; Jobs, "Pod selector" (J-60, J-63). The objects that are played are read in `jobs.rs`.

use std::borrow::Cow;

use api::meta::names;
use api::{DEFAULT_NAMESPACE, Kind, ObjectMeta, OwnerReference, Timestamp, time};
use serde_json::Value;

use crate::jobs::{each, text};
use crate::node::SourceNode;
use crate::other_kinds::{contained, meant, of_others};
use crate::{Diagnostic, Document, FileReading, Manifest, ManifestObject, RuleName, Severity, read};

/// A pod that is not played, because it is of no Job that is.
#[derive(Debug, Clone)]
pub struct PodOfOthers {
    /// The pod.
    pub document: Document,
    /// Whose pod it is, as in `ReplicaSet web-7d4b9`; empty if no object controls it.
    owner: String,
    /// Its name.
    name: String,
    /// What keeps it although it is being deleted, if its Job is gone.
    held: Option<HeldPod>,
}

/// A tracking finalizer that keeps a pod which is being deleted.
#[derive(Debug, Clone)]
struct HeldPod {
    finalizer: &'static str,
    /// The place of the finalizer among those of the pod.
    place: usize,
    since: Timestamp,
    namespace: String,
}

/// The pods among objects that are of no Job among them, each at the place of its object: a pod that a Job controls or will adopt is played, and
/// where there is no Job and no CronJob at all, so is a pod that nothing controls.
#[must_use]
pub fn pods_of_others(objects: &[&ManifestObject]) -> Vec<Option<PodOfOthers>> {
    let jobs: Vec<&Manifest> =
        objects.iter().filter_map(|object| if let ManifestObject::Job(job) = object { Some(&**job) } else { None }).collect();
    let only_pods = objects.iter().all(|object| matches!(object, ManifestObject::Pod(_)));
    let of_others = |object: &&ManifestObject| {
        let ManifestObject::Pod(document) = object else { return None };
        let metadata: ObjectMeta = api::json::from_str(&document.value()["metadata"].to_string()).unwrap_or_default();
        let owner = match metadata.controller() {
            Some(owner) if jobs.iter().any(|job| controls(job, &metadata, owner)) => return None,
            Some(owner) => named(owner, &jobs),
            None if only_pods || jobs.iter().any(|job| adopts(job, &metadata)) => return None,
            None => String::new(),
        };
        let held = metadata.controller().filter(|owner| *owner.kind == *Kind::Job.name()).and_then(|_| held(&metadata));
        Some(PodOfOthers { document: document.clone(), owner, name: metadata.name.to_string(), held })
    };
    objects.iter().map(of_others).collect()
}

/// What keeps a pod that is being deleted.
fn held(pod: &ObjectMeta) -> Option<HeldPod> {
    let place = |finalizer: &'static str| Some((finalizer, pod.finalizers.iter().position(|held| **held == *finalizer)?));
    let (finalizer, place) = names::TRACKING_FINALIZERS.into_iter().find_map(place)?;
    Some(HeldPod { finalizer, place, since: pod.deletion_requested_at()?, namespace: namespace(pod).to_owned() })
}

/// Whether a Job has a pod as its own (J-60).
fn controls(Manifest { job, .. }: &Manifest, pod: &ObjectMeta, owner: &OwnerReference) -> bool {
    *owner.kind == *Kind::Job.name() && owner.uid == job.metadata.uid && namespace(pod) == namespace(&job.metadata)
}

/// Whether a Job adopts a pod that nothing controls (J-63).
fn adopts(Manifest { job, .. }: &Manifest, pod: &ObjectMeta) -> bool {
    let selects = job.spec.selector.as_ref().is_some_and(|selector| selector.matches(&pod.labels));
    selects && !job.metadata.deleting() && !pod.deleting() && namespace(pod) == namespace(&job.metadata)
}

fn namespace(metadata: &ObjectMeta) -> &str {
    if metadata.namespace.is_empty() { DEFAULT_NAMESPACE } else { &metadata.namespace }
}

/// The owner of a pod that is not played, in words.
fn named(OwnerReference { kind, name, .. }: &OwnerReference, jobs: &[&Manifest]) -> String {
    if **kind != *Kind::Job.name() {
        return format!("{kind} {name}");
    }
    // One of the same name has another UID.
    let again = jobs.iter().any(|job| job.job.metadata.name == *name);
    if again { format!("an earlier Job {name}") } else { format!("Job {name}, which is missing") }
}

/// A warning that names all objects of a file that [`objects`](crate::objects) skips, and these pods in it, at the first of them; none if there are
/// none.
#[must_use]
pub fn passed_over(reading: &FileReading, pods: &[&PodOfOthers]) -> Option<Diagnostic> {
    if !reading.is_whole() {
        return None;
    }
    // Events are no objects to play, but tell what happened.
    let nodes = reading.documents.iter().flat_map(|(document, _)| each(document.root())).filter(|node| !is_event(node));
    let nodes: Vec<Cow<'_, SourceNode>> = nodes.collect();
    let mut names: Vec<String> = nodes.iter().filter_map(|node| foreign(node)).collect();
    let first = nodes.iter().find(|node| foreign(node).is_some()).filter(|_| names.len() < nodes.len()).map(|node| node.position);
    if first.is_none() {
        names.clear();
    }
    names.extend(summed_up(pods));
    let position = first.into_iter().chain(pods.iter().map(|pod| pod.document.root().position)).min()?;
    let (why, remedy) = leftover(pods).unwrap_or_else(|| (String::new(), REMEDY.to_owned()));
    let warning = Diagnostic::error(position, format!("Skipped: {}{why}", names.join(", "))).remedy(remedy);
    Some(Diagnostic { severity: Severity::Warning, rule: RuleName::SKIPPED, ..warning })
}

/// The Kubernetes Events in a file, each as JSON.
#[must_use]
pub fn events(file: &str) -> Vec<Value> {
    let documents = read(file).unwrap_or_default();
    documents.iter().flat_map(|document| each(document.root())).filter(|node| is_event(node)).map(|node| node.value()).collect()
}

/// Whether this is a Kubernetes Event.
pub(crate) fn is_event(node: &SourceNode) -> bool {
    text(node, "kind") == Some("Event")
}

/// What is played.
const REMEDY: &str = "only Jobs, CronJobs and their pods are used";

/// An error for input that has nothing but these pods.
#[must_use]
pub fn only_pods_of_others(pods: &[&PodOfOthers]) -> Option<Diagnostic> {
    let first = pods.first()?;
    let message = format!("there is no Job here, only {}", summed_up(pods).join(", "));
    let (why, remedy) = leftover(pods).unwrap_or_else(|| (String::new(), job_missing(pods)));
    Some(Diagnostic::error(first.document.root().position, message + &why).remedy(remedy))
}

/// What helps where the Job of pods is missing.
fn job_missing(pods: &[&PodOfOthers]) -> String {
    let Some(pod) = pods.iter().find(|pod| pod.owner.split(' ').next() == Some(Kind::Job.name())) else { return REMEDY.to_owned() };
    let namespace = pod.document.value()["metadata"]["namespace"].as_str().unwrap_or(DEFAULT_NAMESPACE);
    format!("get the Job and its pods with `kubectl get jobs,pods -n {namespace} -o yaml`")
}

/// Why pods are still there whose Job is gone, and what helps.
fn leftover(pods: &[&PodOfOthers]) -> Option<(String, String)> {
    let held = || pods.iter().filter_map(|pod| Some((&pod.name, pod.held.as_ref()?)));
    let (name, HeldPod { finalizer, place, since, namespace }) = held().min_by_key(|(_, held)| held.since)?;
    let (which, keeps, by_hand) = match held().count() {
        1 => (format!("pod {name} has"), "it", "By hand"),
        count => (format!("{count} pods have"), "them", "By hand, for the first of them"),
    };
    let why = format!("; {which} been terminating since {}: the finalizer {finalizer} keeps {keeps}", time::text(*since));
    // The pod may have other finalizers, and by then others than here.
    let path = format!("/metadata/finalizers/{place}");
    let patch = format!(r#"[{{"op":"test","path":"{path}","value":"{finalizer}"}},{{"op":"remove","path":"{path}"}}]"#);
    let command = format!("kubectl patch pod {name} -n {namespace} --type json -p '{patch}'");
    Some((why, format!("the Job controller removes it once the Job is gone: is it running? {by_hand}: {command}")))
}

/// The pods in words, those of one owner together: `10 pods of ReplicaSet web-7d4b9`.
fn summed_up(pods: &[&PodOfOthers]) -> Vec<String> {
    let mut owners: Vec<(&str, Vec<&str>)> = Vec::new();
    for PodOfOthers { owner, name, .. } in pods {
        match owners.iter_mut().find(|(known, _)| known == owner) {
            Some((_, names)) => names.push(name),
            None => owners.push((owner, vec![name])),
        }
    }
    let words = |(owner, names): (&str, Vec<&str>)| match (owner, &names[..]) {
        ("", [name]) => format!("pod {name}"),
        ("", names) => format!("{} pods that nothing controls", names.len()),
        (owner, [_]) => format!("1 pod of {owner}"),
        (owner, names) => format!("{} pods of {owner}", names.len()),
    };
    owners.into_iter().map(words).collect()
}

/// The kind and the name of an object, with the Jobs that it holds, if it is of a kind that is not played and no misspelled one that is.
pub(crate) fn foreign(node: &SourceNode) -> Option<String> {
    let kind = text(node, "kind").filter(|kind| !kind.is_empty() && !kind.ends_with("List"))?;
    let api_version = text(node, "apiVersion")?;
    if api_version.is_empty() || !of_others(node) && (Kind::of(kind).is_some() || meant(kind).is_some()) {
        return None;
    }
    let name = node.entry("metadata").and_then(|metadata| text(&metadata.node, "name"));
    let words = name.map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}"));
    Some(contained(node).map_or_else(|| words.clone(), |contained| format!("{words} with {contained}")))
}

#[cfg(test)]
mod tests {
    use crate::{ManifestObject, PodOfOthers, objects, pods_of_others, workloads};

    fn passed_over(file: &str) -> Option<crate::Diagnostic> {
        let read = objects(file).unwrap_or_default();
        let pods = pods_of_others(&read.iter().collect::<Vec<_>>());
        super::passed_over(&crate::FileReading::of(file), &pods.iter().flatten().collect::<Vec<_>>())
    }

    const JOB: &str = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n---\n";
    const SETTINGS: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n---\n";

    #[test]
    fn other_kinds_beside_a_job_are_passed_over_and_named() {
        let service = "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Service}]}";
        let file = format!("{JOB}{SETTINGS}{service}");
        assert_eq!(objects(&file).unwrap().len(), 1);
        let warning = passed_over(&file).unwrap();
        assert_eq!(warning.to_string(), "5:1: Skipped: ConfigMap settings, Service; only Jobs, CronJobs and their pods are used");
        assert_eq!(workloads(&file).unwrap_err().len(), 2, "on a cluster, they would be missing");
        assert_eq!(passed_over(JOB), None);
    }

    /// A pod with this UID, this owner and this label `a`.
    fn pod(name: &str, owner: &str, label: &str) -> String {
        let owners = if owner.is_empty() { String::new() } else { format!(", ownerReferences: [{{{owner}, controller: true}}]") };
        format!("---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, uid: u-{name}, labels: {{a: {label}}}{owners}}}\n")
    }

    #[test]
    fn pods_of_no_job_are_passed_over_and_named() {
        let selector = "spec: {selector: {matchLabels: {a: mine}}}";
        let job = format!("apiVersion: batch/v1\nkind: Job\nmetadata: {{name: j, uid: uj}}\n{selector}\n");
        let own = pod("own", "kind: Job, name: j, uid: uj", "other") + &pod("loose", "", "mine");
        assert_eq!(passed_over(&(job.clone() + &own)), None, "a pod is the Job's or will be");
        let web: String =
            (0..10).map(|number| pod(&format!("web-{number}"), "kind: ReplicaSet, name: web-7d4b9, uid: w", "mine")).collect();
        let others = [
            web,
            pod("log", "kind: DaemonSet, name: log, uid: l", "x"),
            pod("bare", "", "x"),
            pod("k", "kind: Job, name: k, uid: uk", "x"),
            pod("j-0", "kind: Job, name: j, uid: before", "mine"),
        ];
        let warning = passed_over(&(job.clone() + &own + &others.concat())).unwrap();
        expect_test::expect!["14:1: Skipped: 10 pods of ReplicaSet web-7d4b9, 1 pod of DaemonSet log, pod bare, 1 pod of Job k, which is missing, 1 pod of an earlier Job j; only Jobs, CronJobs and their pods are used"]
            .assert_eq(&warning.to_string());
        let elsewhere = pod("own", "kind: Job, name: j, uid: uj", "mine").replace("labels", "namespace: b, labels");
        assert!(passed_over(&(job + &elsewhere)).is_some(), "a Job has no pods in other namespaces");
    }

    #[test]
    fn pods_alone_are_played_unless_something_else_controls_them() {
        let file = pod("a", "", "x") + &pod("b", "kind: ReplicaSet, name: web, uid: w", "x");
        let read = objects(&file).unwrap();
        let others = pods_of_others(&read.iter().collect::<Vec<&ManifestObject>>());
        let names: Vec<Option<&str>> = others.iter().map(|pod| pod.as_ref().map(|pod| &*pod.name)).collect();
        assert_eq!(names, [None, Some("b")]);
        let pods: Vec<&PodOfOthers> = others.iter().flatten().collect();
        assert!(super::only_pods_of_others(&pods).unwrap().message.ends_with("only 1 pod of ReplicaSet web"));
        let of_job = pod("c", "kind: Job, name: j, uid: uj", "x").replace("labels", "namespace: team, labels");
        let read = objects(&of_job).unwrap();
        let others = pods_of_others(&read.iter().collect::<Vec<&ManifestObject>>());
        let found = super::only_pods_of_others(&others.iter().flatten().collect::<Vec<_>>()).unwrap();
        expect_test::expect!["2:1: there is no Job here, only 1 pod of Job j, which is missing; get the Job and its pods with `kubectl get jobs,pods -n team -o yaml`"].assert_eq(&found.to_string());
    }

    #[test]
    fn of_a_pod_that_a_finalizer_keeps_after_its_job_it_is_shown_what_helps() {
        let held =
            "finalizers: [batch.kubernetes.io/job-tracking], deletionTimestamp: '2026-01-01T00:01:30Z', deletionGracePeriodSeconds: 30, ";
        let file = pod("a", "kind: Job, name: pi, uid: j", "x").replace("metadata: {", &format!("metadata: {{{held}"));
        let read = objects(&file).unwrap();
        let others = pods_of_others(&read.iter().collect::<Vec<&ManifestObject>>());
        let error = super::only_pods_of_others(&others.iter().flatten().collect::<Vec<_>>()).unwrap();
        let why = "pod a has been terminating since 2026-01-01T00:01:00Z: the finalizer batch.kubernetes.io/job-tracking keeps it";
        assert_eq!(error.message, format!("there is no Job here, only 1 pod of Job pi, which is missing; {why}"));
        let patch = r#"[{"op":"test","path":"/metadata/finalizers/0","value":"batch.kubernetes.io/job-tracking"},{"op":"remove","path":"/metadata/finalizers/0"}]"#;
        let command = format!("By hand: kubectl patch pod a -n default --type json -p '{patch}'");
        assert!(error.remedy.unwrap().ends_with(&command));
        let second =
            pod("b", "kind: Job, name: pi, uid: j", "x").replace("metadata: {", &format!("metadata: {{{held}")).replace(":30Z", ":40Z");
        let read = objects(&(file.clone() + &second).replace("[batch", "[example.com/keep, batch")).unwrap();
        let others = pods_of_others(&read.iter().collect::<Vec<&ManifestObject>>());
        let remedy = super::only_pods_of_others(&others.iter().flatten().collect::<Vec<_>>()).unwrap().remedy.unwrap();
        assert!(remedy.ends_with(&command.replace("By hand", "By hand, for the first of them").replace("/0", "/1")), "{remedy}");
        let file = file.replace("Seconds: 30", "Seconds: -9223372036854775808");
        assert!(objects(&file).unwrap().iter().any(|object| pods_of_others(&[object])[0].is_some()));
    }

    #[test]
    fn events_alone_are_refused_once() {
        let event = "---\napiVersion: v1\nkind: Event\nmetadata: {name: a}\n";
        let errors = objects(&event.repeat(2)).unwrap_err();
        assert_eq!(errors.iter().map(|error| &*error.message).collect::<Vec<_>>(), ["there is no Job here, only Events"]);
    }

    #[test]
    fn what_is_misspelled_or_alone_is_refused() {
        assert_eq!((objects(SETTINGS).unwrap_err().len(), passed_over(SETTINGS)), (1, None));
        for other in
            ["apiVersion: batch/v1\nkind: Jobb\n", "kind: ConfigMap\n", "apiVersion: v1\nkind: Pod\n", "apiVersion: v1\nkind: List\n"]
        {
            assert_eq!(objects(&format!("{JOB}{other}")).unwrap_err().len(), 1, "{other}");
        }
    }
}
