//! dropped-field: a field that API servers drop without a word, because its feature gate is off unless it is switched on.
//!
//! Docs: Feature Gates, "Feature stages". Which fields these are is in the table of all fields, the crate `schema`; fields that an older version does not know are
//! found in `check`.

use api::Kind;
use manifest::{Fix, RuleName, Severity, given};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"dropped-field"),
    code: 218,
    severity: Severity::Warning,
    summary: "API servers silently drop a field unless its feature gate is enabled",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let kind = if workload.cron_job.is_some() { Kind::CronJob } else { Kind::Job };
    let message = "API servers silently drop this field unless its feature gate is enabled";
    let remedy = "remove it, unless the feature gate is enabled in your clusters";
    let gated = given(kind, workload.document, |field| field.gated).into_iter();
    gated.map(|(path, _)| Finding::at(path, message, remedy).fix(Fix::TakeOut)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, cron_job, job};

    #[test]
    fn fields_behind_gates_are_found() {
        let volume = "volumes: [{name: v, secret: {secretName: s, defaultUser: 1000}}]";
        let scheduling = "scheduling: {schedulingPolicy: {gang: {minCount: 1}}}";
        check(
            &RULE,
            &[&job(&[], &[volume], &[]), &cron_job(&["schedule: '@daily'"], &[scheduling])],
            expect![[r#"
                0: 8:64 Warning spec.template.spec.volumes[0].secret.defaultUser: API servers silently drop this field unless its feature gate is enabled; remove it, unless the feature gate is enabled in your clusters (TakeOut)
                1: 8:7 Warning spec.jobTemplate.spec.scheduling: API servers silently drop this field unless its feature gate is enabled; remove it, unless the feature gate is enabled in your clusters (TakeOut)
            "#]],
        );
        check(&RULE, &[&job(&[], &["volumes: [{name: v, secret: {secretName: s, defaultMode: 256}}]"], &[])], expect![[""]]);
    }
}
