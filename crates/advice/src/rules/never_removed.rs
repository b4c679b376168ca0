//! never-removed: a Job that stays after its end, as nothing deletes it.
//!
//! Docs: Jobs, "Clean up finished jobs automatically". TTLs that are too short are found in `ttl_too_short.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"never-removed"),
    code: 501,
    severity: Severity::Note,
    summary: "Nothing deletes the Job after it has finished",
    finder: Finder::Advice(find),
};

/// Annotations by which a tool that deletes the Job itself knows it.
const HOOKS: [&str; 2] = ["helm.sh/hook", "argocd.argoproj.io/hook"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let owned = !workload.metadata.owner_references.is_empty() || HOOKS.iter().any(|hook| workload.annotation(hook).is_some());
    if workload.cron_job.is_some() || owned || workload.spec.ttl_seconds_after_finished.is_some() {
        return Vec::new();
    }
    let message = "nothing deletes this Job and its pods after it has finished";
    vec![Finding::at("spec", message, "set spec.ttlSecondsAfterFinished, for example to 86400")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn jobs_that_stay_are_found() {
        let job = job(&[], &[], &[]);
        check(
            &RULE,
            &[&job],
            expect![[r#"
                0: 4:1 Note spec: nothing deletes this Job and its pods after it has finished; set spec.ttlSecondsAfterFinished, for example to 86400
            "#]],
        );
        let named = |more: &str| job.replace("{name: a}", &format!("{{name: a, {more}}}"));
        check(
            &RULE,
            &[
                &job.replace("  template:", "  ttlSecondsAfterFinished: 600\n  template:"),
                &named("annotations: {helm.sh/hook: pre-upgrade}"),
                &named("annotations: {argocd.argoproj.io/hook: PreSync}"),
                &named("ownerReferences: [{apiVersion: v1, kind: Thing, name: a, uid: u}]"),
                &cron_job(&["schedule: '@daily'"], &[]),
            ],
            expect![[""]],
        );
    }
}
