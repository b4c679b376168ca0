//! limit-counts-all: one limit for the failures of many indexes.
//!
//! Docs: Jobs, "Backoff limit per index". Two limits side by side are found in `both_limits.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"limit-counts-all"),
    code: 106,
    severity: Severity::Warning,
    summary: "Failures of a few indexes end all of them",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = &workload.spec;
    let indexed = spec.completion_mode.as_deref() == Some(api::job::INDEXED) && spec.success_policy.is_none();
    let (Some(limit), Some(indexes)) = (workload.backoff_limit(), spec.completions.filter(|_| indexed)) else { return Vec::new() };
    // A limit of 0 says that one failure is to end all.
    if spec.backoff_limit_per_index.is_some() || limit == 0 || i64::from(indexes) <= i64::from(limit) + 1 {
        return Vec::new();
    }
    let failures = i64::from(limit) + 1;
    let message =
        format!("{failures} failed pods of any of the {indexes} indexes end this Job, and those that still run or wait end with it");
    vec![Finding::at(workload.job_field("completions"), message, "set backoffLimitPerIndex: each index then has a limit of its own")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn one_limit_for_many_indexes_is_found() {
        let with = |more: &[&str]| job(&[&["completions: 20", "completionMode: Indexed"], more].concat(), &[], &[]);
        check(
            &RULE,
            &[&with(&[]), &with(&["backoffLimit: 10"])],
            expect![[r#"
            0: 5:16 Warning spec.completions: 7 failed pods of any of the 20 indexes end this Job, and those that still run or wait end with it; set backoffLimitPerIndex: each index then has a limit of its own
            1: 5:16 Warning spec.completions: 11 failed pods of any of the 20 indexes end this Job, and those that still run or wait end with it; set backoffLimitPerIndex: each index then has a limit of its own
        "#]],
        );
        check(
            &RULE,
            &[
                &with(&["backoffLimitPerIndex: 1"]),
                &with(&["backoffLimit: 0"]),
                &with(&["backoffLimit: 19"]),
                &with(&["successPolicy: {rules: [{succeededCount: 1}]}"]),
                &job(&["completions: 20"], &[], &[]),
            ],
            expect![[""]],
        );
    }
}
