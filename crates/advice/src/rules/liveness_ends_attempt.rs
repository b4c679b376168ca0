//! liveness-ends-attempt: a liveness probe in a pod whose containers do not restart.
//!
//! Docs: Configure Liveness, Readiness and Startup Probes. No rule asks for a probe.

use manifest::{RuleName, Severity};

use crate::container::ContainerKind;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"liveness-ends-attempt"),
    code: 207,
    severity: Severity::Note,
    summary: "With Never, a liveness probe that fails ends the attempt",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let regular = containers.iter().filter(|container| container.role == ContainerKind::Regular && workload.restart_policy() == "Never");
    let probed = regular.filter(|container| container.field("livenessProbe").is_object());
    let finding = |path: &str| {
        let message = "if this probe fails, the container is ended and not restarted: a slow step costs the whole attempt";
        Finding::at(format!("{path}.livenessProbe"), message, "remove it, or use a startupProbe if the container is slow to start")
    };
    probed.map(|container| finding(&container.path)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn probes_that_end_attempts_are_found() {
        let probe = ["livenessProbe: {exec: {command: [healthy]}}"];
        check(
            &RULE,
            &[&job(&[], &[], &probe)],
            expect![[r#"
            0: 11:9 Note spec.template.spec.containers[0].livenessProbe: if this probe fails, the container is ended and not restarted: a slow step costs the whole attempt; remove it, or use a startupProbe if the container is slow to start
        "#]],
        );
        check(
            &RULE,
            &[&job(&[], &["restartPolicy: OnFailure"], &probe), &job(&[], &[], &["startupProbe: {exec: {command: [up]}}"])],
            expect![[""]],
        );
    }
}
