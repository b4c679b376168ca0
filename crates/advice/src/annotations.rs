//! Annotations of jobsmith in a Job or CronJob, its own and those of its templates, as rules read them.
//!
//! Docs: README, "Beyond Kubernetes". How their values are read is in `api::annotation`.

use api::Kind;
use api::annotation::{AnnotationProblem, DOMAIN, FailureMatcher, FailureRule, FailureRules, ON_FAILURE, ON_PENDING, PendingRules};
use serde_json::Value;

use crate::workload::Advised;

/// An annotation of jobsmith.
pub(crate) struct OwnAnnotation<'w> {
    /// The metadata that has it: `spec.jobTemplate.metadata`.
    pub(crate) metadata: &'static str,
    /// The kind of the objects that have it.
    pub(crate) of: Kind,
    /// Its key.
    pub(crate) key: &'w str,
    /// Its value.
    pub(crate) value: &'w str,
}

/// Where a Job has metadata, and where a CronJob has it, each with the kind of the objects that get it.
const OF_JOB: [(&str, Kind); 2] = [("metadata", Kind::Job), ("spec.template.metadata", Kind::Pod)];
const OF_CRON_JOB: [(&str, Kind); 3] =
    [("metadata", Kind::CronJob), ("spec.jobTemplate.metadata", Kind::Job), ("spec.jobTemplate.spec.template.metadata", Kind::Pod)];

impl OwnAnnotation<'_> {
    /// Its path.
    pub(crate) fn path(&self) -> String {
        path(self.metadata, self.key)
    }
}

/// All of them.
pub(crate) fn own<'w>(workload: &Advised<'w>) -> Vec<OwnAnnotation<'w>> {
    let of_metadata = |(metadata, of): &(&'static str, Kind)| {
        let entries = workload.document.get(&format!("{metadata}.annotations")).and_then(Value::as_object).into_iter().flatten();
        let own = entries.filter(|(key, _)| key.starts_with(DOMAIN));
        let (metadata, of) = (*metadata, *of);
        own.filter_map(move |(key, value)| Some(OwnAnnotation { metadata, of, key, value: value.as_str()? }))
    };
    places(workload).iter().flat_map(of_metadata).collect()
}

/// The metadata from which objects of a kind have their annotations.
pub(crate) fn metadata_of(workload: &Advised<'_>, kind: Kind) -> Option<&'static str> {
    places(workload).iter().find(|(_, of)| *of == kind).map(|(metadata, _)| *metadata)
}

/// The rules on failed pods of a Job, with the path of their annotation; none if they cannot be read.
pub(crate) fn failure_rules(workload: &Advised<'_>) -> (String, FailureRules) {
    rules(workload, ON_FAILURE, FailureRules::read)
}

/// The rules on pods that do not start of a Job, in the same way.
pub(crate) fn pending_rules(workload: &Advised<'_>) -> (String, PendingRules) {
    rules(workload, ON_PENDING, PendingRules::read)
}

/// Whether a rule on failed pods is about a container of this name, or about any.
pub(crate) fn concerns(rule: &FailureRule, container: &str) -> bool {
    rule.matchers.iter().all(|matcher| !matches!(matcher, FailureMatcher::Container(only) if **only != *container))
}

fn rules<R: Default>(workload: &Advised<'_>, key: &str, read: fn(&str) -> Result<R, AnnotationProblem>) -> (String, R) {
    let path = metadata_of(workload, Kind::Job).map(|metadata| path(metadata, key)).unwrap_or_default();
    let rules = workload.document.get(&path).and_then(Value::as_str).and_then(|value| read(value).ok());
    (path, rules.unwrap_or_default())
}

/// The path of an annotation of this metadata.
pub(crate) fn path(metadata: &str, key: &str) -> String {
    format!("{metadata}.annotations[{key}]")
}

fn places(workload: &Advised<'_>) -> &'static [(&'static str, Kind)] {
    if workload.cron_job.is_some() { &OF_CRON_JOB } else { &OF_JOB }
}
