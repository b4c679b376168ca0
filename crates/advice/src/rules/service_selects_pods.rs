//! service-selects-pods: a Service selects the pods of a Job, and sends them traffic.
//!
//! Docs: Service, "Defining a Service"; Jobs, "Indexed Job with pod-to-pod communication". The Services are those of the files that are applied together.

use api::meta::Labels;
use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::{ObjectSet, labels};
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"service-selects-pods"),
    code: 213,
    severity: Severity::Warning,
    summary: "A Service selects the pods of the Job, and sends them traffic",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let own = labels(workload.pod_labels());
    let subdomain = workload.pod("subdomain").and_then(Value::as_str);
    let selects = |service: &&Value| {
        let selector = labels(&service["spec"]["selector"]);
        let between_pods = service["spec"]["clusterIP"] == "None" && service["metadata"]["name"].as_str() == subdomain;
        !between_pods && !selector.is_empty() && within(&selector, &own)
    };
    let finding = |service: &Value| {
        let name = service["metadata"]["name"].as_str().unwrap_or_default();
        let message = format!("Service {name} selects these pods, too: it sends traffic to the pods of the Job while they run");
        let remedy = "give them other labels, or give the Service a selector that does not match them";
        Finding::at(workload.job_field("template.metadata.labels"), message, remedy)
    };
    set.others("Service", workload.namespace()).filter(selects).map(finding).collect()
}

/// Whether all labels of a selector are among others.
fn within(selector: &Labels, labels: &Labels) -> bool {
    selector.iter().all(|(key, value)| labels.get(key) == Some(value))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn labelled(pod: &[&str]) -> String {
        job(&[], pod, &[]).replace("  template:\n", "  template:\n    metadata:\n      labels: {app: web, part: migration}\n")
    }

    fn service(metadata: &str, spec: &str) -> String {
        format!("apiVersion: v1\nkind: Service\nmetadata: {{{metadata}}}\nspec: {{{spec}}}\n")
    }

    #[test]
    fn services_that_select_the_pods_are_found() {
        check(
            &RULE,
            &[&labelled(&[]), &service("name: web", "selector: {app: web}")],
            expect![[r#"
            0: 7:7 Warning spec.template.metadata.labels: Service web selects these pods, too: it sends traffic to the pods of the Job while they run; give them other labels, or give the Service a selector that does not match them
        "#]],
        );
        check(
            &RULE,
            &[
                &labelled(&["subdomain: peers"]),
                &service("name: other", "selector: {app: web, part: server}"),
                &service("name: none", "ports: []"),
                &service("name: web, namespace: other", "selector: {app: web}"),
                &service("name: peers", "clusterIP: None, selector: {app: web}"),
            ],
            expect![[""]],
        );
    }
}
