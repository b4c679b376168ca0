//! no-failed-history: a CronJob that keeps no failed Job, so that nothing says why a run failed.
//!
//! Docs: CronJob, "Jobs history limits". Logs that go with a pod are found in `logs_lost.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"no-failed-history"),
    code: 504,
    severity: Severity::Warning,
    summary: "Failed Jobs of a CronJob are deleted at once",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    if workload.cron_job.is_none_or(|cron_job| cron_job.spec.failed_jobs_history_limit != Some(0)) {
        return Vec::new();
    }
    let message = "a failed Job is deleted at once, with its pods and their logs: nothing says why it failed";
    let fix = Fix::Write { value: "1".to_owned() };
    vec![Finding::at("spec.failedJobsHistoryLimit", message, "use 1 or more").fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn a_history_without_failures_is_found() {
        let with = |line: &str| cron_job(&["schedule: '@daily'", line], &[]);
        check(
            &RULE,
            &[&with("failedJobsHistoryLimit: 0")],
            expect![[r#"
            0: 6:27 Warning spec.failedJobsHistoryLimit: a failed Job is deleted at once, with its pods and their logs: nothing says why it failed; use 1 or more (Write { value: "1" })
        "#]],
        );
        check(&RULE, &[&with("failedJobsHistoryLimit: 1"), &with("successfulJobsHistoryLimit: 0")], expect![[""]]);
    }
}
