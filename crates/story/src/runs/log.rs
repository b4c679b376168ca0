//! What the runs of a CronJob came to, one after the other, and how many came to what.
//!
//! Docs: CronJob, "Concurrency policy". What a run came to is found out in `cron_job.rs`; the page shows each change as it happens.

use super::history::PastRun;

/// How many runs came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Those for which a Job was created.
    pub started: usize,
    /// Those for which none was, so far.
    pub skipped: usize,
    /// Those whose Job was deleted to make way for the next.
    pub replaced: usize,
    /// Those that started while the Job of another was active.
    pub overlapping: usize,
}

/// A run that came to be what it is, and the runs of its CronJob as they were counted then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunChange {
    /// The run.
    pub run: PastRun,
    /// All runs until then.
    pub counts: RunCounts,
}

/// What runs came to since somebody last asked.
#[derive(Debug, Default)]
pub(super) struct RunLog {
    /// How many runs came to what so far.
    pub(super) counts: RunCounts,
    changes: Vec<RunChange>,
}

impl RunLog {
    /// A run is another one than before.
    pub(super) fn record(&mut self, run: &PastRun) {
        self.changes.push(RunChange { run: run.clone(), counts: self.counts });
    }

    /// What changed since it was last asked, in order.
    pub(super) fn take(&mut self) -> Vec<RunChange> {
        std::mem::take(&mut self.changes)
    }
}
