//! evictable: long work that an autoscaler may interrupt to save a node.
//!
//! Docs: Cluster Autoscaler, "What types of pods can prevent CA from removing a node?"; Karpenter, "Disruption". That an eviction can end the Job is found in
//! `evictions_count.rs`.

use manifest::{Fix, RuleName, Severity};

use super::evictions_count::kept_from_autoscalers;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"evictable"),
    code: 220,
    severity: Severity::Warning,
    summary: "Autoscalers may evict a pod that has worked for hours",
    finder: Finder::Pedantic(find),
};

/// How long work may take, in seconds, that is soon done again.
const SHORT: i64 = 3600;
/// The annotation for the Cluster Autoscaler.
const SAFE_TO_EVICT: &str = "cluster-autoscaler.kubernetes.io/safe-to-evict";
/// Annotations that keep the known autoscalers from evicting a pod.
const KEPT: &str = "{cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\", karpenter.sh/do-not-disrupt: \"true\"}";

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let deadline = workload.spec.active_deadline_seconds.into_iter().chain(workload.pod_deadline()).min();
    if kept_from_autoscalers(workload) || deadline.is_some_and(|deadline| deadline <= SHORT) {
        return Vec::new();
    }
    let message = "to save a node, an autoscaler may evict this pod, however long it has worked";
    let remedy = "add the annotations `cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\"` and `karpenter.sh/do-not-disrupt: \"true\"` to the pod template";
    let there = |field: &str| workload.document.get(&workload.job_field(field)).is_some();
    let (path, value) = match (there("template.metadata"), there("template.metadata.annotations")) {
        (_, true) => (workload.pod_metadata("annotations", SAFE_TO_EVICT), "\"false\"".to_owned()),
        (true, false) => (workload.job_field("template.metadata.annotations"), KEPT.to_owned()),
        (false, false) => (workload.job_field("template.metadata"), format!("{{annotations: {KEPT}}}")),
    };
    vec![Finding::at(workload.job_field("template"), message, remedy).fix(Fix::Add { path, value })]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn long_work_that_may_be_evicted_is_found() {
        let annotated = |annotations: &str| {
            job(&[], &[], &[]).replace("  template:\n", &format!("  template:\n    metadata: {{annotations: {{{annotations}}}}}\n"))
        };
        check(
            &RULE,
            &[&job(&["activeDeadlineSeconds: 7200"], &[], &[]), &annotated("a: b")],
            expect![[r#"
            0: 6:3 Warning spec.template: to save a node, an autoscaler may evict this pod, however long it has worked; add the annotations `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"` and `karpenter.sh/do-not-disrupt: "true"` to the pod template (Add { path: "spec.template.metadata", value: "{annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\", karpenter.sh/do-not-disrupt: \"true\"}}" })
            1: 5:3 Warning spec.template: to save a node, an autoscaler may evict this pod, however long it has worked; add the annotations `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"` and `karpenter.sh/do-not-disrupt: "true"` to the pod template (Add { path: "spec.template.metadata.annotations[cluster-autoscaler.kubernetes.io/safe-to-evict]", value: "\"false\"" })
        "#]],
        );
        check(&RULE, &[&job(&["activeDeadlineSeconds: 3600"], &[], &[]), &annotated("karpenter.sh/do-not-disrupt: 'true'")], expect![[""]]);
    }
}
