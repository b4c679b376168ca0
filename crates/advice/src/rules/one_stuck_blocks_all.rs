//! one-stuck-blocks-all: with Forbid, a run that never ends keeps all later ones from starting.
//!
//! Docs: CronJob, "Concurrency policy"; Jobs, "Job termination and cleanup". With Allow, see `runs_pile_up.rs`.

use api::cron_job::concurrency_policy;
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"one-stuck-blocks-all"),
    code: 405,
    severity: Severity::Warning,
    summary: "With Forbid and no deadline, one run that never ends stops the schedule",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let fires = workload.cron_job.is_some_and(|cron_job| RunTimes::fires(cron_job, set.now));
    if workload.concurrency_policy() != Some(concurrency_policy::FORBID) || workload.bounded() || !fires {
        return Vec::new();
    }
    let message = "one run whose pod cannot start stops this schedule for good: while its Job is active, every later run is skipped";
    let remedy = format!("set {}, for example to 3600", workload.job_field("activeDeadlineSeconds"));
    vec![Finding::at("spec.concurrencyPolicy", message, remedy)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn forbid_needs_a_deadline() {
        let with = |policy: &str, job: &[&str]| cron_job(&["schedule: '@daily'", policy], job);
        check(
            &RULE,
            &[&with("concurrencyPolicy: Forbid", &[])],
            expect![[r#"
            0: 6:22 Warning spec.concurrencyPolicy: one run whose pod cannot start stops this schedule for good: while its Job is active, every later run is skipped; set spec.jobTemplate.spec.activeDeadlineSeconds, for example to 3600
        "#]],
        );
        check(
            &RULE,
            &[
                &with("concurrencyPolicy: Forbid", &["activeDeadlineSeconds: 60"]),
                &with("concurrencyPolicy: Replace", &[]),
                &with("suspend: true", &[]),
            ],
            expect![[""]],
        );
    }
}
