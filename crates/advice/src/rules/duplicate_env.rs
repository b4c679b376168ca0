//! duplicate-env: an environment variable that is set twice: the later one wins.
//!
//! Docs: Define Environment Variables for a Container. Fields that are set twice are refused in `manifest`.

use manifest::{RuleName, Severity};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"duplicate-env"),
    code: 216,
    severity: Severity::Warning,
    summary: "An environment variable is set twice",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let found = containers.iter().flat_map(|container| {
        let variables = container.field("env").as_array().map(Vec::as_slice).unwrap_or_default();
        let name = |at: usize| variables[at]["name"].as_str().unwrap_or_default();
        let again = (0..variables.len()).filter(move |at| (0..*at).any(|before| name(before) == name(*at)));
        let path = container.path.clone();
        again.map(move |at| {
            let message = format!("{} is already set above: only this value counts", name(at));
            Finding::at(format!("{path}.env[{at}].name"), message, "keep one of the two")
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn variables_that_are_set_twice_are_found() {
        check(
            &RULE,
            &[&job(&[], &[], &["env: [{name: A, value: a}, {name: B, value: b}, {name: A, value: c}]"])],
            expect![[r#"
                0: 11:64 Warning spec.template.spec.containers[0].env[2].name: A is already set above: only this value counts; keep one of the two
            "#]],
        );
        check(&RULE, &[&job(&[], &[], &["env: [{name: A, value: a}, {name: a, value: b}]"])], expect![[""]]);
    }
}
