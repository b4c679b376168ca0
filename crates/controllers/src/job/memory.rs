//! What only the controller remembers of a Job. It may be lost at any moment without harm.
//!
//! Docs: Jobs (J-30…J-35, J-91…J-94). What the cluster stores is in `runtime/store.rs`, the work on a Job that is under way in `runtime/sync_state.rs`.

use std::collections::{BTreeMap, BTreeSet};

use api::{Text, Timestamp};

use super::backoff::Backoff;
use super::expectations::Expectations;

/// The memory of one Job.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    /// What the watch is yet to show.
    pub(crate) expectations: Expectations,
    /// Failures since the last success (J-91).
    pub(crate) backoff: Backoff,
    /// Whether it has what was known before, if that is asked for, or the Job's annotations depend on it.
    pub(crate) taken_over: bool,
    /// When the current sync began.
    pub(crate) began_at: Option<Timestamp>,
    /// What the sync leaves alone, because a request for it failed.
    pub(crate) blocked: Option<Blocked>,
    /// When those of its pods were created that are gone since, if the start rate counts them.
    pub(crate) gone: Vec<Timestamp>,
    /// The names of pods that have ended and were counted, and still matter; `None` until they are looked for.
    pub(crate) notable: Option<BTreeSet<Text>>,
}

/// Something that the rest of a sync leaves alone, and when the next one tries it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blocked {
    pub(crate) what: Blockable,
    pub(crate) failures: u32,
    pub(crate) until: Timestamp,
}

/// What can fail while the rest of the work on a Job goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blockable {
    Creations,
    Deletions,
}

impl Blockable {
    /// The thing as part of a sentence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Creations => "creating pods",
            Self::Deletions => "deleting pods",
        }
    }
}

/// The Job as the API server has it (J-63).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Confirmed {
    pub(crate) uid: Text,
    pub(crate) deleting: bool,
}

/// The pods that the first part of a sync was to delete, by name.
#[derive(Debug, Default)]
pub(crate) struct Deletions {
    /// Those that were deleted, with their index.
    pub(crate) done: BTreeMap<Text, Option<u32>>,
    /// Those whose deletion was refused.
    pub(crate) refused: BTreeSet<Text>,
}
