//! policy-without-effect: a pod failure policy that only counts, which happens without it, too.
//!
//! Docs: Jobs, "Pod failure policy". Rules that match nothing are found in `rule_never_matches.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"policy-without-effect"),
    code: 305,
    severity: Severity::Note,
    summary: "A pod failure policy counts all failures, which is what happens without one",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(policy) = workload.spec.pod_failure_policy.as_ref().filter(|policy| policy.rules.iter().all(|rule| &*rule.action == "Count"))
    else {
        return Vec::new();
    };
    let what = if policy.rules.is_empty() { "has no rule" } else { "only counts failures" };
    let message = format!(
        "this policy {what}: failures count without it, too; all it does is make replacements wait until terminating pods have ended"
    );
    vec![Finding::at(workload.job_field("podFailurePolicy"), message, "remove it").fix(Fix::TakeOut)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn policies_that_change_nothing_are_found() {
        let policy = |rules: &str| job(&[&format!("podFailurePolicy: {{rules: [{rules}]}}")], &[], &[]);
        let count = "{action: Count, onExitCodes: {operator: In, values: [1]}}";
        check(
            &RULE,
            &[&policy(""), &policy(count)],
            expect![[r#"
                0: 5:3 Note spec.podFailurePolicy: this policy has no rule: failures count without it, too; all it does is make replacements wait until terminating pods have ended; remove it (TakeOut)
                1: 5:3 Note spec.podFailurePolicy: this policy only counts failures: failures count without it, too; all it does is make replacements wait until terminating pods have ended; remove it (TakeOut)
            "#]],
        );
        check(&RULE, &[&policy(&format!("{count}, {{action: FailJob, onExitCodes: {{operator: In, values: [2]}}}}"))], expect![[""]]);
    }
}
