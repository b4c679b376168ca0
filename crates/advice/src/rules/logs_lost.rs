//! logs-lost: with `OnFailure`, a Job that fails deletes its pod, and the pod's logs with it.
//!
//! Docs: Jobs, "Pod backoff failure policy". That `backoffLimitPerIndex` is of no use then is found in `limit_without_effect.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::{Advised, ON_FAILURE};

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"logs-lost"),
    code: 101,
    severity: Severity::Warning,
    summary: "With OnFailure, a Job that fails deletes its pod and the logs of the failure",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    if workload.restart_policy() != ON_FAILURE || workload.spec.backoff_limit_per_index.is_some() {
        return Vec::new();
    }
    let message = "when this Job fails, its pod is deleted, and the pod's logs with it";
    let remedy = "use Never: failed pods and their logs then remain until the Job is deleted";
    let never = Fix::Write { value: "Never".to_owned() };
    vec![Finding::at(workload.pod_field("restartPolicy"), message, remedy).fix(never)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn on_failure_loses_logs() {
        let indexed = ["completions: 2", "completionMode: Indexed", "backoffLimitPerIndex: 1"];
        check(
            &RULE,
            &[&job(&[], &["restartPolicy: OnFailure"], &[]), &job(&[], &[], &[]), &job(&indexed, &["restartPolicy: OnFailure"], &[])],
            expect![[r#"
                0: 7:22 Warning spec.template.spec.restartPolicy: when this Job fails, its pod is deleted, and the pod's logs with it; use Never: failed pods and their logs then remain until the Job is deleted (Write { value: "Never" })
            "#]],
        );
    }
}
