//! kill-is-bug: an exit code of killed containers ends the Job, and no earlier rule takes out pods that were evicted.
//!
//! Docs: Handling retriable and non-retriable pod failures with Pod failure policy. Small limits without a policy are found in `evictions_count.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"kill-is-bug"),
    code: 303,
    severity: Severity::Warning,
    summary: "A pod failure policy treats an evicted pod as one with a bug, and ends the Job",
    finder: Finder::Advice(find),
};

/// The exit codes of containers that were killed, and that ended at TERM: those of evicted pods.
const KILLED: [i32; 2] = [137, 143];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let rules = workload.spec.pod_failure_policy.as_ref().map(|policy| policy.rules.as_slice()).unwrap_or_default();
    let disruption = rules.iter().position(|rule| rule.on_pod_conditions.iter().any(|pattern| &*pattern.kind == "DisruptionTarget"));
    let kills = |codes: &api::job::OnExitCodes| KILLED.iter().any(|code| codes.values.contains(code) == (&*codes.operator == "In"));
    let ends = rules[..disruption.unwrap_or(rules.len())]
        .iter()
        .position(|rule| ["FailJob", "FailIndex"].contains(&&*rule.action) && rule.on_exit_codes.as_ref().is_some_and(kills));
    let finding = |at: usize| {
        let what = if &*rules[at].action == "FailJob" { "the Job" } else { "its index" };
        let message = format!("a pod that is evicted ends {what}: its containers exit with 137 or 143, which this rule matches");
        let remedy = "put this rule before it: `{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}`";
        Finding::at(workload.job_field(&format!("podFailurePolicy.rules[{at}].onExitCodes")), message, remedy)
    };
    ends.map(finding).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn policy(rules: &[&str]) -> String {
        job(&[&format!("podFailurePolicy: {{rules: [{}]}}", rules.join(", "))], &[], &[])
    }

    #[test]
    fn rules_that_take_evictions_for_bugs_are_found() {
        let killed = "{action: FailJob, onExitCodes: {operator: In, values: [1, 137]}}";
        let all = "{action: FailIndex, onExitCodes: {operator: NotIn, values: [42]}}";
        let disruption = "{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}";
        check(
            &RULE,
            &[&policy(&[killed]), &policy(&[all, disruption])],
            expect![[r#"
                0: 5:48 Warning spec.podFailurePolicy.rules[0].onExitCodes: a pod that is evicted ends the Job: its containers exit with 137 or 143, which this rule matches; put this rule before it: `{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}`
                1: 5:50 Warning spec.podFailurePolicy.rules[0].onExitCodes: a pod that is evicted ends its index: its containers exit with 137 or 143, which this rule matches; put this rule before it: `{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}`
            "#]],
        );
        let fine = "{action: FailJob, onExitCodes: {operator: In, values: [42]}}";
        check(
            &RULE,
            &[&policy(&[disruption, killed]), &policy(&[fine]), &policy(&["{action: Count, onExitCodes: {operator: In, values: [137]}}"])],
            expect![[""]],
        );
    }
}
