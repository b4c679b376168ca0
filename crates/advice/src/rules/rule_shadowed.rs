//! rule-shadowed: a rule of a pod failure policy, or of an annotation, that earlier rules leave nothing to.
//!
//! Docs: Jobs, "Pod failure policy": the first rule that matches decides (J-96…J-98); README, "Beyond Kubernetes" (X-6, X-7). Rules that match no pod at all are in `rule_never_matches.rs`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use api::Text;
use api::annotation::{FailureAction, FailureMatcher, FailureRule, PendingRule};
use api::job::OnExitCodes;
use manifest::{RuleName, Severity};

use crate::annotations::{concerns, failure_rules, pending_rules};
use crate::container::{ContainerKind, TemplateContainer};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"rule-shadowed"),
    code: 302,
    severity: Severity::Warning,
    summary: "Earlier rules match all that a rule of a policy, or of an annotation, matches",
    finder: Finder::Advice(find),
};

/// Exit codes of failed containers, from 1 on; on Windows there are more, which 256 stands for.
const CODES: usize = 256;

/// What the rules of a pod failure policy match.
struct PolicyCases<'w> {
    /// The containers, each with the exit codes that are matched of it.
    codes: Vec<(TemplateContainer<'w>, CodeSet)>,
    /// The conditions, each with its status.
    conditions: BTreeSet<(Text, String)>,
}

/// A set of exit codes, a bit each: code 1 is the lowest bit of the first number.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct CodeSet([u128; CODES / 128]);

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let codes = workload.containers().into_iter().map(|container| (container, CodeSet::default())).collect();
    let (mut cases, mut found) = (PolicyCases { codes, conditions: BTreeSet::new() }, Vec::new());
    for (at, rule) in workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules).enumerate() {
        let (field, decides) = match &rule.on_exit_codes {
            Some(on_exit_codes) => {
                let named = |name: &str| on_exit_codes.container_name.as_deref().is_none_or(|only| only == name);
                let concerned = cases.codes.iter_mut().filter(|(container, _)| named(container.name()));
                ("onExitCodes", decides(&CodeSet::of(on_exit_codes), concerned.map(|(_, taken)| taken)))
            }
            None => {
                let status = |status: &str| if status.is_empty() { "True" } else { status }.to_owned();
                let listed = rule.on_pod_conditions.iter().map(|condition| (condition.kind.clone(), status(&condition.status)));
                // All are taken, whichever is the first that no earlier rule matches.
                let fresh = listed.filter(|case| cases.conditions.insert(case.clone())).count();
                ("onPodConditions", fresh > 0 || rule.on_pod_conditions.is_empty())
            }
        };
        if !decides {
            let message = "this rule never decides: an earlier rule matches every pod that it matches, and the first match wins";
            let path = workload.job_field(&format!("podFailurePolicy.rules[{at}].{field}"));
            found.push(Finding::at(path, message, "move it before the more general rule, or remove it"));
        }
    }
    found.extend(failures_decided_before(workload, &cases));
    found.extend(pending_decided_before(workload));
    found
}

/// The rules of an annotation on failed pods that find no pod left that they match: the pod failure policy is checked before them, and each of them behind
/// those above it, unless these are used up (X-6).
fn failures_decided_before(workload: &Advised<'_>, policy: &PolicyCases<'_>) -> Vec<Finding> {
    let (path, rules) = failure_rules(workload);
    let acts = |rule: &&FailureRule| {
        let index_can_fail = workload.spec.backoff_limit_per_index.is_some() || rule.action != FailureAction::FailIndex;
        index_can_fail && rule.at_most.is_none()
    };
    let found = rules.0.iter().enumerate().filter_map(|(at, rule)| {
        if policy.include(rule) {
            let message =
                "this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches";
            let remedy = format!("remove it, or change {}", workload.job_field("podFailurePolicy"));
            return Some(Finding::at(&path, message, remedy).line(rule.line - 1));
        }
        let before = rules.0[..at].iter().filter(acts).find(|before| is_within(&rule.matchers, &before.matchers))?;
        let (line, any) = (before.line, before.matchers.iter().all(|matcher| *matcher == FailureMatcher::Any));
        let matches = if any { "every failed pod" } else { "every failed pod that it matches" };
        let message = format!("this rule never decides: line {line} matches {matches}, and the first match wins");
        let remedy = if any {
            "move it up, or write `any at most N times` there".to_owned()
        } else {
            format!("move it before line {line}, or remove it")
        };
        Some(Finding::at(&path, message, remedy).line(rule.line - 1))
    });
    found.collect()
}

