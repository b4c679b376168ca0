//! hook-blocks-next: a hook of Argo CD that is only deleted when it has succeeded.
//!
//! Docs: Argo CD, "Resource Hooks", "Hook Deletion Policies". Hooks of Helm are in `hook_deletes_logs.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"hook-blocks-next"),
    code: 605,
    severity: Severity::Warning,
    summary: "An Argo CD hook that has failed keeps the next one from being created",
    finder: Finder::Advice(find),
};

const POLICY: &str = "argocd.argoproj.io/hook-delete-policy";

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let metadata = workload.metadata;
    let hook = metadata.annotations.contains_key("argocd.argoproj.io/hook") && !metadata.name.is_empty();
    if !hook || workload.listed(POLICY) != ["HookSucceeded"] {
        return Vec::new();
    }
    let message = "if this hook fails once, its Job stays, and the next sync finds a failed Job with the same name";
    let fix = Fix::Write { value: "BeforeHookCreation".to_owned() };
    vec![Finding::at(format!("metadata.annotations[{POLICY}]"), message, "use BeforeHookCreation, or a generated name").fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn hooks_that_stay_are_found() {
        let with = |name: &str, policy: &str| {
            let annotations = format!("argocd.argoproj.io/hook: Sync, argocd.argoproj.io/hook-delete-policy: '{policy}'");
            job(&[], &[], &[]).replace("{name: a}", &format!("{{{name}, annotations: {{{annotations}}}}}"))
        };
        check(
            &RULE,
            &[&with("name: a", "HookSucceeded")],
            expect![[r#"
                0: 3:105 Warning metadata.annotations[argocd.argoproj.io/hook-delete-policy]: if this hook fails once, its Job stays, and the next sync finds a failed Job with the same name; use BeforeHookCreation, or a generated name (Write { value: "BeforeHookCreation" })
            "#]],
        );
        check(
            &RULE,
            &[
                &with("generateName: a-", "HookSucceeded"),
                &with("name: a", "BeforeHookCreation"),
                &with("name: a", "HookSucceeded,BeforeHookCreation"),
            ],
            expect![[""]],
        );
    }
}
