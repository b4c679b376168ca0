//! overlapping-selectors: a Job whose own selector matches the pods of another Job.
//!
//! Docs: Jobs, "Specifying your own Pod selector". Services that select pods are in `service_selects_pods.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::{ObjectSet, labels};
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"overlapping-selectors"),
    code: 118,
    severity: Severity::Warning,
    summary: "The selector of a Job matches the pods of another Job",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let own = workload.cron_job.is_none() && workload.spec.manual_selector == Some(true);
    let Some(selector) = workload.spec.selector.as_ref().filter(|_| own) else { return Vec::new() };
    let jobs = set.workloads.iter().filter(|other| other.cron_job.is_none() && other.identity() != workload.identity());
    let mut selected = jobs.filter(|other| other.namespace() == workload.namespace() && selector.matches(&labels(other.pod_labels())));
    let finding = |other: &Advised<'_>| {
        let message = format!(
            "this selector also matches the pods of job {}: a Job may then count or delete pods that are not its own, or never complete",
            other.metadata.name
        );
        Finding::at("spec.selector", message, "give the pods of each Job a label of their own, and select them by it")
    };
    selected.next().map(finding).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn selecting(name: &str, manual: bool, label: &str) -> String {
        let selector = format!("selector: {{matchLabels: {{app: {label}}}}}");
        let lines: &[&str] = if manual { &["manualSelector: true", &selector] } else { &[] };
        let labelled =
            job(lines, &[], &[]).replace("  template:\n", &format!("  template:\n    metadata: {{labels: {{app: {label}, b: c}}}}\n"));
        labelled.replace("{name: a}", &format!("{{name: {name}}}"))
    }

    #[test]
    fn selectors_that_overlap_are_found() {
        check(&RULE, &[&selecting("a", true, "x"), &selecting("b", true, "u"), &selecting("c", false, "z")], expect![[""]]);
        check(
            &RULE,
            &[&selecting("a", true, "x"), &selecting("b", false, "x"), &selecting("c", true, "x")],
            expect![[r#"
            0: 6:3 Warning spec.selector: this selector also matches the pods of job b: a Job may then count or delete pods that are not its own, or never complete; give the pods of each Job a label of their own, and select them by it
            2: 6:3 Warning spec.selector: this selector also matches the pods of job a: a Job may then count or delete pods that are not its own, or never complete; give the pods of each Job a label of their own, and select them by it
        "#]],
        );
        let elsewhere = selecting("b", false, "x").replace("{name: b}", "{name: b, namespace: b}");
        check(&RULE, &[&selecting("a", true, "x"), &elsewhere], expect![[""]]);
    }
}
