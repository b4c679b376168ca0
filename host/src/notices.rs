//! Kubernetes Events on their way to the cluster: best effort, one after the other, and nobody waits for them.
//!
//! Docs: Event v1; spec/job.md J-140…J-149. What becomes one Event and what is dropped is decided in `events.rs`.

use contract::Notice;

/// Takes Events to record.
pub struct Notices;

impl Notices {
    /// Records nothing.
    #[must_use]
    pub fn unheard() -> Self {
        Self
    }

    pub(crate) fn record(&self, _notices: &[Notice]) {}
}
