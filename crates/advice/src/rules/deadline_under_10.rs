//! deadline-under-10: a starting deadline that is shorter than the time between two looks of the controller.
//!
//! Docs: CronJob, "Deadline for delayed Job start". Deadlines of Jobs are in `never_ends.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"deadline-under-10"),
    code: 403,
    severity: Severity::Warning,
    summary: "With a startingDeadlineSeconds under 10, runs may be skipped",
    finder: Finder::Advice(find),
};

/// The least deadline that Kubernetes' page recommends, in seconds.
const LEAST: i64 = 10;

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let deadline = workload.cron_job.and_then(|cron_job| cron_job.spec.starting_deadline_seconds);
    let Some(deadline) = deadline.filter(|deadline| (0..LEAST).contains(deadline)) else { return Vec::new() };
    let message = format!("a run that starts more than {deadline} s late is skipped: a controller that is busy or restarts takes longer");
    let fix = Fix::Write { value: LEAST.to_string() };
    vec![Finding::at("spec.startingDeadlineSeconds", message, format!("use {LEAST} or more")).fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn short_deadlines_are_found() {
        let with = |deadline: &str| cron_job(&["schedule: '@daily'", deadline], &[]);
        check(
            &RULE,
            &[&with("startingDeadlineSeconds: 5"), &with("startingDeadlineSeconds: 0")],
            expect![[r#"
            0: 6:28 Warning spec.startingDeadlineSeconds: a run that starts more than 5 s late is skipped: a controller that is busy or restarts takes longer; use 10 or more (Write { value: "10" })
            1: 6:28 Warning spec.startingDeadlineSeconds: a run that starts more than 0 s late is skipped: a controller that is busy or restarts takes longer; use 10 or more (Write { value: "10" })
        "#]],
        );
        check(&RULE, &[&with("startingDeadlineSeconds: 10"), &with("suspend: false")], expect![[""]]);
    }
}
