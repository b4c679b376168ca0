//! Pods that no longer exist, although the Job counted them.
//!
//! Docs: Jobs, "Job API"; Pod Lifecycle, "Garbage collection of Pods". How many there must have been follows from the counters; when they were there, from
//! what the controllers wanted and from what happened next.

use std::collections::{BTreeMap, BTreeSet};

use api::indexes::IndexSet;
use api::job::conditions;
use api::{Duration, JobCondition, Timestamp, time};
use serde_json::{Value, json};

use crate::record::{RecordedJob, RecordedPod};
use crate::slots::PodSlots;

/// What is assumed of pods that no longer exist, where the record does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Assumptions {
    /// How long after it was wanted a recorded pod is still taken for the wanted one.
    patience: Duration,
    /// Whether as many as possible were ended by the end of their Job.
    ended_by_verdict: bool,
    /// Whether the others failed as soon as they were there, and not just before what happened next.
    fail_at_once: bool,
}

impl Assumptions {
    /// What is likeliest.
    pub(crate) fn likeliest() -> Self {
        Self { patience: Duration::from_secs(1), ended_by_verdict: true, fail_at_once: false }
    }

    /// All that are tried, the likeliest first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [true, false].into_iter().flat_map(|ended_by_verdict| {
            [false, true].into_iter().flat_map(move |fail_at_once| {
                [1, 0].map(|seconds| Self { patience: Duration::from_secs(seconds), ended_by_verdict, fail_at_once })
            })
        })
    }
}

/// How long pods that ended are gathered before a sync.
pub(crate) const SYNC: Duration = Duration::from_secs(1);
/// The back-off after the first failed pod, and the longest one (J-94).
const FIRST_BACK_OFF: Duration = Duration::from_secs(10);
const LONGEST_BACK_OFF: Duration = Duration::from_mins(10);
/// `backoffLimit` where none is set.
const DEFAULT_BACKOFF_LIMIT: i32 = 6;
/// The reason of a Job that failed because too many of its pods did.
const BACKOFF_LIMIT_EXCEEDED: &str = "BackoffLimitExceeded";

/// How a pod lives that no longer exists in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GoneCourse {
    /// When it ends by itself.
    pub(crate) ends_at: Option<Timestamp>,
    /// How often its container is started again before the Job ends.
    pub(crate) restarts: u32,
}

/// Pods that are gone.
#[derive(Debug, Clone)]
pub(crate) struct Gaps {
    /// How many failed before the Job's end was decided.
    early: usize,
    /// How many were ended by that.
    late: usize,
    /// How many succeeded, of each index if the Job has indexes.
    succeeded: BTreeMap<Option<u32>, usize>,
    /// Those in which they succeed.
    slots: PodSlots,
    assumed: Assumptions,
    pub(crate) skipped: SkippedPods,
}

/// Pods that no longer exist and whose lives are not shown: the Job has counted them from the start.
#[derive(Debug, Clone, Default)]
pub(crate) struct SkippedPods {
    pub(crate) failed: usize,
    pub(crate) succeeded: usize,
    /// The indexes of those that succeeded.
    pub(crate) completed: IndexSet,
}

/// Of how many pods that failed or succeeded and no longer exist the lives are shown: of the last ones.
const MOST_LIVES: usize = 100;

/// How a pod ended that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoneEnd {
    /// It failed while the Job went on.
    Failed,
    /// It was active when the Job's end was decided, and was deleted.
    Deleted,
    /// It succeeded.
    Succeeded,
}

impl SkippedPods {
    pub(crate) fn count(&self) -> usize {
        self.failed + self.succeeded
    }

    /// The status of a Job that has counted them.
    pub(crate) fn status(&self) -> Value {
        let mut status = json!({});
        for (counter, pods) in [("failed", self.failed), ("succeeded", self.succeeded)] {
            if pods > 0 {
                status[counter] = pods.into();
            }
        }
        if !self.completed.is_empty() {
            status["completedIndexes"] = self.completed.to_string().into();
        }
        status
    }
}

