//! foreign-manager: a Job that names another controller as its manager.
//!
//! Docs: Jobs, "Delegation of managing a Job object to external controller". Jobs that start nothing are in `runs_nothing.rs`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"foreign-manager"),
    code: 116,
    severity: Severity::Note,
    summary: "Kubernetes leaves this Job to another controller",
    finder: Finder::Advice(find),
};

/// What the names of known managers begin with: this project, Kubernetes and Kueue.
const KNOWN: [&str; 3] = ["jobsmith.dev/", "kubernetes.io/job-controller", "kueue.x-k8s.io/"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let Some(manager) = workload.spec.managed_by.as_deref().filter(|manager| !KNOWN.iter().any(|known| manager.starts_with(known))) else {
        return Vec::new();
    };
    let message = format!("Kubernetes leaves this Job alone: where no controller is called {manager}, nothing runs it");
    vec![Finding::at(workload.job_field("managedBy"), message, "remove it, unless that controller is installed")]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn other_managers_are_found() {
        check(
            &RULE,
            &[&job(&["managedBy: example.com/controller"], &[], &[])],
            expect![[r#"
            0: 5:14 Note spec.managedBy: Kubernetes leaves this Job alone: where no controller is called example.com/controller, nothing runs it; remove it, unless that controller is installed
        "#]],
        );
        let known =
            ["kueue.x-k8s.io/multikueue", "kubernetes.io/job-controller"].map(|name| job(&[&format!("managedBy: {name}")], &[], &[]));
        check(&RULE, &known.each_ref().map(String::as_str), expect![[""]]);
    }
}
