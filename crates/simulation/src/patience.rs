//! W11, the other way round: once all is calm, no Job waits longer for pods than its back-off.
//!
//! Docs: Jobs, "Pod backoff failure policy", "Backoff limit per index" (J-03, J-84, J-86, J-92…J-95, J-112). The bound is an upper one: it takes each pod that ever failed for one that
//! the manager counts, and the latest time for that of its end. That no Job is too early is checked in `invariants/back_off.rs`.

use api::{Duration, Job, Kind, Timestamp, time};
use cluster::ApiServer;

use crate::invariants::{Checked, hold};
use crate::ledger::{JobRecord, Ledger, PodRecord, read};
use crate::page;
use crate::rules;
use crate::settings::Settings;

/// How long changes are collected before a Job is synced (J-04).
const BATCH: Duration = Duration::from_secs(1);

/// More failures in a row do not make a delay longer.
const ENOUGH: u32 = 64;

/// W11: as long as nothing happens before this time, no Job lacks pods without a reason.
pub(crate) fn kept(ledger: &Ledger, server: &ApiServer, settings: &Settings, due: Timestamp, now: Timestamp) -> Checked {
    for job in server.objects(Kind::Job).filter_map(|stored| stored.job()) {
        let Some(record) = ledger.job(&job.metadata.uid).filter(|record| runs(record)) else { continue };
        let lacking = lacking(ledger, job);
        if lacking == 0 {
            continue;
        }
        let reasons = [
            ledger.refusals.slow_until(&job.metadata.name),
            expected_until(ledger, job, settings),
            backed_off_until(ledger, record, settings),
        ];
        let latest = time::after(reasons.into_iter().flatten().fold(now, Timestamp::max), BATCH);
        hold(due <= latest, "W11", || {
            let name = &job.metadata.name;
            format!("job {name} lacks {lacking} pods at {now}, and nothing happens until {due}, although its back-off ends at {latest}")
        })?;
    }
    Ok(())
}

/// Whether the Job should have pods, and nobody has tampered with those that it has.
fn runs(record: &JobRecord) -> bool {
    let job = record.job();
    let ends = job.finished() || page::is_ending(job) || job.metadata.deleting();
    !ends && !rules::asks(job) && !job.suspended() && !record.bereft && !record.disturbed && !page::managed_by_other(job)
}

/// How many pods are missing; one that is going is waited for where only failed pods are replaced.
fn lacking(ledger: &Ledger, job: &Job) -> usize {
    let pods = || page::pods_of(ledger, &job.metadata.uid);
    let active = pods().filter(|pod| pod.active()).count();
    let going = if page::only_replaces_failed(job) { pods().filter(|pod| pod.terminating()).count() } else { 0 };
    page::wanted(job, active).0.saturating_sub(active + going)
}

/// Until when the manager may wait for the watch to show pods that it created or deleted: one that was already being deleted when it was first shown does not count as a creation (J-10),
/// and one that went before that is never shown (J-31).
fn expected_until(ledger: &Ledger, job: &Job, settings: &Settings) -> Option<Timestamp> {
    let created = |pod: &PodRecord| {
        let unseen = ledger.view.pod(&pod.metadata().uid).is_none_or(|seen| seen.deleting == Some(seen.first));
        pod.birth.map(|birth| birth.planned_at).filter(|_| unseen)
    };
    let deleted = |pod: &PodRecord| {
        let unseen = ledger.view.pod(&pod.metadata().uid).is_none_or(|seen| seen.deleting.is_none());
        pod.deleted_by_controllers.filter(|_| unseen)
    };
    let expected = ledger.pods_of(&job.metadata.uid).flat_map(|pod| [created(pod), deleted(pod)]);
    expected.flatten().map(|since| time::after(since, settings.expectation_timeout)).max()
}

/// When the longest back-off ends that failures can explain.
fn backed_off_until(ledger: &Ledger, record: &JobRecord, settings: &Settings) -> Option<Timestamp> {
    let job = record.job();
    let ended: Vec<&PodRecord> = ledger.pods_of(&job.metadata.uid).filter(|pod| pod.ended() || pod.metadata().deleting()).collect();
    let failed: Vec<&PodRecord> = ended.iter().copied().filter(|pod| page::may_have_failed(pod)).collect();
    let by_index = job.spec.backoff_limit_per_index.is_some();
    // A failure that a rule ignores is on no list: as long as its pod holds the finalizer, it is news in each plan (J-92, J-100).
    let ignores = job.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules).any(|rule| &*rule.action == "Ignore");
    // One that somebody else removes from the lists counts as new again (J-92).
    let recounted = ignores && ledger.refusals.slow_until(&job.metadata.name).is_some() || !record.struck.is_empty();
    let delay = |pod: &PodRecord| match failed.len() {
        _ if by_index => settings.delay((pod.failures_before().0 + pod.failures_before().1 + 1).min(ENOUGH)),
        // Those that one write has no room for are news once more (J-92, J-125).
        _ if recounted || ended.len() > settings.uncounted_pods => settings.back_off_max,
        failures => settings.delay(u32::try_from(failures).unwrap_or(ENOUGH)),
    };
    failed.iter().filter_map(|pod| Some(time::after(ended_by(pod)?, delay(pod)))).max()
}

/// The latest time that can be taken for a pod's end (J-95).
fn ended_by(pod: &PodRecord) -> Option<Timestamp> {
    let facts = read(&pod.stored);
    let containers = facts.containers.iter().chain(&facts.init_containers).filter_map(|container| container.terminated()?.finished_at);
    let ready = facts.condition("Ready").and_then(|ready| ready.last_transition_time);
    let metadata = pod.metadata();
    containers.chain(ready).chain(metadata.deletion_requested_at()).chain(metadata.creation_timestamp).max()
}
