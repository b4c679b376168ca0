//! env-reference: a reference to a variable that is defined later, or not at all.
//!
//! Docs: Define Dependent Environment Variables. Variables of shells are found in `shell_variable.rs`.

use std::collections::BTreeMap;

use manifest::{RuleName, Severity};
use serde_json::Value;

use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"env-reference"),
    code: 215,
    severity: Severity::Warning,
    summary: "A reference to an environment variable is not replaced",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let found = containers.iter().flat_map(|container| {
        let variables = container.field("env").as_array().map(Vec::as_slice).unwrap_or_default();
        let names = || variables.iter().map(|variable| variable["name"].as_str().unwrap_or_default()).enumerate();
        let last: BTreeMap<&str, usize> = names().map(|(at, name)| (name, at)).collect();
        let first: BTreeMap<&str, usize> = names().map(|(at, name)| (name, at)).rev().collect();
        let others = container.field("envFrom").as_array().is_some_and(|sources| !sources.is_empty());
        let path = format!("{}.env", container.path);
        let of_variable = |(at, variable): (usize, &Value)| {
            let references = references(variable["value"].as_str().unwrap_or_default());
            let unknown = references.into_iter().find(|name| match first.get(name) {
                Some(first) => *first >= at,
                None => !others && !given(name),
            })?;
            let (what, remedy) = match last.get(unknown).is_some_and(|last| *last > at) {
                true => ("is defined later in the list", format!("define {unknown} before it")),
                false => ("is not defined", format!("define {unknown} before it, or write $$({unknown}) for the text itself")),
            };
            Some(Finding::at(
                format!("{path}[{at}].value"),
                format!("$({unknown}) stays as it is written, because {unknown} {what}"),
                remedy,
            ))
        };
        variables.iter().enumerate().filter_map(of_variable).collect::<Vec<_>>()
    });
    found.collect()
}

/// Whether Kubernetes gives containers this variable: for a Service, its address.
fn given(name: &str) -> bool {
    name.contains("_SERVICE_") || name.contains("_PORT") || name == "HOSTNAME" || name == "JOB_COMPLETION_INDEX"
}

/// The variables that a value refers to: `$(NAME)`, and not `$$(NAME)`.
fn references(value: &str) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), value);
    while let Some(at) = rest.find('$') {
        rest = &rest[at + 1..];
        if let Some(escaped) = rest.strip_prefix('$') {
            rest = escaped;
        } else if let Some(opened) = rest.strip_prefix('(') {
            let Some((name, after)) = opened.split_once(')') else { break };
            names.push(name);
            rest = after;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn long_values_and_long_lists_are_read_once() {
        assert_eq!(super::references(&"$(".repeat(3_000_000)), [""; 0]);
    }

    #[test]
    fn references_that_stay_are_found() {
        let env = |env: &str| job(&[], &[], &[&format!("env: [{env}]")]);
        check(
            &RULE,
            &[
                &env("{name: URL, value: http://$(HOST)/}, {name: HOST, value: db}"),
                &env("{name: URL, value: http://$(HOST)/}"),
                &env("{name: A, value: $(A)}"),
            ],
            expect![[r#"
                0: 11:34 Warning spec.template.spec.containers[0].env[0].value: $(HOST) stays as it is written, because HOST is defined later in the list; define HOST before it
                1: 11:34 Warning spec.template.spec.containers[0].env[0].value: $(HOST) stays as it is written, because HOST is not defined; define HOST before it, or write $$(HOST) for the text itself
                2: 11:32 Warning spec.template.spec.containers[0].env[0].value: $(A) stays as it is written, because A is not defined; define A before it, or write $$(A) for the text itself
            "#]],
        );
        let from = job(&[], &[], &["env: [{name: URL, value: http://$(HOST)/}]", "envFrom: [{configMapRef: {name: c}}]"]);
        check(
            &RULE,
            &[
                &env("{name: HOST, value: db}, {name: URL, value: http://$(HOST)/}"),
                &env("{name: A, value: $$(HOST) costs $5}"),
                &env("{name: A, value: $(KUBERNETES_SERVICE_HOST)}"),
                &from,
            ],
            expect![[""]],
        );
    }
}