impl Gaps {
    /// What the counters of a Job have and its pods do not show.
    pub(crate) fn of(record: &RecordedJob, assumed: Assumptions) -> Self {
        let status = &record.job.status;
        let phase = |wanted: &'static str| record.pods.iter().filter(move |pod| pod.value["status"]["phase"] == wanted);
        // Finalizers go last.
        let counted = |pod: &&RecordedPod| !pod.uncounted || record.job.finished();
        let left = |counter: i32, there: usize| usize::try_from(counter).unwrap_or_default().saturating_sub(there);
        let deleted = record.pods.iter().filter(|pod| !pod.uncounted && !pod.ended && pod.deletion.is_some()).count();
        let all_failed = left(status.failed, phase("Failed").filter(counted).count() + deleted);
        let failed = all_failed.min(MOST_LIVES);
        let mut skipped = SkippedPods { failed: all_failed - failed, ..SkippedPods::default() };
        let mut succeeded = BTreeMap::new();
        if record.job.indexed() {
            // The indexes are written before the finalizers go, too.
            let there: BTreeSet<u32> = phase("Succeeded").filter_map(|pod| pod.index).collect();
            let completions = record.job.spec.completions.and_then(|completions| u32::try_from(completions).ok()).unwrap_or_default();
            let completed = IndexSet::parse_leniently(&status.completed_indexes, completions);
            let gone: Vec<u32> = completed.iter().filter(|index| !there.contains(index)).collect();
            skipped.succeeded = gone.len().saturating_sub(MOST_LIVES);
            skipped.completed = IndexSet::default().with(gone[..skipped.succeeded].iter().copied());
            succeeded.extend(gone[skipped.succeeded..].iter().map(|index| (Some(*index), 1)));
        } else {
            let all = left(status.succeeded, phase("Succeeded").filter(counted).count());
            skipped.succeeded = all.saturating_sub(MOST_LIVES);
            succeeded.insert(None, all - skipped.succeeded);
        }
        let most = if assumed.ended_by_verdict { ended_by_verdict(record) } else { 0 };
        let late = failed.min(most).min(failed.saturating_sub(needed(record)));
        Self { early: failed - late, late, succeeded, slots: PodSlots::default(), assumed, skipped }
    }

    /// Whether a pod that is gone is the one that is wanted now; `taken`: how many others are spoken for, `next`: when the next recorded pod was created.
    pub(crate) fn fills(&self, index: Option<u32>, taken: usize, next: Option<Timestamp>, now: Timestamp) -> bool {
        if next.is_some_and(|next| next <= time::after(now, self.assumed.patience)) {
            return false;
        }
        // A completed index needs one, whatever the others need.
        let own = index.is_some() && next.is_none() && self.succeeded.get(&index).is_some_and(|left| *left > 0);
        own || self.early + self.late + self.succeeded.get(&index).copied().unwrap_or_default() > taken
    }

    /// How many there are, those that are skipped included.
    pub(crate) fn count(&self) -> usize {
        self.early + self.late + self.succeeded.values().sum::<usize>() + self.skipped.count()
    }

    /// How many of them failed.
    pub(crate) fn failures(&self) -> usize {
        self.early + self.late + self.skipped.failed
    }

    /// Whether the next one is the last that fails before the Job's end is decided.
    pub(crate) fn last_failure(&self) -> bool {
        self.early == 1
    }

    /// Takes one.
    pub(crate) fn take(&mut self, index: Option<u32>) -> GoneEnd {
        let failed = self.early + self.late > 0;
        if let Some(left) = self.succeeded.get_mut(&index).filter(|left| **left > 0 && (index.is_some() || !failed)) {
            *left -= 1;
            return GoneEnd::Succeeded;
        }
        if self.early > 0 {
            self.early -= 1;
            return GoneEnd::Failed;
        }
        self.late = self.late.saturating_sub(1);
        GoneEnd::Deleted
    }

    /// How a pod lives that is created now and succeeds, in one of so many slots that are `free`; `taken`: when recorded pods take others, `announced`: how
    /// many that are still to come are known from Events.
    pub(crate) fn success(
        &mut self,
        record: &RecordedJob,
        announced: usize,
        (free, taken): (usize, Vec<Timestamp>),
        now: Timestamp,
    ) -> GoneCourse {
        let coming = (self.succeeded.values().sum::<usize>() + 1).saturating_sub(announced);
        let last = verdict_at(record).filter(|at| *at > now).unwrap_or(record.end);
        GoneCourse { ends_at: Some(self.slots.take(coming, free, (&taken, last), now)), restarts: 0 }
    }

