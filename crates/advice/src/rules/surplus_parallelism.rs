//! surplus-parallelism: `parallelism` above `completions`, of which the rest is never used.
//!
//! Docs: Jobs, "Controlling parallelism". Jobs without any pod are found in `runs_nothing.rs`.

use manifest::{Fix, RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"surplus-parallelism"),
    code: 113,
    severity: Severity::Note,
    summary: "More pods may run at a time than are ever needed",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let (parallelism, completions) = (workload.spec.parallelism, workload.spec.completions.filter(|completions| *completions > 0));
    let Some((parallelism, completions)) = parallelism.zip(completions).filter(|(parallelism, completions)| parallelism > completions)
    else {
        return Vec::new();
    };
    let message = format!("at most {completions} of {parallelism} pods run at a time: only {completions} have to succeed");
    let fix = Fix::Write { value: completions.to_string() };
    vec![Finding::at(workload.job_field("parallelism"), message, format!("use {completions}")).fix(fix)]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn parallelism_that_is_never_used_is_found() {
        check(
            &RULE,
            &[&job(&["parallelism: 5", "completions: 3"], &[], &[])],
            expect![[r#"
                0: 5:16 Note spec.parallelism: at most 3 of 5 pods run at a time: only 3 have to succeed; use 3 (Write { value: "3" })
            "#]],
        );
        let fine = [["parallelism: 3", "completions: 3"], ["parallelism: 5", "backoffLimit: 3"], ["parallelism: 5", "completions: 0"]];
        let fine = fine.map(|lines| job(&lines, &[], &[]));
        check(&RULE, &fine.each_ref().map(String::as_str), expect![[""]]);
    }
}
