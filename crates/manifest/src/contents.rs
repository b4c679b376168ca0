//! Contents: all that is in a file, also where parts of it cannot be read or decoded.
//!
//! Docs: Objects in Kubernetes, "Required fields". What an object is, and how those are read that are run, is decided in `jobs.rs`.

use api::Kind;

use crate::jobs::{each_with, object, stored_pod, text};
use crate::node::{Content, SourceNode};
use crate::passed_over::foreign;
use crate::read::FileReading;
use crate::separators::Separators;
use crate::{Diagnostic, Document, ManifestObject, RuleName, cause, no_manifest, other_kinds, pasted};

/// What is in a file, where it can be decoded.
#[derive(Debug, Default)]
pub struct Contents {
    /// Its CronJobs and Jobs, without what cannot be decoded of them, and pods as a cluster has them; each with what strict decoding refuses of it.
    pub objects: Vec<(ManifestObject, Vec<Diagnostic>)>,
    /// What is wrong with the rest of it.
    pub unreadable: Vec<Diagnostic>,
    /// The other objects in it.
    pub others: Vec<OtherObject>,
}

/// An object that is neither a Job nor a CronJob, nor a pod of a cluster.
#[derive(Debug, Clone)]
pub struct OtherObject {
    /// What it is, as in `ConfigMap settings`.
    pub words: String,
    /// What it was written as.
    pub document: Document,
}

impl OtherObject {
    /// A note that the Jobs which it holds are not checked, as a JobSet has them; `None` if it holds none.
    #[must_use]
    pub fn unchecked(&self) -> Option<Diagnostic> {
        other_kinds::unchecked(self.document.root())
    }
}

/// Tells what is in a file. What cannot be read of it has one reason why; a template that is not rendered has no objects.
#[must_use]
pub fn contents(FileReading { text, documents, unreadable }: &FileReading) -> Contents {
    let broken = !unreadable.is_empty();
    let mut contents = Contents { unreadable: unreadable.clone(), ..Contents::default() };
    let separators = Separators::of(text);
    for (node, duplicates) in documents.iter().flat_map(|(document, duplicates)| each_with(&separators, document, duplicates)) {
        if let Some(words) = foreign(&node).or_else(|| wanted_pod(&node)).or_else(|| no_object(&node)) {
            contents.others.push(OtherObject { words, document: Document::of(node.into_owned()) });
            contents.unreadable.extend(duplicates);
            continue;
        }
        let (object, refused) = object(&node, &Kind::ALL);
        let refused = [duplicates, refused].concat();
        match object {
            Some(object) => contents.objects.push((object, refused)),
            None => contents.unreadable.extend(refused),
        }
    }
    let refused: Vec<Diagnostic> = contents.objects.iter().flat_map(|(_, refused)| refused).cloned().collect();
    if contents.objects.is_empty() && contents.unreadable.is_empty() {
        let printed = pasted::printed(text).or_else(|| no_manifest::printed(text));
        return printed.map_or(contents, |printed| Contents { unreadable: vec![printed], ..Contents::default() });
    }
    if !refused.is_empty() && cause::is_known(&refused, text) {
        let unreadable = cause::instead_of([contents.unreadable, refused].concat(), text);
        return Contents { objects: Vec::new(), unreadable, others: contents.others };
    }
    if broken || contents.objects.is_empty() {
        contents.unreadable = cause::instead_of(contents.unreadable, text);
    }
    // What is read of a template is not what it is meant to become.
    if broken && contents.unreadable.iter().any(|problem| problem.rule == RuleName::NOT_RENDERED) {
        return Contents { unreadable: contents.unreadable, ..Contents::default() };
    }
    contents
}

/// The kind and the name of a pod that no cluster has yet.
fn wanted_pod(node: &SourceNode) -> Option<String> {
    let name = || node.entry("metadata").and_then(|metadata| text(&metadata.node, "name"));
    let pod = text(node, "kind") == Some(Kind::Pod.name()) && !stored_pod(node);
    pod.then(|| format!("{} {}", Kind::Pod.name(), name().unwrap_or_default()).trim_end().to_owned())
}

/// What a document is if it is not an object of Kubernetes, and not meant to be Jobs: the values of a chart, a list of tasks.
fn no_object(node: &SourceNode) -> Option<String> {
    match &node.content {
        Content::Map(entries) => {
            let object = entries.iter().any(|entry| ["apiVersion", "metadata", "spec"].contains(&entry.key.as_str()));
            (!object).then(|| "a document without apiVersion".to_owned())
        }
        Content::List(items) => (!items.iter().any(job)).then(|| "a list".to_owned()),
        Content::Scalar { .. } => Some("plain text".to_owned()),
    }
}

/// Whether this calls itself a Job or a CronJob.
fn job(node: &SourceNode) -> bool {
    matches!(text(node, "kind").and_then(Kind::of), Some(Kind::Job | Kind::CronJob))
}
