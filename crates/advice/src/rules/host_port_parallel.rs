//! host-port-parallel: a port of the node, which only one of the pods can have there.
//!
//! Docs: Configuration Best Practices, "Services". What else keeps pods from starting is in `never_ends.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"host-port-parallel"),
    code: 212,
    severity: Severity::Warning,
    summary: "Only one pod per node can have a hostPort, and the rest stay Pending",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let parallelism = workload.parallelism();
    let containers = workload.containers();
    let ports = containers.iter().flat_map(|container| {
        let ports = container.field("ports").as_array().map(Vec::as_slice).unwrap_or_default();
        let wanted = ports.iter().enumerate().filter(|(_, port)| port["hostPort"].as_i64().is_some_and(|port| port > 0));
        wanted.map(|(at, _)| format!("{}.ports[{at}].hostPort", container.path))
    });
    let message = format!("only one pod per node can have this port: the {parallelism} pods that may run at a time need as many nodes");
    let finding =
        |path: String| Finding::at(path, message.as_str(), "remove hostPort: pods are reached by their own addresses, or by a Service");
    if parallelism > 1 { ports.map(finding).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn ports_of_the_node_are_found() {
        let port = ["ports: [{containerPort: 80}, {containerPort: 81, hostPort: 81}]"];
        check(
            &RULE,
            &[&job(&["parallelism: 2"], &[], &port)],
            expect![[r#"
                0: 12:68 Warning spec.template.spec.containers[0].ports[1].hostPort: only one pod per node can have this port: the 2 pods that may run at a time need as many nodes; remove hostPort: pods are reached by their own addresses, or by a Service
            "#]],
        );
        check(&RULE, &[&job(&[], &[], &port), &job(&["parallelism: 2"], &[], &["ports: [{containerPort: 80}]"])], expect![[""]]);
    }
}
