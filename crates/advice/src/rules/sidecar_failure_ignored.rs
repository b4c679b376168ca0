//! sidecar-failure-ignored: a sidecar that does work of its own, whose failure nobody notices.
//!
//! Docs: Sidecar Containers, "Sidecar containers and Pod lifecycle", "Jobs with sidecar containers". Helpers that never end are in `sidecar_blocks.rs`; rules of a
//! policy that name a sidecar in `rule_never_matches.rs`.

use manifest::{RuleName, Severity};

use crate::container::ContainerKind;
use crate::endless::serves_forever;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"sidecar-failure-ignored"),
    code: 205,
    severity: Severity::Note,
    summary: "A sidecar fails, and the pod succeeds without it",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let working = containers.iter().filter(|container| container.role == ContainerKind::Sidecar && !serves_forever(container));
    let finding = |name: &str, path: &str| {
        let message = format!("if {name} fails, the Job does not notice: a sidecar is started again, and its exit code never counts");
        let remedy = "if the Job needs its work, move it to containers, without this restartPolicy, and let it end";
        Finding::at(format!("{path}.restartPolicy"), message, remedy)
    };
    working.map(|container| finding(container.name(), &container.path)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn sidecars_with_work_are_found() {
        let sidecar = |fields: &str| job(&[], &[&format!("initContainers: [{{name: side, {fields}}}]")], &[]);
        check(
            &RULE,
            &[&sidecar("image: 'registry.example/upload:1', restartPolicy: Always")],
            expect![[r#"
            0: 8:88 Note spec.template.spec.initContainers[0].restartPolicy: if side fails, the Job does not notice: a sidecar is started again, and its exit code never counts; if the Job needs its work, move it to containers, without this restartPolicy, and let it end
        "#]],
        );
        check(
            &RULE,
            &[
                &sidecar("image: 'fluent/fluent-bit:3', restartPolicy: Always"),
                &sidecar("image: busybox, restartPolicy: Always, command: [sh, -c, 'tail -F /log']"),
                &sidecar("image: 'registry.example/upload:1'"),
            ],
            expect![[""]],
        );
    }
}
