//! work-queue: several pods at a time, and no number of completions: the first success ends the Job.
//!
//! Docs: Jobs, "Parallel execution for Jobs" (J-49, J-81). Pods that are never used are found in `surplus_parallelism.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"work-queue"),
    code: 114,
    severity: Severity::Warning,
    summary: "Without completions, the first pod that succeeds ends the Job",
    finder: Finder::Advice(find),
};

/// What stands in manifests whose pods share out their work by a queue: words for queues, and programs that are one or read from one.
const QUEUES: [&str; 14] =
    ["amqp", "broker", "celery", "consumer", "kafka", "nats", "pubsub", "queue", "rabbit", "redis", "sidekiq", "sqs", "worker", "wq"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    if workload.spec.completions.is_some() || workload.parallelism() <= 1 {
        return Vec::new();
    }
    let texts = workload.document.texts();
    if texts.iter().any(|(_, text)| QUEUES.iter().any(|word| text.to_lowercase().contains(word))) {
        return Vec::new();
    }
    let message = "the first pod that succeeds ends this Job: from then on, pods that fail are not replaced";
    let remedy = format!(
        "set {} to the number of pods that must succeed, unless the pods take their work from a queue",
        workload.job_field("completions")
    );
    vec![Finding::at(workload.job_field("parallelism"), message, remedy)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn pods_without_a_number_of_completions_are_found() {
        let three = "parallelism: 3";
        check(
            &RULE,
            &[&job(&[three], &[], &[])],
            expect![[r#"
                0: 5:16 Warning spec.parallelism: the first pod that succeeds ends this Job: from then on, pods that fail are not replaced; set spec.completions to the number of pods that must succeed, unless the pods take their work from a queue
            "#]],
        );
        check(
            &RULE,
            &[
                &job(&[three, "completions: 3"], &[], &[]),
                &job(&["parallelism: 1"], &[], &[]),
                &job(&[three], &[], &["env: [{name: BROKER_URL, value: x}]"]),
            ],
            expect![[""]],
        );
    }
}
