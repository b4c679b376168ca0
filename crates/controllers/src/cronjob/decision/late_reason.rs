//! Why a run is late, as a piece of sentences about it.
//!
//! Docs: CronJob, "Concurrency policy", "Schedule suspension"; README, "Beyond Kubernetes" (X-18…X-20). The reason is found in `cronjob/late.rs`.

use api::annotation::PAUSE_AFTER_FAILURES;
use api::{Kind, Text, Timestamp};

use crate::runtime::wording::Wording;

/// Why a run starts after its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LateReason {
    /// This Job still ran, and the policy forbids two at a time.
    HeldUp(Text),
    /// As many Jobs were active as an annotation allows.
    Limited(u32),
    /// An annotation has a window until then.
    Delayed(Timestamp),
    /// Runs had failed, so that an annotation paused the CronJob.
    Paused,
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
            "< because {limit:Job} had not finished, the most that the annotation jobsmith.dev/max-active allows>",
            "< because the annotation jobsmith.dev/delay-during has a window until {delayedUntil}>",
            "< because the annotation {pausedBy} paused the CronJob>",
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
            Some(Self::Limited(limit)) => wording.with("limit", *limit),
            Some(Self::Delayed(end)) => wording.with("delayedUntil", *end),
            Some(Self::Paused) => wording.with("pausedBy", PAUSE_AFTER_FAILURES),
            Some(Self::Rescheduled(at)) => wording.with("rescheduledAt", *at),
            Some(Self::Resumed(at)) => wording.with("resumedAt", *at),
        }
    }
}
