//! Why a run is late, as a piece of sentences about it.
//!
//! Docs: CronJob, "Concurrency policy", "Schedule suspension". The reason is found in `cronjob/late.rs`.

use api::{Kind, Text, Timestamp};

use crate::runtime::wording::Wording;

/// Why a run starts after its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LateReason {
    /// This Job still ran, and the policy forbids two at a time.
    HeldUp(Text),
    /// The schedule or its time zone was changed then.
    Rescheduled(Timestamp),
    /// The CronJob was suspended until then.
    Resumed(Timestamp),
}

/// A template with the reason between two pieces of it.
macro_rules! because {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            "< because Job {heldUpBy} was still running and [concurrencyPolicy] is Forbid>",
            "< because the schedule was changed at {rescheduledAt}>",
            "< because the CronJob was resumed at {resumedAt}>",
            $after
        )
    };
}
pub(super) use because;

impl LateReason {
    /// Adds the reason to a wording made of `because!`.
    pub(super) fn add_to(this: Option<&Self>, wording: Wording) -> Wording {
        match this {
            None => wording,
            Some(Self::HeldUp(job)) => wording.object("heldUpBy", Kind::Job, job),
            Some(Self::Rescheduled(at)) => wording.with("rescheduledAt", *at),
            Some(Self::Resumed(at)) => wording.with("resumedAt", *at),
        }
    }
}
