//! deadline-cuts-retries: the waits between retries alone take longer than the deadline.
//!
//! Docs: Jobs, "Job termination and cleanup", "Pod backoff failure policy" (J-84). A deadline that only pods have is found in `deadline_on_pod.rs`.

use api::back_off::POD_FAILURES;
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"deadline-cuts-retries"),
    code: 104,
    severity: Severity::Warning,
    summary: "The deadline leaves no time for all retries that backoffLimit allows",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = &workload.spec;
    // Side by side, and with a limit for each index, failures are not one after the other; and containers wait in other steps.
    let in_turn = spec.parallelism.unwrap_or(1) <= 1 && spec.backoff_limit_per_index.is_none() && workload.restart_policy() == "Never";
    let (Some(deadline), Some(limit)) = (spec.active_deadline_seconds, spec.backoff_limit.filter(|limit| in_turn && *limit > 0)) else {
        return Vec::new();
    };
    let fitting = waits().take_while(|passed| *passed < deadline).take(usize::try_from(limit).unwrap_or_default()).count();
    let all = waits().nth(usize::try_from(limit - 1).unwrap_or_default()).unwrap_or_default();
    if all < deadline {
        return Vec::new();
    }
    let message = match fitting {
        0 => format!("no retry fits into the deadline: the wait before the first one takes {} s", POD_FAILURES.first.as_secs()),
        fitting => format!("at most {fitting} of {limit} retries fit into the deadline: the waits before all {limit} take {all} s"),
    };
    let remedy = "raise activeDeadlineSeconds, or lower backoffLimit";
    vec![Finding::at(workload.job_field("activeDeadlineSeconds"), message, remedy)]
}

/// How long the waits before the first retry take, before the first two, and so on, in seconds.
fn waits() -> impl Iterator<Item = i64> {
    (1..).scan(0_i64, |passed, failures| {
        *passed = passed.saturating_add(POD_FAILURES.after(failures).as_secs());
        Some(*passed)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn deadlines_that_leave_no_time_are_found() {
        let with =
            |limit: u32, deadline: u32| job(&[&format!("backoffLimit: {limit}"), &format!("activeDeadlineSeconds: {deadline}")], &[], &[]);
        check(
            &RULE,
            &[&with(6, 120), &with(1, 10), &with(100, 3600)],
            expect![[r#"
                0: 6:26 Warning spec.activeDeadlineSeconds: at most 3 of 6 retries fit into the deadline: the waits before all 6 take 630 s; raise activeDeadlineSeconds, or lower backoffLimit
                1: 6:26 Warning spec.activeDeadlineSeconds: no retry fits into the deadline: the wait before the first one takes 10 s; raise activeDeadlineSeconds, or lower backoffLimit
                2: 6:26 Warning spec.activeDeadlineSeconds: at most 10 of 100 retries fit into the deadline: the waits before all 100 take 57030 s; raise activeDeadlineSeconds, or lower backoffLimit
            "#]],
        );
        let side_by_side = with(6, 120).replace("  template", "  parallelism: 2\n  template");
        check(
            &RULE,
            &[&with(6, 631), &with(0, 5), &with(3, 71), &job(&["activeDeadlineSeconds: 60"], &[], &[]), &side_by_side],
            expect![[""]],
        );
    }
}
