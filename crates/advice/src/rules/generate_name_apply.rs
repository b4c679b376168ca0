//! generate-name-apply: a generated name, with which an object cannot be applied.
//!
//! Docs: Objects in Kubernetes, "Names"; kubectl apply. Names that cannot be applied twice are found in `cannot_reapply.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"generate-name-apply"),
    code: 602,
    severity: Severity::Note,
    summary: "kubectl apply cannot be used with generateName",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let metadata = workload.metadata;
    let hook = ["helm.sh/hook", "argocd.argoproj.io/hook"].iter().any(|hook| metadata.annotations.contains_key(*hook));
    if metadata.generate_name.is_empty() || !metadata.name.is_empty() || hook {
        return Vec::new();
    }
    let message = "`kubectl apply` refuses an object without a name: it cannot find the one that it applied before";
    vec![Finding::at("metadata.generateName", message, "use `kubectl create`, or set metadata.name")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn generated_names_are_found() {
        let named = |metadata: &str| job(&[], &[], &[]).replace("{name: a}", &format!("{{{metadata}}}"));
        check(
            &RULE,
            &[&named("generateName: a-")],
            expect![[r#"
            0: 3:26 Note metadata.generateName: `kubectl apply` refuses an object without a name: it cannot find the one that it applied before; use `kubectl create`, or set metadata.name
        "#]],
        );
        check(
            &RULE,
            &[
                &named("generateName: a-, name: b"),
                &named("generateName: a-, annotations: {argocd.argoproj.io/hook: PreSync}"),
                &named("name: a"),
            ],
            expect![[""]],
        );
    }
}
