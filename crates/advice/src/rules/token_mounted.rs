//! token-mounted: a token for the cluster's API in each container, and nothing that uses it.
//!
//! Docs: Configure Service Accounts for Pods, "Opt out of API credential automounting". Who may do what with it is not known here.

use manifest::{Fix, RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"token-mounted"),
    code: 219,
    severity: Severity::Warning,
    summary: "Containers get a token for the API of the cluster, and do not seem to use it",
    finder: Finder::Pedantic(find),
};

/// What stands in manifests whose containers talk to the API of the cluster.
const CLIENTS: [&str; 9] = ["kubectl", "kubernetes", "k8s", "kube", "helm", "argocd", "istioctl", "velero", "flux"];

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    // Who names an account, or asks for the token, wants it.
    let asked = ["serviceAccountName", "serviceAccount", "automountServiceAccountToken"].iter().any(|field| workload.pod(field).is_some());
    let off = set.other("ServiceAccount", workload.namespace(), "default").map(|account| &account["automountServiceAccountToken"]);
    let words = || workload.containers().into_iter().flat_map(|container| container.words());
    let images = workload.containers().into_iter().map(|container| container.image());
    let mut texts = words().map(|(_, word)| word).chain(images);
    if asked || off == Some(&Value::Bool(false)) || texts.any(|text| CLIENTS.iter().any(|client| text.contains(client))) {
        return Vec::new();
    }
    let path = workload.pod_field("automountServiceAccountToken");
    let message = "each container gets a token for the API of the cluster, and nothing here seems to use it";
    let fix = Fix::Add { path: path.clone(), value: "false".to_owned() };
    vec![Finding::at(workload.job_field("template.spec"), message, format!("set {path} to false")).fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn tokens_that_nothing_uses_are_found() {
        check(
            &RULE,
            &[&job(&[], &[], &[])],
            expect![[r#"
            0: 6:5 Warning spec.template.spec: each container gets a token for the API of the cluster, and nothing here seems to use it; set spec.template.spec.automountServiceAccountToken to false (Add { path: "spec.template.spec.automountServiceAccountToken", value: "false" })
        "#]],
        );
        check(
            &RULE,
            &[
                &job(&[], &["automountServiceAccountToken: false"], &[]),
                &job(&[], &["serviceAccountName: deployer"], &[]),
                &job(&[], &[], &["command: [kubectl, get, pods]"]),
            ],
            expect![[""]],
        );
        let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default}\nautomountServiceAccountToken: false\n";
        check(&RULE, &[&job(&[], &[], &[]), account], expect![[""]]);
    }
}
