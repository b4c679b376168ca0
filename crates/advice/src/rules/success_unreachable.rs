//! success-unreachable: a rule of a success policy that needs all that the Job needs.
//!
//! Docs: Jobs, "Success policy". Rules of failure policies are in `rule_never_matches.rs`.

use api::job::SuccessPolicyRule;
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"success-unreachable"),
    code: 304,
    severity: Severity::Warning,
    summary: "A success rule is met only when the Job is complete anyway",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(completions) = workload.spec.completions.filter(|completions| *completions > 0) else { return Vec::new() };
    let all = |SuccessPolicyRule { succeeded_indexes, succeeded_count }: &SuccessPolicyRule| match (
        succeeded_indexes.as_deref(),
        succeeded_count,
    ) {
        (_, Some(count)) => *count >= completions,
        (Some(indexes), None) => indexes == format!("0-{}", completions - 1) || completions == 1 && indexes == "0",
        (None, None) => false,
    };
    let rules = workload.spec.success_policy.iter().flat_map(|policy| &policy.rules).enumerate();
    let finding = |at: usize| {
        let message = format!("this rule needs all {completions} indexes: by then, the Job is complete without it");
        Finding::at(workload.job_field(&format!("successPolicy.rules[{at}]")), message, "name fewer indexes, or a smaller succeededCount")
    };
    rules.filter(|(_, rule)| all(rule)).map(|(at, _)| finding(at)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn rules_that_need_all_indexes_are_found() {
        let with =
            |rule: &str| job(&["completions: 3", "completionMode: Indexed", &format!("successPolicy: {{rules: [{rule}]}}")], &[], &[]);
        check(
            &RULE,
            &[&with("{succeededCount: 3}"), &with("{succeededIndexes: 0-2}")],
            expect![[r#"
                0: 7:27 Warning spec.successPolicy.rules[0]: this rule needs all 3 indexes: by then, the Job is complete without it; name fewer indexes, or a smaller succeededCount
                1: 7:27 Warning spec.successPolicy.rules[0]: this rule needs all 3 indexes: by then, the Job is complete without it; name fewer indexes, or a smaller succeededCount
            "#]],
        );
        check(
            &RULE,
            &[&with("{succeededCount: 2}"), &with("{succeededIndexes: '0'}"), &with("{succeededIndexes: 0-2, succeededCount: 1}")],
            expect![[""]],
        );
    }
}
