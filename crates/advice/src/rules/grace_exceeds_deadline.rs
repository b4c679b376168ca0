//! grace-exceeds-deadline: a grace period by which a Job ends later than its deadline.
//!
//! Docs: Pod Lifecycle, "Termination of Pods"; Jobs, "Job termination and cleanup". Deadlines of pods are in `deadline_on_pod.rs`.

use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"grace-exceeds-deadline"),
    code: 117,
    severity: Severity::Note,
    summary: "Pods may take longer to end than the Job may run",
    finder: Finder::Advice(find),
};

/// A grace period that is long for any Job, in seconds.
const LONG: i64 = 600;

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let most = workload.spec.active_deadline_seconds.map_or(LONG, |deadline| deadline.min(LONG));
    let Some(grace) = workload.pod("terminationGracePeriodSeconds").and_then(Value::as_i64).filter(|grace| *grace > most) else {
        return Vec::new();
    };
    let message = format!("a pod that ignores TERM is killed {grace} s later, and the Job is not Failed until then");
    vec![Finding::at(
        workload.pod_field("terminationGracePeriodSeconds"),
        message,
        "use the number of seconds that the container needs to shut down",
    )]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn long_grace_periods_are_found() {
        let grace = |seconds: u32| format!("terminationGracePeriodSeconds: {seconds}");
        check(
            &RULE,
            &[&job(&[], &[&grace(3600)], &[]), &job(&["activeDeadlineSeconds: 60"], &[&grace(120)], &[])],
            expect![[r#"
                0: 8:38 Note spec.template.spec.terminationGracePeriodSeconds: a pod that ignores TERM is killed 3600 s later, and the Job is not Failed until then; use the number of seconds that the container needs to shut down
                1: 9:38 Note spec.template.spec.terminationGracePeriodSeconds: a pod that ignores TERM is killed 120 s later, and the Job is not Failed until then; use the number of seconds that the container needs to shut down
            "#]],
        );
        check(
            &RULE,
            &[&job(&[], &[&grace(600)], &[]), &job(&["activeDeadlineSeconds: 600"], &[&grace(60)], &[]), &job(&[], &[], &[])],
            expect![[""]],
        );
    }
}
