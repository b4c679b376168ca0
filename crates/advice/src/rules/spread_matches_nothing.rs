//! spread-matches-nothing: a topology spread constraint whose selector does not select the pods themselves.
//!
//! Docs: Pod Topology Spread Constraints. Selectors of Jobs are in `overlapping_selectors.rs`.

use api::meta::names;
use api::selector::LabelSelector;
use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::object_set::labels;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"spread-matches-nothing"),
    code: 217,
    severity: Severity::Warning,
    summary: "The pods are spread by labels that they do not have",
    finder: Finder::Advice(find),
};

/// Labels that pods of Jobs get besides those of the template.
const GENERATED: [&str; 5] =
    [names::JOB_NAME, names::LEGACY_JOB_NAME, names::CONTROLLER_UID, names::LEGACY_CONTROLLER_UID, names::COMPLETION_INDEX];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let own = labels(workload.pod_labels());
    let constraints = workload.pod("topologySpreadConstraints").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let misses = |constraint: &Value| {
        let selector = serde_json::from_value::<LabelSelector>(constraint["labelSelector"].clone());
        let generated = |selector: &LabelSelector| {
            let keys = selector.match_labels.keys().chain(selector.match_expressions.iter().map(|requirement| &requirement.key));
            keys.into_iter().any(|key| GENERATED.contains(&&**key))
        };
        constraint["labelSelector"].is_object() && selector.is_ok_and(|selector| !generated(&selector) && !selector.matches(&own))
    };
    let found = constraints.iter().enumerate().filter(|(_, constraint)| misses(constraint));
    let finding = |at: usize| {
        let message = "this selector does not match the pods themselves: the constraint does not count them, so all may run in one place";
        let path = workload.pod_field(&format!("topologySpreadConstraints[{at}].labelSelector"));
        Finding::at(path, message, "use a label of the pod template in labelSelector")
    };
    found.map(|(at, _)| finding(at)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn spread(selector: &str) -> String {
        let constraint = format!(
            "topologySpreadConstraints: [{{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {selector}}}]"
        );
        job(&[], &[&constraint], &[]).replace("  template:\n", "  template:\n    metadata: {labels: {app: work}}\n")
    }

    #[test]
    fn selectors_that_miss_the_pods_are_found() {
        check(
            &RULE,
            &[&spread("{matchLabels: {app: web}}")],
            expect![[r#"
                0: 9:102 Warning spec.template.spec.topologySpreadConstraints[0].labelSelector: this selector does not match the pods themselves: the constraint does not count them, so all may run in one place; use a label of the pod template in labelSelector
            "#]],
        );
        let fine = ["{matchLabels: {app: work}}", "{matchLabels: {job-name: a}}", "{matchExpressions: [{key: app, operator: Exists}]}"]
            .map(spread);
        check(&RULE, &fine.each_ref().map(String::as_str), expect![[""]]);
    }
}
