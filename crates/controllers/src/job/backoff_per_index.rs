//! Back-off limit per index: which indexes have failed, and when the others get their next pod.
//!
//! Docs: Jobs, "Backoff limit per index" (J-110…J-115). The limit of the whole Job is in `backoff.rs`.

use api::annotation::FailureAction;
use api::indexes::IndexSet;
use api::job::PodFailurePolicyAction;
use api::{Job, Timestamp};

use super::backoff::{Backoff, BackoffDelay, delayed_by_rule};
use super::decision::IndexFailure;
use super::pending;
use super::pod_failure_policy::{Judgement, Matched, MatchedRule};
use super::tally::{Claimed, Tally, ascending};
use super::view::JobView;

/// For each index that waits for its next pod, the failed pod that carries the number of failures; by index (J-111).
#[derive(Debug, Default)]
pub(crate) struct Held<'a>(Vec<(u32, &'a Claimed<'a>)>);

impl<'a> Held<'a> {
    /// The pod that is held for an index.
    pub(crate) fn get(&self, index: u32) -> Option<&'a Claimed<'a>> {
        let at = self.0.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        Some(self.0[at].1)
    }
}

/// Why a pod makes its index fail, if it does (J-113).
pub(crate) fn index_failure(view: &JobView<'_>, pod: &Claimed<'_>, only_replace_failed: bool, now: Timestamp) -> Option<IndexFailure> {
    let limit = view.job.spec.backoff_limit_per_index?;
    let index = pod.index.filter(|_| pod.tracked)?;
    if !pod.failed(only_replace_failed) {
        return pending::fails_index(view, pod, index, now);
    }
    let Judgement { matched, counts } = view.judge(pod.pod);
    let name = pod.pod.metadata.name.clone();
    match matched {
        Some(Matched::Policy(MatchedRule { number: rule, action: PodFailurePolicyAction::FailIndex, by })) => {
            Some(IndexFailure::FailsIndexByPolicy { index, pod: name, rule, by })
        }
        Some(Matched::Line(line)) if line.rule.action == FailureAction::FailIndex => {
            Some(IndexFailure::FailsIndexByRule { index, matched: line.in_words() })
        }
        Some(_) | None if let Some(failure) = pending::fails_index(view, pod, index, now) => Some(failure),
        Some(_) | None if retried_too_long(view, pod) => {
            let (within, _) = view.retries_end()?;
            Some(IndexFailure::FailsIndexByTime { index, pod: name, within })
        }
        Some(_) | None => {
            let exceeded = counts && i64::from(pod.pod.index_failures) >= i64::from(limit);
            exceeded.then(|| IndexFailure::FailsIndex { index, pod: name, failures: pod.pod.index_failures.saturating_add(1), limit })
        }
    }
}

/// Whether a pod failed after failed pods are replaced no longer.
fn retried_too_long(view: &JobView<'_>, pod: &Claimed<'_>) -> bool {
    view.retries_end().is_some_and(|(_, end)| view.failed_at(pod.pod) > end)
}

/// The indexes that are recorded as failed.
pub(crate) fn recorded(job: &Job, completions: u32) -> IndexSet {
    IndexSet::parse_leniently(job.status.failed_indexes.as_deref().unwrap_or_default(), completions)
}

/// The indexes that failed, recorded or not; `None` without `backoffLimitPerIndex`. One that succeeded does not fail.
pub(crate) fn failed_indexes(
    view: &JobView<'_>,
    tally: &Tally<'_>,
    recorded: &IndexSet,
    succeeded: &IndexSet,
    now: Timestamp,
) -> Option<IndexSet> {
    view.job.spec.backoff_limit_per_index?;
    // Failures are judged once the annotation is corrected.
    let failed = |pod: &&Claimed<'_>| view.invalid.is_none() && index_failure(view, pod, tally.only_replace_failed, now).is_some();
    let newly = ascending(tally.pods.iter().filter(failed).filter_map(|pod| pod.index).filter(|index| !succeeded.contains(*index)));
    Some(recorded.with(newly))
}

/// The failed pods that are kept until their index has a next pod (J-111).
pub(crate) fn held<'a>(view: &JobView<'_>, tally: &Tally<'a>, succeeded: &IndexSet, failed: &IndexSet) -> Held<'a> {
    let deleted = view.deletions.done.values().copied().flatten();
    let active = ascending(tally.active.iter().filter_map(|pod| pod.index).chain(deleted));
    let mut held: Vec<(u32, &Claimed<'_>)> = Vec::new();
    for pod in &tally.new_failed {
        let Some(index) = pod.index else { continue };
        if active.binary_search(&index).is_ok() || succeeded.contains(index) || failed.contains(index) {
            continue;
        }
        match held.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(at) if failures(pod) < failures(held[at].1) || view.failed_at(pod.pod) < view.failed_at(held[at].1.pod) => {}
            Ok(at) => held[at].1 = pod,
            Err(at) => held.insert(at, (index, pod)),
        }
    }
    Held(held)
}

/// The delay of an index after its held pod, if it is not over (J-112), and no rule has one of its own.
pub(crate) fn delay(held: &Claimed<'_>, view: &JobView<'_>, now: Timestamp) -> Option<BackoffDelay> {
    if delayed_by_rule(view.job, view.failure_rules(), held.pod) {
        return None;
    }
    let failures = u32::try_from(failures(held)).unwrap_or(u32::MAX).saturating_add(1);
    Backoff { failures, last_failure_at: Some(view.failed_at(held.pod)), last_success_at: None }.delay_after(held.uid(), view, now)
}

/// The failures that the next pod of the index is to carry: those that count, and those that were ignored (J-110).
pub(crate) fn next_failure_counts(view: &JobView<'_>, held: Option<&Claimed<'_>>) -> (u32, u32) {
    let Some(Claimed { pod, .. }) = held else { return (0, 0) };
    if view.judge(pod).counts {
        (pod.index_failures.saturating_add(1), pod.index_ignored_failures)
    } else {
        (pod.index_failures, pod.index_ignored_failures.saturating_add(1))
    }
}

fn failures(pod: &Claimed<'_>) -> u64 {
    u64::from(pod.pod.index_failures) + u64::from(pod.pod.index_ignored_failures)
}
