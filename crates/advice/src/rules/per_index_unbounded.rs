//! per-index-unbounded: a limit for each index, and none for how many of them may fail.
//!
//! Docs: Jobs, "Backoff limit per index". Limits that come too early are found in `both_limits.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"per-index-unbounded"),
    code: 108,
    severity: Severity::Note,
    summary: "Every index is retried up to its limit, even if all of them fail",
    finder: Finder::Advice(find),
};

/// Fewer pods are started in vain without much harm.
const MANY: i64 = 100;

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = &workload.spec;
    let limits = spec.max_failed_indexes.is_some() || spec.backoff_limit.is_some();
    let Some((of_index, indexes)) = spec.backoff_limit_per_index.zip(spec.completions).filter(|_| !limits) else { return Vec::new() };
    let pods = i64::from(indexes) * (i64::from(of_index) + 1);
    if pods < MANY {
        return Vec::new();
    }
    let message = format!("if all indexes fail, {pods} pods are started before the Job has failed");
    vec![Finding::at(
        workload.job_field("backoffLimitPerIndex"),
        message,
        "set maxFailedIndexes: the Job ends when more indexes have failed",
    )]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn indexes_without_a_limit_are_found() {
        let with = |more: &[&str]| job(&[&["completions: 50", "completionMode: Indexed"], more].concat(), &[], &[]);
        check(
            &RULE,
            &[&with(&["backoffLimitPerIndex: 2"])],
            expect![[r#"
                0: 7:25 Note spec.backoffLimitPerIndex: if all indexes fail, 150 pods are started before the Job has failed; set maxFailedIndexes: the Job ends when more indexes have failed
            "#]],
        );
        check(
            &RULE,
            &[&with(&["backoffLimitPerIndex: 2", "maxFailedIndexes: 3"]), &with(&[]), &with(&["backoffLimitPerIndex: 0"])],
            expect![[""]],
        );
    }
}
