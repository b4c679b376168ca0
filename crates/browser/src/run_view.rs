//! A run of a CronJob as the page shows it.
//!
//! Docs: CronJob, "Job creation". What came of runs is found out in the crate `story`, for the terminal too.

use api::{Text, Timestamp, time};
use serde::Serialize;
use story::runs::{CronJobName, RunChange, RunCounts, RunResult};

/// A run that came to be what it is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunView {
    /// The namespace and name of its CronJob.
    namespace: Text,
    name: Text,
    /// When it was scheduled, in milliseconds since the beginning.
    scheduled_at: i64,
    outcome: RunOutcome,
    /// The same in words, with its reason: `Failed: BackoffLimitExceeded`, `skipped: concurrencyPolicy Forbid (C-30)`.
    words: String,
    /// By how many milliseconds it started late, if it did: a start that is spread is not late.
    late: Option<i64>,
    /// The same in words: `on time`, `5 s late`; `-` if it did not start.
    started: String,
    /// All runs of the CronJob until then.
    counts: RunCountsView,
}

/// What came of a run, in one word.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub(crate) enum RunOutcome {
    Succeeded,
    Failed,
    Replaced,
    Deleted,
    Skipped,
    Waiting,
    Running,
}

/// How many runs came to what.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "RunCounts"))]
pub(crate) struct RunCountsView {
    /// Those for which a Job was created.
    started: usize,
    /// Those for which none was, so far.
    skipped: usize,
    /// Those whose Job was deleted to make way for the next.
    replaced: usize,
    /// Those that started while the Job of another was active.
    overlapping: usize,
}

/// What came of a run, in one word.
pub(crate) fn outcome(result: &RunResult) -> RunOutcome {
    match result {
        RunResult::Due => RunOutcome::Waiting,
        RunResult::Running => RunOutcome::Running,
        RunResult::Complete => RunOutcome::Succeeded,
        RunResult::Failed(_) => RunOutcome::Failed,
        RunResult::Replaced => RunOutcome::Replaced,
        RunResult::Deleted => RunOutcome::Deleted,
        RunResult::Skipped(_) | RunResult::Undecided => RunOutcome::Skipped,
    }
}

impl RunView {
    /// A run as it is from here on; `None` of a time that the clock never shows, which starts nothing.
    pub(crate) fn of((namespace, name): &CronJobName, RunChange { run, counts }: RunChange, start: Timestamp) -> Option<Self> {
        let RunCounts { started, skipped, replaced, overlapping } = counts;
        run.skipped_clock.is_none().then(|| Self {
            namespace: namespace.clone(),
            name: name.clone(),
            scheduled_at: time::since(start, run.scheduled_at),
            outcome: outcome(&run.result),
            words: run.result.words(),
            late: run.late().map(time::milliseconds),
            started: run.started_words(),
            counts: RunCountsView { started, skipped, replaced, overlapping },
        })
    }
}
