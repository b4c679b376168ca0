//! shell-variable: a variable as shells write it, in a command without a shell.
//!
//! Docs: Define Dependent Environment Variables. Other commands that need a shell are found in `no_shell.rs`; of those, nothing is said here.

use std::collections::BTreeSet;

use manifest::{Fix, RuleName, Severity};
use serde_json::Value;

use super::no_shell::needs_shell;
use crate::container::is_shell;
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"shell-variable"),
    code: 704,
    severity: Severity::Warning,
    summary: "A command refers to a variable as a shell would, but no shell runs it",
    finder: Finder::Advice(find),
};

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let found = containers.iter().flat_map(|container| {
        let words = container.words();
        let shell = container.field("command").get(0).is_none() || words.iter().any(|(_, word)| is_shell(word));
        let variables = container.field("env").as_array().map(Vec::as_slice).unwrap_or_default();
        let names: BTreeSet<&str> = variables.iter().filter_map(|variable| variable["name"].as_str()).collect();
        let finding = move |(path, word): (String, &str)| {
            let (variable, name) = written(word, &names)?;
            let message = format!("no shell runs this command, so {variable} is passed to the program as it is written");
            let value = word.replace(&variable, &format!("$({name})"));
            Some(Finding::at(path, message, format!("write $({name})")).fix(Fix::Write { value: Value::from(value).to_string() }))
        };
        let expanded = shell || needs_shell(container).is_some();
        words.into_iter().filter(move |_| !expanded).filter_map(finding)
    });
    found.collect()
}

/// The first of these variables that a word has as shells write it, `$NAME` or `${NAME}`, and its name.
fn written<'n>(word: &str, names: &BTreeSet<&'n str>) -> Option<(String, &'n str)> {
    word.match_indices('$').filter(|(at, _)| !word[..*at].ends_with('$')).find_map(|(at, _)| {
        let rest = &word[at + 1..];
        let (braced, rest) = rest.strip_prefix('{').map_or((false, rest), |rest| (true, rest));
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let name = *names.get(&rest[..end])?;
        match braced {
            true => rest[end..].starts_with('}').then(|| (format!("${{{name}}}"), name)),
            false => Some((format!("${name}"), name)),
        }
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    #[test]
    fn variables_of_shells_are_found() {
        let with = |command: &str| job(&[], &[], &[&format!("command: {command}"), "env: [{name: HOST, value: db}]"]);
        check(
            &RULE,
            &[&with("[psql, -h, $HOST]"), &with("[psql, '--host=${HOST}']")],
            expect![[r#"
                0: 11:29 Warning spec.template.spec.containers[0].command[2]: no shell runs this command, so $HOST is passed to the program as it is written; write $(HOST) (Write { value: "\"$(HOST)\"" })
                1: 11:25 Warning spec.template.spec.containers[0].command[1]: no shell runs this command, so ${HOST} is passed to the program as it is written; write $(HOST) (Write { value: "\"--host=$(HOST)\"" })
            "#]],
        );
        let image = job(&[], &[], &["args: [$HOST]", "env: [{name: HOST, value: db}]"]);
        check(
            &RULE,
            &[
                &with("[psql, -h, $(HOST)]"),
                &with("[sh, -c, 'psql -h $HOST']"),
                &with("[psql, -h, $HOSTNAME]"),
                &with("[psql, -h, $$HOST]"),
                &with("[psql -h $HOST]"),
                &with("[psql, -h, $HOST, '&&', notify]"),
                &image,
            ],
            expect![[""]],
        );
    }
}
