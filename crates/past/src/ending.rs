//! How a Job stands and why, from what is left of it: what a person asks first.
//!
//! Docs: Jobs, "Terminal Job conditions". How it came to that is the trace of `reconstruction.rs`.

use std::fmt::Write as _;

use api::job::conditions;
use api::{Job, JobCondition, Kind, Text, Timestamp};
use contract::decision::TextPart;
use contract::{ObjectRef, Sentence};
use serde::Serialize;

use crate::fields::items;
use crate::gaps::on_failure;
use crate::judged::JudgedPod;
use crate::pod_decisions::PodDecisions;
use crate::pod_ending::PodEnding;
use crate::record::{RecordedJob, RecordedPod};

/// How a Job stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobEnding {
    /// The Job.
    #[serde(skip)]
    pub job: ObjectRef,
    /// What it is.
    pub state: JobState,
    /// Since when; absent if nothing says so.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "api::time::optional")]
    pub at: Option<Timestamp>,
    /// Why, in one word; empty if it has not ended.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: Text,
    /// How many pods succeeded; of an Indexed Job, how many indexes.
    pub succeeded: i32,
    /// How many pods failed.
    pub failed: i32,
    /// How many pods are active.
    pub active: i32,
    /// How those that failed ended, in order; those that no longer exist are missing.
    pub pods: Vec<PodEnding>,
    /// How those failed that do not count, because a rule ignores them: of `podFailurePolicy`, or of an annotation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<PodEnding>,
    /// How many times containers of the pods that succeeded had been started again; those that no longer exist are missing.
    #[serde(skip_serializing_if = "is_zero")]
    pub restarts: i64,
    /// Which indexes failed, as in `1,3-5`; empty if none did.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub failed_indexes: Text,
    /// Which limit of the Job decided it, as in `backoffLimit 2`; empty if none did.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub limit: String,
}

/// What a Job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum JobState {
    /// It is neither of the others.
    Running,
    /// It is suspended.
    Suspended,
    /// It will be Failed, and its pods are being ended.
    Failing,
    /// It will be Complete, and its pods are being ended.
    Completing,
    /// It has failed.
    Failed,
    /// It has succeeded.
    Complete,
}

impl JobEnding {
    /// How the recorded Job stands; `decided` has by name what was decided about its failed pods.
    #[must_use]
    pub fn of(record: &RecordedJob, decided: impl Fn(&str) -> PodDecisions) -> Self {
        let job = &record.job;
        let (state, condition) = state(job);
        let reason = condition.map(|condition| condition.reason.clone()).unwrap_or_default();
        let pods = record.pods.iter().filter_map(PodEnding::of).chain(record.judged_and_gone().map(PodEnding::of_judged));
        let decided = |pod: PodEnding| {
            let decisions = decided(&pod.pod);
            pod.with(decisions)
        };
        let (mut ignored, pods): (Vec<_>, Vec<_>) = pods.map(decided).partition(|pod| pod.ignored_by.is_some());
        ignored.sort_by(|one, other| other.ignored_by.cmp(&one.ignored_by));
        Self {
            job: ObjectRef::of(Kind::Job.name(), &job.metadata),
            state,
            at: condition.and_then(|condition| condition.last_transition_time),
            limit: limit(record, &reason),
            failed_indexes: job.status.failed_indexes.clone().unwrap_or_default(),
            reason,
            succeeded: job.status.succeeded,
            failed: job.status.failed,
            active: job.status.active,
            pods: counted(pods, job.status.failed),
            ignored,
            restarts: record.pods.iter().map(restarts).sum(),
        }
    }

    /// Whether it has finished.
    #[must_use]
    pub fn finished(&self) -> bool {
        matches!(self.state, JobState::Failed | JobState::Complete)
    }

    /// The same in a sentence without its end: `job pi: Failed at 02:07:13: 3 pods failed (2 × exit 1, OOMKilled); backoffLimit 2`.
    #[must_use]
    pub fn sentence(&self) -> Sentence {
        let since = if self.finished() { "at" } else { "since" };
        let mut parts =
            vec![TextPart::Text("job ".into()), TextPart::Object(self.job.clone()), TextPart::Text(format!(": {:?}", self.state).into())];
        if let Some(at) = self.at {
            parts.extend([TextPart::Text(format!(" {since} ").into()), TextPart::Time(at)]);
        }
        parts.push(TextPart::Text(self.facts().into()));
        Sentence(parts)
    }

