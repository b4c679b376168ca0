//! runs-nothing: a Job that starts no pod: it is suspended, or needs none.
//!
//! Docs: Jobs, "Suspending a Job", "Controlling parallelism". CronJobs without runs are found in `never_fires.rs`.

use api::meta::names;
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"runs-nothing"),
    code: 115,
    severity: Severity::Warning,
    summary: "The Job starts no pod",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let spec = &workload.spec;
    let labels = workload.cron_job.map_or(&workload.metadata.labels, |cron_job| &cron_job.spec.job_template.metadata.labels);
    let queued = labels.contains_key(names::QUEUE_NAME) || spec.managed_by.is_some();
    let (field, message, remedy) = if spec.completions == Some(0) {
        ("completions", "this Job is Complete at once, and starts no pod", "use 1 or more")
    } else if spec.parallelism == Some(0) {
        ("parallelism", "this Job starts no pod until its parallelism is raised", "use 1 or more")
    } else if spec.suspend == Some(true) && !queued {
        ("suspend", "this Job is suspended, and starts no pod until it is resumed", "remove it, or name the queue that resumes the Job")
    } else {
        return Vec::new();
    };
    vec![Finding::at(workload.job_field(field), message, remedy)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn jobs_without_pods_are_found() {
        let suspended = job(&["suspend: true"], &[], &[]);
        check(
            &RULE,
            &[
                &job(&["parallelism: 0"], &[], &[]),
                &job(&["completions: 0"], &[], &[]),
                &suspended,
                &cron_job(&["schedule: '@daily'"], &["suspend: true"]),
            ],
            expect![[r#"
                0: 5:16 Warning spec.parallelism: this Job starts no pod until its parallelism is raised; use 1 or more
                1: 5:16 Warning spec.completions: this Job is Complete at once, and starts no pod; use 1 or more
                2: 5:12 Warning spec.suspend: this Job is suspended, and starts no pod until it is resumed; remove it, or name the queue that resumes the Job
                3: 8:16 Warning spec.jobTemplate.spec.suspend: this Job is suspended, and starts no pod until it is resumed; remove it, or name the queue that resumes the Job
            "#]],
        );
        let queued = suspended.replace("{name: a}", "{name: a, labels: {kueue.x-k8s.io/queue-name: gpu}}");
        let managed = job(&["suspend: true", "managedBy: kueue.x-k8s.io/multikueue"], &[], &[]);
        check(
            &RULE,
            &[&queued, &managed, &cron_job(&["schedule: '@daily'", "suspend: true"], &[]), &job(&["suspend: false"], &[], &[])],
            expect![[""]],
        );
    }
}
