//! starts-on-resume: a suspended CronJob that makes up for a missed run as soon as it is resumed.
//!
//! Docs: CronJob, "Schedule suspension" (C-28). Jobs that are suspended are found in `runs_nothing.rs`.

use api::CronJob;
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"starts-on-resume"),
    code: 413,
    severity: Severity::Note,
    summary: "Resuming the CronJob starts a missed run at once",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    // Another controller decides by an annotation whether it is suspended (X-2).
    let own = |cron_job: &&CronJob| cron_job.suspended() && cron_job.managed_by().is_none();
    let suspended = workload.cron_job.filter(own).filter(|cron_job| cron_job.spec.starting_deadline_seconds.is_none());
    if !suspended.is_some_and(|cron_job| RunTimes::fires(cron_job, set.now)) {
        return Vec::new();
    }
    let message = "when it is resumed, the last run that was missed starts at once, however late it is";
    vec![Finding::at("spec.suspend", message, "set spec.startingDeadlineSeconds, for example to 600")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn cron_jobs_that_make_up_for_runs_are_found() {
        let with = |lines: &[&str]| cron_job(&[&["schedule: '@daily'"], lines].concat(), &[]);
        check(
            &RULE,
            &[&with(&["suspend: true"])],
            expect![[r#"
            0: 6:12 Note spec.suspend: when it is resumed, the last run that was missed starts at once, however late it is; set spec.startingDeadlineSeconds, for example to 600
        "#]],
        );
        let managed = with(&["suspend: true"]).replace("{name: a}", "{name: a, annotations: {jobsmith.dev/managed-by: b}}");
        check(
            &RULE,
            &[&with(&["suspend: true", "startingDeadlineSeconds: 60"]), &with(&["suspend: false"]), &with(&[]), &managed],
            expect![[""]],
        );
    }
}
