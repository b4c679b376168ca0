//! What is to be said about a record: what its objects cannot show, and what they show and cannot be.
//!
//! Docs: Jobs; Pod Lifecycle; Event v1. Where the record and the controllers differ is found while the past is reconstructed: `difference.rs`.

use api::job::conditions;
use api::{Duration, Text, Timestamp, time};
use serde_json::Value;

use crate::difference::Discrepancy;
use crate::fields::{items, moment, text};
use crate::gaps::{Assumptions, Gaps};
use crate::record::{RecordedJob, RecordedPod};

/// How far the clocks of nodes may be from that of the API server without a word.
const SKEW: Duration = Duration::from_secs(2);

/// What is to be said about a record, and when, in order.
pub(crate) fn notes(record: &RecordedJob) -> Vec<(Timestamp, Discrepancy)> {
    let mut notes: Vec<(Timestamp, Discrepancy)> = about_job(record).into_iter().map(|note| (record.created_at(), note)).collect();
    notes.extend(record.refusals.iter().map(|refusal| (refusal.at, refused(refusal))));
    for pod in &record.pods {
        notes.extend(skew(pod).map(|note| (pod.created_at, note)));
        notes.extend(unknown_end(pod));
    }
    notes.sort_by_key(|(at, _)| *at);
    notes
}

/// A refusal of the Job's requests, from an Event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordedRefusal {
    pub(crate) at: Timestamp,
    pub(crate) reason: Text,
    pub(crate) message: Text,
    pub(crate) count: i64,
}

impl RecordedRefusal {
    /// The refusal that an Event reports, if it does.
    pub(crate) fn read(event: &Value) -> Option<Self> {
        let reason = text(&event["reason"]);
        if !matches!(&*reason, "FailedCreate" | "FailedDelete") {
            return None;
        }
        let either = |one: &'static str, other: &'static str| if event[one].is_null() { &event[other] } else { &event[one] };
        let at = moment(either("firstTimestamp", "deprecatedFirstTimestamp")).or_else(|| moment(&event["eventTime"]))?;
        let count = event["count"].as_i64().or_else(|| event["series"]["count"].as_i64()).unwrap_or(1);
        Some(Self { at, reason, message: text(either("message", "note")), count })
    }
}

fn refused(RecordedRefusal { reason, message, count, .. }: &RecordedRefusal) -> Discrepancy {
    let times = if *count == 1 { String::new() } else { format!(", {count} times from here on") };
    Discrepancy::new(format!("Event {reason}{times}"), &**message)
}

fn about_job(record: &RecordedJob) -> Vec<Discrepancy> {
    let (job, mut notes) = (&record.job, Vec::new());
    if let Some(manager) = job.spec.managed_by.as_ref().filter(|_| record.foreign()) {
        let message = format!("spec.managedBy assigns the Job to {manager}");
        notes.push(Discrepancy::new(message, "its decisions are not known here, so this is the record alone"));
    }
    let suspended = job.status.conditions.iter().any(|condition| &*condition.kind == conditions::SUSPENDED);
    let known = 1 + i64::from(job.metadata.deleting()) + i64::from(suspended);
    if job.metadata.generation > known {
        let message = format!("the Job has been edited: its generation is {}", job.metadata.generation);
        notes.push(Discrepancy::new(message, "only its latest spec is known"));
    }
    let gaps = Gaps::of(record, Assumptions::likeliest());
    if gaps.count() > 0 && !record.foreign() {
        notes.push(gone(gaps.count(), gaps.failures(), record.judged_and_gone().is_some()));
        if gaps.skipped.count() > 0 {
            let shown = gaps.count() - gaps.skipped.count();
            notes.push(Discrepancy::new(
                format!("only the last {shown} of these pods are shown"),
                "the Job has counted the others from the start",
            ));
        }
    }
    notes
}

/// Pods that the Job counted and that are not there; `judged`: what failed one of them is in the Job's condition.
fn gone(all: usize, failed: usize, judged: bool) -> Discrepancy {
    let (pods, no_longer_exist, they) =
        if all == 1 { ("1 pod", "no longer exists", "it") } else { (&*format!("{all} pods"), "no longer exist", "they") };
    let codes = match failed {
        _ if judged && all == 1 => ", and how it ended is known from the Job's condition",
        // Those that succeeded ended with 0.
        0 => "",
        1 if all == 1 => ", and its exit code is not known",
        _ if failed == all => ", and their exit codes are not known",
        1 => ", and the exit code of the one that failed is not known",
        _ => &format!(", and the exit codes of the {failed} that failed are not known"),
    };
    let because = format!("what {they} did is estimated from what happened before and after{codes}");
    Discrepancy::new(format!("{pods} that the Job counted {no_longer_exist}"), because)
}

/// A pod that did something before it was created.
fn skew(pod: &RecordedPod) -> Option<Discrepancy> {
    let status = &pod.value["status"];
    let states = items(&status["containerStatuses"]).flat_map(|container| [&container["state"], &container["lastState"]]);
    let times = states.flat_map(|state| [&state["running"]["startedAt"], &state["terminated"]["startedAt"]]).filter_map(moment);
    let earliest = times.chain(moment(&status["startTime"])).min()?;
    let early = pod.created_at.duration_since(earliest);
    (early > SKEW).then(|| {
        let message = format!("pod {} started {} before it was created", pod.metadata.name, time::length(early));
        Discrepancy::new(
            message,
            "the clock of its node differs from that of the API server; it is shown as if it had started when it was created",
        )
    })
}

/// A pod whose end was not observed.
fn unknown_end(pod: &RecordedPod) -> Option<(Timestamp, Discrepancy)> {
    let lists = ["initContainerStatuses", "containerStatuses"].into_iter().flat_map(|list| items(&pod.value["status"][list]));
    let unknown = lists.filter(|container| {
        let end = &container["state"]["terminated"];
        end.is_object() && moment(&end["finishedAt"]).is_none()
    });
    let names: Vec<&str> = unknown.filter_map(|container| container["name"].as_str()).collect();
    let at = pod.ended_at().filter(|_| !names.is_empty() && pod.value["status"]["reason"] != "DeadlineExceeded")?;
    let message = format!("the end of container {} of pod {} was not observed", names.join(", "), pod.metadata.name);
    Some((at, Discrepancy::new(message, "its node was lost, or the container never ran: the time is when the pod was reported")))
}
