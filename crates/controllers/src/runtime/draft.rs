//! A plan in the making: requests with what they are for, and reasons.
//!
//! Docs: `contract::Plan` is what leaves of it; what a request is for stays here, to be looked up when its outcome is told.

use api::request::Request;
use api::{Text, Timestamp};
use contract::Notice;

use crate::decision::Decision;
use crate::job::backoff::Backoff;
use crate::job::tracking::Settling;

/// What to do, why, and what to remember of it.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// A batch starts only when every command of the batch before it succeeded.
    pub(crate) batches: Vec<Vec<Command>>,
    /// Why.
    pub(crate) decisions: Vec<Decision>,
    /// Events that do not depend on an outcome.
    pub(crate) notices: Vec<Notice>,
    /// When to look again, and why.
    pub(crate) look_again: Option<(Timestamp, &'static str)>,
    /// Creations or deletions that the watch must show before pods are managed again.
    pub(crate) expected: Option<Expected>,
    /// What is left of the tracking protocol when all commands have succeeded.
    pub(crate) settling: Option<Settling>,
    /// What the metrics say of the sync; none if it ended before it began (J-161).
    pub(crate) action: Option<Action>,
    /// Actions of the pod failure policy that were applied, for the metrics (J-155).
    pub(crate) judged: Vec<&'static str>,
    /// Whether something could not even be asked for and is tried again like a refused request.
    pub(crate) falls_short: bool,
}

impl Plan {
    /// A plan that only says why nothing is done.
    pub(crate) fn because(decision: Decision) -> Self {
        Self { decisions: vec![decision], ..Self::default() }
    }

    /// Adds a batch, unless it is empty.
    pub(crate) fn then(&mut self, batch: Vec<Command>) {
        if !batch.is_empty() {
            self.batches.push(batch);
        }
    }

    /// Asks to look again at a time; the earliest counts.
    pub(crate) fn look_again(&mut self, at: Timestamp, because: &'static str) {
        if self.look_again.is_none_or(|(earlier, _)| at < earlier) {
            self.look_again = Some((at, because));
        }
    }
}

/// What a plan expects the watch to show (J-30).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Creations(usize),
    Deletions(usize),
}

/// What a sync mainly did (J-150).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Action {
    #[default]
    Reconciling,
    Tracking,
    PodsCreated,
    PodsDeleted,
}

/// One request and what it is for.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) request: Request,
    /// Status codes that are as good as success.
    pub(crate) tolerates: &'static [u16],
    pub(crate) intent: Intent,
}

/// The status code of an object that is not there.
pub(crate) const NOT_FOUND: u16 = 404;
/// The status code of an object that would be invalid.
pub(crate) const INVALID: u16 = 422;

/// What a request is for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Intent {
    /// Reads the Job before pods are adopted (J-63).
    Confirm,
    /// Adopts a pod.
    Adopt,
    /// Lets a pod go.
    Release,
    /// Creates a pod.
    Create { index: Option<u32>, reason: &'static str },
    /// Takes the finalizer from a pod that is to be deleted uncounted (J-80).
    Free,
    /// Deletes a pod that was freed; the watch is expected to show it.
    DeleteFreed { pod: Text },
    /// Deletes a pod of a Job that ends (J-47).
    DeleteEnding { pod: Text },
    /// Writes the status.
    WriteStatus(Box<StatusWrite>),
    /// Takes the finalizer from a counted pod.
    RemoveFinalizer { uid: Text },
    /// Takes a finalizer that is left over (J-136).
    FreeLeftover,
}

impl Intent {
    /// What the request is for, as part of a sentence.
    pub(crate) fn purpose(&self) -> &'static str {
        match self {
            Self::Confirm => "reading the Job",
            Self::Adopt => "adopting a pod",
            Self::Release => "letting a pod go",
            Self::Create { .. } => "creating a pod",
            Self::Free | Self::RemoveFinalizer { .. } | Self::FreeLeftover => "taking a finalizer from a pod",
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
