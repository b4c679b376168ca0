//! retries-for-ever: a policy ignores failures by their exit codes, and no deadline ends the Job.
//!
//! Docs: Jobs, "Pod failure policy". What rules match is decided by `api`'s Job; rules that never match are found in `rule_never_matches.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"retries-for-ever"),
    code: 109,
    severity: Severity::Warning,
    summary: "A failure that no limit counts is retried until a deadline, and there is none",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    if workload.spec.active_deadline_seconds.is_some() {
        return Vec::new();
    }
    let rules = workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules).enumerate();
    let ignores = rules.filter(|(_, rule)| &*rule.action == "Ignore" && rule.on_exit_codes.is_some());
    let finding = |at: usize| {
        let message = "pods that fail like this are replaced without end: no limit counts them, and the Job has no deadline";
        let remedy = format!("use the action Count, or set {}", workload.job_field("activeDeadlineSeconds"));
        Finding::at(workload.job_field(&format!("podFailurePolicy.rules[{at}].action")), message, remedy)
    };
    ignores.map(|(at, _)| finding(at)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn ignored_exit_codes_are_retried_without_end() {
        let rule = |rule: &str| format!("podFailurePolicy: {{rules: [{rule}]}}");
        let ignored = rule("{action: Ignore, onExitCodes: {operator: In, values: [1]}}");
        check(
            &RULE,
            &[&job(&[&ignored], &[], &[])],
            expect![[r#"
            0: 5:39 Warning spec.podFailurePolicy.rules[0].action: pods that fail like this are replaced without end: no limit counts them, and the Job has no deadline; use the action Count, or set spec.activeDeadlineSeconds
        "#]],
        );
        check(
            &RULE,
            &[
                &job(&[&ignored, "activeDeadlineSeconds: 60"], &[], &[]),
                &job(&[&rule("{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}")], &[], &[]),
                &job(&[&rule("{action: Count, onExitCodes: {operator: In, values: [1]}}")], &[], &[]),
            ],
            expect![[""]],
        );
    }
}
