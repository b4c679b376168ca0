//! short-months: a day of the month that some months do not have.
//!
//! Docs: CronJob, "Schedule syntax" (C-53). Days that no month has are in `never_fires.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"short-months"),
    code: 411,
    severity: Severity::Note,
    summary: "The schedule skips months that do not have this day",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let schedule = workload.cron_job.map(|cron_job| &*cron_job.spec.schedule).unwrap_or_default();
    let fields: Vec<&str> = schedule.split_whitespace().collect();
    let [_, _, day, "*" | "?", "*" | "?"] = fields[..] else { return Vec::new() };
    let months = match day {
        "29" => "February, which has a day 29 only in leap years",
        "30" => "February, which has no day 30",
        "31" => "February, April, June, September and November, which have no day 31",
        _ => return Vec::new(),
    };
    let message = format!("the schedule skips {months}");
    vec![Finding::at(
        "spec.schedule",
        message,
        "use a day up to 28; for the last day of each month, run on days 28-31, and check in the container that tomorrow is day 1",
    )]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn days_that_months_lack_are_found() {
        let with = |schedule: &str| cron_job(&[&format!("schedule: {schedule}")], &[]);
        check(
            &RULE,
            &[&with("0 3 31 * *"), &with("0 3 29 * *")],
            expect![[r#"
                0: 5:13 Note spec.schedule: the schedule skips February, April, June, September and November, which have no day 31; use a day up to 28; for the last day of each month, run on days 28-31, and check in the container that tomorrow is day 1
                1: 5:13 Note spec.schedule: the schedule skips February, which has a day 29 only in leap years; use a day up to 28; for the last day of each month, run on days 28-31, and check in the container that tomorrow is day 1
            "#]],
        );
        check(&RULE, &[&with("0 3 28 * *"), &with("0 3 31 1 *"), &with("0 3 28-31 * *")], expect![[""]]);
    }
}
