//! Pod failure policy: what one failed pod means for its Job.
//!
//! Docs: Jobs, "Pod failure policy" (J-96…J-100). Counting against `backoffLimit` is in `backoff.rs`.

use api::job::{OnExitCodes, OnPodCondition, PodFailurePolicyRule};
use api::pod::PodCondition;
use api::{Job, ObjectMeta, Pod};

use super::decision::PolicyMatch;

/// What the policy does with a failed pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// The rule that matched, if one did and its action is known.
    pub(crate) matched: Option<MatchedRule>,
    /// Whether the failure counts towards limits.
    pub(crate) counts: bool,
}

/// A rule that matches a failed pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MatchedRule {
    /// Its place in the policy, from 0.
    pub(crate) number: usize,
    /// Its action.
    pub(crate) action: PodFailurePolicyAction,
    /// What it matched.
    pub(crate) by: PolicyMatch,
}

impl MatchedRule {
    /// The message for the Job's condition, with `FailJob` only.
    pub(crate) fn message(&self, pod: &Pod) -> Option<String> {
        let (ObjectMeta { namespace, name, .. }, number) = (&pod.metadata, self.number);
        let matched = match &self.by {
            PolicyMatch::ExitCode { container, code } => {
                format!("Container {container} for pod {namespace}/{name} failed with exit code {code}")
            }
            PolicyMatch::Condition { condition, .. } => format!("Pod {namespace}/{name} has condition {condition}"),
        };
        (self.action == PodFailurePolicyAction::FailJob).then(|| format!("{matched} matching FailJob rule at index {number}"))
    }
}

/// What a rule does with a failed pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PodFailurePolicyAction {
    FailJob,
    FailIndex,
    Ignore,
    Count,
}

impl PodFailurePolicyAction {
    fn of(name: &str) -> Option<Self> {
        [Self::FailJob, Self::FailIndex, Self::Ignore, Self::Count].into_iter().find(|action| action.name() == name)
    }

    /// The action's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::FailJob => "FailJob",
            Self::FailIndex => "FailIndex",
            Self::Ignore => "Ignore",
            Self::Count => "Count",
        }
    }
}

/// What the policy does with a failed pod; without a policy, or without a rule that matches, the failure counts (J-96).
pub(crate) fn judge(job: &Job, pod: &Pod) -> Judgement {
    let rules = job.spec.pod_failure_policy.as_ref().map(|policy| &*policy.rules).unwrap_or_default();
    let matched = rules.iter().enumerate().find_map(|(number, rule)| {
        let by = matches(rule, pod)?;
        Some(MatchedRule { number, action: PodFailurePolicyAction::of(&rule.action)?, by })
    });
    Judgement { counts: matched.as_ref().is_none_or(|matched| matched.action != PodFailurePolicyAction::Ignore), matched }
}

/// Whether a failed pod matches a rule that fails the Job.
pub(crate) fn fails_job(job: &Job, pod: &Pod) -> bool {
    judge(job, pod).matched.is_some_and(|matched| matched.action == PodFailurePolicyAction::FailJob)
}

/// What of the pod the rule matches; with exit codes, conditions are ignored (J-97).
fn matches(rule: &PodFailurePolicyRule, pod: &Pod) -> Option<PolicyMatch> {
    match &rule.on_exit_codes {
        Some(codes) => matches_exit_codes(codes, pod),
        None => matches_conditions(&rule.on_pod_conditions, pod),
    }
}

fn matches_exit_codes(codes: &OnExitCodes, pod: &Pod) -> Option<PolicyMatch> {
    pod.containers.iter().chain(&pod.init_containers).find_map(|container| {
        let code = container.terminated()?.exit_code;
        let named = codes.container_name.as_ref().is_none_or(|name| *name == container.name);
        let listed = match &*codes.operator {
            "In" => codes.values.contains(&code),
            "NotIn" => !codes.values.contains(&code),
            _ => false,
        };
        (named && code != 0 && listed).then(|| PolicyMatch::ExitCode { container: container.name.clone(), code })
    })
}

fn matches_conditions(patterns: &[OnPodCondition], pod: &Pod) -> Option<PolicyMatch> {
    let matched = |condition: &&PodCondition| {
        patterns.iter().any(|pattern| pattern.kind == condition.kind && *pattern.status == *condition.status.name())
    };
    let found = pod.conditions.iter().find(matched)?;
    Some(PolicyMatch::Condition { condition: found.kind.clone(), reason: found.given_reason() })
}