    /// How a pod lives that is created now and does not succeed; `announced`: how many that are still to come are known from Events, `failures`: how many pods
    /// the Job has counted as failed so far.
    pub(crate) fn course(
        &self,
        record: &RecordedJob,
        end: GoneEnd,
        (announced, failures): (usize, usize),
        next: Option<Timestamp>,
        now: Timestamp,
    ) -> GoneCourse {
        let verdict =
            verdict(record).and_then(|condition| Some((condition.last_transition_time.filter(|at| *at > now)?, &*condition.reason)));
        let runs_on = GoneCourse { ends_at: None, restarts: 0 };
        if end == GoneEnd::Deleted {
            let exceeded = verdict.is_some_and(|(_, reason)| reason == BACKOFF_LIMIT_EXCEEDED) && on_failure(record);
            let limit = u32::try_from(record.job.spec.backoff_limit.unwrap_or(DEFAULT_BACKOFF_LIMIT)).unwrap_or_default();
            return GoneCourse { restarts: if exceeded { limit.max(1) } else { 0 }, ..runs_on };
        }
        let until = next.into_iter().chain(verdict.map(|(at, _)| at)).min().unwrap_or(record.end);
        let before = time::after(until, -SYNC).max(now);
        if self.assumed.fail_at_once {
            return GoneCourse { ends_at: Some(now), restarts: 0 };
        }
        // Those that are still to come before the next recorded one fail one after another, with the back-off between them.
        let (coming, followed) = (self.early.saturating_sub(announced), next.is_some() || self.late > 0);
        let waits: Duration = (0..coming + usize::from(followed)).map(|number| back_off(failures + number)).sum();
        let left = (before.duration_since(now) - waits).max(Duration::ZERO);
        let length = left / i32::try_from(coming + 1).unwrap_or(i32::MAX);
        GoneCourse { ends_at: Some(time::whole_seconds(time::after(now, length))), restarts: 0 }
    }
}

/// How many of the pods that are gone may have been active when the Job's end was decided.
fn ended_by_verdict(record: &RecordedJob) -> usize {
    let Some(decided_at) = verdict_at(record) else { return 0 };
    let finished_at = record.job.finished_by().and_then(|condition| condition.last_transition_time);
    let targets = [conditions::FAILURE_TARGET, conditions::SUCCESS_CRITERIA_MET];
    if targets.iter().any(|kind| record.condition(kind, "True").is_some()) && finished_at == Some(decided_at) {
        // There was nothing to wait for.
        return 0;
    }
    let there =
        record.pods.iter().filter(|pod| pod.created_at < decided_at && pod.deletion.is_some_and(|deletion| deletion.at >= decided_at));
    let parallelism = usize::try_from(record.job.spec.parallelism.unwrap_or(1)).unwrap_or_default();
    parallelism.saturating_sub(there.count())
}

/// How many pods that are gone must have failed for the Job to fail as it did.
fn needed(record: &RecordedJob) -> usize {
    if record.judged_and_gone().is_some() {
        return 1;
    }
    let Some(verdict) = verdict(record).filter(|condition| &*condition.reason == BACKOFF_LIMIT_EXCEEDED && !on_failure(record)) else {
        return 0;
    };
    let decided_at = verdict.last_transition_time.unwrap_or(record.end);
    let limit = usize::try_from(record.job.spec.backoff_limit.unwrap_or(DEFAULT_BACKOFF_LIMIT)).unwrap_or_default();
    let failed =
        record.pods.iter().filter(|pod| pod.value["status"]["phase"] == "Failed" && pod.ended_at().is_some_and(|at| at <= decided_at));
    (limit + 1).saturating_sub(failed.count())
}

/// The delay after so many failures and one more.
fn back_off(failures: usize) -> Duration {
    let doubled = u32::try_from(failures).unwrap_or(u32::MAX).min(10);
    (FIRST_BACK_OFF * (1 << doubled)).min(LONGEST_BACK_OFF)
}

/// When the Job's end was decided.
pub(crate) fn verdict_at(record: &RecordedJob) -> Option<Timestamp> {
    verdict(record)?.last_transition_time
}

/// Until when the end of the Job waited for pods that it deletes now, if it did.
pub(crate) fn waited_for_until(record: &RecordedJob, now: Timestamp) -> Option<Timestamp> {
    verdict_at(record).filter(|decided_at| *decided_at <= now)?;
    let finished_at = record.job.finished_by()?.last_transition_time?;
    Some(time::after(finished_at, -SYNC)).filter(|until| *until > now)
}

fn verdict(record: &RecordedJob) -> Option<&JobCondition> {
    let kinds = [conditions::FAILURE_TARGET, conditions::SUCCESS_CRITERIA_MET, conditions::FAILED, conditions::COMPLETE];
    kinds.into_iter().find_map(|kind| record.condition(kind, "True"))
}

/// Whether containers of the Job's pods are started again when they fail.
pub(crate) fn on_failure(record: &RecordedJob) -> bool {
    record.value["spec"]["template"]["spec"]["restartPolicy"] == "OnFailure"
}
