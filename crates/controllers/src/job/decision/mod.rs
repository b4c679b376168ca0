//! Decisions: why the Job controller does what it does, as values and in words.
//!
//! Docs: each decision names its heading on the page "Jobs" and its rule. How a wording becomes a sentence is in `runtime/decision.rs`.

mod ending;
mod ending_progress;
mod failure_match;
mod guard;
mod index_failure;
mod leftover;
mod next_pod;
mod ownership;
mod pending_match;
mod pod_control;
mod policy_match;
mod report;
mod status_update;
mod tracking;
mod waiting;

use std::sync::LazyLock;

pub(crate) use ending::EndingReason;
pub(crate) use ending_progress::EndingProgress;
pub(crate) use failure_match::{FailureMatch, action};
pub(crate) use guard::Guard;
pub(crate) use index_failure::IndexFailure;
pub(crate) use leftover::Leftover;
pub(crate) use next_pod::NextPod;
pub(crate) use ownership::Ownership;
pub(crate) use pending_match::PendingMatch;
pub(crate) use pod_control::{PodControl, Wanted};
pub(crate) use policy_match::PolicyMatch;
pub(crate) use report::OutcomeReport;
pub(crate) use status_update::StatusUpdate;
pub(crate) use tracking::Tracking;
pub(crate) use waiting::Waiting;

use crate::runtime::decision::{Decide, Kinds, Page, RuntimeDecision, Topic, collect};

/// One decision, by what it is about.
#[derive(Debug)]
pub(crate) enum JobDecision {
    /// Whether the Job is synced at all.
    Guard(Guard),
    /// Whose a pod is.
    Ownership(Ownership),
    /// What an ended pod counts as.
    Tracking(Tracking),
    /// What a failure means for its index.
    IndexFailure(IndexFailure),
    /// Which pods are created and deleted.
    PodControl(PodControl),
    /// What the next pods have that their template does not say.
    NextPod(NextPod),
    /// What is waited for, and until when.
    Waiting(Waiting),
    /// Why the Job ends.
    Ending(EndingReason),
    /// How far it is on its way then.
    EndingProgress(EndingProgress),
    /// What is written to the status.
    StatusUpdate(StatusUpdate),
    /// The outcome of a request.
    Report(OutcomeReport),
    /// What happens to a leftover finalizer.
    Leftover(Leftover),
    /// What the runtime decides for every controller.
    Shared(RuntimeDecision),
}

impl Decide for JobDecision {
    fn topic(&self) -> &dyn Topic {
        match self {
            Self::Guard(topic) => topic,
            Self::Ownership(topic) => topic,
            Self::Tracking(topic) => topic,
            Self::IndexFailure(topic) => topic,
            Self::PodControl(topic) => topic,
            Self::NextPod(topic) => topic,
            Self::Waiting(topic) => topic,
            Self::Ending(topic) => topic,
            Self::EndingProgress(topic) => topic,
            Self::StatusUpdate(topic) => topic,
            Self::Report(topic) => topic,
            Self::Leftover(topic) => topic,
            Self::Shared(topic) => topic,
        }
    }
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let (mut kinds, page) = (Kinds::new(), Page { title: "Jobs", path: "concepts/workloads/controllers/job/" });
    collect::<Guard>(&mut kinds, &page);
    collect::<Ownership>(&mut kinds, &page);
    collect::<Tracking>(&mut kinds, &page);
    collect::<IndexFailure>(&mut kinds, &page);
    collect::<PodControl>(&mut kinds, &page);
    collect::<NextPod>(&mut kinds, &page);
    collect::<Waiting>(&mut kinds, &page);
    collect::<EndingReason>(&mut kinds, &page);
    collect::<EndingProgress>(&mut kinds, &page);
    collect::<StatusUpdate>(&mut kinds, &page);
    collect::<OutcomeReport>(&mut kinds, &page);
    collect::<Leftover>(&mut kinds, &page);
    kinds
});

/// The kinds of all decisions of this controller.
pub(crate) fn kinds() -> &'static Kinds {
    &KINDS
}

#[cfg(test)]
mod tests {
    use api::Text;
    use contract::decision::Value;
    use strum::IntoEnumIterator;

    use super::*;
    use crate::runtime::decision::decision;

    /// A sentence a line, with its verdict behind it.
    fn sentences<T: Topic + IntoEnumIterator>() -> String {
        let lines = T::iter().map(|topic| {
            let decision = decision(&topic, &Text::default());
            match decision.value("verdict") {
                Some(Value::Text(verdict)) => format!("{} | {verdict}\n", decision.sentence),
                _ => format!("{}\n", decision.sentence),
            }
        });
        lines.collect()
    }