/// The rules of an annotation on pods that do not start behind one that meets each pod that they meet, whatever its deadline is (X-7).
fn pending_decided_before(workload: &Advised<'_>) -> Vec<Finding> {
    let (path, rules) = pending_rules(workload);
    let is_within = |rule: &PendingRule, before: &PendingRule| {
        (before.class.is_none() || before.class == rule.class) && (before.message.is_none() || before.message == rule.message)
    };
    let found = rules.0.iter().enumerate().filter_map(|(at, rule)| {
        let line = rules.0[..at].iter().find(|before| is_within(rule, before))?.line;
        let message = format!(
            "this rule never decides: line {line} matches every pod that it matches, whatever the deadlines, and the first match wins"
        );
        Some(Finding::at(&path, message, format!("move it before line {line}, or remove it")).line(rule.line - 1))
    });
    found.collect()
}

/// Whether a failed container that meets all of these matchers meets all of the others.
fn is_within(matchers: &[FailureMatcher], others: &[FailureMatcher]) -> bool {
    others.iter().all(|other| *other == FailureMatcher::Any || matchers.iter().any(|matcher| implies(matcher, other)))
}

/// Whether what meets a matcher meets another one.
fn implies(matcher: &FailureMatcher, other: &FailureMatcher) -> bool {
    match (matcher, other) {
        (FailureMatcher::Exit(codes), FailureMatcher::Exit(others)) => {
            codes.iter().cloned().flatten().all(|code| others.iter().any(|range| range.contains(&code)))
        }
        (FailureMatcher::Reason(reasons), FailureMatcher::Reason(others)) => reasons.iter().all(|reason| others.contains(reason)),
        (FailureMatcher::Index(indexes), FailureMatcher::Index(others)) => {
            let within =
                |range: &RangeInclusive<u32>| others.iter().any(|other| other.contains(range.start()) && other.contains(range.end()));
            indexes.iter().all(within)
        }
        (FailureMatcher::Attempt { number, .. }, FailureMatcher::Attempt { number: other, or_later: true }) => number >= other,
        _ => matcher == other,
    }
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

impl PolicyCases<'_> {
    /// Whether they have all failed pods that a rule of an annotation matches: by an exit code, or by a condition.
    fn include(&self, rule: &FailureRule) -> bool {
        let concerned =
            || self.codes.iter().filter(|(container, _)| container.role != ContainerKind::Sidecar && concerns(rule, container.name()));
        rule.matchers.iter().any(|matcher| match matcher {
            // A container that ran out of memory may have failed with code 0, which no policy matches.
            FailureMatcher::Exit(ranges) if ranges.iter().all(|range| *range.start() > 0) => {
                let codes = CodeSet::listed(ranges.iter().cloned().flatten());
                concerned().next().is_some() && concerned().all(|(_, taken)| taken.with(&codes) == *taken)
            }
            FailureMatcher::Condition(kind) => self.conditions.contains(&(kind.clone(), "True".to_owned())),
            FailureMatcher::Exit(_)
            | FailureMatcher::Reason(_)
            | FailureMatcher::Message(_)
            | FailureMatcher::Container(_)
            | FailureMatcher::Index(_)
            | FailureMatcher::Attempt { .. }
            | FailureMatcher::Any => false,
        })
    }
}

impl CodeSet {
    /// The codes that a rule matches.
    fn of(on_exit_codes: &OnExitCodes) -> Self {
        let listed = Self::listed(on_exit_codes.values.iter().copied());
        if &*on_exit_codes.operator == "In" { listed } else { Self(listed.0.map(|codes| !codes)) }
    }

