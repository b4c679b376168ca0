//! The failed pods of a Job with rules on them: until when they hold the next pods back.
//!
//! Docs: README, "Beyond Kubernetes". Which line matches a pod is in `failure_rules.rs`; what the pods after them carry, in `attempts.rs`. All of it
//! follows from pods that are stored, so a restart changes nothing.

use std::collections::BTreeMap;

use api::annotation::FailureAction;
use api::{Pod, Timestamp};

use super::backoff::{BackoffDelay, finished_at, usual_delay};
use super::decision::FailureMatch;
use super::failure_rules::{MatchedLine, attempt_number, may_match};
use super::tally::Claimed;
use super::view::JobView;
use super::{ownership, replacement};
use crate::runtime::order;

/// The pods of a Job whose pods carry their attempt, by attempt and time.
#[derive(Debug)]
pub(crate) struct Failures<'a> {
    pub(crate) view: &'a JobView<'a>,
    pub(crate) pods: Vec<JudgedPod<'a>>,
}

/// A pod, and what its failure matches.
#[derive(Debug)]
pub(crate) struct JudgedPod<'a> {
    pub(crate) pod: &'a Pod,
    /// Its completion index, if it is one of its Job's.
    pub(crate) index: Option<u32>,
    /// Whether it has failed.
    pub(crate) failed: bool,
    /// The line of the annotation that it matches.
    pub(crate) line: Option<MatchedLine<'a>>,
}

impl<'a> Failures<'a> {
    /// Those of a Job; nothing unless its pods carry their attempt.
    pub(crate) fn of(view: &'a JobView<'a>) -> Self {
        let rank = |pod: &'a Pod| (attempt_number(pod), finished_at(pod), &pod.metadata.name);
        let pods = order::sorted(&view.attempts, |one, other| rank(one).cmp(&rank(other)));
        let judged = |pod| {
            let failed = failed(view, pod);
            let line = if failed { view.judge(pod).line() } else { None };
            JudgedPod { pod, index: ownership::index(view.job, pod), failed, line }
        };
        let own = |judged: &JudgedPod<'_>| judged.index.is_some() || !view.job.indexed();
        Self { view, pods: pods.into_iter().map(judged).filter(own).collect() }
    }

    /// The last failed pod that keeps the Job from creating others, and when it ended.
    pub(crate) fn holding(&self) -> Option<(FailureMatch, Timestamp)> {
        let resumed_at = self.view.extensions.as_ref().ok()?.resumed_at;
        let held = self.pods.iter().filter_map(|judged| judged.line.filter(|line| line.rule.action == FailureAction::Hold));
        let last = held.max_by_key(|line| finished_at(line.pod)).map(|line| (line, finished_at(line.pod)));
        let (line, ended_at) = last.filter(|(_, ended_at)| resumed_at.is_none_or(|resumed_at| *ended_at > resumed_at))?;
        Some((line.in_words(), ended_at))
    }

    /// The delays that rules ask for and that are not over, before the next pods of indexes, or of a Job without indexes: the longest of each.
    pub(crate) fn delays(&self, now: Timestamp) -> RuleDelays {
        let mut delays = RuleDelays::new();
        for JudgedPod { pod, index, line, .. } in &self.pods {
            let Some(line) = line else { continue };
            let Some(delay) = line.delay(|failures| usual_delay(self.view, failures)) else { continue };
            let since = finished_at(pod);
            let jitter = self.view.retry_jitter().map(|jitter| jitter.of(delay, &pod.metadata.uid));
            let left = delay + jitter.unwrap_or_default() - now.duration_since(since);
            if left.is_positive() && delays.get(index).is_none_or(|known| known.left < left) {
                let failures = attempt_number(pod);
                delays.insert(*index, BackoffDelay { failures, delay, jitter, since, left, by: Some(Box::new(line.in_words())) });
            }
        }
        delays
    }
}

/// Delays by index; those of a Job without indexes have none.
pub(crate) type RuleDelays = BTreeMap<Option<u32>, BackoffDelay>;

/// Whether a pod has failed, or counts as failed. One that lost its finalizer and was then deleted before it ended is one that the Job did not want.
fn failed(view: &JobView<'_>, pod: &Pod) -> bool {
    let metadata = &pod.metadata;
    let held = || metadata.has_finalizer(&view.config.tracking_finalizer) && !view.memory.expectations.expects_removal(&metadata.uid);
    Claimed::new(pod, true, None).failed(replacement::only_replace_failed(view.job)) && (!metadata.deleting() || may_match(pod) || held())
}
