//! limit-without-effect: a limit for each index, where containers restart in their pod, which it does not count.
//!
//! Docs: Jobs, "Backoff limit per index". What else `OnFailure` does is found in `logs_lost.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::{Advised, ON_FAILURE};

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"limit-without-effect"),
    code: 110,
    severity: Severity::Warning,
    summary: "With OnFailure, backoffLimitPerIndex counts nothing",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    if workload.restart_policy() != ON_FAILURE || workload.spec.backoff_limit_per_index.is_none() {
        return Vec::new();
    }
    let message = "backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart \
                   without end";
    let fix = Fix::Write { value: "Never".to_owned() };
    let path = workload.pod_field("restartPolicy");
    vec![Finding::at(path, message, "set restartPolicy to Never").fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn a_limit_per_index_does_not_count_restarts() {
        let indexed = ["completions: 2", "completionMode: Indexed", "backoffLimitPerIndex: 1"];
        let template = cron_job(&["schedule: '@daily'"], &indexed).replace("Never", "OnFailure");
        check(
            &RULE,
            &[&job(&indexed, &["restartPolicy: OnFailure"], &[]), &template],
            expect![[r#"
            0: 10:22 Warning spec.template.spec.restartPolicy: backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart without end; set restartPolicy to Never (Write { value: "Never" })
            1: 13:26 Warning spec.jobTemplate.spec.template.spec.restartPolicy: backoffLimitPerIndex counts failed pods, and with restartPolicy OnFailure a container that fails restarts in its pod: an index can restart without end; set restartPolicy to Never (Write { value: "Never" })
        "#]],
        );
        check(&RULE, &[&job(&indexed, &[], &[]), &job(&[], &["restartPolicy: OnFailure"], &[])], expect![[""]]);
    }
}
