//! What a plan for a Job holds besides requests: what each request is for, and what is known of the sync.
//!
//! Docs: Jobs (J-40…J-53). Plans of any controller are in `runtime/draft.rs`; the outcomes of the requests are handled in `outcomes.rs`.

use api::request::Request;
use api::{Kind, Text, Timestamp};
use contract::Notice;

use super::backoff::Backoff;
use super::decision::JobDecision;
use super::expectations::Expected;
use super::pod_changes::Grown;
use super::tracking::Settling;
use crate::runtime::{self, Draft};

/// A plan for a Job.
pub(crate) type JobPlan = Draft<Intent, Sync, JobDecision>;

/// A request of a plan for a Job.
pub(crate) type JobCommand = runtime::DraftCommand<Intent>;

/// A plan with nothing to do, and the reason.
pub(crate) fn because(decision: JobDecision) -> JobPlan {
    let mut plan = JobPlan::new(Sync::default());
    plan.decide(decision);
    plan
}

/// What is known of a sync while one of its plans is carried out.
#[derive(Debug, Default)]
pub(crate) struct Sync {
    /// What is left of the tracking protocol when all commands have succeeded.
    pub(crate) settling: Option<Settling>,
    /// What the metrics record of the sync; none if it ended before it began (J-161).
    pub(crate) action: Option<SyncAction>,
    /// Whether something could not even be requested and is retried like a refused request.
    pub(crate) falls_short: bool,
    /// When the sync is tried again, if a request of an earlier plan of it failed.
    pub(crate) retry_at: Option<Timestamp>,
    /// When to sync again, and why; none if the pods are not sorted out yet, because the sync then ends without checking anything else (J-64).
    pub(crate) requeue_at: Option<(Timestamp, &'static str)>,
    /// Creations or deletions that the watch must show before pods are managed again.
    pub(crate) expected: Option<Expected>,
    /// The Event that the Job is suspended or resumed; it follows those of the pods (J-14a).
    pub(crate) announces: Option<Notice>,
    /// The record of failures that holds once all commands have succeeded, if the status is not written with it.
    pub(crate) backoff: Option<Backoff>,
    /// Actions of the pod failure policy that were applied, for the metrics (J-155).
    pub(crate) judged: Vec<&'static str>,
}

/// What a sync mainly did (J-150).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SyncAction {
    #[default]
    Reconciling,
    Tracking,
    PodsCreated,
    PodsDeleted,
}

/// What a request is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Intent {
    /// Reads the Job before pods are adopted (J-63).
    Confirm,
    /// Adopts a pod.
    Adopt,
    /// Lets a pod go.
    Release,
    /// Creates a pod, with memory that has grown.
    Create { index: Option<u32>, reason: &'static str, memory: Vec<Grown> },
    /// Takes the finalizer from a pod that is to be deleted uncounted (J-80).
    Free,
    /// Deletes a pod that was freed; the watch is expected to show it.
    DeleteFreed { pod: Text, index: Option<u32> },
    /// Deletes a pod of a Job that ends (J-47).
    DeleteEnding { pod: Text, index: Option<u32> },
    /// Writes the status.
    WriteStatus(Box<StatusWrite>),
    /// Takes the finalizer from a counted pod.
    RemoveFinalizer { uid: Text },
}

impl Intent {
    /// The command that sends a request for it.
    pub(crate) fn command(self, request: Request, tolerates: &'static [u16]) -> JobCommand {
        let writes = match &self {
            Self::Confirm => None,
            Self::WriteStatus(_) => Some(Kind::Job),
            Self::Adopt
            | Self::Release
            | Self::Create { .. }
            | Self::Free
            | Self::DeleteFreed { .. }
            | Self::DeleteEnding { .. }
            | Self::RemoveFinalizer { .. } => Some(Kind::Pod),
        };
        JobCommand { request, tolerates, after: None, intent: self, writes }
    }

    /// Whether it makes a pod the Job's, or lets it go.
    pub(crate) fn sorts_out(&self) -> bool {
        matches!(self, Self::Confirm | Self::Adopt | Self::Release)
    }

    /// What the request is for, as part of a sentence.
    pub(crate) fn purpose(&self) -> &'static str {
        match self {
            Self::Confirm => "reading the Job",
            Self::Adopt => "adopting a pod",
            Self::Release => "releasing a pod",
            Self::Create { .. } => "creating a pod",
            Self::Free | Self::RemoveFinalizer { .. } => "removing the finalizer from a pod",
            Self::DeleteFreed { .. } | Self::DeleteEnding { .. } => "deleting a pod",
            Self::WriteStatus(_) => "writing the status",
        }
    }
}

/// What a successful write of the status means for memory, events and metrics.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct StatusWrite {
    /// The back-off record to keep from here on (J-93).
    pub(crate) backoff: Option<Backoff>,
    /// How many more pods, or indexes, are counted as succeeded (J-153).
    pub(crate) succeeded: u32,
    /// How many more pods are counted as failed.
    pub(crate) failed: u32,
    /// How many more indexes failed (J-154).
    pub(crate) failed_indexes: u32,
    /// How the Job ended with this write.
    pub(crate) end: Option<End>,
}

/// How a Job ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct End {
    /// Whether it is Complete; otherwise it is Failed.
    pub(crate) complete: bool,
    /// The reason.
    pub(crate) reason: Text,
    /// The message.
    pub(crate) message: Text,
    /// Whether more pods succeeded than were to (J-147).
    pub(crate) too_many: bool,
}
