//! window-exceeds-deadline: windows that delay runs for longer than a run may be late.
//!
//! Docs: README, "Beyond Kubernetes" (X-18); CronJob, "Deadline for delayed Job start" (C-40). Windows that leave no run at all are found in `never_fires.rs`.

use std::collections::BTreeMap;

use api::annotation::{DELAY_DURING, SKIP_DURING};
use api::{Duration, Timestamp, duration, time};
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::run_times::{A_YEAR, RunTimes};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"window-exceeds-deadline"),
    code: 415,
    severity: Severity::Warning,
    summary: "A window delays runs for longer than startingDeadlineSeconds, so they are missed",
    finder: Finder::Advice(find),
};

/// How many runs are checked: those of a year, if there is one an hour.
const RUNS: usize = 366 * 24;

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    missed(workload, set.now).into_iter().collect()
}

/// The run that windows delay for the longest time of those that are missed therefore.
fn missed(workload: &Advised<'_>, now: Timestamp) -> Option<Finding> {
    let cron_job = workload.cron_job?;
    let deadline = Duration::from_secs(cron_job.spec.starting_deadline_seconds?);
    let extensions = cron_job.extensions().ok()?;
    let (windows, spread) = (extensions.delay_during.as_ref()?, cron_job.longest_spread().ok()?);
    let times = RunTimes::of(cron_job, now)?.extended(&extensions);
    let until = time::after(now, A_YEAR);
    let runs = times.runs().take(RUNS).take_while(|run| *run <= until);
    // By the ends of windows, the last runs within: when a window ends, only the last run that is due starts.
    let end_of = |run| times.end_of(windows, run).filter(|end| time::after(run, spread) < *end);
    let delayed: BTreeMap<Timestamp, Timestamp> = runs.filter_map(|run| Some((end_of(run)?, run))).collect();
    let last = delayed.into_iter().filter(|(end, run)| times.after(*run).is_none_or(|next| next > *end));
    let missed = last.filter(|(end, run)| time::after(*run, deadline) <= *end);
    let (end, run) = missed.rev().max_by_key(|(end, run)| end.duration_since(*run))?;
    let late = end.duration_since(run);
    let message = format!(
        "the run at {} is missed: {DELAY_DURING} delays it by {}, until {}, and this deadline ends {} after its scheduled time",
        times.shown(run),
        duration::text(late),
        times.shown(end),
        duration::text(deadline)
    );
    let remedy = format!("use more than {}, or {SKIP_DURING} in place of delay-during if the run may be skipped", late.as_secs());
    Some(Finding::at("spec.startingDeadlineSeconds", message, remedy))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    fn delayed(schedule: &str, windows: &str, deadline: i64) -> String {
        let fields =
            [format!("schedule: '{schedule}'"), "timeZone: Europe/Paris".to_owned(), format!("startingDeadlineSeconds: {deadline}")];
        let manifest = cron_job(&fields.each_ref().map(String::as_str), &[]);
        manifest.replace("{name: a}", &format!("{{name: a, annotations: {{jobsmith.dev/delay-during: '{windows}'}}}}"))
    }

    #[test]
    fn runs_that_windows_delay_past_their_deadline_are_found() {
        check(
            &RULE,
            &[
                &delayed("0 9 * * *", "08:00-18:00", 600),
                &delayed("0 9 * * *", "08:00-18:00", 32_400),
                // Nights end in time, Saturdays do not.
                &delayed("30 2 * * *", "22:00-06:00, Sat 00:00-20:00", 36_000),
                // The last run before the end of the window.
                &delayed("*/20 8-17 * * *", "08:00-18:00", 600),
                &delayed("0 3 * * *", "2026-12-24..2027-01-01", 7200),
                // One hour more, as the clock is set back.
                &delayed("0 1 * * *", "00:00-06:00", 18_000),
            ],
            expect![[r#"
                0: 7:28 Warning spec.startingDeadlineSeconds: the run at 2026-11-27 09:00 is missed: jobsmith.dev/delay-during delays it by 9h, until 2026-11-27 18:00, and this deadline ends 10m after its scheduled time; use more than 32400, or jobsmith.dev/skip-during in place of delay-during if the run may be skipped
                1: 7:28 Warning spec.startingDeadlineSeconds: the run at 2026-11-27 09:00 is missed: jobsmith.dev/delay-during delays it by 9h, until 2026-11-27 18:00, and this deadline ends 9h after its scheduled time; use more than 32400, or jobsmith.dev/skip-during in place of delay-during if the run may be skipped
                2: 7:28 Warning spec.startingDeadlineSeconds: the run at 2026-11-28 02:30 is missed: jobsmith.dev/delay-during delays it by 17h30m, until 2026-11-28 20:00, and this deadline ends 10h after its scheduled time; use more than 63000, or jobsmith.dev/skip-during in place of delay-during if the run may be skipped
                3: 7:28 Warning spec.startingDeadlineSeconds: the run at 2026-11-26 17:40 is missed: jobsmith.dev/delay-during delays it by 20m, until 2026-11-26 18:00, and this deadline ends 10m after its scheduled time; use more than 1200, or jobsmith.dev/skip-during in place of delay-during if the run may be skipped
                4: 7:28 Warning spec.startingDeadlineSeconds: the run at 2027-01-01 03:00 is missed: jobsmith.dev/delay-during delays it by 21h, until 2027-01-02 00:00, and this deadline ends 2h after its scheduled time; use more than 75600, or jobsmith.dev/skip-during in place of delay-during if the run may be skipped
                5: 7:28 Warning spec.startingDeadlineSeconds: the run at 2027-10-31 01:00 is missed: jobsmith.dev/delay-during delays it by 6h, until 2027-10-31 06:00, and this deadline ends 5h after its scheduled time; use more than 21600, or jobsmith.dev/skip-during in place of delay-during if the run may be skipped
            "#]],
        );
        check(
            &RULE,
            &[
                &delayed("0 9 * * *", "08:00-18:00", 32_401),
                &delayed("*/20 8-17 * * *", "08:00-18:00", 1201),
                // A run at the end of the window takes the place of those before.
                &delayed("0 * * * *", "08:00-18:00", 600),
                &delayed("0 20 * * *", "08:00-18:00", 600),
                &delayed("0 9 * * *", "08:00-18", 600),
            ],
            expect![[""]],
        );
    }
}
