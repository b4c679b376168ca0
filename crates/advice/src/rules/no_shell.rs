//! no-shell: a command that only a shell would understand, without a shell.
//!
//! Docs: Define a Command and Arguments for a Container. Commands that are no list at all are refused in `manifest`; what shells do is in `exit_code_masked.rs`.

use manifest::{RuleName, Severity, list_of};
use serde_json::Value;

use crate::container::{TemplateContainer, is_shell, program};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"no-shell"),
    code: 701,
    severity: Severity::Warning,
    summary: "A command needs a shell, and none runs it",
    finder: Finder::Mistake(find),
};

/// What only a shell understands.
const OPERATORS: [&str; 8] = ["&&", "||", "|", ";", ">", ">>", "<", "2>&1"];

/// Programs to which such words mean something.
const EXCEPT: [&str; 8] = ["find", "expr", "test", "[", "xargs", "env", "awk", "jq"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    workload.containers().iter().filter_map(needs_shell).collect()
}

/// What of a container's command only a shell would understand.
pub(super) fn needs_shell(container: &TemplateContainer<'_>) -> Option<Finding> {
    in_one_string(container).or_else(|| operator(container))
}

/// A command whose program has blanks in its name: no shell splits it.
fn in_one_string(container: &TemplateContainer<'_>) -> Option<Finding> {
    let path = format!("{}.command", container.path);
    let words: Vec<&str> = container.field("command").as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
    let (program, arguments) = words.split_first()?;
    let list = list_of(program.trim(), &path).filter(|_| program.trim().contains(char::is_whitespace))?;
    let list = arguments.iter().fold(list.trim_end_matches(']').to_owned(), |list, argument| format!("{list}, {}", Value::from(*argument)));
    let message = format!("no shell splits {program:?} at its spaces: the container runs a program of that name");
    Some(Finding::at(format!("{path}[0]"), message, format!("write command: {list}]")))
}

/// A word that a shell would take for an operator, and that a program gets as an argument.
fn operator(container: &TemplateContainer<'_>) -> Option<Finding> {
    let words = container.words();
    let first = program(container.field("command").get(0)?.as_str()?);
    // A program that starts others may start a shell.
    if EXCEPT.contains(&first) || words.iter().any(|(_, word)| is_shell(word)) {
        return None;
    }
    let (path, word) = words.iter().skip(1).find(|(_, word)| OPERATORS.contains(word))?;
    let line: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
    let message = format!("no shell reads {word:?}: {first} gets it as an argument");
    Some(Finding::at(path, message, format!("write command: [\"sh\", \"-c\", {}]", Value::from(line.join(" ")))))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn commands(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| job(&[], &[], &[line])).collect()
    }

    #[test]
    fn commands_that_need_a_shell_are_found() {
        let found = commands(&[
            "command: [sleep 5]",
            "command: [/usr/bin/env bash -c true]",
            "command: [echo a && ls]",
            "command: [sh -c, sleep 5]",
            "command: [psql -h $HOST]",
            "command: [/bin/echo, a, '&&', ls]",
            "command: [pg_dump]\n        args: [db, '>', /backup/db.sql]",
        ]);
        check(
            &RULE,
            &found.iter().map(String::as_str).collect::<Vec<_>>(),
            expect![[r#"
                0: 11:19 Warning spec.template.spec.containers[0].command[0]: no shell splits "sleep 5" at its spaces: the container runs a program of that name; write command: ["sleep", "5"]
                1: 11:19 Warning spec.template.spec.containers[0].command[0]: no shell splits "/usr/bin/env bash -c true" at its spaces: the container runs a program of that name; write command: ["/usr/bin/env", "bash", "-c", "true"]
                2: 11:19 Warning spec.template.spec.containers[0].command[0]: no shell splits "echo a && ls" at its spaces: the container runs a program of that name; write command: ["sh", "-c", "echo a && ls"]
                3: 11:19 Warning spec.template.spec.containers[0].command[0]: no shell splits "sh -c" at its spaces: the container runs a program of that name; write command: ["sh", "-c", "sleep 5"]
                4: 11:19 Warning spec.template.spec.containers[0].command[0]: no shell splits "psql -h $HOST" at its spaces: the container runs a program of that name; write command: ["sh", "-c", "psql -h $HOST"]
                5: 11:33 Warning spec.template.spec.containers[0].command[2]: no shell reads "&&": echo gets it as an argument; write command: ["sh", "-c", "/bin/echo a && ls"]
                6: 12:20 Warning spec.template.spec.containers[0].args[1]: no shell reads ">": pg_dump gets it as an argument; write command: ["sh", "-c", "pg_dump db > /backup/db.sql"]
            "#]],
        );
        let fine = commands(&[
            "command: [sleep, '5']",
            "command: [sh, -c, sleep 5]",
            "command: [' sh ', -c]",
            "command: []",
            "command: [find, ., -exec, rm, '{}', ';']",
            "command: [tini, --, sh, -c, 'a && b']",
            "args: [a, '&&', b]",
        ]);
        check(&RULE, &fine.iter().map(String::as_str).collect::<Vec<_>>(), expect![[""]]);
    }
}
