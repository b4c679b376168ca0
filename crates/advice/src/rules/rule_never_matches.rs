//! rule-never-matches: a rule of a pod failure policy, or of an annotation, for an exit code, a condition, a container, an index or an attempt that no pod has.
//!
//! Docs: Jobs, "Pod failure policy" (A-87, J-97, J-98); README, "Beyond Kubernetes" (X-6, X-7). Rules that come too late are found in `rule_shadowed.rs`.

use api::annotation::{FailureAction, FailureMatcher, FailureRules, PendingClass};
use manifest::{Fix, RuleName, Severity, nearest};

use crate::annotations::{failure_rules, pending_rules};
use crate::container::{ContainerKind, TemplateContainer};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"rule-never-matches"),
    code: 301,
    severity: Severity::Warning,
    summary: "A rule of the pod failure policy, or of an annotation, matches no pod",
    finder: Finder::Mistake(find),
};

/// The conditions that Kubernetes itself gives pods.
const CONDITIONS: [&str; 6] = ["DisruptionTarget", "PodScheduled", "PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready"];

/// The reasons with which containers end and pods fail, as the kubelet and the control plane write them.
const REASONS: [&str; 16] = [
    "OOMKilled",
    "Error",
    "Completed",
    "StartError",
    "ContainerCannotRun",
    "ContainerStatusUnknown",
    "DeadlineExceeded",
    "Evicted",
    "NodeLost",
    "NodeShutdown",
    "Terminated",
    "Preempting",
    "NodeAffinity",
    "OutOfcpu",
    "OutOfmemory",
    "UnexpectedAdmissionError",
];

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
    found.chain(on_failure(workload)).chain(on_pending(workload)).collect()
}

/// What the rules of an annotation on failed pods are about that there is not (X-6).
fn on_failure(workload: &Advised<'_>) -> Vec<Finding> {
    let (path, rules) = failure_rules(workload);
    let found = rules.0.iter().filter_map(|rule| {
        let missing = rule.matchers.iter().find_map(|matcher| missing(workload, &rules, matcher));
        let (message, remedy) = match rule.action {
            FailureAction::FailIndex => missing.or_else(|| no_index(workload)),
            FailureAction::Retry { .. } | FailureAction::FailJob | FailureAction::Hold => missing,
        }?;
        Some(Finding::at(&path, message, remedy).line(rule.line - 1))
    });
    found.collect()
}

/// The same of one on pods that do not start (X-7): pods that name their node wait for none.
fn on_pending(workload: &Advised<'_>) -> Vec<Finding> {
    let (path, rules) = pending_rules(workload);
    if workload.pod("nodeName").is_none_or(|name| name == "") {
        return Vec::new();
    }
    let message = format!("pods with {} wait for no node", workload.pod_field("nodeName"));
    let rules = rules.0.iter().filter(|rule| rule.class == Some(PendingClass::Unschedulable));
    rules.map(|rule| Finding::at(&path, &*message, "remove one of the two").line(rule.line - 1)).collect()
}

/// What a matcher is about that the Job does not have, and what to do.
fn missing(workload: &Advised<'_>, rules: &FailureRules, matcher: &FailureMatcher) -> Option<(String, String)> {
    match matcher {
        FailureMatcher::Exit(codes) if codes.iter().all(|range| *range.end() == 0) => Some((
            "a container that exits with 0 has not failed, unless it ran out of memory".to_owned(),
            "write the exit codes of failures, or `reason OOMKilled`".to_owned(),
        )),
        FailureMatcher::Container(name) => {
            let containers = workload.containers();
            let sidecar = |container: &&TemplateContainer<'_>| container.role == ContainerKind::Sidecar && container.name() == &**name;
            if containers.iter().any(|container| sidecar(&container)) {
                let message = format!("{name} is a sidecar, whose end fails no pod");
                return Some((message, "write another container, or leave out the matcher".to_owned()));
            }
            let names: Vec<&str> = containers.iter().map(|container| container.name()).collect();
            let remedy = match nearest(name, names.iter().copied()) {
                Some(known) if known == &**name => return None,
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("its containers are {}", names.join(", ")),
            };
            Some((format!("no container of the pods is called {name}"), remedy))
        }
        FailureMatcher::Index(_) if !workload.stored.indexed() => Some((
            "pods have an index only in an Indexed Job".to_owned(),
            format!("set {} to Indexed", workload.job_field("completionMode")),
        )),
        FailureMatcher::Index(ranges) => {
            let completions = workload.spec.completions.and_then(|completions| u32::try_from(completions).ok())?;
            let beyond = ranges.iter().all(|range| *range.start() >= completions);
            let last = completions.checked_sub(1)?;
            let message = || format!("no pod has this index: of {completions} completions, the last has index {last}");
            beyond.then(|| (message(), "write an index that the Job has".to_owned()))
        }
        FailureMatcher::Attempt { number, .. } => {
            let (field, limit) = most_failures(workload, rules)?;
            let most = u32::try_from(limit).ok()?.checked_add(1).filter(|most| number > most)?;
            let message = format!("no pod is attempt {number}: {field} is {limit}, so attempt {most} is the last");
            Some((message, format!("write a lower number, or raise {field}")))
        }
        FailureMatcher::Reason(words) => words.iter().find_map(|word| reason(word)),
        FailureMatcher::Condition(written) => {
            let meant = nearest(written, CONDITIONS.into_iter()).filter(|meant| *meant != &**written)?;
            Some((no_condition(written), format!("did you mean {meant}?")))
        }
        FailureMatcher::Exit(_) | FailureMatcher::Message(_) | FailureMatcher::Any => None,
    }
}

