//! rule-never-matches: a rule of a pod failure policy for an exit code that no container has, or for a misspelled condition.
//!
//! Docs: Jobs, "Pod failure policy" (A-87, J-97, J-98). Rules that come too late are found in `rule_shadowed.rs`.

use manifest::{Fix, RuleName, Severity, nearest};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"rule-never-matches"),
    code: 301,
    severity: Severity::Warning,
    summary: "A rule of the pod failure policy matches no pod",
    finder: Finder::Mistake(find),
};

/// The conditions that Kubernetes itself gives pods.
const CONDITIONS: [&str; 6] = ["DisruptionTarget", "PodScheduled", "PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let rules = workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules).enumerate();
    let linux = workload.pod("os").is_none_or(|os| os["name"] != "windows");
    let found = rules.flat_map(|(at, rule)| {
        let field = |below: String| workload.job_field(&format!("podFailurePolicy.rules[{at}].{below}"));
        let codes = rule.on_exit_codes.iter().filter(|_| linux).flat_map(|codes| codes.values.iter().enumerate());
        let codes = codes
            .filter(|(_, code)| !(0..=255).contains(*code))
            .map(move |(at, code)| exit_code(field(format!("onExitCodes.values[{at}]")), *code));
        let conditions = rule.on_pod_conditions.iter().enumerate();
        let conditions = conditions.filter_map(move |(at, pattern)| condition(field(format!("onPodConditions[{at}].type")), &pattern.kind));
        codes.chain(conditions).collect::<Vec<_>>()
    });
    found.collect()
}

fn exit_code(path: String, code: i32) -> Finding {
    let message = format!("no container exits with {code}: exit codes are from 0 to 255");
    // A shell has the last eight bits of what a program passes to exit.
    Finding::at(path, message, format!("use the exit code that the container has; `exit {code}` ends with {}", code & 255))
}

/// A condition whose type is almost one that pods get.
fn condition(path: String, written: &str) -> Option<Finding> {
    let meant = nearest(written, CONDITIONS.into_iter()).filter(|meant| *meant != written)?;
    let message = format!("pods have no condition {written} unless something outside of Kubernetes gives it to them");
    let fix = Fix::Write { value: meant.to_owned() };
    Some(Finding::at(path, message, format!("did you mean {meant}?")).fix(fix))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn policy(rule: &str) -> String {
        job(&["podFailurePolicy:", "  rules:", "  - action: FailJob", &format!("    {rule}")], &[], &[])
    }

    #[test]
    fn exit_codes_that_no_container_has_are_found() {
        let windows = policy("onExitCodes: {operator: In, values: [3221225477]}").replace("3221225477", "1073807364");
        let windows = windows.replace("      containers", "      os: {name: windows}\n      containers");
        check(
            &RULE,
            &[&policy("onExitCodes: {operator: In, values: [-1, 42, 300]}")],
            expect![[r#"
            0: 8:44 Warning spec.podFailurePolicy.rules[0].onExitCodes.values[0]: no container exits with -1: exit codes are from 0 to 255; use the exit code that the container has; `exit -1` ends with 255
            0: 8:52 Warning spec.podFailurePolicy.rules[0].onExitCodes.values[2]: no container exits with 300: exit codes are from 0 to 255; use the exit code that the container has; `exit 300` ends with 44
        "#]],
        );
        check(&RULE, &[&policy("onExitCodes: {operator: NotIn, values: [0, 255]}"), &windows], expect![[""]]);
    }

    #[test]
    fn a_condition_that_no_pod_gets_is_noticed() {
        check(
            &RULE,
            &[&policy("onPodConditions: [{type: DisruptionTarget}]"), &policy("onPodConditions: [{type: ConfigIssue}]")],
            expect![[""]],
        );
        check(
            &RULE,
            &[&policy("onPodConditions: [{type: DisruptionTraget}]")],
            expect![[r#"
            0: 8:32 Warning spec.podFailurePolicy.rules[0].onPodConditions[0].type: pods have no condition DisruptionTraget unless something outside of Kubernetes gives it to them; did you mean DisruptionTarget? (Write { value: "DisruptionTarget" })
        "#]],
        );
    }
}
