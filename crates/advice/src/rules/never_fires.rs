//! never-fires: a schedule that the API server takes and that no day of the calendar fits, or that windows of an annotation leave no run.
//!
//! Docs: CronJob, "Schedule syntax" (C-65); README, "Beyond Kubernetes" (X-17, X-18). What a schedule is, is decided in `schedule`.

use api::annotation::{DELAY_DURING, SKIP_DURING};
use api::{CronJob, Timestamp, time};
use manifest::{RuleName, Severity};

use crate::annotations::path;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::{A_YEAR, RunTimes};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"never-fires"),
    code: 401,
    severity: Severity::Warning,
    summary: "A schedule has no run within five years, or windows leave it none within a year",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let timetable = workload.cron_job.and_then(|cron_job| Some((cron_job, RunTimes::of(cron_job, set.now)?)));
    let Some((cron_job, times)) = timetable else { return Vec::new() };
    if times.next().is_none() {
        let remedy = "change the day of the month or the month: this month does not have this day";
        return vec![Finding::at("spec.schedule", "the schedule has no run within five years", remedy)];
    }
    in_windows(cron_job, times, set.now).into_iter().collect()
}

/// That windows of an annotation leave no run within a year, though the schedule has one: those by the week and those by dates together (X-17, X-18).
fn in_windows(cron_job: &CronJob, times: RunTimes, now: Timestamp) -> Option<Finding> {
    let extensions = cron_job.extensions().ok()?;
    let until = time::after(now, A_YEAR);
    times.next().filter(|next| *next <= until)?;
    let finding = |key: &str, message: String| {
        let message = format!("{message} in a window of {key}");
        Some(Finding::at(path("metadata", key), message, "leave out some windows, or suspend the CronJob"))
    };
    let times = times.extended(&extensions);
    let Some(next) = times.next() else { return finding(SKIP_DURING, "every run within five years is".to_owned()) };
    if next > until {
        return finding(SKIP_DURING, format!("every run before {} is", times.shown(next)));
    }
    let end = times.end_of(extensions.delay_during.as_ref()?, next).filter(|end| *end > until)?;
    finding(DELAY_DURING, format!("no run starts before {}: until then, all time is", times.shown(end)))
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

    #[test]
    fn schedules_all_of_whose_runs_are_in_windows_are_found() {
        let with = |schedule: &str, annotation: &str| {
            let manifest = cron_job(&[&format!("schedule: '{schedule}'"), "timeZone: Europe/Paris"], &[]);
            manifest.replace("{name: a}", &format!("{{name: a, annotations: {{jobsmith.dev/{annotation}}}}}"))
        };
        let years = "2026-01-01..2026-12-31, 2027-01-01..2027-12-31";
        check(
            &RULE,
            &[
                &with("0 3 * * *", "skip-during: 'Mon-Fri 00:00-12:00, Sat, Sun'"),
                &with("0 3 * * *", &format!("skip-during: '{years}'")),
                // By the week and by dates, which leave Mondays free until the dates begin.
                &with("@hourly", "skip-during: 'Tue-Sun, 2026-11-23..2027-11-22, 2027-11-29'"),
                &with("0 3 * * *", &format!("delay-during: '{years}'")),
            ],
            expect![[r#"
                0: 3:61 Warning metadata.annotations[jobsmith.dev/skip-during]: every run within five years is in a window of jobsmith.dev/skip-during; leave out some windows, or suspend the CronJob
                1: 3:61 Warning metadata.annotations[jobsmith.dev/skip-during]: every run before 2028-01-01 03:00 is in a window of jobsmith.dev/skip-during; leave out some windows, or suspend the CronJob
                2: 3:61 Warning metadata.annotations[jobsmith.dev/skip-during]: every run before 2027-12-06 00:00 is in a window of jobsmith.dev/skip-during; leave out some windows, or suspend the CronJob
                3: 3:62 Warning metadata.annotations[jobsmith.dev/delay-during]: no run starts before 2028-01-01 00:00: until then, all time is in a window of jobsmith.dev/delay-during; leave out some windows, or suspend the CronJob
            "#]],
        );
        check(
            &RULE,
            &[
                &with("0 3 * * *", "skip-during: 'Mon-Fri 00:00-12:00, Sat'"),
                &with("0 3 * * *", "skip-during: '2026-01-01..2026-12-31, 2027-01-01..2027-11-25'"),
                &with("0 3 * * *", "delay-during: '00:00-12:00, Sat, Sun'"),
                &with("0 3 29 2 *", "skip-during: 'Mon-Fri'"),
                &with("0 3 * * *", "skip-during: 'Monday'"),
            ],
            expect![[""]],
        );
    }
}
