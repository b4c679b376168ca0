//! deadline-on-pod: a deadline in the pod's spec, which each attempt gets again.
//!
//! Docs: Jobs, "Job termination and cleanup". Jobs without any deadline are in `never_ends.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"deadline-on-pod"),
    code: 105,
    severity: Severity::Warning,
    summary: "activeDeadlineSeconds stands in the pod's spec only: each attempt gets it",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(deadline) = workload.pod_deadline().filter(|_| workload.spec.active_deadline_seconds.is_none()) else { return Vec::new() };
    let attempts = match workload.backoff_limit() {
        Some(limit) => format!("up to {} pods", i64::from(limit) + 1),
        None if workload.spec.backoff_limit_per_index.is_some() => "several pods for each index".to_owned(),
        None => "any number of pods".to_owned(),
    };
    let message = format!("this is the deadline of each pod, not of the Job: it may take {attempts}, and each gets {deadline} s");
    let to = workload.job_field("activeDeadlineSeconds");
    let remedy = format!("move it to {to}");
    vec![Finding::at(workload.pod_field("activeDeadlineSeconds"), message, remedy).fix(Fix::Move { to })]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn each_pod_gets_the_deadline() {
        let pod = ["activeDeadlineSeconds: 600"];
        let indexed = ["completions: 2", "completionMode: Indexed", "backoffLimitPerIndex: 1"];
        check(
            &RULE,
            &[&job(&[], &pod, &[]), &job(&["backoffLimit: 2"], &pod, &[]), &job(&indexed, &pod, &[])],
            expect![[r#"
            0: 8:30 Warning spec.template.spec.activeDeadlineSeconds: this is the deadline of each pod, not of the Job: it may take up to 7 pods, and each gets 600 s; move it to spec.activeDeadlineSeconds (Move { to: "spec.activeDeadlineSeconds" })
            1: 9:30 Warning spec.template.spec.activeDeadlineSeconds: this is the deadline of each pod, not of the Job: it may take up to 3 pods, and each gets 600 s; move it to spec.activeDeadlineSeconds (Move { to: "spec.activeDeadlineSeconds" })
            2: 11:30 Warning spec.template.spec.activeDeadlineSeconds: this is the deadline of each pod, not of the Job: it may take several pods for each index, and each gets 600 s; move it to spec.activeDeadlineSeconds (Move { to: "spec.activeDeadlineSeconds" })
        "#]],
        );
        check(&RULE, &[&job(&["activeDeadlineSeconds: 900"], &pod, &[]), &job(&["activeDeadlineSeconds: 900"], &[], &[])], expect![[""]]);
    }
}
