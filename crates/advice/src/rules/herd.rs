//! herd: many CronJobs that start in the same minute.
//!
//! Docs: CronJob, "Schedule syntax". When one CronJob runs is decided in `../run_times.rs`.

use std::collections::BTreeSet;

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::RunTimes;
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"herd"),
    code: 412,
    severity: Severity::Warning,
    summary: "Many CronJobs start in the same minute",
    finder: Finder::Pedantic(find),
};

/// How many CronJobs are many.
const MANY: usize = 5;
/// Those that run more often than this, in seconds, have no minute of their own.
const OFTEN: i64 = 3600;

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(times) = workload.cron_job.and_then(|cron_job| RunTimes::of(cron_job, set.now)) else { return Vec::new() };
    let Some(next) = times.next().filter(|_| times.period().is_none_or(|period| period.as_secs() >= OFTEN)) else { return Vec::new() };
    let runs_then =
        |other: &&Advised<'_>| other.cron_job.is_some_and(|other| RunTimes::of(other, set.now).is_some_and(|times| times.include(next)));
    let others = set.workloads.iter().filter(|other| other.identity() != workload.identity());
    let beside = others.filter(runs_then).map(Advised::identity).collect::<BTreeSet<_>>().len();
    let message = if beside + 1 >= MANY {
        format!("{beside} other CronJobs of these files start in the same minute")
    } else if times.at_midnight() {
        "midnight is when most CronJobs of a cluster start, and wait for each other".to_owned()
    } else {
        return Vec::new();
    };
    vec![Finding::at("spec.schedule", message, "give it a minute of its own, as in `17 3 * * *`")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn cron_jobs_of_one_minute_are_found() {
        let named = |name: &str, schedule: &str| {
            cron_job(&[&format!("schedule: '{schedule}'")], &[]).replace("{name: a}", &format!("{{name: {name}}}"))
        };
        let at_two = ["a", "b", "c", "d"].map(|name| named(name, "0 2 * * *"));
        let [one, two, three, four] = at_two.each_ref().map(String::as_str);
        check(
            &RULE,
            &[one, two, three, four, &named("e", "*/10 2 * * *")],
            expect![[r#"
            0: 5:13 Warning spec.schedule: 4 other CronJobs of these files start in the same minute; give it a minute of its own, as in `17 3 * * *`
            1: 5:13 Warning spec.schedule: 4 other CronJobs of these files start in the same minute; give it a minute of its own, as in `17 3 * * *`
            2: 5:13 Warning spec.schedule: 4 other CronJobs of these files start in the same minute; give it a minute of its own, as in `17 3 * * *`
            3: 5:13 Warning spec.schedule: 4 other CronJobs of these files start in the same minute; give it a minute of its own, as in `17 3 * * *`
        "#]],
        );
        check(&RULE, &[one, two, three, four, one, &named("e", "5 2 * * *")], expect![""]);
        check(
            &RULE,
            &[&named("a", "@daily"), &named("b", "0 0 * * 1"), &named("c", "0 * * * *")],
            expect![[r#"
            0: 5:13 Warning spec.schedule: midnight is when most CronJobs of a cluster start, and wait for each other; give it a minute of its own, as in `17 3 * * *`
            1: 5:13 Warning spec.schedule: midnight is when most CronJobs of a cluster start, and wait for each other; give it a minute of its own, as in `17 3 * * *`
        "#]],
        );
    }
}
