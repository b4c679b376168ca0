//! utc: a fixed hour without a time zone.
//!
//! Docs: CronJob, "Time zones". Hours that a change of the clock skips are a matter of the time zone.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"utc"),
    code: 407,
    severity: Severity::Note,
    summary: "A fixed hour is in the controller's time zone, usually UTC",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(cron_job) = workload.cron_job.filter(|cron_job| cron_job.spec.time_zone.is_none() && RunTimes::fires(cron_job, set.now))
    else {
        return Vec::new();
    };
    let fields: Vec<&str> = cron_job.spec.schedule.split_whitespace().collect();
    let [minute, hour, _, _, _] = fields[..] else { return Vec::new() };
    let Ok(hour) = hour.parse::<u8>() else { return Vec::new() };
    let time = minute.parse::<u8>().map_or_else(|_| format!("the hour from {hour:02}:00"), |minute| format!("{hour:02}:{minute:02}"));
    let message = format!("{time} is in the time zone of the controller, which is usually UTC");
    vec![Finding::at("spec.schedule", message, "set spec.timeZone, as in `timeZone: Etc/UTC` or `timeZone: Europe/Berlin`")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn fixed_hours_need_a_time_zone() {
        check(
            &RULE,
            &[&cron_job(&["schedule: 30 2 * * *"], &[]), &cron_job(&["schedule: '*/5 9 * * 1-5'"], &[])],
            expect![[r#"
                0: 5:13 Note spec.schedule: 02:30 is in the time zone of the controller, which is usually UTC; set spec.timeZone, as in `timeZone: Etc/UTC` or `timeZone: Europe/Berlin`
                1: 5:13 Note spec.schedule: the hour from 09:00 is in the time zone of the controller, which is usually UTC; set spec.timeZone, as in `timeZone: Etc/UTC` or `timeZone: Europe/Berlin`
            "#]],
        );
        check(
            &RULE,
            &[
                &cron_job(&["schedule: 30 2 * * *", "timeZone: Etc/UTC"], &[]),
                &cron_job(&["schedule: 30 * * * *"], &[]),
                &cron_job(&["schedule: 0 */6 * * *"], &[]),
                &cron_job(&["schedule: '@daily'"], &[]),
            ],
            expect![[""]],
        );
    }
}
