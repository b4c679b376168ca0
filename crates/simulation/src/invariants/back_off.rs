//! W11: after failures, a Job's next pod waits.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Backoff limit per index" (J-84, J-91…J-95, J-110…J-112). The bounds are lower ones: what the manager cannot know, or may
//! forget because it was lost or a status write of its own was not answered (J-93), binds it to nothing.

use api::{Timestamp, time};

use super::{Checked, hold};
use crate::ledger::{JobRecord, Ledger, PodRecord, SeenPod, SentRequest};
use crate::page;
use crate::rules;
use crate::settings::Settings;

/// W11: a pod is not created before the back-off is over.
pub(super) fn honoured(ledger: &Ledger, record: &JobRecord, created: &PodRecord, sent: SentRequest<'_>, settings: &Settings) -> Checked {
    let job = record.job();
    if record.elastic || record.disturbed || record.meddled || rules::asks(job) {
        // People had their hands in it: the pods alone do not show what counts as whose failure. What annotations ask for is checked in `asked.rs`.
        return Ok(());
    }
    if job.spec.backoff_limit_per_index.is_some() {
        return honoured_by_index(ledger, record, created, sent, settings);
    }
    let Some((failures, last)) = failures_in_a_row(ledger, record, sent.flight.planned.step) else { return Ok(()) };
    let end = time::after(last, settings.delay(failures));
    hold(sent.flight.planned.at >= end, "W11", || {
        let (at, name) = (sent.flight.planned.at, &job.metadata.name);
        format!(
            "pod {} of job {name} was decided on at {at}; after {failures} failures, the last at {last}, that is too early before {end}",
            created.name()
        )
    })
}

/// At least how many failures in a row the manager knew of before a step, and at the earliest when the one that sets the delay happened (J-92); none if the manager
/// may take it that there was no failure, or that it was long ago.
fn failures_in_a_row(ledger: &Ledger, record: &JobRecord, step: u64) -> Option<(u32, Timestamp)> {
    let known: Vec<(&PodRecord, SeenPod)> =
        ledger.pods_of(&record.job().metadata.uid).filter_map(|pod| Some((pod, *ledger.view.pod(&pod.metadata().uid)?))).collect();
    let listed = |pod: &PodRecord| record.listed.contains(&pod.metadata().uid);
    let (mut last_success, mut forgotten) = (None, record.forgotten);
    for (pod, _) in known.iter().filter(|(pod, seen)| pod.phase() == "Succeeded" && seen.had_ended(step)) {
        last_success = Some(finished_at(pod.facts())?).max(last_success);
        forgotten = pod.settled?.max(forgotten);
    }
    let (mut failures, mut last) = (0, None);
    // When the manager was last shown a failure that it may date back to its pod's creation (J-95).
    let mut unclear = None;
    for (pod, SeenPod { news, ended, deleting, .. }) in known {
        let at = if pod.phase() == "Failed" && deleting.is_none() { finished_at(pod.facts()) } else { None };
        let Some(at) = at else {
            unclear = deleting.max(ended.filter(|_| pod.phase() == "Failed")).max(unclear);
            continue;
        };
        let Some(shown) = news.filter(|shown| *shown < step && *shown > forgotten) else { continue };
        // One that was freed as surplus before it was seen to have ended counts as nothing (J-80).
        if (pod.tracked() || listed(pod)) && last_success.is_none_or(|success| at > success) {
            failures += 1;
            // What is counted last sets the delay: a failure for which a write of the status had no room comes after later ones (J-92, J-125).
            last = Some((pod.settled.unwrap_or(u64::MAX), shown, at)).max(last);
        }
    }
    let (.., at) = last.filter(|(_, shown, _)| unclear.is_none_or(|unclear| unclear < *shown))?;
    Some((failures, at))
}

/// When the last container of a pod ended; none if that is not known of all of them.
fn finished_at(pod: &api::Pod) -> Option<Timestamp> {
    let containers = pod.containers.iter().chain(pod.init_containers.iter().filter(|container| container.sidecar));
    containers.map(|container| container.terminated().and_then(|end| end.finished_at)).collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// W11: a pod of an index carries the failures before it, and is not created before the back-off after them is over.
fn honoured_by_index(ledger: &Ledger, record: &JobRecord, created: &PodRecord, sent: SentRequest<'_>, settings: &Settings) -> Checked {
    let (job, name) = (record.job(), created.name());
    let sum = |pod: &PodRecord| pod.failures_before().0 + pod.failures_before().1;
    let failures = sum(created);
    let others = || ledger.pods_of(&job.metadata.uid).filter(|pod| pod.index() == created.index() && pod.name() != name);
    let known = |pod: &&PodRecord| {
        ledger.view.pod(&pod.metadata().uid).and_then(|seen| seen.news).is_some_and(|news| news < sent.flight.planned.step)
    };
    let lost = others().filter(known).find(|pod| pod.phase() == "Failed" && sum(pod) >= failures && pod.tracked());
    hold(lost.is_none(), "W11", || {
        let before = lost.map(|pod| format!("{} with {}", pod.name(), sum(pod))).unwrap_or_default();
        format!("pod {name} carries {failures} failures of its index, but follows {before}")
    })?;
    if failures == 0 {
        return Ok(());
    }
    let before: Vec<&PodRecord> = others().filter(|pod| sum(pod) + 1 == failures && pod.birth.is_some()).collect();
    let carried = before.iter().any(|pod| carries(job, created, pod));
    hold(carried, "W11", || {
        format!(
            "pod {name} carries {:?} failures, which follow from none of the {} pods before it",
            created.failures_before(),
            before.len()
        )
    })?;
    let earliest = before.iter().filter_map(|pod| ended_at(ledger, pod)).min();
    let end = earliest.map(|last| time::after(last, settings.delay(failures)));
    hold(end.is_none_or(|end| sent.flight.planned.at >= end), "W11", || {
        let at = sent.flight.planned.at;
        format!("pod {name} was decided on at {at}, before the back-off of its index after {failures} failures ends at {end:?}")
    })
}

/// Whether the failures that a pod carries are those of another one and its own failure (J-110).
fn carries(job: &api::Job, created: &PodRecord, before: &PodRecord) -> bool {
    let (counted, ignored) = before.failures_before();
    let wanted = if page::ignored(job, before) { (counted, ignored + 1) } else { (counted + 1, ignored) };
    created.failures_before() == wanted
}

/// The earliest time at which a pod can have ended: where its containers report none, that may be its creation (J-95).
fn ended_at(ledger: &Ledger, pod: &PodRecord) -> Option<Timestamp> {
    let deleted_before = ledger.view.pod(&pod.metadata().uid).is_none_or(|seen| seen.deleting.is_some());
    let finished = if pod.ended() && !deleted_before { finished_at(pod.facts()) } else { None };
    finished.or(pod.metadata().creation_timestamp)
}
