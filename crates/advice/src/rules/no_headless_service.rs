//! no-headless-service: pods with a subdomain, and no Service by which they are found under it.
//!
//! Docs: DNS for Services and Pods, "Pod's hostname and subdomain fields"; Jobs, "Indexed Job with pod-to-pod communication". Services that select pods by mistake
//! are in `service_selects_pods.rs`.

use api::meta::names::{JOB_NAME, LEGACY_JOB_NAME};
use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::container::ContainerKind;
use crate::finding::Finding;
use crate::object_set::{ObjectSet, labels};
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"no-headless-service"),
    code: 214,
    severity: Severity::Note,
    summary: "No headless Service gives the pods their DNS names under the subdomain",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(name) = workload.pod("subdomain").and_then(Value::as_str).filter(|name| !name.is_empty()) else { return Vec::new() };
    let (message, remedy) = match set.other("Service", workload.namespace(), name) {
        None => (
            format!("pods are found under this subdomain only if there is a headless Service {name}, which is not among these files"),
            format!("add a Service {name} with `clusterIP: None` that selects the pods"),
        ),
        Some(service) if service["spec"]["clusterIP"] != "None" => (
            format!("pods are not found under this subdomain: Service {name} has a cluster IP, so it is not headless"),
            format!("give Service {name} `clusterIP: None`"),
        ),
        Some(service) if !selects(&service["spec"]["selector"], workload) => (
            format!("pods are not found under this subdomain: Service {name} does not select them"),
            "use labels of the pod template as the selector of the Service".to_owned(),
        ),
        Some(service) if service["spec"]["publishNotReadyAddresses"] != true && ready_late(workload) => (
            format!("pods are found under this subdomain only once they are ready: Service {name} leaves out those that are not"),
            format!("give Service {name} `publishNotReadyAddresses: true`"),
        ),
        Some(_) => return Vec::new(),
    };
    vec![Finding::at(workload.pod_field("subdomain"), message, remedy)]
}

/// Whether a selector may select the pods: by a label of the template, or by one that the pods of each Job have.
fn selects(selector: &Value, workload: &Advised<'_>) -> bool {
    let own = labels(workload.pod_labels());
    let has = |key: &str, value: &str| match own.get(key) {
        Some(own) => **own == *value,
        None if [JOB_NAME, LEGACY_JOB_NAME].contains(&key) => workload.cron_job.is_none() && *workload.metadata.name == *value,
        None => false,
    };
    labels(selector).iter().all(|(key, value)| has(key, value))
}

/// Whether pods are not ready as soon as they run.
fn ready_late(workload: &Advised<'_>) -> bool {
    workload.containers().iter().any(|container| container.role == ContainerKind::Init || container.field("readinessProbe").is_object())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn service(spec: &str) -> String {
        format!("apiVersion: v1\nkind: Service\nmetadata: {{name: peers}}\nspec: {{{spec}}}\n")
    }

    #[test]
    fn subdomains_without_names_are_found() {
        let peers = job(&[], &["subdomain: peers"], &[]);
        let probed = job(&[], &["subdomain: peers"], &["readinessProbe: {exec: {command: [up]}}"]);
        check(
            &RULE,
            &[&peers],
            expect![[r#"
            0: 8:18 Note spec.template.spec.subdomain: pods are found under this subdomain only if there is a headless Service peers, which is not among these files; add a Service peers with `clusterIP: None` that selects the pods
        "#]],
        );
        check(
            &RULE,
            &[&peers, &service("selector: {job-name: a}")],
            expect![[r#"
                0: 8:18 Note spec.template.spec.subdomain: pods are not found under this subdomain: Service peers has a cluster IP, so it is not headless; give Service peers `clusterIP: None`
            "#]],
        );
        check(
            &RULE,
            &[&peers, &service("clusterIP: None, selector: {job-name: b}")],
            expect![[r#"
                0: 8:18 Note spec.template.spec.subdomain: pods are not found under this subdomain: Service peers does not select them; use labels of the pod template as the selector of the Service
            "#]],
        );
        check(
            &RULE,
            &[&probed, &service("clusterIP: None, selector: {job-name: a}")],
            expect![[r#"
            0: 8:18 Note spec.template.spec.subdomain: pods are found under this subdomain only once they are ready: Service peers leaves out those that are not; give Service peers `publishNotReadyAddresses: true`
        "#]],
        );
        let fine = service("clusterIP: None, selector: {batch.kubernetes.io/job-name: a}");
        check(&RULE, &[&peers, &job(&[], &[], &[]), &fine], expect![[""]]);
        check(&RULE, &[&probed, &service("clusterIP: None, publishNotReadyAddresses: true, selector: {job-name: a}")], expect![[""]]);
    }
}
