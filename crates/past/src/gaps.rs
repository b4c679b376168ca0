//! Pods of which nothing is left, although the Job counted them.
//!
//! Docs: Jobs, "Job API"; Pod Lifecycle, "Garbage collection of Pods". How many there must have been follows from the counters; when they were there, from
//! what the controllers wanted and from what happened next.

use std::collections::BTreeMap;

use api::indexes::IndexSet;
use api::job::conditions;
use api::{Duration, JobCondition, Timestamp, time};

use crate::record::JobRecord;

/// How long after it was wanted a recorded pod is still taken for the wanted one.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long pods that ended are gathered before a sync.
const SYNC: Duration = Duration::from_secs(1);
/// The back-off after the first failed pod, and the longest one (J-94).
const FIRST_BACK_OFF: Duration = Duration::from_secs(10);
const LONGEST_BACK_OFF: Duration = Duration::from_mins(10);

/// How a pod lives of which nothing is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GoneCourse {
    /// When it ends by itself.
    pub(crate) ends_at: Option<Timestamp>,
    /// How often its container is started again before the Job ends.
    pub(crate) restarts: u32,
}

/// Pods that are gone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gaps {
    /// How many failed.
    pub(crate) failed: usize,
    /// How many succeeded, of each index if the Job has indexes.
    pub(crate) succeeded: BTreeMap<Option<u32>, usize>,
}

impl Gaps {
    /// What the counters of a Job have and its pods do not show.
    pub(crate) fn of(record: &JobRecord) -> Self {
        let status = &record.job.status;
        let phase = |wanted: &'static str| {
            let counted = move |pod: &&crate::PodRecord| !pod.uncounted && pod.value["status"]["phase"] == wanted;
            record.pods.iter().filter(counted)
        };
        let left = |counter: i32, there: usize| usize::try_from(counter).unwrap_or_default().saturating_sub(there);
        let deleted = record.pods.iter().filter(|pod| !pod.uncounted && !pod.ended && pod.deletion.is_some()).count();
        let failed = left(status.failed, phase("Failed").count() + deleted);
        let mut succeeded = BTreeMap::new();
        if record.job.indexed() {
            let there: Vec<u32> = phase("Succeeded").filter_map(|pod| pod.index).collect();
            let completions = record.job.spec.completions.and_then(|completions| u32::try_from(completions).ok()).unwrap_or_default();
            let completed = IndexSet::parse_leniently(&status.completed_indexes, completions);
            succeeded.extend(completed.iter().filter(|index| !there.contains(index)).map(|index| (Some(index), 1)));
        } else {
            succeeded.insert(None, left(status.succeeded, phase("Succeeded").count()));
        }
        Self { failed, succeeded }
    }

    /// Whether a pod that is gone is the one that is wanted now; `before`: how many of the same plan were, `next`: when the next recorded pod was created.
    pub(crate) fn fills(&self, index: Option<u32>, before: usize, next: Option<Timestamp>, now: Timestamp) -> bool {
        if next.is_some_and(|next| next <= time::after(now, PATIENCE)) {
            return false;
        }
        self.left(index) > before
    }

    fn left(&self, index: Option<u32>) -> usize {
        self.failed + self.succeeded.get(&index).copied().unwrap_or_default()
    }

    /// How a pod lives that is created now and of which nothing is left; `failures`: how many pods the Job has counted as failed so far.
    pub(crate) fn course(&self, record: &JobRecord, succeeds: bool, failures: usize, next: Option<Timestamp>, now: Timestamp) -> GoneCourse {
        let verdict = verdict_at(record).filter(|at| *at > now);
        let Some(until) = next.into_iter().chain(verdict).min() else { return GoneCourse { ends_at: None, restarts: 0 } };
        let before = time::after(until, -SYNC).max(now);
        if succeeds {
            return GoneCourse { ends_at: Some(before), restarts: 0 };
        }
        if value_of_policy(record) == "OnFailure" {
            let restarts = u32::try_from(record.job.spec.backoff_limit.unwrap_or(6)).unwrap_or_default().max(1);
            let exceeded = verdict_reason(record).is_some_and(|reason| reason == "BackoffLimitExceeded");
            return GoneCourse { ends_at: None, restarts: if exceeded { restarts } else { 0 } };
        }
        if verdict_reason(record).is_some_and(|reason| reason == "DeadlineExceeded") && self.failed == 0 && next.is_none() {
            return GoneCourse { ends_at: None, restarts: 0 };
        }
        // Those that are still to come fail one after another, with the back-off between them.
        let (coming, last) = (self.failed, usize::from(next.is_none()));
        let waits: Duration = (0..(coming + 1).saturating_sub(last)).map(|number| back_off(failures + number)).sum();
        let left = (before.duration_since(now) - waits).max(Duration::ZERO);
        let length = left / i32::try_from(coming + 1).unwrap_or(i32::MAX);
        GoneCourse { ends_at: Some(time::whole_seconds(time::after(now, length))), restarts: 0 }
    }

    /// Takes one; returns whether it succeeded.
    pub(crate) fn take(&mut self, index: Option<u32>) -> bool {
        if self.failed > 0 {
            self.failed -= 1;
            return false;
        }
        if let Some(left) = self.succeeded.get_mut(&index) {
            *left = left.saturating_sub(1);
        }
        true
    }
}

/// The delay after so many failures and one more.
fn back_off(failures: usize) -> Duration {
    let doubled = u32::try_from(failures).unwrap_or(u32::MAX).min(10);
    (FIRST_BACK_OFF * (1 << doubled)).min(LONGEST_BACK_OFF)
}

/// When the Job's end was decided.
pub(crate) fn verdict_at(record: &JobRecord) -> Option<Timestamp> {
    verdict(record)?.last_transition_time
}

fn verdict_reason(record: &JobRecord) -> Option<&str> {
    verdict(record).map(|condition| &*condition.reason)
}

fn verdict(record: &JobRecord) -> Option<&JobCondition> {
    let kinds = [conditions::FAILURE_TARGET, conditions::SUCCESS_CRITERIA_MET, conditions::FAILED, conditions::COMPLETE];
    kinds.into_iter().find_map(|kind| record.condition(kind, "True"))
}

fn value_of_policy(record: &JobRecord) -> &str {
    record.value["spec"]["template"]["spec"]["restartPolicy"].as_str().unwrap_or_default()
}
