//! rule-shadowed: a rule of a pod failure policy, or of an annotation, that earlier rules leave nothing to.
//!
//! Docs: Jobs, "Pod failure policy": the first rule that matches decides (J-96…J-98); README, "Beyond Kubernetes" (X-6). Rules that match no pod at all are in `rule_never_matches.rs`.

use std::collections::BTreeSet;

use api::annotation::FailureMatcher;
use api::job::OnExitCodes;
use manifest::{RuleName, Severity};

use crate::annotations::failure_rules;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"rule-shadowed"),
    code: 302,
    severity: Severity::Warning,
    summary: "Earlier rules of a policy match all that a rule matches",
    finder: Finder::Advice(find),
};

/// Exit codes of failed containers, from 1 on; on Windows there are more, which 256 stands for.
const CODES: usize = 256;

/// A set of exit codes, a bit each: code 1 is the lowest bit of the first number.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct CodeSet([u128; CODES / 128]);

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let mut codes = vec![CodeSet::default(); containers.len()];
    let (mut conditions, mut found) = (BTreeSet::new(), Vec::new());
    for (at, rule) in workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules).enumerate() {
        let (field, decides) = match &rule.on_exit_codes {
            Some(on_exit_codes) => {
                let named = |name: &str| on_exit_codes.container_name.as_deref().is_none_or(|only| only == name);
                let concerned = containers.iter().zip(&mut codes).filter(|(container, _)| named(container.name()));
                ("onExitCodes", decides(&CodeSet::of(on_exit_codes), concerned.map(|(_, taken)| taken)))
            }
            None => {
                let status = |status: &str| if status.is_empty() { "True" } else { status }.to_owned();
                let cases = rule.on_pod_conditions.iter().map(|condition| (condition.kind.clone(), status(&condition.status)));
                // All are taken, whichever is the first that no earlier rule matches.
                let fresh = cases.filter(|case| conditions.insert(case.clone())).count();
                ("onPodConditions", fresh > 0 || rule.on_pod_conditions.is_empty())
            }
        };
        if !decides {
            let message = "this rule never decides: an earlier rule matches every pod that it matches, and the first match wins";
            let path = workload.job_field(&format!("podFailurePolicy.rules[{at}].{field}"));
            found.push(Finding::at(path, message, "move it before the more general rule, or remove it"));
        }
    }
    found.extend(behind_any(workload));
    found
}

/// The rules of an annotation on failed pods behind one that matches each of them, however often (X-6).
fn behind_any(workload: &Advised<'_>) -> Vec<Finding> {
    let (path, rules) = failure_rules(workload);
    let all = rules.0.iter().position(|rule| rule.at_most.is_none() && rule.matchers.iter().all(|matcher| *matcher == FailureMatcher::Any));
    let Some(all) = all else { return Vec::new() };
    let message = format!("this rule never decides: line {} matches every failed pod, and the first match wins", rules.0[all].line);
    let remedy = "move it up, or write `any at most N times` there";
    rules.0[all + 1..].iter().map(|rule| Finding::at(&path, &*message, remedy).line(rule.line - 1)).collect()
}

/// Whether there is a container with an exit code of these that no earlier rule takes, or none that has any of them; they are taken from then on.
fn decides<'t>(codes: &CodeSet, containers: impl Iterator<Item = &'t mut CodeSet>) -> bool {
    let (mut fresh, mut concerned) = (false, false);
    for taken in containers {
        let joined = taken.with(codes);
        (fresh, concerned) = (fresh || joined != *taken, true);
        *taken = joined;
    }
    fresh || !concerned || *codes == CodeSet::default()
}

impl CodeSet {
    /// The codes that a rule matches.
    fn of(on_exit_codes: &OnExitCodes) -> Self {
        let mut listed = Self::default();
        let places = on_exit_codes.values.iter().filter_map(|code| usize::try_from(*code).ok()?.checked_sub(1));
        for place in places.filter(|place| *place < CODES) {
            listed.0[place / 128] |= 1 << (place % 128);
        }
        if &*on_exit_codes.operator == "In" { listed } else { Self(listed.0.map(|codes| !codes)) }
    }

    /// These codes and those.
    fn with(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{annotated, check, job};

    fn policy(rules: &[&str]) -> String {
        let lines = rules.iter().map(|rule| format!("  - {{action: Count, {rule}}}"));
        let lines: Vec<String> = ["podFailurePolicy:".to_owned(), "  rules:".to_owned()].into_iter().chain(lines).collect();
        job(&lines.iter().map(String::as_str).collect::<Vec<_>>(), &["initContainers: [{name: init, image: i}]"], &[])
    }

    #[test]
    fn rules_behind_any_are_found() {
        let rules = |lines: &[&str]| annotated(&[&["jobsmith.dev/on-failure: |"], lines].concat());
        check(
            &RULE,
            &[&rules(&["  exit 1: retry", "  any, any: retry", "  # Never.", "  exit 2: hold", "  any: hold"])],
            expect![[r#"
            0: 10:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 2 matches every failed pod, and the first match wins; move it up, or write `any at most N times` there
            0: 11:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 2 matches every failed pod, and the first match wins; move it up, or write `any at most N times` there
        "#]],
        );
        check(&RULE, &[&rules(&["  any at most 3 times: retry", "  any, exit 2: retry", "  any: hold"])], expect![[""]]);
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
