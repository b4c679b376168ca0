//! Where the record and the controllers differ, in words, and what may explain it.
//!
//! Docs: Jobs. Lines of a story are entries of its trace (`play::trace::What::Difference`).

use std::collections::BTreeSet;

use api::{Job, Kind, Text, Timestamp, time};
use cluster::ApiServer;

use crate::record::RecordedJob;

/// A difference: what differs, and what may explain it, each a sentence without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Discrepancy {
    pub(crate) message: String,
    pub(crate) because: String,
}

impl Discrepancy {
    pub(crate) fn new(message: impl Into<String>, because: impl Into<String>) -> Self {
        Self { message: message.into(), because: because.into() }
    }
}

/// The first difference between a Job and its pods as they are and as they were recorded; `None` if they are as recorded.
pub(crate) fn first(record: &RecordedJob, server: &ApiServer) -> Option<Discrepancy> {
    let metadata = &record.job.metadata;
    let Some(job) = server.object(Kind::Job, &metadata.namespace, &metadata.name).and_then(|stored| stored.job()) else {
        return Some(Discrepancy::new("recorded: the Job is there; expected: it is deleted", ""));
    };
    status(&record.job, job).or_else(|| pods(record, server))
}

fn status(recorded: &Job, played: &Job) -> Option<Discrepancy> {
    let (recorded, played) = (&recorded.status, &played.status);
    let known = |status: &api::JobStatus| -> Vec<(Text, Text, Text, Option<Timestamp>)> {
        let conditions = status.conditions.iter();
        let mut all: Vec<_> = conditions
            .map(|condition| {
                (
                    condition.kind.clone(),
                    condition.status.clone(),
                    condition.reason.clone(),
                    condition.last_transition_time.map(time::whole_seconds),
                )
            })
            .collect();
        all.sort();
        all
    };
    let words = |all: &[(Text, Text, Text, Option<Timestamp>)]| {
        let one = |(kind, status, reason, at): &(Text, Text, Text, Option<Timestamp>)| {
            let at = at.map(|at| format!(" at {}", time::text(at))).unwrap_or_default();
            let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
            format!("{kind}={status}{reason}{at}")
        };
        if all.is_empty() { "none".to_owned() } else { all.iter().map(one).collect::<Vec<_>>().join(", ") }
    };
    let (there, here) = (known(recorded), known(played));
    if there != here {
        return Some(Discrepancy::new(format!("recorded: conditions {}; expected: {}", words(&there), words(&here)), ""));
    }
    let numbers = [
        ("failed", recorded.failed, played.failed),
        ("succeeded", recorded.succeeded, played.succeeded),
        ("active", recorded.active, played.active),
    ];
    if let Some((counter, there, here)) = numbers.into_iter().find(|(_, there, here)| there != here) {
        return Some(Discrepancy::new(format!("recorded: status.{counter} {there}; expected: {here}"), ""));
    }
    let texts = [
        ("completedIndexes", Some(&recorded.completed_indexes), Some(&played.completed_indexes)),
        ("failedIndexes", recorded.failed_indexes.as_ref(), played.failed_indexes.as_ref()),
    ];
    if let Some((field, there, here)) = texts.into_iter().find(|(_, there, here)| there != here) {
        let [there, here] = [there, here].map(|indexes| indexes.map_or("none", |indexes| indexes));
        return Some(Discrepancy::new(format!("recorded: status.{field} {there:?}; expected: {here:?}"), ""));
    }
    let times =
        [("startTime", recorded.start_time, played.start_time), ("completionTime", recorded.completion_time, played.completion_time)];
    let second = |at: Option<Timestamp>| at.map_or("none".to_owned(), |at| time::text(time::whole_seconds(at)));
    let (field, there, here) = times.into_iter().find(|(_, there, here)| second(*there) != second(*here))?;
    Some(Discrepancy::new(format!("recorded: status.{field} {}; expected: {}", second(there), second(here)), ""))
}

fn pods(record: &RecordedJob, server: &ApiServer) -> Option<Discrepancy> {
    let uid = &record.job.metadata.uid;
    let own = server.objects(Kind::Pod).filter(|pod| pod.metadata().owner_references.iter().any(|owner| owner.uid == *uid));
    let here: BTreeSet<(Text, Text, bool, bool)> = own
        .filter_map(|stored| {
            let pod = stored.pod()?;
            let tracked = crate::record::tracked(&pod.metadata);
            Some((pod.metadata.name.clone(), pod.status.phase().clone(), pod.metadata.deleting(), tracked))
        })
        .collect();
    let there: BTreeSet<(Text, Text, bool, bool)> = record
        .pods
        .iter()
        .filter(|pod| !pod.estimated)
        .map(|pod| {
            let phase = pod.value["status"]["phase"].as_str().unwrap_or_default().into();
            (pod.metadata.name.clone(), phase, pod.metadata.deleting(), pod.uncounted)
        })
        .collect();
    let words = |(name, phase, deleting, tracked): &(Text, Text, bool, bool)| {
        let (deleting, tracked) = (if *deleting { ", being deleted" } else { "" }, if *tracked { ", not counted" } else { "" });
        format!("pod {name} {phase}{deleting}{tracked}")
    };
    let (mut missing, mut surplus) = (there.difference(&here), here.difference(&there));
    match (missing.next(), surplus.next()) {
        (None, None) => None,
        (Some(pod), None) => Some(Discrepancy::new(format!("recorded: {}; expected: no such pod", words(pod)), "")),
        (None, Some(pod)) => Some(Discrepancy::new(format!("recorded: no such pod; expected: {}", words(pod)), "")),
        (Some(one), Some(other)) => Some(Discrepancy::new(format!("recorded: {}; expected: {}", words(one), words(other)), "")),
    }
}
