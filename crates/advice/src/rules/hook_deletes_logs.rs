//! hook-deletes-logs: a Helm hook that is deleted when it has failed.
//!
//! Docs: Helm, "Chart Hooks", "Hook deletion policies". Hooks of Argo CD are in `hook_blocks_next.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"hook-deletes-logs"),
    code: 603,
    severity: Severity::Warning,
    summary: "Helm deletes a hook that has failed, and its logs",
    finder: Finder::Advice(find),
};

const POLICY: &str = "helm.sh/hook-delete-policy";

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let policies = workload.listed(POLICY);
    if !policies.contains(&"hook-failed") {
        return Vec::new();
    }
    let mut kept: Vec<&str> = policies.into_iter().filter(|policy| *policy != "hook-failed").collect();
    if !kept.contains(&"before-hook-creation") {
        kept.insert(0, "before-hook-creation");
    }
    let message = "Helm deletes this hook when it has failed, with its pods and their logs: nothing says why the release failed";
    let fix = Fix::Write { value: kept.join(",") };
    let path = format!("metadata.annotations[{POLICY}]");
    vec![Finding::at(path, message, "use before-hook-creation: it is deleted before the next one is created").fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn hooks_that_delete_their_logs_are_found() {
        let with = |policy: &str| {
            job(&[], &[], &[]).replace("{name: a}", &format!("{{name: a, annotations: {{helm.sh/hook-delete-policy: '{policy}'}}}}"))
        };
        check(
            &RULE,
            &[&with("hook-succeeded,hook-failed"), &with("hook-failed")],
            expect![[r#"
            0: 3:63 Warning metadata.annotations[helm.sh/hook-delete-policy]: Helm deletes this hook when it has failed, with its pods and their logs: nothing says why the release failed; use before-hook-creation: it is deleted before the next one is created (Write { value: "before-hook-creation,hook-succeeded" })
            1: 3:63 Warning metadata.annotations[helm.sh/hook-delete-policy]: Helm deletes this hook when it has failed, with its pods and their logs: nothing says why the release failed; use before-hook-creation: it is deleted before the next one is created (Write { value: "before-hook-creation" })
        "#]],
        );
        check(&RULE, &[&with("before-hook-creation,hook-succeeded"), &job(&[], &[], &[])], expect![[""]]);
    }
}
