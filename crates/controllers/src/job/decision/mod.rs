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

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use crate::runtime::decision::Topic;

    fn sentences<T: Topic + IntoEnumIterator>() -> String {
        T::iter().map(|topic| format!("{}\n", decision(&topic, &Text::default()).sentence)).collect()
    }

    /// The wordings with default values, to be read one after the other.
    #[test]
    fn every_decision_has_a_sentence() {
        let all = [
            sentences::<Guard>(),
            sentences::<Ownership>(),
            sentences::<Counting>(),
            sentences::<Pods>(),
            sentences::<Waiting>(),
            sentences::<Ending>(),
            sentences::<Status>(),
            sentences::<Report>(),
            sentences::<Leftover>(),
        ];
        expect_test::expect![[r#"
            The Job is gone, and what was remembered of it is forgotten
            Leaving the Job alone:  manages it
            Leaving the Job alone: it is , and a finished Job does not change
            Leaving the Job alone: "" is not a valid completion mode
            Neither creating nor deleting pods: the Job is being deleted
            Neither creating nor deleting pods: the watch has yet to show 0 creations and 0 deletions
            Reading the Job once more before adopting 0 pods: only a Job that still exists may adopt
            Adopting no pods for now: the Job 
            Adopting pod : the selector matches it and no controller owns it
            Releasing pod : the selector does not match it
            Counting pod  as succeeded
            Counting pod  as failed: 
            Counting pod  as failed: rule 0 of podFailurePolicy says 
            Not counting pod , which failed: rule 0 of podFailurePolicy says Ignore
            Keeping failed pod  uncounted until index 0 has its next pod: it carries the number of failures
            Not counting pod : it has no index of this Job
            Not counting pod  again: it is already listed as , and that stands
            Removing the finalizer from 0 pods without counting: the Job is being deleted
            Counting at most 0 pods in one status write; the rest follow
            Index 0 failed: 0 failures; backoffLimitPerIndex allows 0
            Index 0 failed: rule 0 of podFailurePolicy says FailIndex for pod 
            Adding 0 to succeeded and 0 to failed: the pods have lost their finalizer
            Deleting 0 active pods: the Job is suspended
            Creating no pods: the Job is suspended
            Deleting 0 pods: 0 active, 0 wanted
            Deleting 0 pods without an index of this Job, or with one that another active pod has
            Creating 0 pods: 0 active, 0 wanted
            Creating 0 pods for indexes : 0 active, 0 wanted
            Creating no pods: 0 active, and parallelism is 0
            Creating no pods: 0 active, 0 wanted, but every other index has finished
            Waiting for 0 pods to finish before creating 0 replacements
            Creating no pods: 0 pods succeeded, so the work is done; 0 active may finish on their own
            Creating 0 of the 0 missing pods; the rest follow
            Creating no pods: the pod template has no labels, so the Job could not find them
            Retrying pod creation at 1970-01-01T00:00:00Z: back-off of 0 s after 0 failures since the last success
            Retrying index 0 at 1970-01-01T00:00:00Z: back-off of 0 s after 0 failures of the index
            The Job may be active until 1970-01-01T00:00:00Z: activeDeadlineSeconds allows 0 s
            Waiting until 1970-01-01T00:00:00Z before  again, after 0 failed requests
            The Job keeps  ()
            The Job fails: rule 0 of podFailurePolicy says FailJob for pod 
            The Job fails: 0 pods failed; backoffLimit allows 0
            The Job fails: its containers restarted 0 times; backoffLimit is 0
            The Job fails: it has been active for 0 s; activeDeadlineSeconds allows 0 s
            The Job fails: 0 indexes failed; maxFailedIndexes allows 0
            The Job fails: all indexes have finished, 0 succeeded and 0 failed
            The Job succeeds: rule 0 of successPolicy is met with 0 succeeded indexes
            Rule 0 of successPolicy is met too, but failure comes first ()
            The Job succeeds: 0 pods succeeded, and no other is active
            Deleting 0 active pods: the Job ends
            Waiting for 0 pods to be counted before the Job is 
            Waiting for the Job to be resumed: a suspended Job without startTime cannot become Complete
            The Job is  ()
            Starting the Job: startTime is set
            Marking the Job as suspended and clearing startTime
            Marking the Job as resumed and setting startTime again
            Writing the status: 0 active, 0 ready, 0 terminating
            Writing no status: it already has 0 active, 0 ready, 0 terminating
            Pod  is created
            Pod  is being deleted
            The Job is stored as 
            The Job is reported as 
            Creating no pods: the namespace is being deleted
            Removing the tracking finalizer from pod : 
            Leaving pod  alone: 
            No pod holds a leftover tracking finalizer
        "#]].assert_eq(&all.concat());
    }

    #[test]
    fn wordings_with_values_that_may_be_missing() {
        let sentence = |counting: Counting| decision(&counting, &Text::default()).sentence.to_string();
        let pod = Text::from("pi-1");
        expect_test::expect!["Counting index 3 as succeeded: pod pi-1 succeeded"]
            .assert_eq(&sentence(Counting::CountsSuccess { pod: pod.clone(), index: Some(3) }));
        expect_test::expect!["Counting pod pi-1 as failed with exit code 42: rule 1 of podFailurePolicy says Count"].assert_eq(&sentence(
            Counting::CountsFailureByPolicy { pod: pod.clone(), index: None, exit_code: Some(42), rule: 1, action: "Count" },
        ));
        expect_test::expect!["Not counting pod pi-1, which failed with exit code 42: rule 0 of podFailurePolicy says Ignore"]
            .assert_eq(&sentence(Counting::IgnoresFailure { pod, index: None, exit_code: Some(42), rule: 0 }));
    }
}
