//! longer-than-period: a run whose pods fail goes on past the next scheduled time.
//!
//! Docs: CronJob, "Concurrency policy"; Jobs, "Pod backoff failure policy". How long a run takes that fails is computed in `prediction`; runs that never end are in
//! `one_stuck_blocks_all.rs` and `runs_pile_up.rs`.

use api::time;
use manifest::{RuleName, Severity};
use prediction::{CronJobPrediction, FailedJob, Failing, JobPrediction, Overlap, OverlapPolicy};
use schedule::Zone;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"longer-than-period"),
    code: 406,
    severity: Severity::Note,
    summary: "A run whose pods fail takes until after the next scheduled time",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let predicted = workload.cron_job.and_then(|cron_job| CronJobPrediction::of(cron_job, &Zone::utc(), set.now).ok());
    let Some(CronJobPrediction { run: JobPrediction::Runs(run), overlap: Some(overlap), .. }) = predicted else { return Vec::new() };
    let (Failing::Ends(FailedJob { after, .. }), Some(consequence)) = (&run.failing, consequence(&overlap)) else { return Vec::new() };
    let message = format!("if its pods fail, a run takes {} or more: {consequence}", time::length(*after));
    let remedy = format!(
        "lower {}, or set {} to less than the time between runs",
        workload.job_field("backoffLimit"),
        workload.job_field("activeDeadlineSeconds")
    );
    vec![Finding::at("spec.concurrencyPolicy", message, remedy)]
}

/// What happens to the runs that are due meanwhile; `None` where they run beside it.
fn consequence(overlap: &Overlap) -> Option<String> {
    let times = overlap.times.filter(|times| *times > 0)?;
    match overlap.policy {
        OverlapPolicy::Allow => None,
        OverlapPolicy::Forbid { starts_late: true } if times == 1 => Some("the next run starts late".to_owned()),
        OverlapPolicy::Forbid { starts_late: true } => Some(format!("of the next {times} runs, only the last one starts, and late")),
        OverlapPolicy::Forbid { starts_late: false } if times == 1 => Some("the next run is skipped".to_owned()),
        OverlapPolicy::Forbid { starts_late: false } => Some(format!("the next {times} runs are skipped")),
        OverlapPolicy::Replace => Some("the next run replaces it before it is Failed, so that no run ever is".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job};

    #[test]
    fn runs_that_take_longer_than_the_period_are_found() {
        let often = |policy: &str, more: &[&str]| cron_job(&["schedule: '*/5 * * * *'", &format!("concurrencyPolicy: {policy}")], more);
        let late = cron_job(&["schedule: '*/5 * * * *'", "concurrencyPolicy: Forbid", "startingDeadlineSeconds: 60"], &[]);
        check(
            &RULE,
            &[&often("Forbid", &[]), &often("Replace", &[]), &late],
            expect![[r#"
            0: 6:22 Note spec.concurrencyPolicy: if its pods fail, a run takes 10m31s or more: of the next 2 runs, only the last one starts, and late; lower spec.jobTemplate.spec.backoffLimit, or set spec.jobTemplate.spec.activeDeadlineSeconds to less than the time between runs
            1: 6:22 Note spec.concurrencyPolicy: if its pods fail, a run takes 10m31s or more: the next run replaces it before it is Failed, so that no run ever is; lower spec.jobTemplate.spec.backoffLimit, or set spec.jobTemplate.spec.activeDeadlineSeconds to less than the time between runs
            2: 6:22 Note spec.concurrencyPolicy: if its pods fail, a run takes 10m31s or more: of the next 2 runs, only the last one starts, and late; lower spec.jobTemplate.spec.backoffLimit, or set spec.jobTemplate.spec.activeDeadlineSeconds to less than the time between runs
        "#]],
        );
        let hourly = cron_job(&["schedule: '@hourly'", "concurrencyPolicy: Forbid"], &[]);
        check(
            &RULE,
            &[&often("Allow", &[]), &often("Forbid", &["activeDeadlineSeconds: 240"]), &often("Forbid", &["backoffLimit: 2"]), &hourly],
            expect![[""]],
        );
    }
}