/// A reason that is almost one that Kubernetes has, and the one that is meant.
fn reason(written: &str) -> Option<(String, String)> {
    if written.eq_ignore_ascii_case("Preempted") {
        let remedy = "write `condition DisruptionTarget`, which pods that are preempted have";
        return Some((
            "no pod fails with the reason Preempted: the scheduler deletes the pods that it preempts".to_owned(),
            remedy.to_owned(),
        ));
    }
    let meant = if written.eq_ignore_ascii_case("OOM") { "OOMKilled" } else { nearest(written, REASONS.into_iter())? };
    let message = format!("no pod fails with the reason {written} unless something outside of Kubernetes gives it this reason");
    (meant != written).then(|| (message, format!("did you mean {meant}?")))
}

/// How many failures a Job or an index can have before its last pod, by which field; `None` if some failures may not count.
fn most_failures(workload: &Advised<'_>, rules: &FailureRules) -> Option<(String, i32)> {
    let mut policy = workload.spec.pod_failure_policy.iter().flat_map(|policy| &policy.rules);
    let uncounted = policy.any(|rule| &*rule.action == "Ignore")
        || rules.0.iter().any(|rule| matches!(rule.action, FailureAction::Retry { counted: false, .. }));
    if uncounted {
        return None;
    }
    match workload.spec.backoff_limit_per_index {
        Some(limit) => Some((workload.job_field("backoffLimitPerIndex"), limit)),
        None => Some((workload.job_field("backoffLimit"), workload.backoff_limit()?)),
    }
}

/// That no index can fail by itself, if that is so, and what to do.
fn no_index(workload: &Advised<'_>) -> Option<(String, String)> {
    let field = workload.job_field("backoffLimitPerIndex");
    let missing = workload.spec.backoff_limit_per_index.is_none();
    missing.then(|| (format!("no index fails by itself without {field}"), format!("set {field}, or write `fail the Job`")))
}

fn exit_code(path: String, code: i32) -> Finding {
    let message = format!("no container exits with {code}: exit codes are from 0 to 255");
    // A shell has the last eight bits of what a program passes to exit.
    Finding::at(path, message, format!("use the exit code that the container has; `exit {code}` ends with {}", code & 255))
}

/// A condition whose type is almost one that pods get.
fn condition(path: String, written: &str) -> Option<Finding> {
    let meant = nearest(written, CONDITIONS.into_iter()).filter(|meant| *meant != written)?;
    let fix = Fix::Write { value: meant.to_owned() };
    Some(Finding::at(path, no_condition(written), format!("did you mean {meant}?")).fix(fix))
}

