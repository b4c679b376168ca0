//! clock-change: a time that the clock skips or shows twice when it is changed.
//!
//! Docs: CronJob, "Time zones" (C-60). Schedules without a time zone are in `utc.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::{RunTimes, shown};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"clock-change"),
    code: 402,
    severity: Severity::Warning,
    summary: "A clock change skips a run, or starts it twice",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(times) = workload.cron_job.and_then(|cron_job| RunTimes::of(cron_job, set.now)) else { return Vec::new() };
    let (skipped, repeated) = times.clock_changes();
    let words = match (skipped, repeated) {
        (None, None) => return Vec::new(),
        (Some(skipped), None) => format!("the run at {} is skipped", shown(skipped)),
        (None, Some(repeated)) => format!("there are two runs at {}", shown(repeated)),
        (Some(skipped), Some(repeated)) => format!("the run at {} is skipped, and there are two at {}", shown(skipped), shown(repeated)),
    };
    let message = format!("clocks change at this time: {words}");
    vec![Finding::at("spec.schedule", message, "use an hour at which clocks do not change, or `timeZone: Etc/UTC`")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn times_at_which_clocks_change_are_found() {
        let with = |schedule: &str, zone: &str| cron_job(&[&format!("schedule: {schedule}"), &format!("timeZone: {zone}")], &[]);
        check(
            &RULE,
            &[&with("30 2 * * *", "Europe/Zurich"), &with("30 1 * * *", "Europe/London"), &with("30 1 * * *", "America/New_York")],
            expect![[r#"
                0: 5:13 Warning spec.schedule: clocks change at this time: the run at 2027-03-28 02:30 is skipped, and there are two at 2027-10-31 02:30; use an hour at which clocks do not change, or `timeZone: Etc/UTC`
                1: 5:13 Warning spec.schedule: clocks change at this time: the run at 2027-03-28 01:30 is skipped, and there are two at 2027-10-31 01:30; use an hour at which clocks do not change, or `timeZone: Etc/UTC`
                2: 5:13 Warning spec.schedule: clocks change at this time: there are two runs at 2027-11-07 01:30; use an hour at which clocks do not change, or `timeZone: Etc/UTC`
            "#]],
        );
        check(
            &RULE,
            &[
                &with("30 2 * * *", "Etc/UTC"),
                &with("30 4 * * *", "Europe/Zurich"),
                &with("30 * * * *", "Europe/Zurich"),
                &with("30 2 * * *", "Asia/Tokyo"),
            ],
            expect![[""]],
        );
    }
}
