//! two-pods-at-once: what only one pod may have, and a replacement that starts while the pod before it is still ending.
//!
//! Docs: Jobs, "Delayed creation of replacement pods". Pods that run side by side by intention are in `rwo_overlap.rs` and `host_port_parallel.rs`.

use manifest::{Fix, RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"two-pods-at-once"),
    code: 112,
    severity: Severity::Warning,
    summary: "A pod is replaced before it has ended, and both have what is meant for one",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = &workload.spec;
    // With a podFailurePolicy, a pod is replaced only when it has ended.
    if spec.pod_replacement_policy.is_some() || spec.pod_failure_policy.is_some() {
        return Vec::new();
    }
    let claims = if workload.parallelism() > 1 { Vec::new() } else { claims(workload, set) };
    let hostname = (spec.completion_mode.as_deref() == Some("Indexed") && workload.pod("subdomain").is_some()).then(|| {
        (
            "subdomain".to_owned(),
            "a pod that is deleted or evicted is replaced before it has ended: two pods have the same hostname".to_owned(),
        )
    });
    let finding = |(field, message): (String, String)| {
        let path = workload.job_field("podReplacementPolicy");
        let remedy = format!("set {path} to Failed: the next pod is created when the one before it has ended");
        Finding::at(workload.pod_field(&field), message, remedy).fix(Fix::Add { path, value: "Failed".to_owned() })
    };
    claims.into_iter().chain(hostname).map(finding).collect()
}

/// The claims of volumes that pods of one node can write at the same time, as fields of the pod, each with what comes of it.
fn claims(workload: &Advised<'_>, set: &ObjectSet<'_>) -> Vec<(String, String)> {
    let volumes = workload.pod("volumes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let shared = |at: usize, volume: &Value| {
        let (source, field) = (&volume["persistentVolumeClaim"], format!("volumes[{at}].persistentVolumeClaim.claimName"));
        let name = source["claimName"].as_str().filter(|_| source["readOnly"] != true)?;
        let modes = &set.other("PersistentVolumeClaim", workload.namespace(), name)?["spec"]["accessModes"];
        let message = format!("a pod that is deleted or evicted is replaced before it has ended: on one node, both write to claim {name}");
        (modes.as_array()?.iter().any(|mode| mode == "ReadWriteOnce")).then_some((field, message))
    };
    volumes.iter().enumerate().filter_map(|(at, volume)| shared(at, volume)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    const VOLUME: &str = "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";

    fn claim(mode: &str) -> String {
        format!("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: data}}\nspec: {{accessModes: [{mode}]}}\n")
    }

    #[test]
    fn what_is_meant_for_one_pod_is_found() {
        let indexed = job(&["completions: 2", "completionMode: Indexed", "parallelism: 2"], &["subdomain: peers"], &[]);
        check(
            &RULE,
            &[&job(&[], &[VOLUME], &[]), &indexed, &claim("ReadWriteOnce")],
            expect![[r#"
            0: 8:62 Warning spec.template.spec.volumes[0].persistentVolumeClaim.claimName: a pod that is deleted or evicted is replaced before it has ended: on one node, both write to claim data; set spec.podReplacementPolicy to Failed: the next pod is created when the one before it has ended (Add { path: "spec.podReplacementPolicy", value: "Failed" })
            1: 11:18 Warning spec.template.spec.subdomain: a pod that is deleted or evicted is replaced before it has ended: two pods have the same hostname; set spec.podReplacementPolicy to Failed: the next pod is created when the one before it has ended (Add { path: "spec.podReplacementPolicy", value: "Failed" })
        "#]],
        );
        let policy = "podReplacementPolicy: Failed";
        let read = VOLUME.replace("data", "data, readOnly: true");
        check(
            &RULE,
            &[
                &job(&[policy], &[VOLUME], &[]),
                &job(&["podFailurePolicy: {rules: []}"], &[VOLUME], &[]),
                &job(&["parallelism: 2"], &[VOLUME], &[]),
                &job(&[], &[&read], &[]),
                &job(&[], &["subdomain: peers"], &[]),
                &claim("ReadWriteOnce"),
            ],
            expect![[""]],
        );
        check(&RULE, &[&job(&[], &[VOLUME], &[]), &claim("ReadWriteOncePod")], expect![[""]]);
    }
}
