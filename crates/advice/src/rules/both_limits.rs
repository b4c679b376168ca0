//! both-limits: a `backoffLimit` beside `backoffLimitPerIndex` that is reached first.
//!
//! Docs: Jobs, "Backoff limit per index". Limits that count nothing are found in `limit_without_effect.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"both-limits"),
    code: 107,
    severity: Severity::Warning,
    summary: "backoffLimit ends the Job before the limits of its indexes do",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = &workload.spec;
    let (Some(limit), Some(of_index), Some(indexes)) = (spec.backoff_limit, spec.backoff_limit_per_index, spec.completions) else {
        return Vec::new();
    };
    let failing = spec.max_failed_indexes.map_or(indexes, |most| indexes.min(most.saturating_add(1)));
    let most = i64::from(failing) * (i64::from(of_index) + 1);
    if i64::from(limit) >= most {
        return Vec::new();
    }
    let message =
        format!("{limit} failed pods in all end the Job, though its indexes may fail {most} times before their own limits end it");
    vec![Finding::at(workload.job_field("backoffLimit"), message, "remove backoffLimit: each index has its own limit").fix(Fix::TakeOut)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn a_limit_that_is_reached_first_is_found() {
        let with =
            |more: &[&str]| job(&[&["completions: 4", "completionMode: Indexed", "backoffLimitPerIndex: 1"], more].concat(), &[], &[]);
        check(
            &RULE,
            &[&with(&["backoffLimit: 6"]), &with(&["maxFailedIndexes: 1", "backoffLimit: 2"])],
            expect![[r#"
            0: 8:17 Warning spec.backoffLimit: 6 failed pods in all end the Job, though its indexes may fail 8 times before their own limits end it; remove backoffLimit: each index has its own limit (TakeOut)
            1: 9:17 Warning spec.backoffLimit: 2 failed pods in all end the Job, though its indexes may fail 4 times before their own limits end it; remove backoffLimit: each index has its own limit (TakeOut)
        "#]],
        );
        check(
            &RULE,
            &[
                &with(&["backoffLimit: 8"]),
                &with(&["maxFailedIndexes: 1", "backoffLimit: 4"]),
                &with(&[]),
                &job(&["backoffLimit: 1"], &[], &[]),
            ],
            expect![[""]],
        );
    }
}
