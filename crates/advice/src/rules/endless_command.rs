//! endless-command: every regular container ends in a command that has no end.
//!
//! Docs: Jobs, "Handling Pod and container failures". Helpers beside work that ends are found in `sidecar_blocks.rs`.

use manifest::{RuleName, Severity};

use crate::container::{ContainerKind, TemplateContainer};
use crate::endless::endless;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"endless-command"),
    code: 203,
    severity: Severity::Warning,
    summary: "All containers run a command that never ends",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let regular: Vec<&TemplateContainer<'_>> = containers.iter().filter(|container| container.role == ContainerKind::Regular).collect();
    if workload.bounded() || !regular.iter().all(|container| endless(container)) {
        return Vec::new();
    }
    let finding = |container: &&TemplateContainer<'_>| {
        let message = format!("container {} never ends, so this Job never completes", container.name());
        Finding::at(format!("{}.command", container.path), message, "use a command that ends, or set activeDeadlineSeconds")
    };
    regular.first().map(finding).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn jobs_without_an_end_are_found() {
        let with = |command: &str| job(&[], &[], &[&format!("command: {command}")]);
        check(
            &RULE,
            &[&with("[sleep, infinity]"), &with("[sh, -c, 'prepare; tail -f /dev/null']")],
            expect![[r#"
                0: 11:9 Warning spec.template.spec.containers[0].command: container main never ends, so this Job never completes; use a command that ends, or set activeDeadlineSeconds
                1: 11:9 Warning spec.template.spec.containers[0].command: container main never ends, so this Job never completes; use a command that ends, or set activeDeadlineSeconds
            "#]],
        );
        let bounded = with("[sleep, infinity]").replace("  template", "  activeDeadlineSeconds: 3600\n  template");
        check(&RULE, &[&bounded, &with("[sleep, '60']"), &job(&[], &[], &[])], expect![[""]]);
    }
}
