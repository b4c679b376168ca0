//! every-minute: a star for the minutes where the hours are chosen one by one.
//!
//! Docs: CronJob, "Schedule syntax" (C-53). Which schedules these are is decided in `schedule`.

use manifest::{Fix, RuleName, Severity};
use schedule::once_an_hour;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"every-minute"),
    code: 408,
    severity: Severity::Warning,
    summary: "A schedule with chosen hours runs in each of their minutes",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let schedule = workload.cron_job.map(|cron_job| &*cron_job.spec.schedule);
    let Some((schedule, meant)) = schedule.and_then(|schedule| Some((schedule, once_an_hour(schedule)?))) else { return Vec::new() };
    let minute = schedule.split_whitespace().next().unwrap_or_default();
    let message = format!("with `{minute}` as the minute, it runs 60 times in each of these hours");
    let fix = Fix::Write { value: format!("\"{meant}\"") };
    vec![Finding::at("spec.schedule", message, format!("to run once, write `{meant}`")).fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn a_star_in_fixed_hours_is_found() {
        let with = |schedule: &str| cron_job(&[&format!("schedule: '{schedule}'")], &[]);
        check(
            &RULE,
            &[&with("* 3 * * *"), &with("*/1 */6 * * 1")],
            expect![[r#"
            0: 5:13 Warning spec.schedule: with `*` as the minute, it runs 60 times in each of these hours; to run once, write `0 3 * * *` (Write { value: "\"0 3 * * *\"" })
            1: 5:13 Warning spec.schedule: with `*/1` as the minute, it runs 60 times in each of these hours; to run once, write `0 */6 * * 1` (Write { value: "\"0 */6 * * 1\"" })
        "#]],
        );
        check(&RULE, &[&with("* * * * *"), &with("0 3 * * *"), &with("* 9-17 * * *"), &with("@hourly")], expect![[""]]);
    }
}
