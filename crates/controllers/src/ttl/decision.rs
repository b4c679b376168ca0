//! Decisions: why the TTL-after-finished controller deletes a Job, or does not.
//!
//! Docs: each decision names its heading on the page "Automatic Cleanup for Finished Jobs" and its rule. How a wording becomes a sentence is in
//! `runtime/decision.rs`.

use std::sync::LazyLock;

use api::Timestamp;
use strum::{EnumIter, IntoStaticStr};

use super::time_to_live::TimeToLive;
use crate::runtime::decision::{Decide, Kinds, Page, RuntimeDecision, Source, Topic, collect};
use crate::runtime::wording::{Wording, words};

/// One decision, by what it is about.
#[derive(Debug)]
pub(crate) enum TtlDecision {
    /// What happens to the Job.
    Cleanup(Cleanup),
    /// What the runtime decides for every controller.
    Shared(RuntimeDecision),
}

impl Decide for TtlDecision {
    fn topic(&self) -> &dyn Topic {
        match self {
            Self::Cleanup(topic) => topic,
            Self::Shared(topic) => topic,
        }
    }
}

/// What happens to a Job that has finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, EnumIter)]
pub(crate) enum Cleanup {
    /// The Job is deleted.
    DeletesJob {
        /// How long it was to be kept, and by what.
        ttl: TimeToLive,
        /// When it finished.
        finished_at: Timestamp,
    },
    /// The Job is kept for some time.
    WaitsForTtl {
        /// How long it is to be kept, and by what.
        ttl: TimeToLive,
        /// When it finished.
        finished_at: Timestamp,
        /// When it is deleted.
        until: Timestamp,
    },
    /// The Job has finished at a time that has not come.
    FinishedInFuture {
        /// How long it is to be kept, and by what.
        ttl: TimeToLive,
        /// When it finished.
        finished_at: Timestamp,
        /// When it is deleted.
        until: Timestamp,
    },
    /// It is unknown when the Job finished.
    FinishTimeMissing {
        /// When the Job is synced again.
        at: Timestamp,
    },
    /// The Job was deleted by a request.
    JobDeleted,
}

const TTL: &str = "spec.ttlSecondsAfterFinished";

impl Topic for Cleanup {
    fn code(&self) -> &'static str {
        self.into()
    }

    fn wording(&self) -> Wording {
        match self {
            Self::DeletesJob { ttl, finished_at } => kept(
                *ttl,
                "Deleting the Job: it finished at {finishedAt}, and [ttlSecondsAfterFinished] kept it for {ttl}",
                "Deleting the Job: it finished at {finishedAt}, and {by} kept it for {ttl}",
            )
            .with("finishedAt", *finished_at),
            Self::WaitsForTtl { ttl, finished_at, until } => kept(
                *ttl,
                "Keeping the Job until {until}: it finished at {finishedAt}, and [ttlSecondsAfterFinished] keeps it for {ttl}",
                "Keeping the Job until {until}: it finished at {finishedAt}, and {by} keeps it for {ttl}",
            )
            .with("finishedAt", *finished_at)
            .with("until", *until),
            Self::FinishedInFuture { ttl, finished_at, until } => kept(
                *ttl,
                "Keeping the Job until {until}: it finished at {finishedAt}, which is in the future (clocks may differ), \
                 and [ttlSecondsAfterFinished] keeps it for {ttl}",
                "Keeping the Job until {until}: it finished at {finishedAt}, which is in the future (clocks may differ), \
                 and {by} keeps it for {ttl}",
            )
            .with("finishedAt", *finished_at)
            .with("until", *until),
            Self::FinishTimeMissing { at } => {
                words("Keeping the Job and checking again at {at}: its Complete or Failed condition has no lastTransitionTime")
                    .with("at", *at)
            }
            Self::JobDeleted => words("Deleted the Job in the foreground: its pods are deleted first"),
        }
    }

    fn source(&self) -> Source {
        const CLEANUP: &str = "Cleanup for finished Jobs";
        match self {
            Self::DeletesJob { .. } => Source::action(CLEANUP, "T-06", &[TTL]),
            Self::WaitsForTtl { finished_at, until, .. } => Source::wait(CLEANUP, "T-06", &[TTL]).during(Some(*finished_at), Some(*until)),
            Self::FinishedInFuture { until, .. } => Source::wait("Time skew", "T-07", &[TTL]).during(None, Some(*until)),
            Self::FinishTimeMissing { at } => Source::wait(CLEANUP, "T-05", &[TTL]).during(None, Some(*at)),
            Self::JobDeleted => Source::routine(CLEANUP, "T-09", &[TTL]),
        }
    }

    fn kinds(&self) -> &'static Kinds {
        kinds()
    }
}

/// Words for a Job that is kept by its field, or else by what is named.
fn kept(ttl: TimeToLive, by_field: &'static str, by_name: &'static str) -> Wording {
    let name = ttl.by.name();
    words(if name.is_none() { by_field } else { by_name }).with("ttl", ttl.length).with("by", name)
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let page = Page { title: "Automatic Cleanup for Finished Jobs", path: "concepts/workloads/controllers/ttlafterfinished/" };
    let mut kinds = Kinds::new();
    collect::<Cleanup>(&mut kinds, &page);
    kinds
});

/// The kinds of all decisions of this controller.
pub(crate) fn kinds() -> &'static Kinds {
    &KINDS
}

#[cfg(test)]
mod tests {
    use api::Text;
    use strum::IntoEnumIterator as _;

    use super::*;
    use crate::runtime::decision::decision;

    #[test]
    fn every_decision_has_a_sentence() {
        let sentences: String = Cleanup::iter().map(|topic| format!("{}\n", decision(&topic, &Text::default()).sentence)).collect();
        expect_test::expect![[r#"
            Deleting the Job: it finished at 1970-01-01T00:00:00Z, and ttlSecondsAfterFinished kept it for 0 s
            Keeping the Job until 1970-01-01T00:00:00Z: it finished at 1970-01-01T00:00:00Z, and ttlSecondsAfterFinished keeps it for 0 s
            Keeping the Job until 1970-01-01T00:00:00Z: it finished at 1970-01-01T00:00:00Z, which is in the future (clocks may differ), and ttlSecondsAfterFinished keeps it for 0 s
            Keeping the Job and checking again at 1970-01-01T00:00:00Z: its Complete or Failed condition has no lastTransitionTime
            Deleted the Job in the foreground: its pods are deleted first
        "#]].assert_eq(&sentences);
    }
}
