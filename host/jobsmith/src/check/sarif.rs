//! SARIF: what was found, as code scanning reads it.
//!
//! Docs: Static Analysis Results Interchange Format (SARIF) 2.1.0. Columns count UTF-16 code units unless the run says otherwise: it says Unicode code points.

use std::collections::BTreeSet;

use advice::{AdviceRule, RULES, page};
use manifest::Diagnostic;
use serde_json::{Value, json};

use super::files::CheckedFile;
use super::format::{level, sentence};

/// A log with one run.
pub(super) fn log(checked: &[CheckedFile]) -> Value {
    let found = || checked.iter().flat_map(|checked| checked.report.diagnostics.iter().map(|found| (&*checked.file.name, found)));
    let rules: BTreeSet<&str> = found().map(|(_, found)| found.rule.as_str()).collect();
    let rules: Vec<Value> = RULES.iter().filter(|rule| rules.contains(rule.name.as_str())).map(descriptor).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "jobsmith",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": "https://jobsmith.dev",
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": found().map(|(file, found)| result(file, found)).collect::<Vec<_>>(),
        }],
    })
}

/// A rule, with its page as the help that code scanning shows beside a result.
fn descriptor(rule: &AdviceRule) -> Value {
    let name = rule.name.as_str();
    let page = page(name).unwrap_or_default();
    json!({
        "id": name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": format!("jobsmith lint {name}"), "markdown": page},
        "defaultConfiguration": {"level": level(rule.severity)},
    })
}

fn result(file: &str, found: &Diagnostic) -> Value {
    let position = found.position;
    json!({
        "ruleId": found.rule.as_str(),
        "level": level(found.severity),
        "message": {"text": sentence(found)},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(file)},
            "region": {"startLine": position.line, "startColumn": position.column, "endColumn": position.column + position.length},
        }}],
    })
}

/// A path as a URI that is relative to the working directory, where it is.
fn uri(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escaped: String =
        file.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect();
    if file.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("k8s/a job.yaml"), "k8s/a%20job.yaml");
        assert_eq!(uri("/tmp/größe.yaml"), "file:///tmp/gr%C3%B6%C3%9Fe.yaml");
    }
}
