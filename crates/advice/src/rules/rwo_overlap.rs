//! rwo-overlap: a claim for one node, which pods on several nodes want.
//!
//! Docs: Persistent Volumes, "Access Modes". The claims are those of the files that are applied together; what two pods of one node do
//! with one is found in `two_pods_at_once.rs`.

use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"rwo-overlap"),
    code: 211,
    severity: Severity::Warning,
    summary: "A volume for one node is used by pods on several",
    finder: Finder::Advice(find),
};

/// Kinds whose pods may use the same claim, which run beside the Job.
const OTHERS: [&str; 3] = ["Deployment", "StatefulSet", "DaemonSet"];

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let parallel = workload.parallelism() > 1;
    let volumes = workload.pod("volumes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let finding = |at: usize, volume: &Value| {
        let name = volume["persistentVolumeClaim"]["claimName"].as_str()?;
        let mut claims = set.others("PersistentVolumeClaim", workload.namespace());
        claims.find(|claim| claim["metadata"]["name"] == name && for_one_node(&claim["spec"]["accessModes"]))?;
        let others = OTHERS.iter().flat_map(|kind| set.others(kind, workload.namespace()).map(move |other| (kind, other)));
        let other = others.into_iter().find(|(_, other)| uses(&other["spec"]["template"]["spec"]["volumes"], name));
        let who = match (parallel, other) {
            (true, _) => "pods of this Job on other nodes wait for it".to_owned(),
            (false, Some((kind, other))) => {
                format!("on another node than {kind} {}, the pod waits for it", other["metadata"]["name"].as_str()?)
            }
            (false, None) => return None,
        };
        let message = format!("claim {name} can be used on one node at a time: {who}");
        let path = workload.pod_field(&format!("volumes[{at}].persistentVolumeClaim.claimName"));
        Some(Finding::at(path, message, "use a claim with ReadWriteMany, or keep the pods on one node by an affinity"))
    };
    volumes.iter().enumerate().filter_map(|(at, volume)| finding(at, volume)).collect()
}

fn for_one_node(modes: &Value) -> bool {
    modes
        .as_array()
        .is_some_and(|modes| !modes.is_empty() && modes.iter().all(|mode| mode == "ReadWriteOnce" || mode == "ReadWriteOncePod"))
}

/// Whether volumes include this claim.
fn uses(volumes: &Value, claim: &str) -> bool {
    volumes.as_array().is_some_and(|volumes| volumes.iter().any(|volume| volume["persistentVolumeClaim"]["claimName"] == claim))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn claims_for_one_node_are_found() {
        let using = |spec: &[&str]| job(spec, &["volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"], &[]);
        let claim = |mode: &str| {
            format!("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: data}}\nspec: {{accessModes: [{mode}]}}\n")
        };
        let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}}}\n";
        check(
            &RULE,
            &[&using(&["parallelism: 2"]), &claim("ReadWriteOnce")],
            expect![[r#"
            0: 9:62 Warning spec.template.spec.volumes[0].persistentVolumeClaim.claimName: claim data can be used on one node at a time: pods of this Job on other nodes wait for it; use a claim with ReadWriteMany, or keep the pods on one node by an affinity
        "#]],
        );
        check(
            &RULE,
            &[&using(&[]), &claim("ReadWriteOnce"), web],
            expect![[r#"
            0: 8:62 Warning spec.template.spec.volumes[0].persistentVolumeClaim.claimName: claim data can be used on one node at a time: on another node than Deployment web, the pod waits for it; use a claim with ReadWriteMany, or keep the pods on one node by an affinity
        "#]],
        );
        check(&RULE, &[&using(&["parallelism: 2"]), &claim("ReadWriteMany"), web], expect![[""]]);
        check(&RULE, &[&using(&[]), &claim("ReadWriteOnce")], expect![[""]]);
    }
}
