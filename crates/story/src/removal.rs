//! Why a Job was deleted: the field that has the controllers delete it, and their decision.
//!
//! Docs: TTL mechanism for finished Jobs; CronJob, "Jobs history limits", "Concurrency policy". What deletes Jobs otherwise is no decision.

use api::Job;
use contract::{Decision, Role};
use play::trace::{Entry, What};

/// The fields that have a Job deleted, by how it finished: Complete, Failed or not at all.
const COMPLETE: [&str; 2] = ["ttlSecondsAfterFinished", "successfulJobsHistoryLimit"];
const FAILED: [&str; 2] = ["ttlSecondsAfterFinished", "failedJobsHistoryLimit"];
const ACTIVE: [&str; 1] = ["concurrencyPolicy"];

/// The field that had a Job deleted, and the decision that rests on it; `None` if these entries of the step that deleted it have no such decision.
pub fn removal<'e>(job: &Job, entries: impl Iterator<Item = &'e Entry>) -> Option<(&'static str, &'e Decision)> {
    let fields: &[&str] = match job.finished_by() {
        Some(condition) if condition.complete() => &COMPLETE,
        Some(_) => &FAILED,
        None => &ACTIVE,
    };
    let rests = |decision: &Decision, name: &str| decision.kind.fields.iter().any(|field| field.strip_prefix("spec.") == Some(name));
    entries
        .filter_map(|entry| if let What::Decision { decision, .. } = &entry.what { Some(decision) } else { None })
        .filter(|decision| decision.role == Role::Action)
        .find_map(|decision| Some((*fields.iter().find(|name| rests(decision, name))?, decision)))
}
