//! decimal-file-mode: the mode of a volume's files without its leading 0, which makes it a decimal number.
//!
//! Docs: Secrets, "Secret files permissions". Which numbers these are is decided in `manifest`; numbers above 0777 are refused in `admission`.

use manifest::{Fix, RuleName, Severity, decimal, octal_mode};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"decimal-file-mode"),
    code: 222,
    severity: Severity::Warning,
    summary: "A file mode is written as a decimal number, without its leading 0",
    finder: Finder::Advice(find),
};

/// The fields that hold modes.
const MODES: [&str; 2] = ["defaultMode", "mode"];
/// The highest mode that the API server takes.
const HIGHEST: i64 = 0o777;

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(volumes) = workload.pod("volumes") {
        modes(&workload.pod_field("volumes"), volumes, &mut found);
    }
    found
}

/// Finds the modes in a volume, or in a part of one.
fn modes(path: &str, value: &Value, found: &mut Vec<Finding>) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| modes(&format!("{path}[{at}]"), item, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = format!("{path}.{name}");
                match value.as_i64().filter(|mode| MODES.contains(&&**name) && *mode <= HIGHEST) {
                    Some(mode) => found.extend(octal_mode(mode).map(|meant| finding(path, mode, &meant))),
                    None => modes(&path, value, found),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn finding(path: String, mode: i64, meant: &str) -> Finding {
    let message = format!("decimal {mode} is the mode 0{mode:03o}");
    let remedy = format!("write {meant} (in JSON, {})", decimal(meant));
    Finding::at(path, message, remedy).fix(Fix::Write { value: meant.to_owned() })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn decimal_numbers_with_the_digits_of_a_mode_are_found() {
        let with = |volume: &str| job(&[], &[&format!("volumes: [{{name: a, {volume}}}]")], &[]);
        check(
            &RULE,
            &[
                &with("secret: {secretName: s, defaultMode: 400}"),
                &with("configMap: {name: c, items: [{key: k, path: p, mode: 0555}, {key: l, path: q, mode: 500}]}"),
                &with("projected: {defaultMode: 444, sources: [{secret: {name: s, items: [{key: k, path: p, mode: 440}]}}]}"),
            ],
            expect![[r#"
                0: 8:64 Warning spec.template.spec.volumes[0].secret.defaultMode: decimal 400 is the mode 0620; write 0400 (in JSON, 256) (Write { value: "0400" })
                1: 8:111 Warning spec.template.spec.volumes[0].configMap.items[1].mode: decimal 500 is the mode 0764; write 0500 (in JSON, 320) (Write { value: "0500" })
                2: 8:52 Warning spec.template.spec.volumes[0].projected.defaultMode: decimal 444 is the mode 0674; write 0444 (in JSON, 292) (Write { value: "0444" })
                2: 8:118 Warning spec.template.spec.volumes[0].projected.sources[0].secret.items[0].mode: decimal 440 is the mode 0670; write 0440 (in JSON, 288) (Write { value: "0440" })
            "#]],
        );
        check(
            &RULE,
            &[
                &with("secret: {secretName: s, defaultMode: 0400}"),
                &with("secret: {secretName: s, defaultMode: 0o400}"),
                &with("secret: {secretName: s, defaultMode: 420}"),
                &with("secret: {secretName: s, defaultMode: 511}"),
                &with("secret: {secretName: s, defaultMode: 755}"),
            ],
            expect![[""]],
        );
    }
}
