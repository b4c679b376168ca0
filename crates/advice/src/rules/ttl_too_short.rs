//! ttl-too-short: a Job that is deleted before anybody can see how it ended.
//!
//! Docs: Automatic Cleanup for Finished Jobs. Jobs that are never deleted are in `never_removed.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"ttl-too-short"),
    code: 503,
    severity: Severity::Warning,
    summary: "A Job is deleted less than a minute after it has finished",
    finder: Finder::Advice(find),
};

/// A TTL that is long enough, in seconds.
pub(super) const LEAST: i32 = 60;

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(ttl) = workload.spec.ttl_seconds_after_finished.filter(|ttl| (0..LEAST).contains(ttl)) else { return Vec::new() };
    let message = match ttl {
        0 => "the Job is deleted as soon as it has finished: what waits for it or wants its logs finds nothing".to_owned(),
        ttl => format!("the Job is deleted {ttl} s after it has finished: what waits for it or wants its logs may come too late"),
    };
    vec![Finding::at(workload.job_field("ttlSecondsAfterFinished"), message, "use 300 or more")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn short_ttls_are_found() {
        let ttl = |seconds: u32| format!("ttlSecondsAfterFinished: {seconds}");
        check(
            &RULE,
            &[&job(&[&ttl(0)], &[], &[]), &cron_job(&["schedule: '@daily'"], &[&ttl(30)])],
            expect![[r#"
            0: 5:28 Warning spec.ttlSecondsAfterFinished: the Job is deleted as soon as it has finished: what waits for it or wants its logs finds nothing; use 300 or more
            1: 8:32 Warning spec.jobTemplate.spec.ttlSecondsAfterFinished: the Job is deleted 30 s after it has finished: what waits for it or wants its logs may come too late; use 300 or more
        "#]],
        );
        check(&RULE, &[&job(&[&ttl(60)], &[], &[]), &job(&[], &[], &[])], expect![[""]]);
    }
}
