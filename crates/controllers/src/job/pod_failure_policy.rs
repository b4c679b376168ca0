//! Pod failure policy: what one failed pod means for its Job.
//!
//! Docs: Jobs, "Pod failure policy" (J-96…J-100). Counting against `backoffLimit` is in `backoff.rs`.

use api::job::{OnExitCodes, OnPodCondition, PodFailurePolicyRule};
use api::{Job, Pod};

/// What the policy does with a failed pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    /// The rule that matched, if one did and its action is known.
    pub(crate) rule: Option<usize>,
    /// Its action.
    pub(crate) action: Option<PodFailurePolicyAction>,
    /// Whether the failure counts towards limits.
    pub(crate) counts: bool,
    /// The message for the condition, with `FailJob` only.
    pub(crate) message: Option<String>,
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
    for (at, rule) in rules.iter().enumerate() {
        let Some(matched) = matches(rule, pod) else { continue };
        let Some(action) = PodFailurePolicyAction::of(&rule.action) else { continue };
        let message = (action == PodFailurePolicyAction::FailJob).then(|| format!("{matched} matching FailJob rule at index {at}"));
        return Judgement { rule: Some(at), action: Some(action), counts: action != PodFailurePolicyAction::Ignore, message };
    }
    Judgement { rule: None, action: None, counts: true, message: None }
}

/// What of the pod the rule matches, in words; with exit codes, conditions are ignored (J-97).
fn matches(rule: &PodFailurePolicyRule, pod: &Pod) -> Option<String> {
    match &rule.on_exit_codes {
        Some(codes) => matches_exit_codes(codes, pod),
        None => matches_conditions(&rule.on_pod_conditions, pod),
    }
}

fn matches_exit_codes(codes: &OnExitCodes, pod: &Pod) -> Option<String> {
    let (container, code) = pod.containers.iter().chain(&pod.init_containers).find_map(|container| {
        let code = container.terminated()?.exit_code;
        let named = codes.container_name.as_ref().is_none_or(|name| *name == container.name);
        let listed = match &*codes.operator {
            "In" => codes.values.contains(&code),
            "NotIn" => !codes.values.contains(&code),
            _ => false,
        };
        (named && code != 0 && listed).then_some((&container.name, code))
    })?;
    Some(format!("Container {container} for pod {}/{} failed with exit code {code}", pod.metadata.namespace, pod.metadata.name))
}

fn matches_conditions(patterns: &[OnPodCondition], pod: &Pod) -> Option<String> {
    let condition = pod
        .conditions
        .iter()
        .find(|condition| patterns.iter().any(|pattern| pattern.kind == condition.kind && *pattern.status == *condition.status.name()))?;
    Some(format!("Pod {}/{} has condition {}", pod.metadata.namespace, pod.metadata.name, condition.kind))
}

/// The exit code of the first container that failed, for people.
pub(crate) fn exit_code(pod: &Pod) -> Option<i32> {
    pod.containers
        .iter()
        .chain(&pod.init_containers)
        .find_map(|container| container.terminated().map(|end| end.exit_code).filter(|code| *code != 0))
}
