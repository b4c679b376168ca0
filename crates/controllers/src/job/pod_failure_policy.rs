//! What one failed pod means for its Job: a rule of the pod failure policy decides, or else a line of the annotation, or else Kubernetes' default.
//!
//! Docs: Jobs, "Pod failure policy" (J-96…J-100); README, "Beyond Kubernetes". Which rule of the policy matches a pod is in `api`, which line does
//! in `failure_rules.rs`; counting against `backoffLimit` is in `backoff.rs`.

use api::annotation::FailureRules;
use api::job::{PodFailurePolicyAction, RuleMatch};
use api::{Job, ObjectMeta, Pod};

use super::decision::PolicyMatch;
use super::failure_rules::{self, MatchedLine};

/// What a failed pod means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement<'a> {
    /// What decides, unless it is Kubernetes' default.
    pub(crate) matched: Option<Matched<'a>>,
    /// Whether the failure counts towards limits.
    pub(crate) counts: bool,
}

/// What a failed pod matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Matched<'a> {
    /// A rule of the pod failure policy.
    Policy(MatchedRule),
    /// A line of the annotation.
    Line(MatchedLine<'a>),
}

/// A rule of the pod failure policy that matches a failed pod.
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

impl<'a> Judgement<'a> {
    /// The rule of the pod failure policy that decides, if one does.
    pub(crate) fn rule(&self) -> Option<&MatchedRule> {
        if let Some(Matched::Policy(rule)) = &self.matched { Some(rule) } else { None }
    }

    /// The line of the annotation that decides, if one does.
    pub(crate) fn line(&self) -> Option<MatchedLine<'a>> {
        if let Some(Matched::Line(line)) = self.matched { Some(line) } else { None }
    }
}

/// What a failed pod means; the failure counts if nothing matches (J-96).
pub(crate) fn judge<'a>(job: &Job, rules: Option<&'a FailureRules>, pod: &'a Pod) -> Judgement<'a> {
    let found = job.spec.pod_failure_policy.as_ref().and_then(|policy| policy.matched(pod));
    if let Some(RuleMatch { number, action, by }) = found {
        let matched = Matched::Policy(MatchedRule { number, action, by: by.into() });
        return Judgement { matched: Some(matched), counts: action != PodFailurePolicyAction::Ignore };
    }
    let line = rules.and_then(|rules| failure_rules::matched(rules, job, pod));
    Judgement { matched: line.map(Matched::Line), counts: line.is_none_or(|line| line.counts()) }
}

/// Whether a failed pod matches a rule of the pod failure policy that fails the Job.
pub(crate) fn fails_job(job: &Job, pod: &Pod) -> bool {
    judge(job, None, pod).rule().is_some_and(|rule| rule.action == PodFailurePolicyAction::FailJob)
}
