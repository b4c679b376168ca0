//! W3: no more pods run than the Job wants.
//!
//! Docs: Jobs, "Controlling parallelism", "Suspending a Job", "Delayed creation of replacement pods" (J-48, J-80…J-83, J-107). When a pod may be created is in
//! `back_off.rs`.

use api::time;

use super::{Checked, hold};
use crate::flight::Moment;
use crate::ledger::{Birth, JobRecord, Ledger, PodRecord, SentRequest};
use crate::page;
use crate::settings::Settings;

/// W3: a pod is created only for a Job that runs, according to what the manager has been shown.
pub(super) fn is_wanted(record: &JobRecord, pod: &PodRecord, sent: SentRequest<'_>) -> Checked {
    let Some(known) = sent.job().filter(|known| known.metadata.uid == record.job().metadata.uid) else {
        return hold(false, "W3", || format!("pod {} is created for a Job that the manager does not know", pod.name()));
    };
    let idle = [("finished", known.finished()), ("being deleted", known.metadata.deleting()), ("suspended", known.suspended())];
    let why_not = idle.into_iter().find_map(|(word, holds)| holds.then_some(word));
    hold(why_not.is_none(), "W3", || {
        format!("pod {} is created, but job {} is {}", pod.name(), known.metadata.name, why_not.unwrap_or_default())
    })
}

/// W3: with a pod just created, no more than `parallelism` are active; where only failed pods are replaced, terminating ones count too, and no index has two.
pub(super) fn not_too_many(
    ledger: &Ledger,
    record: &JobRecord,
    created: &PodRecord,
    sent: SentRequest<'_>,
    settings: &Settings,
) -> Checked {
    let Some(known) = sent.job() else { return Ok(()) };
    let with_terminating = page::only_replaces_failed(known);
    let counts = |pod: &&PodRecord| {
        (pod.active() || with_terminating && pod.terminating()) && !pod.touched && is_waited_for(ledger, pod, sent.flight.planned, settings)
    };
    let pods: Vec<&PodRecord> = ledger.pods_of(&record.job().metadata.uid).filter(counts).collect();
    let limit = known.spec.parallelism.unwrap_or(1);
    let names = || pods.iter().map(|pod| pod.name()).collect::<Vec<_>>().join(", ");
    hold(i32::try_from(pods.len()).is_ok_and(|count| count <= limit), "W3", || {
        let word = if with_terminating { "active or terminating" } else { "active" };
        format!("{} pods of job {} are {word}, parallelism is {limit}: {}", pods.len(), known.metadata.name, names())
    })?;
    let twins = pods.iter().filter(|pod| known.indexed() && pod.index() == created.index()).count();
    hold(twins < 2, "W3", || format!("index {:?} of job {} has {twins} pods: {}", created.index(), known.metadata.name, names()))
}

/// Whether the manager knew of a pod or still waited for it when it made a plan. For one whose creation was not answered it does not forever (J-31).
pub(super) fn is_waited_for(ledger: &Ledger, pod: &PodRecord, planned: Moment, settings: &Settings) -> bool {
    if ledger.view.pod(&pod.metadata().uid).is_some_and(|seen| seen.first < planned.step) {
        return true;
    }
    let Some(Birth { planned_at, answered }) = pod.birth else { return false };
    answered || planned.at <= time::after(planned_at, settings.patience_unanswered)
}
