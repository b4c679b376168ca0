//! Which rule of a pod failure policy matches a failed pod.
//!
//! Docs: Jobs, "Pod failure policy" (J-96, J-97). The policy's fields are in `job_policy.rs`; what follows for the Job is decided in `controllers`.

use crate::job::{OnExitCodes, OnPodCondition, PodFailurePolicy, PodFailurePolicyRule};
use crate::pod::PodCondition;
use crate::{Pod, Text};

/// What a rule does with a failed pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodFailurePolicyAction {
    /// The Job fails.
    FailJob,
    /// The pod's index fails.
    FailIndex,
    /// The failure does not count.
    Ignore,
    /// The failure counts.
    Count,
}

/// A rule that matches a failed pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleMatch<'a> {
    /// Its place in the policy, from 0.
    pub number: usize,
    /// Its action.
    pub action: PodFailurePolicyAction,
    /// What of the pod it matches.
    pub by: MatchedPart<'a>,
}

/// What of a failed pod a rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchedPart<'a> {
    /// The exit code of a container.
    ExitCode {
        /// The container.
        container: &'a Text,
        /// Its exit code.
        code: i32,
    },
    /// A condition.
    Condition(&'a PodCondition),
}

impl PodFailurePolicyAction {
    fn of(name: &str) -> Option<Self> {
        [Self::FailJob, Self::FailIndex, Self::Ignore, Self::Count].into_iter().find(|action| action.name() == name)
    }

    /// The action's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FailJob => "FailJob",
            Self::FailIndex => "FailIndex",
            Self::Ignore => "Ignore",
            Self::Count => "Count",
        }
    }
}

impl PodFailurePolicy {
    /// The first rule that matches a failed pod; one whose action is not known matches none (J-96).
    #[must_use]
    pub fn matched<'a>(&self, pod: &'a Pod) -> Option<RuleMatch<'a>> {
        self.rules.iter().enumerate().find_map(|(number, rule)| {
            let by = rule.matches(pod)?;
            Some(RuleMatch { number, action: PodFailurePolicyAction::of(&rule.action)?, by })
        })
    }
}

impl PodFailurePolicyRule {
    /// What of the pod it matches; with exit codes, conditions are ignored (J-97).
    fn matches<'a>(&self, pod: &'a Pod) -> Option<MatchedPart<'a>> {
        match &self.on_exit_codes {
            Some(codes) => codes.matches(pod),
            None => pod.conditions.iter().find(|condition| lists(&self.on_pod_conditions, condition)).map(MatchedPart::Condition),
        }
    }
}

impl OnExitCodes {
    fn matches<'a>(&self, pod: &'a Pod) -> Option<MatchedPart<'a>> {
        pod.containers.iter().chain(&pod.init_containers).find_map(|container| {
            let code = container.terminated()?.exit_code;
            let named = self.container_name.as_ref().is_none_or(|name| *name == container.name);
            let listed = match &*self.operator {
                "In" => self.values.contains(&code),
                "NotIn" => !self.values.contains(&code),
                _ => false,
            };
            (named && code != 0 && listed).then_some(MatchedPart::ExitCode { container: &container.name, code })
        })
    }
}

fn lists(patterns: &[OnPodCondition], condition: &PodCondition) -> bool {
    patterns.iter().any(|pattern| pattern.kind == condition.kind && *pattern.status == *condition.status.name())
}
