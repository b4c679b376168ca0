//! A Job as a row of `kubectl get jobs`: its status in a word, completions and how long it has taken.
//!
//! Docs: Jobs, "Running an example Job". Tables are made in `get.rs`.

use api::Timestamp;
use serde_json::Value;

use crate::age::{age, between, moment};
use crate::labels::selector;
use crate::value::{items, joined_fields, number, or_none, text};

/// The names of the columns; those after the fourth are shown with `-o wide`.
pub(crate) const COLUMNS: [&str; 7] = ["STATUS", "COMPLETIONS", "DURATION", "AGE", "CONTAINERS", "IMAGES", "SELECTOR"];

/// The cells.
pub(crate) fn cells(job: &Value, now: Timestamp) -> [String; 7] {
    let (metadata, spec, status) = (&job["metadata"], &job["spec"], &job["status"]);
    let containers = &spec["template"]["spec"]["containers"];
    let end = moment(&status["completionTime"]).unwrap_or(now);
    [
        state(job).to_owned(),
        completions(job),
        moment(&status["startTime"]).map(|start| between(start, end)).unwrap_or_default(),
        age(&metadata["creationTimestamp"], now),
        joined_fields(containers, "name", ","),
        joined_fields(containers, "image", ","),
        or_none(&selector(&spec["selector"]).unwrap_or_default()).to_owned(),
    ]
}

/// How far the Job is, in a word.
fn state(job: &Value) -> &'static str {
    let holds = |kind: &str| {
        items(&job["status"]["conditions"]).iter().any(|condition| text(&condition["type"]) == kind && text(&condition["status"]) == "True")
    };
    let ends = ["Complete", "Failed"].into_iter().find(|kind| holds(kind));
    let deleting = || (!job["metadata"]["deletionTimestamp"].is_null()).then_some("Terminating");
    let others = || ["Suspended", "FailureTarget", "SuccessCriteriaMet"].into_iter().find(|kind| holds(kind));
    ends.or_else(deleting).or_else(others).unwrap_or("Running")
}

/// How many completions there are, and how many there are to be.
fn completions(job: &Value) -> String {
    let (spec, succeeded) = (&job["spec"], number(&job["status"]["succeeded"]));
    match (spec["completions"].as_i64(), number(&spec["parallelism"])) {
        (Some(completions), _) => format!("{succeeded}/{completions}"),
        (None, parallelism @ 2..) => format!("{succeeded}/1 of {parallelism}"),
        (None, _) => format!("{succeeded}/1"),
    }
}
