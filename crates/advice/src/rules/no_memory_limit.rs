//! no-memory-limit: a container for which everything is asked but memory.
//!
//! Docs: Resource Management for Pods and Containers; Node-pressure Eviction, "Pod selection for kubelet eviction". Volumes in memory are in `memory_volume.rs`,
//! evictions that a Job does not survive in `evictions_count.rs`.

use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::container::ContainerKind;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"no-memory-limit"),
    code: 209,
    severity: Severity::Note,
    summary: "A container requests no memory: its pod is evicted first, which is a failed attempt",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    // Where nothing is asked for at all, most namespaces have defaults.
    let asked = containers.iter().any(|container| asks(container.field("resources"), None));
    if !asked || workload.pod("resources").is_some_and(|resources| asks(resources, Some("memory"))) {
        return Vec::new();
    }
    let without =
        containers.iter().filter(|container| container.role != ContainerKind::Init && !asks(container.field("resources"), Some("memory")));
    let finding = |name: &str, path: &str, given: bool| {
        let message =
            format!("{name} requests no memory: when a node runs out of it, this pod is evicted first, which is a failed attempt");
        let path = if given { format!("{path}.resources") } else { format!("{path}.name") };
        Finding::at(path, message, "set resources.requests.memory and resources.limits.memory")
    };
    without.map(|container| finding(container.name(), &container.path, container.field("resources").is_object())).collect()
}

/// Whether resources are requested or limited: this one, or any.
fn asks(resources: &Value, wanted: Option<&str>) -> bool {
    let named = |list: &Value| list.as_object().is_some_and(|list| wanted.map_or(!list.is_empty(), |wanted| list.contains_key(wanted)));
    named(&resources["requests"]) || named(&resources["limits"])
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn containers_that_ask_for_all_but_memory_are_found() {
        let cpu = "resources: {requests: {cpu: 100m}}";
        let beside = |container: &str| job(&[], &[], &["resources: {limits: {memory: 1Gi}}"]) + &format!("      - {container}\n");
        check(
            &RULE,
            &[&job(&[], &[], &[cpu]), &beside("{name: b, image: i}")],
            expect![[r#"
                0: 11:9 Note spec.template.spec.containers[0].resources: main requests no memory: when a node runs out of it, this pod is evicted first, which is a failed attempt; set resources.requests.memory and resources.limits.memory
                1: 12:16 Note spec.template.spec.containers[1].name: b requests no memory: when a node runs out of it, this pod is evicted first, which is a failed attempt; set resources.requests.memory and resources.limits.memory
            "#]],
        );
        let init = "initContainers: [{name: a, image: i, resources: {requests: {memory: 1Gi}}}]";
        check(
            &RULE,
            &[
                &job(&[], &[], &[]),
                &job(&[], &[], &["resources: {requests: {memory: 1Gi, cpu: 1}}"]),
                &job(&[], &["resources: {limits: {memory: 1Gi}}"], &[cpu]),
                &job(&[], &[init], &["resources: {limits: {memory: 1Gi}}"]),
            ],
            expect![[""]],
        );
    }
}
