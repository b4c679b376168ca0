//! starts-on-resume: a suspended CronJob that makes up for a missed run as soon as it is resumed.
//!
//! Docs: CronJob, "Schedule suspension" (C-28). Jobs that are suspended are found in `runs_nothing.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::rule::{Finder, Rule};
use crate::timetable::Timetable;
use crate::workload::Workload;
use crate::world::World;

pub(super) const RULE: Rule = Rule {
    name: RuleName::new("starts-on-resume"),
    code: 413,
    severity: Severity::Note,
    summary: "Resuming the CronJob starts a missed run at once",
    finder: Finder::Advice(find),
};

fn find(workload: &Workload<'_>, world: &World<'_>) -> Vec<Finding> {
    let suspended = workload.cron_job.filter(|cron_job| cron_job.suspended() && cron_job.spec.starting_deadline_seconds.is_none());
    if !suspended.is_some_and(|cron_job| Timetable::fires(cron_job, world.now)) {
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
        check(&RULE, &[&with(&["suspend: true", "startingDeadlineSeconds: 60"]), &with(&["suspend: false"]), &with(&[])], expect![[""]]);
    }
}
