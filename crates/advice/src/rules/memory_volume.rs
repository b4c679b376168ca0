//! memory-volume: a volume in memory without a limit, in a pod without one.
//!
//! Docs: Volumes, "emptyDir". What else keeps pods from ending well is in `evictions_count.rs`.

use manifest::{Fix, RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"memory-volume"),
    code: 210,
    severity: Severity::Warning,
    summary: "Files of a volume in memory may use up the memory of the node",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let limited = workload.containers().iter().all(|container| !container.field("resources")["limits"]["memory"].is_null());
    let volumes = workload.pod("volumes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let unlimited = |volume: &Value| volume["emptyDir"]["medium"] == "Memory" && volume["emptyDir"]["sizeLimit"].is_null();
    let found = volumes.iter().enumerate().filter(|(_, volume)| !limited && unlimited(volume));
    let finding = |at: usize| {
        let path = workload.pod_field(&format!("volumes[{at}].emptyDir"));
        let message =
            "files in this volume are memory, and nothing limits them: they can use up the memory of the node, whose pods are then evicted";
        let fix = Fix::Add { path: format!("{path}.sizeLimit"), value: "256Mi".to_owned() };
        Finding::at(format!("{path}.medium"), message, "set sizeLimit, or a memory limit for each container").fix(fix)
    };
    found.map(|(at, _)| finding(at)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn volumes_in_memory_are_found() {
        let volume = |empty: &str| format!("volumes: [{{name: v, emptyDir: {{{empty}}}}}]");
        let memory = volume("medium: Memory");
        check(
            &RULE,
            &[&job(&[], &[&memory], &[])],
            expect![[r#"
            0: 8:46 Warning spec.template.spec.volumes[0].emptyDir.medium: files in this volume are memory, and nothing limits them: they can use up the memory of the node, whose pods are then evicted; set sizeLimit, or a memory limit for each container (Add { path: "spec.template.spec.volumes[0].emptyDir.sizeLimit", value: "256Mi" })
        "#]],
        );
        check(
            &RULE,
            &[
                &job(&[], &[&volume("medium: Memory, sizeLimit: 1Gi")], &[]),
                &job(&[], &[&volume("")], &[]),
                &job(&[], &[&memory], &["resources: {limits: {memory: 1Gi}}"]),
            ],
            expect![[""]],
        );
    }
}
