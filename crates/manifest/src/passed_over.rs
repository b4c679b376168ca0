//! Objects in a file that are neither CronJobs nor Jobs, such as a ConfigMap: they are not played, and are named in a warning.
//!
//! Docs: Objects in Kubernetes, "Required fields". The objects that are played are read in `jobs.rs`.

use api::Kind;

use crate::jobs::{each, text};
use crate::misplaced::nearest;
use crate::node::SourceNode;
use crate::{Diagnostic, Severity, read};

/// A warning that names all objects that [`objects`](crate::objects) skips, at the first of them; none if there are none.
#[must_use]
pub fn passed_over(file: &str) -> Option<Diagnostic> {
    let documents = read(file).ok()?;
    let nodes: Vec<&SourceNode> = documents.iter().flat_map(|document| each(document.root())).collect();
    let names: Vec<String> = nodes.iter().filter_map(|node| foreign(node)).collect();
    let first = nodes.iter().find(|node| foreign(node).is_some()).filter(|_| names.len() < nodes.len())?;
    let warning =
        Diagnostic::error(first.position, format!("Skipped: {}", names.join(", "))).remedy("only Jobs, CronJobs and their pods are played");
    Some(Diagnostic { severity: Severity::Warning, ..warning })
}

/// The kind and the name of an object, if it is of a kind that is not played and no misspelled one that is.
pub(crate) fn foreign(node: &SourceNode) -> Option<String> {
    let kind = text(node, "kind").filter(|kind| !kind.is_empty() && !kind.ends_with("List"))?;
    let api_version = text(node, "apiVersion")?;
    let meant = nearest(kind, [Kind::Job, Kind::CronJob].into_iter().map(Kind::name));
    if Kind::of(kind).is_some() || meant.is_some() || api_version.is_empty() {
        return None;
    }
    let name = node.entry("metadata").and_then(|metadata| text(&metadata.node, "name"));
    Some(name.map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}")))
}

#[cfg(test)]
mod tests {
    use crate::{objects, passed_over, workloads};

    const JOB: &str = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n---\n";
    const SETTINGS: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: b}\n---\n";

    #[test]
    fn other_kinds_beside_a_job_are_passed_over_and_named() {
        let service = "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Service}]}";
        let file = format!("{JOB}{SETTINGS}{service}");
        assert_eq!(objects(&file).unwrap().len(), 1);
        let warning = passed_over(&file).unwrap();
        assert_eq!(warning.to_string(), "5:1: Skipped: ConfigMap settings, Service; only Jobs, CronJobs and their pods are played");
        assert_eq!(workloads(&file).unwrap_err().len(), 2, "on a cluster, they would be missing");
        assert_eq!(passed_over(JOB), None);
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
