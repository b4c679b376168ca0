//! ttl-against-history: a TTL deletes the Jobs of a CronJob before its history limits would.
//!
//! Docs: CronJob, "Jobs history limits"; Automatic Cleanup for Finished Jobs. TTLs that are too short for any Job are in `ttl_too_short.rs`.

use manifest::{Fix, RuleName, Severity};

use super::ttl_too_short;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"ttl-against-history"),
    code: 502,
    severity: Severity::Warning,
    summary: "A TTL deletes the Jobs of a CronJob before its history limits do",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let (Some(cron_job), Some(ttl)) = (workload.cron_job, workload.spec.ttl_seconds_after_finished) else { return Vec::new() };
    let Some(limit) = workload.failed_history() else { return Vec::new() };
    let Some(period) = RunTimes::of(cron_job, set.now).and_then(|timetable| timetable.period()) else { return Vec::new() };
    let kept = i64::from(ttl) / period.as_secs().max(1);
    if ttl < ttl_too_short::LEAST || kept >= i64::from(limit) {
        return Vec::new();
    }
    let period = api::time::length(period);
    let rest = match kept {
        0 => "none is left when the next run starts".to_owned(),
        1 => "only 1 remains".to_owned(),
        kept => format!("only {kept} remain"),
    };
    let message = format!(
        "failed Jobs are deleted {ttl} s after their end: with a run every {period}, {rest}, though failedJobsHistoryLimit is {limit}"
    );
    let remedy = "remove it: the history limits delete old Jobs";
    vec![Finding::at(workload.job_field("ttlSecondsAfterFinished"), message, remedy).fix(Fix::TakeOut)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn ttls_that_undercut_the_history_are_found() {
        let with = |limit: &str, ttl: &str| cron_job(&["schedule: '@daily'", limit], &[&format!("ttlSecondsAfterFinished: {ttl}")]);
        check(
            &RULE,
            &[
                &with("failedJobsHistoryLimit: 3", "600"),
                &with("suspend: false", "3600"),
                &with("failedJobsHistoryLimit: 3", "100000"),
                &with("failedJobsHistoryLimit: 3", "600").replace("@daily", "@weekly"),
            ],
            expect![[r#"
                0: 9:32 Warning spec.jobTemplate.spec.ttlSecondsAfterFinished: failed Jobs are deleted 600 s after their end: with a run every 1d, none is left when the next run starts, though failedJobsHistoryLimit is 3; remove it: the history limits delete old Jobs (TakeOut)
                1: 9:32 Warning spec.jobTemplate.spec.ttlSecondsAfterFinished: failed Jobs are deleted 3600 s after their end: with a run every 1d, none is left when the next run starts, though failedJobsHistoryLimit is 1; remove it: the history limits delete old Jobs (TakeOut)
                2: 9:32 Warning spec.jobTemplate.spec.ttlSecondsAfterFinished: failed Jobs are deleted 100000 s after their end: with a run every 1d, only 1 remains, though failedJobsHistoryLimit is 3; remove it: the history limits delete old Jobs (TakeOut)
                3: 9:32 Warning spec.jobTemplate.spec.ttlSecondsAfterFinished: failed Jobs are deleted 600 s after their end: with a run every 7d, none is left when the next run starts, though failedJobsHistoryLimit is 3; remove it: the history limits delete old Jobs (TakeOut)
            "#]],
        );
        check(
            &RULE,
            &[
                &with("failedJobsHistoryLimit: 3", "259200"),
                &with("failedJobsHistoryLimit: 0", "600"),
                &with("suspend: false", "5"),
                &cron_job(&["schedule: '@daily'"], &[]),
            ],
            expect![[""]],
        );
    }
}
