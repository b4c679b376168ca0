//! evictions-count: with a `backoffLimit` of 0 or 1, a node that is drained can end the Job.
//!
//! Docs: Jobs, "Pod failure policy"; Disruptions, "Pod disruption conditions". Which pods a drain evicts is not known here.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::{Advised, ON_FAILURE};

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"evictions-count"),
    code: 111,
    severity: Severity::Warning,
    summary: "With a backoffLimit of 0 or 1, draining a node can end the Job",
    finder: Finder::Advice(find),
};

/// Annotations that keep autoscalers from draining the node of a pod.
const KEPT: [(&str, &str); 3] = [
    ("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"),
    ("karpenter.sh/do-not-disrupt", "true"),
    ("karpenter.sh/do-not-evict", "true"),
];

/// A rule that does not count pods that are evicted.
const IGNORE: &str = "{rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}";

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let message = match workload.spec.backoff_limit {
        Some(0) => "one eviction ends this Job: it counts as a failure, and the Job may not retry",
        Some(1) => "one eviction uses up the only retry of this Job: it counts as a failure",
        _ => return Vec::new(),
    };
    if kept_from_autoscalers(workload) || ignores_disruptions(workload) {
        return Vec::new();
    }
    let remedy = if workload.restart_policy() == ON_FAILURE {
        "raise backoffLimit; or use restartPolicy Never and a podFailurePolicy that ignores the condition DisruptionTarget"
    } else {
        "add `podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}`"
    };
    let free = workload.spec.pod_failure_policy.is_none() && workload.spec.pod_replacement_policy.as_deref() != Some("TerminatingOrFailed");
    let fix = (free && workload.restart_policy() == "Never")
        .then(|| Fix::Add { path: workload.job_field("podFailurePolicy"), value: IGNORE.to_owned() });
    vec![Finding::at(workload.job_field("backoffLimit"), message, remedy).fix(fix)]
}

/// Whether an annotation keeps autoscalers from draining the node of a pod.
pub(super) fn kept_from_autoscalers(workload: &Advised<'_>) -> bool {
    KEPT.iter().any(|(key, value)| workload.pod_mark("annotations", key) == Some(value))
}

/// Whether a policy does not count pods that are evicted.
fn ignores_disruptions(workload: &Advised<'_>) -> bool {
    let rules = workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules);
    let mut ignored = rules.filter(|rule| &*rule.action == "Ignore").flat_map(|rule| &rule.on_pod_conditions);
    ignored.any(|pattern| &*pattern.kind == "DisruptionTarget")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn evictions_use_up_small_limits() {
        let (none, one) = ("backoffLimit: 0", "backoffLimit: 1");
        let count = "podFailurePolicy: {rules: [{action: Count, onPodConditions: [{type: DisruptionTarget}]}]}";
        check(
            &RULE,
            &[&job(&[none], &[], &[]), &job(&[one], &["restartPolicy: OnFailure"], &[]), &job(&[none, count], &[], &[])],
            expect![[r#"
                0: 5:17 Warning spec.backoffLimit: one eviction ends this Job: it counts as a failure, and the Job may not retry; add `podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}` (Add { path: "spec.podFailurePolicy", value: "{rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}" })
                1: 5:17 Warning spec.backoffLimit: one eviction uses up the only retry of this Job: it counts as a failure; raise backoffLimit; or use restartPolicy Never and a podFailurePolicy that ignores the condition DisruptionTarget
                2: 5:17 Warning spec.backoffLimit: one eviction ends this Job: it counts as a failure, and the Job may not retry; add `podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}`
            "#]],
        );
        let kept = job(&[none], &[], &[])
            .replace("  template:\n", "  template:\n    metadata: {annotations: {karpenter.sh/do-not-disrupt: 'true'}}\n");
        let ignored = format!("podFailurePolicy: {}", super::IGNORE);
        check(&RULE, &[&job(&[none, &ignored], &[], &[]), &job(&[], &[], &[]), &job(&["backoffLimit: 2"], &[], &[]), &kept], expect![[""]]);
    }
}
