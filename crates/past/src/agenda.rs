//! What happens by the record and by nobody's decision, in order of time.
//!
//! Docs: Pod Lifecycle; Jobs, "Suspending a Job". What the controllers do is not on it: when the record has that is read in `pacing.rs`.

use std::collections::BTreeMap;

use api::job::conditions;
use api::meta::names::DELETION_FINALIZERS;
use api::{Duration, Job, Text, Timestamp, time};
use serde_json::Value;

use crate::fields::moment;
use crate::gaps::{SYNC, SkippedPods};
use crate::record::{RecordedJob, RecordedPod};

/// Something that happens by the record.
#[derive(Debug, Clone)]
pub(crate) enum RecordedChange {
    /// A pod comes into its next status: the UID, and its place among the statuses.
    Frame { uid: Text, place: usize },
    /// A pod is deleted, and its conditions say why.
    Disruption { uid: Text },
    /// A pod that is being deleted ends: the UID.
    End { uid: Text },
    /// The Job is suspended or resumed; whether that time is estimated.
    Suspension { suspended: bool, estimated: bool },
    /// The Job is deleted.
    JobDeletion,
}

/// All that is still to happen.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    changes: BTreeMap<(Timestamp, u32), RecordedChange>,
    added: u32,
    /// When the Job is suspended, in order.
    suspensions: Vec<Timestamp>,
}

impl Agenda {
    /// What happens to a Job itself.
    pub(crate) fn of(record: &RecordedJob) -> Self {
        let mut agenda = Self::default();
        for (at, change) in suspensions(record) {
            if let RecordedChange::Suspension { suspended: true, .. } = change {
                agenda.suspensions.push(at);
            }
            agenda.add(at, change);
        }
        if let Some(at) = record.job.metadata.deletion_timestamp {
            agenda.add(at, RecordedChange::JobDeletion);
        }
        agenda
    }

    pub(crate) fn add(&mut self, at: Timestamp, change: RecordedChange) {
        self.added += 1;
        self.changes.insert((at, self.added), change);
    }

    /// What happens to a pod that was created just now.
    pub(crate) fn add_pod(&mut self, pod: &RecordedPod, now: Timestamp) {
        let uid = || pod.metadata.uid.clone();
        let deletion = pod.deletion.filter(|deletion| deletion.explained);
        for (place, frame) in pod.frames.iter().enumerate() {
            self.add(frame.at.max(now), RecordedChange::Frame { uid: uid(), place });
        }
        if let Some(deletion) = deletion {
            self.add(deletion.at.max(now), RecordedChange::Disruption { uid: uid() });
        }
    }

    /// Forgets what would still happen to a pod.
    pub(crate) fn forget(&mut self, pod: &str) {
        self.changes.retain(|_, change| match change {
            RecordedChange::Frame { uid, .. } | RecordedChange::Disruption { uid } | RecordedChange::End { uid } => **uid != *pod,
            RecordedChange::Suspension { .. } | RecordedChange::JobDeletion => true,
        });
    }

    /// When the Job is suspended next.
    pub(crate) fn suspended_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.suspensions.iter().copied().find(|at| *at > now)
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.changes.keys().next().map(|(at, _)| *at)
    }

    /// What is due.
    pub(crate) fn pop(&mut self, now: Timestamp) -> Option<RecordedChange> {
        self.changes.first_entry().filter(|first| first.key().0 <= now).map(|first| first.remove())
    }
}

/// The Job as it must have been when it was created, and has counted the pods that are skipped.
pub(crate) fn beginning(record: &RecordedJob, skipped: &SkippedPods) -> Value {
    let mut job = record.decided_here();
    job["status"] = skipped.status();
    if let Some(metadata) = job["metadata"].as_object_mut() {
        for field in ["deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "resourceVersion"] {
            metadata.remove(field);
        }
        if let Some(finalizers) = metadata.get_mut("finalizers").and_then(Value::as_array_mut) {
            finalizers.retain(|finalizer| finalizer.as_str().is_none_or(|name| !DELETION_FINALIZERS.contains(&name)));
        }
    }
    job["spec"]["suspend"] = created_suspended(record).into();
    job
}

/// Whether the Job was suspended when it was created.
fn created_suspended(record: &RecordedJob) -> bool {
    let Job { spec, status, metadata, .. } = &record.job;
    let before = |at: Timestamp| record.pods.iter().any(|pod| pod.created_at < at);
    let at_once = |at: Timestamp| time::since(record.created_at(), at) <= AT_ONCE.as_secs() * 1000;
    if let Some((at, suspended)) = record.announced.first().filter(|(at, _)| !before(*at)) {
        return !suspended || at_once(*at);
    }
    match (record.condition(conditions::SUSPENDED, "True"), record.condition(conditions::SUSPENDED, "False")) {
        (Some(condition), _) => {
            let at_once = condition.last_transition_time.is_none_or(at_once);
            spec.suspend == Some(true) && (status.start_time.is_none() && at_once || metadata.generation <= 1)
        }
        (None, Some(condition)) => {
            // Its first resumption makes it generation 2: by the third, it ran and was suspended.
            let once = metadata.generation <= 2 + i64::from(metadata.deleting());
            once && !before(condition.last_transition_time.unwrap_or(record.end))
        }
        (None, None) => spec.suspend == Some(true) && status.start_time.is_none(),
    }
}

/// The suspensions and resumptions that Events of a Job report, in order: when, and whether it was suspended.
pub(crate) fn announced(events: &[&Value], created_at: Timestamp) -> Vec<(Timestamp, bool)> {
    let read = |event: &&Value| {
        let suspended = match event["reason"].as_str()? {
            "Suspended" => true,
            "Resumed" => false,
            _ => return None,
        };
        let at = ["firstTimestamp", "deprecatedFirstTimestamp", "eventTime"].into_iter().find_map(|field| moment(&event[field]))?;
        Some((time::whole_seconds(at).max(created_at), suspended))
    };
    let mut all: Vec<(Timestamp, bool)> = events.iter().filter_map(read).collect();
    all.sort_unstable();
    all
}

fn suspensions(record: &RecordedJob) -> Vec<(Timestamp, RecordedChange)> {
    let mut known = record.announced.clone();
    for (status, suspended) in [("True", true), ("False", false)] {
        let at = record.condition(conditions::SUSPENDED, status).and_then(|condition| condition.last_transition_time);
        let near = |at: Timestamp| known.iter().any(|(other, of)| *of == suspended && at.duration_since(*other).abs() <= AT_ONCE);
        known.extend(at.filter(|at| !near(*at)).map(|at| (at, suspended)));
    }
    known.sort_unstable();
    let (mut held, mut all) = (created_suspended(record), Vec::new());
    for (at, suspended) in known {
        if !suspended && !held {
            // It was suspended before, and nothing that happened before is known but what the pods have.
            let frames = record.pods.iter().flat_map(|pod| pod.frames.iter().map(|frame| frame.at)).filter(|frame| *frame < at);
            let suspended_at =
                frames.max().map_or_else(|| time::after(at, -SYNC).max(record.created_at()), |last| time::after(last, SYNC).min(at));
            all.push((suspended_at, RecordedChange::Suspension { suspended: true, estimated: true }));
        }
        if suspended != held || !suspended {
            all.push((at, RecordedChange::Suspension { suspended, estimated: false }));
        }
        held = suspended;
    }
    all
}

/// Within which time a controller acts.
const AT_ONCE: Duration = Duration::from_secs(2);
