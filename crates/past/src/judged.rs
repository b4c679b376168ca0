//! What the condition of a Job shows of the pod for which a rule of `podFailurePolicy` failed it: the pod itself may be gone.
//!
//! Docs: Jobs, "Pod failure policy" (J-97, J-98). The controllers write the message; how such a pod lives is in `answers.rs`.

use api::job::conditions;
use api::{Job, Text};

/// A pod for which a rule failed the Job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedPod {
    /// Its name.
    pub(crate) pod: Text,
    /// What the rule matched.
    pub(crate) by: JudgedBy,
    /// The rule's place in the policy, from 0.
    pub(crate) rule: usize,
}

/// What a rule matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JudgedBy {
    /// A container ended with this exit code.
    ExitCode { container: Text, code: i32 },
    /// The pod had a condition of this type.
    Condition(Text),
}

impl JudgedPod {
    /// The pod that the message of the Job's condition names.
    pub(crate) fn of(job: &Job) -> Option<Self> {
        let ends = [conditions::FAILURE_TARGET, conditions::FAILED].into_iter().filter_map(|kind| job.condition(kind));
        let ended = ends.filter(|condition| &*condition.reason == POD_FAILURE_POLICY).map(|condition| &*condition.message);
        ended.into_iter().find_map(Self::read)
    }

    fn read(message: &str) -> Option<Self> {
        let (matched, rule) = message.split_once(" matching ")?;
        let (_, rule) = rule.split_once(" rule at index ")?;
        let rule = rule.parse().ok()?;
        let pod = |name: &str| name.split_once('/').map(|(_, name)| Text::from(name));
        if let Some((container, rest)) = matched.strip_prefix("Container ").and_then(|rest| rest.split_once(" for pod ")) {
            let (name, code) = rest.split_once(" failed with exit code ")?;
            let by = JudgedBy::ExitCode { container: container.into(), code: code.parse().ok()? };
            return Some(Self { pod: pod(name)?, by, rule });
        }
        let (name, condition) = matched.strip_prefix("Pod ")?.split_once(" has condition ")?;
        Some(Self { pod: pod(name)?, by: JudgedBy::Condition(condition.into()), rule })
    }

    /// The rule and what it matched: `podFailurePolicy rule 1 (FailJob) matched exit code 42 of container main`.
    pub(crate) fn words(&self) -> String {
        let matched = match &self.by {
            JudgedBy::ExitCode { container, code } => format!("exit code {code} of container {container}"),
            JudgedBy::Condition(condition) => format!("condition {condition}"),
        };
        format!("podFailurePolicy rule {} (FailJob) matched {matched}", self.rule)
    }
}

/// The reason of a Job that a rule failed.
const POD_FAILURE_POLICY: &str = "PodFailurePolicy";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_rule_names_the_pod_and_what_it_matched() {
        let read = |message: &str| JudgedPod::read(message).map(|judged| format!("{} {:?} rule {}", judged.pod, judged.by, judged.rule));
        let by_code = "Container main for pod default/pi-x7k2p failed with exit code 42 matching FailJob rule at index 0";
        assert_eq!(read(by_code).as_deref(), Some("pi-x7k2p ExitCode { container: \"main\", code: 42 } rule 0"));
        let by_condition = "Pod default/pi-x7k2p has condition DisruptionTarget matching FailJob rule at index 1";
        assert_eq!(read(by_condition).as_deref(), Some("pi-x7k2p Condition(\"DisruptionTarget\") rule 1"));
        for other in
            ["", "Job has reached the specified backoff limit", "Container main for pod pi failed with exit code x matching FailJob"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