    /// The wordings with default values, to be read one after the other.
    #[test]
    fn every_decision_has_a_sentence() {
        let all = [
            sentences::<Guard>(),
            sentences::<Ownership>(),
            sentences::<Tracking>(),
            sentences::<IndexFailure>(),
            sentences::<PodControl>(),
            sentences::<NextPod>(),
            sentences::<Waiting>(),
            sentences::<EndingReason>(),
            sentences::<EndingProgress>(),
            sentences::<StatusUpdate>(),
            sentences::<OutcomeReport>(),
            sentences::<Leftover>(),
        ];
        expect_test::expect_file!["sentences.txt"].assert_eq(&all.concat());
    }

    #[test]
    fn wordings_with_values_that_may_be_missing() {
        let sentence = |counting: Tracking| decision(&counting, &Text::default()).sentence.to_string();
        let pod = Text::from("pi-1");
        expect_test::expect!["Counting index 3 as succeeded: pod pi-1 succeeded"]
            .assert_eq(&sentence(Tracking::CountsSuccess { pod: pod.clone(), index: Some(3) }));
        let counts = |container: Option<Text>, disruption: Option<Text>| {
            let (exit_code, because) = (Some(2), "every failed pod counts");
            sentence(Tracking::CountsFailure { pod: pod.clone(), index: None, exit_code, container, disruption, because: because.into() })
        };
        expect_test::expect!["Counting pod pi-1 as failed with exit code 2: every failed pod counts"].assert_eq(&counts(None, None));
        expect_test::expect!["Counting pod pi-1 as failed with exit code 2 of container log: every failed pod counts"]
            .assert_eq(&counts(Some("log".into()), None));
        expect_test::expect![
            "Counting pod pi-1 as failed with exit code 2 (DisruptionTarget: EvictionByEvictionAPI): every failed pod counts"
        ]
        .assert_eq(&counts(None, Some("EvictionByEvictionAPI".into())));
    }

    #[test]
    fn a_rule_of_the_pod_failure_policy_is_given_with_what_it_matched() {
        let pod = Text::from("pi-1");
        for (by, expected) in [
            (
                PolicyMatch::ExitCode { container: "log".into(), code: 143 },
                expect_test::expect![[r#"
                Counting pod pi-1 as failed: container log exited with code 143, which matches rule 1 of podFailurePolicy (Count)
                Not counting failed pod pi-1: container log exited with code 143, which matches rule 1 of podFailurePolicy (Ignore)
                Index 3 failed: container log of pod pi-1 exited with code 143, which matches rule 1 of podFailurePolicy (FailIndex)
                The Job fails: container log of pod pi-1 exited with code 143, which matches rule 1 of podFailurePolicy (FailJob)"#]],
            ),
            (
                PolicyMatch::Condition { condition: "DisruptionTarget".into(), reason: Some("PreemptionByScheduler".into()) },
                expect_test::expect![[r#"
                Counting pod pi-1 as failed: its condition DisruptionTarget (PreemptionByScheduler) matches rule 1 of podFailurePolicy (Count)
                Not counting failed pod pi-1: its condition DisruptionTarget (PreemptionByScheduler) matches rule 1 of podFailurePolicy (Ignore)
                Index 3 failed: condition DisruptionTarget (PreemptionByScheduler) of pod pi-1 matches rule 1 of podFailurePolicy (FailIndex)
                The Job fails: condition DisruptionTarget (PreemptionByScheduler) of pod pi-1 matches rule 1 of podFailurePolicy (FailJob)"#]],
            ),
        ] {
            let text = |topic: &dyn Topic| decision(topic, &Text::default()).sentence.to_string();
            let sentences = [
                text(&Tracking::CountsFailureByPolicy { pod: pod.clone(), index: None, rule: 1, action: "Count", by: by.clone() }),
                text(&Tracking::IgnoresFailure { pod: pod.clone(), index: None, rule: 1, by: by.clone() }),
                text(&IndexFailure::FailsIndexByPolicy { index: 3, pod: pod.clone(), rule: 1, by: by.clone() }),
                text(&EndingReason::PodFailurePolicyMatched { pod: pod.clone(), rule: 1, by }),
            ];
            expected.assert_eq(&sentences.join("\n"));
        }
    }
}
