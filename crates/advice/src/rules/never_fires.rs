//! never-fires: a schedule that the API server takes and that no day of the calendar fits.
//!
//! Docs: CronJob, "Schedule syntax" (C-65). What a schedule is, is decided in `schedule`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"never-fires"),
    code: 401,
    severity: Severity::Warning,
    summary: "A schedule has no run within five years",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let timetable = workload.cron_job.and_then(|cron_job| RunTimes::of(cron_job, set.now));
    if timetable.is_none_or(|timetable| timetable.next().is_some()) {
        return Vec::new();
    }
    let remedy = "change the day of the month or the month: this month does not have this day";
    vec![Finding::at("spec.schedule", "the schedule has no run within five years", remedy)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn schedules_without_runs_are_found() {
        let manifests = ["0 0 30 2 *", "0 0 29 2 *", "@every 1h"].map(|schedule| cron_job(&[&format!("schedule: '{schedule}'")], &[]));
        check(
            &RULE,
            &manifests.each_ref().map(String::as_str),
            expect![[r#"
            0: 5:13 Warning spec.schedule: the schedule has no run within five years; change the day of the month or the month: this month does not have this day
        "#]],
        );
    }
}
