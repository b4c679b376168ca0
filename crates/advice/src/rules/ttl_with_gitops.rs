//! ttl-with-gitops: a Job that Argo CD applied is deleted by its TTL, which Argo CD takes for a difference.
//!
//! Docs: Argo CD, "Resource Hooks"; Automatic Cleanup for Finished Jobs. Jobs that cannot be applied again are found in `cannot_reapply.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"ttl-with-gitops"),
    code: 604,
    severity: Severity::Warning,
    summary: "A Job that Argo CD keeps in sync deletes itself",
    finder: Finder::Advice(find),
};

/// The annotations and labels by which Argo CD knows what it applied.
const MARKS: [&str; 3] = ["argocd.argoproj.io/hook", "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/instance"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let metadata = workload.metadata;
    let marked = MARKS.iter().any(|mark| metadata.annotations.contains_key(*mark) || metadata.labels.contains_key(*mark));
    if workload.cron_job.is_some() || !marked || workload.spec.ttl_seconds_after_finished.is_none() {
        return Vec::new();
    }
    let message = "the TTL deletes what Argo CD has applied: the application is out of sync, or a sync waits for a hook that is gone";
    let remedy = "remove it; for a hook, add the annotation `argocd.argoproj.io/hook-delete-policy: BeforeHookCreation`";
    vec![Finding::at("spec.ttlSecondsAfterFinished", message, remedy).fix(Fix::TakeOut)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn jobs_that_argo_cd_misses_are_found() {
        let with = |metadata: &str, lines: &[&str]| job(lines, &[], &[]).replace("{name: a}", &format!("{{name: a, {metadata}}}"));
        let ttl = ["ttlSecondsAfterFinished: 600"];
        check(
            &RULE,
            &[&with("annotations: {argocd.argoproj.io/hook: PreSync}", &ttl), &with("labels: {argocd.argoproj.io/instance: web}", &ttl)],
            expect![[r#"
                0: 5:28 Warning spec.ttlSecondsAfterFinished: the TTL deletes what Argo CD has applied: the application is out of sync, or a sync waits for a hook that is gone; remove it; for a hook, add the annotation `argocd.argoproj.io/hook-delete-policy: BeforeHookCreation` (TakeOut)
                1: 5:28 Warning spec.ttlSecondsAfterFinished: the TTL deletes what Argo CD has applied: the application is out of sync, or a sync waits for a hook that is gone; remove it; for a hook, add the annotation `argocd.argoproj.io/hook-delete-policy: BeforeHookCreation` (TakeOut)
            "#]],
        );
        check(&RULE, &[&with("annotations: {argocd.argoproj.io/hook: PreSync}", &[]), &job(&ttl, &[], &[])], expect![[""]]);
    }
}
