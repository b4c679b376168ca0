//! cannot-reapply: a Job that a tool applies again and again, and whose pod template cannot change.
//!
//! Docs: Jobs, "Pod template" (A-111); Helm, "Chart Hooks"; Argo CD, "Sync Options"; Flux, "Kustomization". What else is immutable is decided in `admission`.

use api::ObjectMeta;
use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::origin::Origin;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"cannot-reapply"),
    code: 601,
    severity: Severity::Note,
    summary: "A tool applies this Job again, and its pod template cannot change",
    finder: Finder::Advice(find),
};

/// A tool that applies objects again: its name, where its objects come from, what the labels and annotations begin with by which objects are its own, the
/// annotations by which it deletes or replaces them, and what to do.
struct DeliveryTool {
    name: &'static str,
    origin: Option<Origin>,
    marks: &'static [&'static str],
    replaces: &'static [(&'static str, &'static str)],
    remedy: &'static str,
}

const TOOLS: [DeliveryTool; 4] = [
    DeliveryTool {
        name: "Argo CD",
        origin: None,
        marks: &["argocd.argoproj.io/"],
        replaces: &[("argocd.argoproj.io/hook", ""), ("argocd.argoproj.io/sync-options", "Force=true")],
        remedy: "make it a hook (annotation `argocd.argoproj.io/hook`), or add `argocd.argoproj.io/sync-options: Replace=true,Force=true`",
    },
    DeliveryTool {
        name: "Flux",
        origin: None,
        marks: &["kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/"],
        replaces: &[("kustomize.toolkit.fluxcd.io/force", "enabled"), ("kustomize.toolkit.fluxcd.io/force", "Enabled")],
        remedy: "add the annotation `kustomize.toolkit.fluxcd.io/force: enabled`, so that Flux deletes and creates it again",
    },
    DeliveryTool {
        name: "Helm",
        origin: Some(Origin::Chart),
        marks: &["helm.sh/", "meta.helm.sh/"],
        replaces: &[("helm.sh/hook", "")],
        remedy: "make it a hook (annotation `helm.sh/hook`), or put the chart's revision into its name",
    },
    DeliveryTool {
        name: "`kubectl apply -k`",
        origin: Some(Origin::Kustomization),
        marks: &[],
        replaces: &[],
        remedy: "run `kubectl delete job` first, or put what changes into its name, such as the version of the image",
    },
];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    if workload.cron_job.is_some() || workload.metadata.name.is_empty() {
        return Vec::new();
    }
    let metadata = workload.metadata;
    let marked = |mark: &str| metadata.labels.keys().chain(metadata.annotations.keys()).any(|key| key.starts_with(mark));
    let applies = |tool: &&DeliveryTool| tool.marks.iter().any(|mark| marked(mark)) || tool.origin == Some(workload.origin);
    let finding = |DeliveryTool { name, remedy, .. }: &DeliveryTool| {
        let message = format!("{name} cannot apply this Job again with another image: the pod template of a Job cannot change");
        Finding::at("metadata.name", message, *remedy)
    };
    TOOLS.iter().filter(|_| replaced_by(metadata).is_none()).find(applies).map(finding).into_iter().collect()
}

/// The tool that deletes or replaces an object instead of changing it, because its annotations ask for that.
#[must_use]
pub fn replaced_by(metadata: &ObjectMeta) -> Option<&'static str> {
    let asks = |(key, value): &(&str, &str)| metadata.annotations.get(*key).is_some_and(|set| set.contains(value));
    TOOLS.iter().find(|tool| tool.replaces.iter().any(asks)).map(|tool| tool.name)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::Origin;
    use crate::testing::{check, check_from, job};

    fn marked(metadata: &str) -> String {
        job(&[], &[], &[]).replace("{name: a}", &format!("{{name: a, {metadata}}}"))
    }

    #[test]
    fn jobs_that_are_applied_again_are_found() {
        check(
            &RULE,
            &[
                &marked("labels: {helm.sh/chart: web-1.2.3}"),
                &marked("annotations: {argocd.argoproj.io/tracking-id: x}"),
                &marked("labels: {kustomize.toolkit.fluxcd.io/name: apps}"),
                &marked("annotations: {argocd.argoproj.io/sync-wave: '1'}, labels: {helm.sh/chart: web-1.2.3}"),
                &marked("annotations: {kustomize.toolkit.fluxcd.io/prune: disabled}"),
            ],
            expect![[r#"
                0: 3:18 Note metadata.name: Helm cannot apply this Job again with another image: the pod template of a Job cannot change; make it a hook (annotation `helm.sh/hook`), or put the chart's revision into its name
                1: 3:18 Note metadata.name: Argo CD cannot apply this Job again with another image: the pod template of a Job cannot change; make it a hook (annotation `argocd.argoproj.io/hook`), or add `argocd.argoproj.io/sync-options: Replace=true,Force=true`
                2: 3:18 Note metadata.name: Flux cannot apply this Job again with another image: the pod template of a Job cannot change; add the annotation `kustomize.toolkit.fluxcd.io/force: enabled`, so that Flux deletes and creates it again
                3: 3:18 Note metadata.name: Argo CD cannot apply this Job again with another image: the pod template of a Job cannot change; make it a hook (annotation `argocd.argoproj.io/hook`), or add `argocd.argoproj.io/sync-options: Replace=true,Force=true`
                4: 3:18 Note metadata.name: Flux cannot apply this Job again with another image: the pod template of a Job cannot change; add the annotation `kustomize.toolkit.fluxcd.io/force: enabled`, so that Flux deletes and creates it again
            "#]],
        );
        let generated = marked("labels: {helm.sh/chart: web-1.2.3}").replace("name: a,", "generateName: a-,");
        check(
            &RULE,
            &[
                &marked("labels: {helm.sh/chart: web-1.2.3}, annotations: {helm.sh/hook: pre-upgrade}"),
                &marked(
                    "labels: {argocd.argoproj.io/instance: web}, annotations: {argocd.argoproj.io/sync-options: 'Replace=true,Force=true'}",
                ),
                &marked("labels: {kustomize.toolkit.fluxcd.io/name: apps}, annotations: {kustomize.toolkit.fluxcd.io/force: enabled}"),
                &generated,
                &job(&[], &[], &[]),
            ],
            expect![[""]],
        );
    }

    #[test]
    fn jobs_of_charts_and_kustomizations_are_found() {
        let plain = job(&[], &[], &[]);
        let hook = marked("annotations: {helm.sh/hook: pre-upgrade}");
        check_from(
            Origin::Chart,
            &RULE,
            &[&plain, &hook],
            expect![[r#"
            0: 3:18 Note metadata.name: Helm cannot apply this Job again with another image: the pod template of a Job cannot change; make it a hook (annotation `helm.sh/hook`), or put the chart's revision into its name
        "#]],
        );
        check_from(
            Origin::Kustomization,
            &RULE,
            &[&plain, &marked("annotations: {argocd.argoproj.io/hook: Sync}")],
            expect![[r#"
                0: 3:18 Note metadata.name: `kubectl apply -k` cannot apply this Job again with another image: the pod template of a Job cannot change; run `kubectl delete job` first, or put what changes into its name, such as the version of the image
            "#]],
        );
    }
}