fn no_condition(written: &str) -> String {
    format!("pods have no condition {written} unless something outside of Kubernetes gives it to them")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{annotated, check, job};

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
    fn reasons_and_conditions_of_annotations_that_are_almost_known_are_found() {
        let rules = |rule: &str| annotated(&["jobsmith.dev/on-failure: |", &format!("  {rule}: retry")]);
        let all = [
            "reason OOM",
            "reason Evicted|OomKilled",
            "reason Preempted",
            "condition DisruptedTarget",
            "reason Cancelled|Error",
            "condition example.com/Broken",
        ];
        let all: Vec<String> = all.into_iter().map(rules).collect();
        check(
            &RULE,
            &all.iter().map(String::as_str).collect::<Vec<_>>(),
            expect![[r#"
                0: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod fails with the reason OOM unless something outside of Kubernetes gives it this reason; did you mean OOMKilled?
                1: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod fails with the reason OomKilled unless something outside of Kubernetes gives it this reason; did you mean OOMKilled?
                2: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod fails with the reason Preempted: the scheduler deletes the pods that it preempts; write `condition DisruptionTarget`, which pods that are preempted have
                3: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: pods have no condition DisruptedTarget unless something outside of Kubernetes gives it to them; did you mean DisruptionTarget?
            "#]],
        );
    }

    #[test]
    fn annotations_have_rules_on_what_there_is_not() {
        let rules = annotated(&[
            "jobsmith.dev/on-failure: |",
            "  container main: retry",
            "  container mian: retry",
            "  exit 3, container log: fail the Job",
            "  # By index.",
            "    index 1-4|9: hold",
            "  any: fail the index",
            "jobsmith.dev/on-pending: 'any 10m: fail the index'",
        ]);
        let indexed = |more: &str| rules.replace("spec:\n  template", &format!("spec:\n  completionMode: Indexed\n{more}  template"));
        check(
            &RULE,
            &[&rules],
            expect![[r#"
                0: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no container of the pods is called mian; did you mean main?
                0: 9:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no container of the pods is called log; its containers are main
                0: 11:9 Warning metadata.annotations[jobsmith.dev/on-failure]: pods have an index only in an Indexed Job; set spec.completionMode to Indexed
                0: 12:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no index fails by itself without spec.backoffLimitPerIndex; set spec.backoffLimitPerIndex, or write `fail the Job`
            "#]],
        );
        check(
            &RULE,
            &[&indexed("  completions: 1\n  backoffLimitPerIndex: 1\n")],
            expect![[r#"
                0: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no container of the pods is called mian; did you mean main?
                0: 9:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no container of the pods is called log; its containers are main
                0: 11:9 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod has this index: of 1 completions, the last has index 0; write an index that the Job has
            "#]],
        );
        check(
            &RULE,
            &[&indexed("  completions: 2\n  backoffLimitPerIndex: 1\n").replace("mian", "main").replace("log", "main")],
            expect![[""]],
        );
    }

    #[test]
    fn annotations_have_rules_on_failures_that_there_are_not() {
        let rules = annotated(&[
            "jobsmith.dev/on-failure: |",
            "  exit 0: hold",
            "  container log: hold",
            "  attempt 8 or later: hold",
            "  attempt 7: hold",
        ]);
        let with = |field: &str| rules.replace("spec:\n  template", &format!("spec:\n  {field}\n  template"));
        let sidecar = "initContainers: [{name: log, image: i, restartPolicy: Always}]\n      containers:";
        check(
            &RULE,
            &[&rules.replace("containers:", sidecar), &with("backoffLimitPerIndex: 2\n  completions: 1\n  completionMode: Indexed")],
            expect![[r#"
                0: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: a container that exits with 0 has not failed, unless it ran out of memory; write the exit codes of failures, or `reason OOMKilled`
                0: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: log is a sidecar, whose end fails no pod; write another container, or leave out the matcher
                0: 9:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod is attempt 8: spec.backoffLimit is 6, so attempt 7 is the last; write a lower number, or raise spec.backoffLimit
                1: 7:7 Warning metadata.annotations[jobsmith.dev/on-failure]: a container that exits with 0 has not failed, unless it ran out of memory; write the exit codes of failures, or `reason OOMKilled`
                1: 8:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no container of the pods is called log; its containers are main
                1: 9:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod is attempt 8: spec.backoffLimitPerIndex is 2, so attempt 3 is the last; write a lower number, or raise spec.backoffLimitPerIndex
                1: 10:7 Warning metadata.annotations[jobsmith.dev/on-failure]: no pod is attempt 7: spec.backoffLimitPerIndex is 2, so attempt 3 is the last; write a lower number, or raise spec.backoffLimitPerIndex
            "#]],
        );
        let uncounted = rules.replace("exit 0: hold", "exit 0-1: retry uncounted").replace("container log", "container main");
        let policy = "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}";
        check(&RULE, &[&uncounted], expect![[""]]);
        check(
            &RULE,
            &[
                &with(policy).replace("exit 0", "exit 0|3").replace("container log", "container main"),
                &with("backoffLimit: 7").replace("exit 0", "any").replace("container log", "any"),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn pods_that_name_their_node_wait_for_none() {
        let pending = annotated(&["jobsmith.dev/on-pending: |", "  image 10m: fail", "  unschedulable 10m: fail", "  any 1h: fail"]);
        check(
            &RULE,
            &[&pending.replace("containers:", "nodeName: node-1\n      containers:")],
            expect![[r#"
            0: 8:7 Warning metadata.annotations[jobsmith.dev/on-pending]: pods with spec.template.spec.nodeName wait for no node; remove one of the two
        "#]],
        );
        check(&RULE, &[&pending], expect![[""]]);
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
