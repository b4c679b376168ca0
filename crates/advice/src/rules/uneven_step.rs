//! uneven-step: a step that starts again before it has gone round.
//!
//! Docs: CronJob, "Schedule syntax" (C-53). What the gaps are is decided in `schedule`.

use manifest::{RuleName, Severity};
use schedule::{UnevenStep, uneven_steps};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"uneven-step"),
    code: 409,
    severity: Severity::Warning,
    summary: "A step does not divide its range: the last interval is shorter",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let steps = workload.cron_job.map(|cron_job| uneven_steps(&cron_job.spec.schedule)).unwrap_or_default();
    let finding = |UnevenStep { message, remedy }: UnevenStep| {
        let remedy = remedy.unwrap_or_else(|| "use a step that divides the range, or list the values".to_owned());
        Finding::at("spec.schedule", message, remedy)
    };
    steps.into_iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn steps_that_start_again_are_found() {
        let with = |schedule: &str| cron_job(&[&format!("schedule: '{schedule}'")], &[]);
        check(
            &RULE,
            &[&with("*/45 * * * *"), &with("0 */7 * * *"), &with("0 */24 * * *")],
            expect![[r#"
            0: 5:13 Warning spec.schedule: `*/45` as the minute starts again at 0 each hour, so that the last interval of each hour is 15 minutes; to run every 45 minutes, write `@every 45m`, which counts from the last run
            1: 5:13 Warning spec.schedule: `*/7` as the hour starts again at 0 each day, so that the last interval of each day is 3 hours; to run every 7 hours, write `@every 7h`, which counts from the last run
            2: 5:13 Warning spec.schedule: `*/24` as the hour matches only 0, once each day; use a step that divides the range, or list the values
        "#]],
        );
        check(&RULE, &[&with("*/15 * * * *"), &with("0 */6 * * *"), &with("@hourly")], expect![[""]]);
    }
}