    /// These codes, without those that no failed container has.
    fn listed(codes: impl Iterator<Item = i32>) -> Self {
        let mut listed = Self::default();
        let places = codes.filter_map(|code| usize::try_from(code).ok()?.checked_sub(1));
        for place in places.filter(|place| *place < CODES) {
            listed.0[place / 128] |= 1 << (place % 128);
        }
        listed
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
    fn rules_on_fewer_failures_come_first() {
        let rules = |lines: &[&str]| annotated(&[&["jobsmith.dev/on-failure: |"], lines].concat());
        check(
            &RULE,
            &[
                &rules(&["  exit 1-3: retry", "  exit 2, container main: hold", "  exit 1|3: hold", "  exit 3-4: hold"]),
                &rules(&["  reason OOMKilled|Evicted: retry", "  reason Evicted: hold", "  reason Error|Evicted: hold"]),
                &rules(&["  attempt 2 or later: retry", "  attempt 3: hold", "  attempt 5 or later: hold", "  attempt 1: hold"]),
                &rules(&["  index 0-4|9: retry", "  index 2-3|9: hold", "  index 4-5: hold"]),
                &rules(&["  message *a*: retry", "  message *a*: hold", "  message *ab*: hold"]),
            ],
            expect![[r#"
                0: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
                0: 9:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
                1: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
                2: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
                2: 9:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
                3: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
                4: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: line 1 matches every failed pod that it matches, and the first match wins; move it before line 1, or remove it
            "#]],
        );
        check(
            &RULE,
            &[
                &rules(&["  exit 1 at most 3 times: retry", "  exit 1: hold"]),
                &rules(&["  exit 1, container main: retry", "  exit 1: hold"]),
                &rules(&["  any: fail the index", "  exit 1: hold"]),
                &rules(&["  attempt 3: retry", "  attempt 3 or later: hold"]),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn the_pod_failure_policy_comes_before_rules_of_annotations() {
        let lines = |policy: &[&str], lines: &[&str]| {
            let rules = policy.iter().map(|rule| format!("\n    - {{action: Ignore, {rule}}}")).collect::<String>();
            let annotation = [&["jobsmith.dev/on-failure: |"], lines].concat();
            annotated(&annotation).replace("spec:\n  template", &format!("spec:\n  podFailurePolicy:\n    rules:{rules}\n  template"))
        };
        let two = |manifest: &str| manifest.replace("containers:\n", "initContainers: [{name: init, image: x}]\n      containers:\n");
        let (three, others) = ("onExitCodes: {operator: In, values: [3]}", "onExitCodes: {operator: NotIn, values: [3]}");
        let main = "onExitCodes: {containerName: main, operator: In, values: [3, 4, 5]}";
        let target = "onPodConditions: [{type: DisruptionTarget}]";
        check(
            &RULE,
            &[
                &lines(&[three], &["  exit 4: hold", "  exit 3, attempt 2: retry", "  exit 3-4: retry", "  exit 0|3: hold"]),
                &lines(&[three, others], &["  exit 1-255: hold", "  exit 3, container main: retry", "  any: hold"]),
                &lines(&[main], &["  exit 3-5: hold"]),
                &two(&lines(&[main], &["  exit 3: hold", "  exit 5, container main: retry", "  exit 5, container init: retry"])),
                &lines(&[target], &["  condition DisruptionTarget at most 3 times: retry uncounted", "  condition Ready: hold"]),
                // One of the two is enough.
                &lines(&[three], &["  any: retry", "  exit 3: hold"]),
            ],
            expect![[r#"
                0: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
                1: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
                1: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
                2: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
                3: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
                4: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
                5: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: this rule never decides: podFailurePolicy is checked first, and its rules match every failed pod that this one matches; remove it, or change spec.podFailurePolicy
            "#]],
        );
        let not = "onPodConditions: [{type: DisruptionTarget, status: 'False'}]";
        check(
            &RULE,
            &[
                &lines(&[three], &["  exit 3, container log: hold", "  reason Error: retry", "  message *3*: retry"]),
                &lines(&[not], &["  condition DisruptionTarget: retry"]),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn the_first_rule_on_pods_that_do_not_start_decides_whatever_its_deadline_is() {
        let rules = |lines: &[&str]| annotated(&[&["jobsmith.dev/on-pending: |"], lines].concat());
        check(
            &RULE,
            &[&rules(&[
                "  image 10m: replace",
                "  image message *denied* 1m: fail",
                "  image 1h: fail the Job",
                "  any 1h: fail",
                "  starting 2h: fail",
            ])],
            expect![[r#"
                0: 8:7 Warning metadata.annotations[jobsmith.dev/on-pending]: this rule never decides: line 1 matches every pod that it matches, whatever the deadlines, and the first match wins; move it before line 1, or remove it
                0: 9:7 Warning metadata.annotations[jobsmith.dev/on-pending]: this rule never decides: line 1 matches every pod that it matches, whatever the deadlines, and the first match wins; move it before line 1, or remove it
                0: 11:7 Warning metadata.annotations[jobsmith.dev/on-pending]: this rule never decides: line 4 matches every pod that it matches, whatever the deadlines, and the first match wins; move it before line 4, or remove it
            "#]],
        );
        check(
            &RULE,
            &[&rules(&["  image message *denied* 1m: fail", "  image 10m: replace", "  starting 1h: fail", "  any 2h: fail"])],
            expect![[""]],
        );
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
