//! Decisions: why the Job controller does what it does, as values and in words.
//!
//! Docs: each decision names its heading on the page "Jobs" and its rule. How a wording becomes a sentence is in `runtime/decision.rs`.

mod counting;
mod ending;
mod guard;
mod leftover;
mod ownership;
mod pods;
mod report;
mod status;
mod waiting;

use std::sync::LazyLock;

use api::Text;
use contract::decision::Decision as Decided;

pub(crate) use counting::Counting;
pub(crate) use ending::Ending;
pub(crate) use guard::Guard;
pub(crate) use leftover::Leftover;
pub(crate) use ownership::Ownership;
pub(crate) use pods::Pods;
pub(crate) use report::Report;
pub(crate) use status::Status;
pub(crate) use waiting::Waiting;

use crate::runtime::decision::{Decide, Kinds, Page, Shared, collect, decision};

/// One decision, by what it is about.
#[derive(Debug)]
pub(crate) enum Decision {
    /// Whether the Job is synced at all.
    Guard(Guard),
    /// Whose a pod is.
    Ownership(Ownership),
    /// What an ended pod counts as.
    Counting(Counting),
    /// Which pods are created and deleted.
    Pods(Pods),
    /// What is waited for, and until when.
    Waiting(Waiting),
    /// How the Job ends.
    Ending(Ending),
    /// What is written to the status.
    Status(Status),
    /// What became of a request.
    Report(Report),
    /// What happens to a leftover finalizer.
    Leftover(Leftover),
    /// What the runtime decides for every controller.
    Shared(Shared),
}

impl Decide for Decision {
    fn decision(&self, namespace: &Text) -> Decided {
        match self {
            Self::Guard(topic) => decision(topic, namespace),
            Self::Ownership(topic) => decision(topic, namespace),
            Self::Counting(topic) => decision(topic, namespace),
            Self::Pods(topic) => decision(topic, namespace),
            Self::Waiting(topic) => decision(topic, namespace),
            Self::Ending(topic) => decision(topic, namespace),
            Self::Status(topic) => decision(topic, namespace),
            Self::Report(topic) => decision(topic, namespace),
            Self::Leftover(topic) => decision(topic, namespace),
            Self::Shared(topic) => decision(topic, namespace),
        }
    }
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let (mut kinds, page) = (Kinds::new(), Page { title: "Jobs", path: "concepts/workloads/controllers/job/" });
    collect::<Guard>(&mut kinds, &page);
    collect::<Ownership>(&mut kinds, &page);
    collect::<Counting>(&mut kinds, &page);
    collect::<Pods>(&mut kinds, &page);
    collect::<Waiting>(&mut kinds, &page);
    collect::<Ending>(&mut kinds, &page);
    collect::<Status>(&mut kinds, &page);
    collect::<Report>(&mut kinds, &page);
    collect::<Leftover>(&mut kinds, &page);
    kinds
});

/// The kinds of all decisions of this controller.
pub(crate) fn kinds() -> &'static Kinds {
    &KINDS
}
