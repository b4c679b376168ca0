//! Decisions: why the CronJob controller does what it does, as values and in words.
//!
//! Docs: each decision names its heading on the page "CronJob" and its rule. How a wording becomes a sentence is in `runtime/decision.rs`.

mod active_jobs;
mod concurrency;
mod guard;
mod history;
mod last_run;
mod late_reason;
mod report;
mod scheduling;
mod status_update;

use std::sync::LazyLock;

pub(super) use active_jobs::ActiveJobs;
pub(super) use concurrency::Concurrency;
pub(super) use guard::Guard;
pub(super) use history::History;
pub(super) use last_run::{LastRun, Run};
pub(super) use late_reason::LateReason;
pub(super) use report::OutcomeReport;
pub(super) use scheduling::{Missed, Scheduling};
pub(super) use status_update::StatusUpdate;

use crate::runtime::decision::{Decide, Kinds, Page, RuntimeDecision, Topic, collect};

/// One decision, by what it is about.
#[derive(Debug)]
pub(crate) enum CronJobDecision {
    /// Whether Jobs are started at all.
    Guard(Guard),
    /// Which run is started.
    Scheduling(Scheduling),
    /// What Jobs that still run mean for the next one.
    Concurrency(Concurrency),
    /// Which Jobs are still active.
    ActiveJobs(ActiveJobs),
    /// Which finished Jobs are deleted.
    History(History),
    /// What is written to the status.
    StatusUpdate(StatusUpdate),
    /// The outcome of a request.
    Report(OutcomeReport),
    /// What the runtime decides for every controller.
    Shared(RuntimeDecision),
}

impl Decide for CronJobDecision {
    fn topic(&self) -> &dyn Topic {
        match self {
            Self::Guard(topic) => topic,
            Self::Scheduling(topic) => topic,
            Self::Concurrency(topic) => topic,
            Self::ActiveJobs(topic) => topic,
            Self::History(topic) => topic,
            Self::StatusUpdate(topic) => topic,
            Self::Report(topic) => topic,
            Self::Shared(topic) => topic,
        }
    }
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let page = Page { title: "CronJob", path: "concepts/workloads/controllers/cron-jobs/" };
    let mut kinds = Kinds::new();
    collect::<Guard>(&mut kinds, &page);
    collect::<Scheduling>(&mut kinds, &page);
    collect::<Concurrency>(&mut kinds, &page);
    collect::<ActiveJobs>(&mut kinds, &page);
    collect::<History>(&mut kinds, &page);
    collect::<StatusUpdate>(&mut kinds, &page);
    collect::<LastRun>(&mut kinds, &page);
    collect::<OutcomeReport>(&mut kinds, &page);
    kinds
});

/// The kinds of all decisions of this controller.
pub(crate) fn kinds() -> &'static Kinds {
    &KINDS
}
