//! day-or-weekday: a schedule that restricts both the day of the month and the day of the week: a match of either starts a run.
//!
//! Docs: CronJob, "Schedule syntax" (C-55). What the fields mean is decided in `schedule`.

use manifest::{RuleName, Severity};
use schedule::{Schedule, Zone};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"day-or-weekday"),
    code: 410,
    severity: Severity::Warning,
    summary: "A schedule with both days restricted runs when either matches",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let schedule = workload.cron_job.and_then(|cron_job| Schedule::parse(&cron_job.spec.schedule, &Zone::utc()).ok());
    let Some(schedule) = schedule.filter(Schedule::either_day) else { return Vec::new() };
    let message = format!("the schedule runs if either day matches, not only if both do: it runs {}", schedule.words());
    vec![Finding::at(
        "spec.schedule",
        message,
        "restrict only one of the two days, and check the other in the container, for example with `date +%u`",
    )]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn two_days_are_found() {
        let with = |schedule: &str| cron_job(&[&format!("schedule: '{schedule}'")], &[]);
        check(
            &RULE,
            &[&with("0 9 1-7 * 1"), &with("0 0 13 * 5")],
            expect![[r#"
                0: 5:13 Warning spec.schedule: the schedule runs if either day matches, not only if both do: it runs at 09:00, on days 1, 2, 3, 4, 5, 6 and 7 of the month or on Monday; restrict only one of the two days, and check the other in the container, for example with `date +%u`
                1: 5:13 Warning spec.schedule: the schedule runs if either day matches, not only if both do: it runs at 00:00, on day 13 of the month or on Friday; restrict only one of the two days, and check the other in the container, for example with `date +%u`
            "#]],
        );
        check(&RULE, &[&with("0 9 * * 1"), &with("0 9 1 * *"), &with("@weekly")], expect![[""]]);
    }
}
