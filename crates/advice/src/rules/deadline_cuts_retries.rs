//! deadline-cuts-retries: the waits between retries alone take longer than the deadline.
//!
//! Docs: Jobs, "Job termination and cleanup", "Pod backoff failure policy" (J-84). How many attempts there are is computed in `prediction`; a deadline that
//! only pods have is found in `deadline_on_pod.rs`.

use api::{Duration, time};
use manifest::{RuleName, Severity};
use prediction::{FailedJob, Failing};

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
    // Side by side, and with a limit for each index, failures are not one after the other.
    let in_turn = workload.parallelism() <= 1 && spec.backoff_limit_per_index.is_none() && workload.restart_policy() == "Never";
    let (Some(deadline), true) = (spec.active_deadline_seconds, in_turn && spec.backoff_limit.is_some_and(|limit| limit > 0)) else {
        return Vec::new();
    };
    let Ok(failing) = Failing::of(&workload.stored, Duration::ZERO) else { return Vec::new() };
    let Failing::Ends(FailedJob { attempts, attempts_without_deadline: Some(allowed), .. }) = failing else { return Vec::new() };
    if attempts >= allowed {
        return Vec::new();
    }
    let length = time::length(Duration::from_secs(deadline));
    let fit = if attempts == 1 { "fits" } else { "fit" };
    let message = format!("if its pods keep failing, only {attempts} of {allowed} attempts {fit} into the deadline of {length}");
    let remedy = "raise activeDeadlineSeconds, or lower backoffLimit";
    vec![Finding::at(workload.job_field("activeDeadlineSeconds"), message, remedy)]
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
            &[&with(6, 120), &with(1, 9), &with(100, 3600), &with(i32::MAX as u32 - 1, 3600)],
            expect![[r#"
                0: 6:26 Warning spec.activeDeadlineSeconds: if its pods keep failing, only 4 of 7 attempts fit into the deadline of 2m; raise activeDeadlineSeconds, or lower backoffLimit
                1: 6:26 Warning spec.activeDeadlineSeconds: if its pods keep failing, only 1 of 2 attempts fits into the deadline of 9 s; raise activeDeadlineSeconds, or lower backoffLimit
                2: 6:26 Warning spec.activeDeadlineSeconds: if its pods keep failing, only 11 of 101 attempts fit into the deadline of 1h; raise activeDeadlineSeconds, or lower backoffLimit
                3: 6:26 Warning spec.activeDeadlineSeconds: if its pods keep failing, only 11 of 2147483647 attempts fit into the deadline of 1h; raise activeDeadlineSeconds, or lower backoffLimit
            "#]],
        );
        let side_by_side = with(6, 120).replace("  template", "  parallelism: 2\n  template");
        check(
            &RULE,
            &[
                &with(6, 631),
                &with(0, 5),
                &with(3, 71),
                &with(i32::MAX as u32, 3600),
                &job(&["activeDeadlineSeconds: 60"], &[], &[]),
                &side_by_side,
            ],
            expect![[""]],
        );
    }
}