    /// How many pods there were, how they ended, and which limit decided it.
    fn facts(&self) -> String {
        let mut text = String::new();
        let mut facts = Vec::new();
        for (number, verb) in [(self.active, "active"), (self.succeeded, "succeeded"), (self.failed, "failed")] {
            let noun = if number == 1 { "pod" } else { "pods" };
            if number > 0 {
                facts.push(if facts.is_empty() { format!("{number} {noun} {verb}") } else { format!("{number} {verb}") });
            }
            if let Some(last) = facts.last_mut().filter(|_| verb == "succeeded" && number > 0 && self.restarts > 0) {
                let noun = if self.restarts == 1 { "restart" } else { "restarts" };
                let _ = write!(last, " after {} {noun}", self.restarts);
            }
        }
        if let Some(last) = facts.last_mut().filter(|_| self.failed > 0) {
            last.push_str(&self.ends());
        }
        for ignored in self.ignored.chunk_by(|one, next| one.ignored_by == next.ignored_by) {
            let by = ignored[0].ignored_by.as_deref().unwrap_or_default();
            facts.push(format!("{} ignored by {by} ({})", ignored.len(), PodEnding::in_words(ignored).join(", ")));
        }
        if !facts.is_empty() {
            let _ = write!(text, ": {}", facts.join(", "));
        }
        if !self.failed_indexes.is_empty() {
            let noun = if self.failed_indexes.bytes().all(|letter| letter.is_ascii_digit()) { "index" } else { "indexes" };
            let _ = write!(text, "; failed {noun} {}", self.failed_indexes);
        }
        match (self.limit.is_empty(), self.reason.is_empty()) {
            (false, _) => _ = write!(text, "; {}", self.limit),
            (true, false) if self.state != JobState::Complete => _ = write!(text, "; {}", self.reason),
            (true, _) => {}
        }
        text
    }

    /// How the failed pods ended, in parentheses.
    fn ends(&self) -> String {
        let mut ends = PodEnding::in_words(&self.pods);
        let failed = usize::try_from(self.failed).unwrap_or_default();
        match failed.saturating_sub(self.pods.len()) {
            0 => {}
            _ if self.pods.is_empty() => {}
            1 => ends.push("1 no longer exists".to_owned()),
            gone => ends.push(format!("{gone} no longer exist")),
        }
        if ends.is_empty() { String::new() } else { format!(" ({})", ends.join(", ")) }
    }
}

/// The pods of a Job without those that it deleted and did not count as failed, as while it was suspended.
fn counted(mut pods: Vec<PodEnding>, failed: i32) -> Vec<PodEnding> {
    let mut uncounted = pods.len().saturating_sub(usize::try_from(failed).unwrap_or_default());
    pods.retain(|pod| {
        let left_out = pod.deleted && uncounted > 0;
        uncounted -= usize::from(left_out);
        !left_out
    });
    pods
}

fn state(job: &Job) -> (JobState, Option<&JobCondition>) {
    let kinds = [
        (conditions::FAILED, JobState::Failed),
        (conditions::COMPLETE, JobState::Complete),
        (conditions::FAILURE_TARGET, JobState::Failing),
        (conditions::SUCCESS_CRITERIA_MET, JobState::Completing),
        (conditions::SUSPENDED, JobState::Suspended),
    ];
    let held = kinds.into_iter().find_map(|(kind, state)| Some((state, Some(job.condition(kind)?))));
    held.unwrap_or((JobState::Running, None))
}

/// How many times the containers of a pod had been started again when it succeeded.
fn restarts(pod: &RecordedPod) -> i64 {
    let status = &pod.value["status"];
    let succeeded = status["phase"] == "Succeeded";
    items(&status["containerStatuses"]).filter(|_| succeeded).filter_map(|container| container["restartCount"].as_i64()).sum()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// The limit that a reason is about, with its value.
fn limit(record: &RecordedJob, reason: &str) -> String {
    let spec = &record.job.spec;
    let (field, value) = match reason {
        "BackoffLimitExceeded" => ("backoffLimit", spec.backoff_limit.map(i64::from)),
        "DeadlineExceeded" => {
            let length = spec.active_deadline_seconds.map(|seconds| format!(" ({seconds})")).unwrap_or_default();
            return format!("the Job was active for longer than activeDeadlineSeconds{length}");
        }
        "MaxFailedIndexesExceeded" => ("maxFailedIndexes", spec.max_failed_indexes.map(i64::from)),
        "FailedIndexes" => ("backoffLimitPerIndex", spec.backoff_limit_per_index.map(i64::from)),
        "PodFailurePolicy" => {
            return record.judged.as_ref().map_or_else(|| "a podFailurePolicy rule failed the Job".to_owned(), JudgedPod::words);
        }
        _ => return String::new(),
    };
    // One pod may have reached it.
    let counts = if on_failure(record) && field == "backoffLimit" { ", which counts restarts" } else { "" };
    value.map_or_else(|| field.to_owned(), |value| format!("{field} {value}{counts}"))
}
