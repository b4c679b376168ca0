//! Deadline: how long a Job may be active.
//!
//! Docs: Jobs, "Job termination and cleanup" (J-46e, J-85, J-123).

use api::{Duration, Job, Timestamp, time};

/// How close a Job is to its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deadline {
    /// How long the Job may be active.
    pub(crate) length: Duration,
    /// How long it has been.
    pub(crate) active: Duration,
    /// When the deadline is reached.
    pub(crate) until: Timestamp,
}

impl Deadline {
    /// The Job's deadline, if it has one and its time runs (J-85).
    pub(crate) fn of(job: &Job, started_at: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        let (started_at, seconds) = (started_at?, job.spec.active_deadline_seconds?);
        if job.suspended() {
            return None;
        }
        let length = Duration::from_secs(seconds);
        Some(Self { length, active: now.duration_since(started_at), until: time::after(started_at, length) })
    }

    pub(crate) fn passed(&self) -> bool {
        self.active >= self.length
    }
}
