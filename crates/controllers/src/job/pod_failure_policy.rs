//! Pod failure policy: what one failed pod means for its Job.
//!
//! Docs: Jobs, "Pod failure policy" (J-96…J-100). Which rule matches a pod is in `api`; counting against `backoffLimit` is in `backoff.rs`.

use api::job::{PodFailurePolicyAction, RuleMatch};
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

/// What the policy does with a failed pod; without a policy, or without a rule that matches, the failure counts (J-96).
pub(crate) fn judge(job: &Job, pod: &Pod) -> Judgement {
    let found = job.spec.pod_failure_policy.as_ref().and_then(|policy| policy.matched(pod));
    let matched = found.map(|RuleMatch { number, action, by }| MatchedRule { number, action, by: by.into() });
    Judgement { counts: matched.as_ref().is_none_or(|matched| matched.action != PodFailurePolicyAction::Ignore), matched }
}

/// Whether a failed pod matches a rule that fails the Job.
pub(crate) fn fails_job(job: &Job, pod: &Pod) -> bool {
    judge(job, pod).matched.is_some_and(|matched| matched.action == PodFailurePolicyAction::FailJob)
}
