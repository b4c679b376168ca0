//! How a Job ended and why, from the end of its past: what a person asks first.
//!
//! Docs: Jobs, "Terminal Job conditions". How it came to that is the trace of `past.rs`.

use api::job::conditions;
use api::{Job, Text, Timestamp};
use serde_json::Value;

use crate::fields::items;
use crate::record::{RecordedJob, RecordedPod};

/// How a Job stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEnding {
    /// `Complete`, `Failed`, `Suspended`, `Failing`, `Completing` or `Running`.
    pub state: &'static str,
    /// Since when.
    pub at: Option<Timestamp>,
    /// The reason and message of the condition that says so; empty if none does.
    pub reason: Text,
    /// A sentence about it.
    pub message: Text,
    /// How pods ended that did not succeed, in order.
    pub pods: Vec<PodEnding>,
}

/// How a pod ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PodEnding {
    /// The pod's name.
    pub name: Text,
    /// When, if that is known.
    pub at: Option<Timestamp>,
    /// In a word or two: `exit 1`, `OOMKilled`, `Evicted`.
    pub how: String,
}

impl JobEnding {
    /// How the recorded Job stands.
    #[must_use]
    pub fn of(record: &RecordedJob) -> Self {
        let job = &record.job;
        let (state, condition) = state(job);
        Self {
            state,
            at: condition.and_then(|condition| condition.last_transition_time),
            reason: condition.map(|condition| condition.reason.clone()).unwrap_or_default(),
            message: condition.map(|condition| condition.message.clone()).unwrap_or_default(),
            pods: record.pods.iter().filter_map(PodEnding::of).collect(),
        }
    }
}

fn state(job: &Job) -> (&'static str, Option<&api::JobCondition>) {
    let kinds = [
        (conditions::FAILED, "Failed"),
        (conditions::COMPLETE, "Complete"),
        (conditions::FAILURE_TARGET, "Failing"),
        (conditions::SUCCESS_CRITERIA_MET, "Completing"),
        (conditions::SUSPENDED, "Suspended"),
    ];
    let held = kinds.into_iter().find_map(|(kind, state)| Some((state, Some(job.condition(kind)?))));
    held.unwrap_or(("Running", None))
}

impl PodEnding {
    fn of(pod: &RecordedPod) -> Option<Self> {
        let status = &pod.value["status"];
        (status["phase"] == "Failed").then(|| Self { name: pod.metadata.name.clone(), at: pod.ended_at(), how: how(status) })
    }
}

/// How a failed pod ended, in a word or two.
fn how(status: &Value) -> String {
    let containers = ["initContainerStatuses", "containerStatuses"].into_iter().flat_map(|list| items(&status[list]));
    let ends = containers.filter_map(|container| container["state"].get("terminated")).filter(|end| end["exitCode"] != 0);
    let one = |end: &Value| match end["reason"].as_str().unwrap_or_default() {
        "" | "Error" => format!("exit {}", end["exitCode"]),
        reason => reason.to_owned(),
    };
    let ended = ends.map(one).next();
    match status["reason"].as_str().filter(|reason| !reason.is_empty()) {
        Some(reason) => reason.to_owned(),
        None => ended.unwrap_or_else(|| "Failed".to_owned()),
    }
}
