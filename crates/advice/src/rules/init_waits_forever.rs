//! init-waits-forever: an init container that waits in a loop without an end, in a Job without a deadline.
//!
//! Docs: Init Containers, "Examples". Pods that cannot start for other reasons are in `never_ends.rs`.

use manifest::{RuleName, Severity};

use crate::container::ContainerKind;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::shell::{ShellCommand, pipelines};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"init-waits-forever"),
    code: 204,
    severity: Severity::Warning,
    summary: "An init container waits without a limit, and no deadline ends it",
    finder: Finder::Advice(find),
};

/// What scripts have that give up some time.
const LIMITS: [&str; 4] = ["timeout", "break", "exit", "seq "];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    // What a CronJob without a deadline does is found by its own rules.
    if workload.cron_job.is_some() || workload.bounded() {
        return Vec::new();
    }
    let containers = workload.containers();
    let scripts = containers.iter().filter(|container| container.role == ContainerKind::Init).filter_map(|container| container.script());
    let line_of_loop = |text: &str| {
        let limited = LIMITS.iter().any(|limit| text.contains(limit));
        let lines = pipelines(text).filter(|_| !limited)?;
        let mut commands = lines.iter().flat_map(|line| &line.commands).filter(|command| command.compound);
        let waits = |command: &&ShellCommand| command.words.first().is_some_and(|word| ["until", "while"].contains(&&**word));
        commands.find(waits).map(|command| command.line)
    };
    let finding = |path: String, line: usize| {
        let message = "this loop can wait forever, and so can the Job: neither has a time limit";
        let remedy = format!("wrap the loop in `timeout 300 sh -c '…'`, or set {}", workload.job_field("activeDeadlineSeconds"));
        Finding::at(path, message, remedy).line(line)
    };
    scripts.filter_map(|script| line_of_loop(script.text).map(|line| finding(script.path, line))).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn waiting(spec: &[&str], script: &str) -> String {
        job(spec, &[&format!("initContainers: [{{name: wait, image: b, command: [sh, -c, {script:?}]}}]")], &[])
    }

    #[test]
    fn init_containers_without_a_limit_are_found() {
        let loops = "until nc -z db 5432; do echo waiting; sleep 2; done";
        check(
            &RULE,
            &[&waiting(&[], loops), &waiting(&[], "while ! curl -s web; do sleep 1; done; echo ready")],
            expect![[r#"
                0: 8:65 Warning spec.template.spec.initContainers[0].command[2]: this loop can wait forever, and so can the Job: neither has a time limit; wrap the loop in `timeout 300 sh -c '…'`, or set spec.activeDeadlineSeconds
                1: 8:65 Warning spec.template.spec.initContainers[0].command[2]: this loop can wait forever, and so can the Job: neither has a time limit; wrap the loop in `timeout 300 sh -c '…'`, or set spec.activeDeadlineSeconds
            "#]],
        );
        check(
            &RULE,
            &[
                &waiting(&["activeDeadlineSeconds: 600"], loops),
                &waiting(&[], "timeout 300 sh -c 'until nc -z db 5432; do sleep 2; done'"),
                &waiting(&[], "for i in 1 2 3; do nc -z db 5432 && exit 0; sleep 2; done; exit 1"),
                &waiting(&[], "migrate"),
            ],
            expect![[""]],
        );
    }
}
