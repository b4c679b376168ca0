//! rule-shadowed: a rule of a pod failure policy that earlier rules leave nothing to.
//!
//! Docs: Jobs, "Pod failure policy": the first rule that matches decides (J-96…J-98). Rules that match no pod at all are in `rule_never_matches.rs`.

use std::collections::BTreeSet;

use api::job::{OnExitCodes, PodFailurePolicyRule};
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"rule-shadowed"),
    code: 302,
    severity: Severity::Warning,
    summary: "Earlier rules of the pod failure policy match all that a rule matches",
    finder: Finder::Advice(find),
};

/// Exit codes of failed containers; on Windows there are more, which 256 stands for.
const CODES: std::ops::RangeInclusive<i32> = 1..=256;

/// A case that a rule matches: a container's exit code, or a condition's status.
type Case = (String, String);

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers: Vec<String> = workload.containers().iter().map(|container| container.name().to_owned()).collect();
    let (mut taken, mut found) = (BTreeSet::new(), Vec::new());
    for (at, rule) in workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules).enumerate() {
        let cases = cases(rule, &containers);
        if !cases.is_empty() && cases.is_subset(&taken) {
            let field = if rule.on_exit_codes.is_some() { "onExitCodes" } else { "onPodConditions" };
            let message = "this rule never decides: an earlier rule matches every pod that it matches, and the first match wins";
            let path = workload.job_field(&format!("podFailurePolicy.rules[{at}].{field}"));
            found.push(Finding::at(path, message, "move it before the more general rule, or remove it"));
        }
        taken.extend(cases);
    }
    found
}

/// All cases that a rule matches in pods with these containers.
fn cases(rule: &PodFailurePolicyRule, containers: &[String]) -> BTreeSet<Case> {
    let Some(OnExitCodes { container_name, operator, values }) = &rule.on_exit_codes else {
        let pattern = |kind: &str, status: &str| (kind.to_owned(), if status.is_empty() { "True" } else { status }.to_owned());
        return rule.on_pod_conditions.iter().map(|condition| pattern(&condition.kind, &condition.status)).collect();
    };
    let listed = |code: &i32| values.contains(code) == (&**operator == "In");
    let codes: Vec<String> = CODES.filter(listed).map(|code| code.to_string()).collect();
    let of = |name: &String| container_name.as_deref().is_none_or(|only| only == name);
    containers.iter().filter(|name| of(name)).flat_map(|name| codes.iter().map(|code| (name.clone(), code.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn policy(rules: &[&str]) -> String {
        let lines = rules.iter().map(|rule| format!("  - {{action: Count, {rule}}}"));
        let lines: Vec<String> = ["podFailurePolicy:".to_owned(), "  rules:".to_owned()].into_iter().chain(lines).collect();
        job(&lines.iter().map(String::as_str).collect::<Vec<_>>(), &["initContainers: [{name: init, image: i}]"], &[])
    }

    #[test]
    fn rules_that_come_too_late_are_found() {
        let (any, main) =
            ("onExitCodes: {operator: NotIn, values: [0]}", "onExitCodes: {containerName: main, operator: In, values: [3, 4]}");
        let (three, four) = ("onExitCodes: {operator: In, values: [3]}", "onExitCodes: {operator: In, values: [4]}");
        let target = "onPodConditions: [{type: DisruptionTarget}]";
        check(
            &RULE,
            &[&policy(&[any, main]), &policy(&[three, four, main]), &policy(&[target, target])],
            expect![[r#"
            0: 8:23 Warning spec.podFailurePolicy.rules[1].onExitCodes: this rule never decides: an earlier rule matches every pod that it matches, and the first match wins; move it before the more general rule, or remove it
            1: 9:23 Warning spec.podFailurePolicy.rules[2].onExitCodes: this rule never decides: an earlier rule matches every pod that it matches, and the first match wins; move it before the more general rule, or remove it
            2: 8:23 Warning spec.podFailurePolicy.rules[1].onPodConditions: this rule never decides: an earlier rule matches every pod that it matches, and the first match wins; move it before the more general rule, or remove it
        "#]],
        );
        check(
            &RULE,
            &[
                &policy(&[main, any]),
                &policy(&[main, three]),
                &policy(&[any, target]),
                &policy(&[target, "onPodConditions: [{type: DisruptionTarget, status: 'False'}]"]),
            ],
            expect![[""]],
        );
    }
}
