//! runs-pile-up: runs that cannot start stay beside each other, and there are more of them with each run.
//!
//! Docs: CronJob, "Concurrency policy"; Jobs, "Job termination and cleanup". With Forbid, see `one_stuck_blocks_all.rs`.

use api::Duration;
use api::cron_job::concurrency_policy;
use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"runs-pile-up"),
    code: 404,
    severity: Severity::Warning,
    summary: "Runs may overlap without a deadline: if pods cannot start, their Jobs pile up",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(timetable) = workload.cron_job.and_then(|cron_job| RunTimes::of(cron_job, set.now)) else { return Vec::new() };
    if !piles_up(workload, set) {
        return Vec::new();
    }
    let path = if workload.document.get("spec.concurrencyPolicy").is_some() { "spec.concurrencyPolicy" } else { "spec.schedule" };
    let message = format!("if a pod cannot start, Jobs pile up: {} of them are active after a day", timetable.runs_a_day());
    let deadline = workload.job_field("activeDeadlineSeconds");
    let remedy = format!("set {deadline}, for example to 3600, or concurrencyPolicy to Replace");
    vec![Finding::at(path, message, remedy).fix(Fix::Add { path: deadline, value: "3600".to_owned() })]
}

/// Whether runs that cannot start pile up within a day.
pub(super) fn piles_up(workload: &Advised<'_>, set: &ObjectSet<'_>) -> bool {
    let period = workload.cron_job.and_then(|cron_job| RunTimes::of(cron_job, set.now)?.period());
    let often = period.is_some_and(|period| period < Duration::from_hours(24));
    often && workload.concurrency_policy() == Some(concurrency_policy::ALLOW) && !workload.bounded()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn runs_that_overlap_need_a_deadline() {
        let (minutes, hours) = ("schedule: '* * * * *'", "schedule: 0 */6 * * *");
        check(
            &RULE,
            &[&cron_job(&[minutes], &[]), &cron_job(&[hours, "concurrencyPolicy: Allow"], &[])],
            expect![[r#"
            0: 5:13 Warning spec.schedule: if a pod cannot start, Jobs pile up: 1440 of them are active after a day; set spec.jobTemplate.spec.activeDeadlineSeconds, for example to 3600, or concurrencyPolicy to Replace (Add { path: "spec.jobTemplate.spec.activeDeadlineSeconds", value: "3600" })
            1: 6:22 Warning spec.concurrencyPolicy: if a pod cannot start, Jobs pile up: 4 of them are active after a day; set spec.jobTemplate.spec.activeDeadlineSeconds, for example to 3600, or concurrencyPolicy to Replace (Add { path: "spec.jobTemplate.spec.activeDeadlineSeconds", value: "3600" })
        "#]],
        );
        check(
            &RULE,
            &[
                &cron_job(&[minutes, "concurrencyPolicy: Replace"], &[]),
                &cron_job(&[minutes], &["activeDeadlineSeconds: 50"]),
                &cron_job(&["schedule: '@daily'"], &[]),
                &cron_job(&["schedule: 0 0 31 2 *"], &[]),
            ],
            expect![[""]],
        );
    }
}
