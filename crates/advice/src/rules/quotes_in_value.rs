//! quotes-in-value: values in typographic quotation marks, which are part of them.
//!
//! Docs: YAML 1.2, "Flow Scalar Styles". Texts that cannot be read because of such marks are refused in `manifest`.

use manifest::{Fix, REPLACE_MARKS, RuleName, Severity, requoted};

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"quotes-in-value"),
    code: 7,
    severity: Severity::Warning,
    summary: "Typographic quotation marks are part of a value",
    finder: Finder::Mistake(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let finding = |(path, text): (String, &str)| {
        let fix = Fix::Write { value: requoted(text)? };
        let message = "“ and ” are part of this value: YAML does not take them for quotation marks";
        Some(Finding::at(path, message, REPLACE_MARKS).fix(fix))
    };
    workload.document.texts().into_iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn quotation_marks_that_are_part_of_a_value_are_noticed() {
        let annotated = job(&[], &[], &["command: [sh, “-c”]"])
            .replace("{name: a}", "{name: a, annotations: {a: “b” and ”c}}")
            .replace("image: i", "image: ‘i’");
        check(
            &RULE,
            &[&annotated],
            expect![[r#"
            0: 11:23 Warning spec.template.spec.containers[0].command[1]: “ and ” are part of this value: YAML does not take them for quotation marks; replace them with " or ' (Write { value: "\"-c\"" })
            0: 10:16 Warning spec.template.spec.containers[0].image: “ and ” are part of this value: YAML does not take them for quotation marks; replace them with " or ' (Write { value: "\"i\"" })
        "#]],
        );
    }
}
