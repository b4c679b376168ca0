//! What happens by the record and by nobody's decision, in order of time.
//!
//! Docs: Pod Lifecycle; Jobs, "Suspending a Job". What the controllers do is not on it: when the record has that is read in `pacing.rs`.

use std::collections::BTreeMap;

use api::job::conditions;
use api::{Duration, Job, Text, Timestamp, time};

use crate::record::{RecordedJob, RecordedPod};

/// Something that happens by the record.
#[derive(Debug, Clone)]
pub(crate) enum RecordedChange {
    /// A pod comes into its next status: the UID, and its place among the statuses.
    Frame { uid: Text, place: usize },
    /// A pod is deleted, and its conditions say why.
    Disruption { uid: Text },
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
}

impl Agenda {
    /// What happens to a Job itself.
    pub(crate) fn of(record: &RecordedJob) -> Self {
        let mut agenda = Self::default();
        for (at, change) in suspensions(record) {
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
            RecordedChange::Frame { uid, .. } | RecordedChange::Disruption { uid } => **uid != *pod,
            RecordedChange::Suspension { .. } | RecordedChange::JobDeletion => true,
        });
    }

    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.changes.keys().next().map(|(at, _)| *at)
    }

    /// What is due.
    pub(crate) fn pop(&mut self, now: Timestamp) -> Option<RecordedChange> {
        self.changes.first_entry().filter(|first| first.key().0 <= now).map(|first| first.remove())
    }
}

/// How long a Job was suspended at least of which only the resumption is known.
const SUSPENDED: Duration = Duration::from_secs(1);

/// Whether the Job was suspended when it was created.
pub(crate) fn created_suspended(record: &RecordedJob) -> bool {
    let Job { spec, status, metadata, .. } = &record.job;
    match (record.condition(conditions::SUSPENDED, "True"), record.condition(conditions::SUSPENDED, "False")) {
        (Some(condition), _) => {
            let at_once = condition.last_transition_time.is_none_or(|at| time::since(record.created_at(), at) <= 2000);
            spec.suspend == Some(true) && (status.start_time.is_none() && at_once || metadata.generation <= 1)
        }
        (None, Some(condition)) => {
            let resumed_at = condition.last_transition_time.unwrap_or(record.end);
            // Its first resumption makes it generation 2: by the third, it ran and was suspended.
            let once = metadata.generation - i64::from(metadata.deleting()) <= 2;
            once && !record.pods.iter().any(|pod| pod.created_at < resumed_at)
        }
        (None, None) => spec.suspend == Some(true) && status.start_time.is_none(),
    }
}

fn suspensions(record: &RecordedJob) -> Vec<(Timestamp, RecordedChange)> {
    let when = |status: &str| record.condition(conditions::SUSPENDED, status).and_then(|condition| condition.last_transition_time);
    let suspension = |suspended, estimated| RecordedChange::Suspension { suspended, estimated };
    match (when("True"), when("False")) {
        (Some(at), _) if !created_suspended(record) => vec![(at, suspension(true, false))],
        (None, Some(at)) if created_suspended(record) => vec![(at, suspension(false, false))],
        (None, Some(at)) => {
            let before = record.pods.iter().flat_map(|pod| pod.frames.iter().map(|frame| frame.at)).filter(|frame| *frame < at).max();
            let suspended_at = before.unwrap_or_else(|| time::after(at, -SUSPENDED).max(record.created_at()));
            vec![(suspended_at, suspension(true, true)), (at, suspension(false, false))]
        }
        _ => Vec::new(),
    }
}
