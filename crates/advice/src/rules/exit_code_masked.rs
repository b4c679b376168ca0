//! exit-code-masked: a script that succeeds although a command in it failed.
//!
//! Docs: Jobs, "Pod backoff failure policy"; POSIX, "set". How scripts are read is in `../shell.rs`.

use manifest::{Fix, RuleName, Severity};
use serde_json::Value;

use crate::container::{ContainerKind, ShellScript};
use crate::finding::Finding;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::shell::{Joint, Pipeline, ShellCommand, pipelines};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"exit-code-masked"),
    code: 702,
    severity: Severity::Warning,
    summary: "A script succeeds although a command in it failed",
    finder: Finder::Advice(find),
};

/// Commands that hardly fail, or whose failure does not matter.
const TRIVIAL: [&str; 35] = [
    ":", "[", "cat", "date", "declare", "df", "echo", "env", "exit", "export", "free", "hostname", "id", "local", "ls", "mkdir", "printf",
    "ps", "pwd", "read", "rm", "set", "shift", "shopt", "sleep", "sync", "test", "touch", "true", "uname", "unset", "uptime", "wait",
    "whoami", "yes",
];

/// What scripts have that look after exit codes themselves.
const HANDLED: [&str; 6] = ["$?", "${?", "$!", "${!", "PIPESTATUS", "trap "];

/// What makes a script end at the first command that fails.
const STOP: &str = "set -e";
/// The same, and a pipe fail with any of its programs: in bash.
const STOP_IN_PIPES: &str = "set -eo pipefail";

/// How a script hides that a command failed.
enum Mask<'c> {
    /// The next command runs whatever this one did.
    Sequence(&'c ShellCommand),
    /// A pipe ends as its last command does.
    Pipe(&'c ShellCommand),
    /// `wait` succeeds whatever became of a process in the background.
    Background(&'c ShellCommand),
    /// The script ends in what always succeeds: these words of this command.
    End(String, &'c ShellCommand),
}

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let scripts = containers.iter().filter(|container| container.role != ContainerKind::Sidecar).filter_map(|container| container.script());
    scripts.filter_map(|script| Some(finding(&script, &mask(&script, &pipelines(script.text)?)?))).collect()
}

fn finding(script: &ShellScript<'_>, mask: &Mask<'_>) -> Finding {
    let bash = script.shell == "bash";
    let (message, remedy, begin) = match mask {
        Mask::Sequence(command) => (
            format!("if `{}` fails, the script goes on, and its last command decides whether the pod succeeds", shown(command)),
            format!("begin the script with `{STOP}`"),
            // With pipes, it is not the end of it.
            Some(STOP).filter(|_| !script.text.contains('|')),
        ),
        Mask::Pipe(command) => (
            format!("if `{}` fails, the pipe succeeds all the same: its last command decides", shown(command)),
            if bash {
                format!("begin the script with `{STOP_IN_PIPES}`")
            } else {
                format!("run it with bash, and begin it with `{STOP_IN_PIPES}`")
            },
            Some(STOP_IN_PIPES).filter(|_| bash),
        ),
        Mask::Background(command) => (
            format!(
                "if `{}` fails in the background, the script does not notice: `wait` without a process ID always succeeds",
                shown(command)
            ),
            "wait for each process by its ID: `command & pid=$!`, and then `wait $pid`".to_owned(),
            None,
        ),
        Mask::End(end, _) => (
            format!("`{end}` at the end makes the pod succeed whatever has failed"),
            "remove it, so that the Job notices and retries".to_owned(),
            None,
        ),
    };
    let fix = begin
        .filter(|_| !script.text.contains('\n'))
        .map(|begin| Fix::Write { value: Value::from(format!("{begin}; {}", script.text)).to_string() });
    let (Mask::Sequence(command) | Mask::Pipe(command) | Mask::Background(command) | Mask::End(_, command)) = mask;
    Finding::at(&script.path, message, remedy).line(command.line).fix(fix)
}

/// How a script hides that a command failed, if it is certain that it does.
fn mask<'c>(script: &ShellScript<'_>, lines: &'c [Pipeline]) -> Option<Mask<'c>> {
    let sets = |short: char, long: &str| {
        let set = lines.iter().flat_map(|line| &line.commands).filter(|command| command.words.first().is_some_and(|word| word == "set"));
        let mut words = set.flat_map(|command| &command.words).map(String::as_str).chain(script.options.iter().copied());
        words.any(|word| word == long || word.starts_with('-') && !word.starts_with("--") && word.contains(short))
    };
    let (stops, pipefail) = (sets('e', "errexit"), sets('\0', "pipefail"));
    if let Some((end, command)) = masking_end(lines, stops) {
        return Some(Mask::End(end, command));
    }
    if HANDLED.iter().any(|word| script.text.contains(word)) {
        return None;
    }
    if let Some(command) = in_background(lines) {
        return Some(Mask::Background(command));
    }
    let mut before = Joint::Next;
    for (at, line) in lines.iter().enumerate() {
        let counts = line.joint != Joint::Or && line.joint != Joint::Background && before != Joint::Or;
        before = line.joint;
        if !counts {
            continue;
        }
        let (last, sources) = line.commands.split_last()?;
        if !stops && line.joint == Joint::Next && at + 1 < lines.len() && matters(last) {
            return Some(Mask::Sequence(last));
        }
        if let Some(source) = sources.iter().find(|source| !pipefail && matters(source)) {
            return Some(Mask::Pipe(source));
        }
    }
    None
}

/// A command in the background for which a script waits in a way that hides how it ended.
fn in_background(lines: &[Pipeline]) -> Option<&ShellCommand> {
    let waits = |line: &Pipeline| line.commands.iter().any(|command| command.words == ["wait"]);
    let waiting = lines.iter().rposition(waits)?;
    let started = lines[..waiting].iter().filter(|line| line.joint == Joint::Background);
    started.filter_map(|line| line.commands.last()).find(|command| matters(command))
}

/// What a script ends in that always succeeds: `|| true`, `; exit 0`.
fn masking_end(lines: &[Pipeline], stops: bool) -> Option<(String, &ShellCommand)> {
    let [rest @ .., last] = lines else { return None };
    let command = last.commands.first()?;
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let mattering = rest.iter().filter(|line| line.commands.iter().any(matters)).count();
    match (rest.last()?.joint, &words[..]) {
        // After `set -e`, this is about one command, and meant.
        (Joint::Or, ["true" | ":" | "echo", ..] | ["exit", "0"]) if !stops || mattering == 1 => {
            Some((format!("|| {}", words[..words.len().min(2)].join(" ")), command))
        }
        (Joint::Next, ["exit", "0"] | ["true" | ":"]) if !stops && mattering > 0 => Some((words.join(" "), command)),
        _ => None,
    }
}

/// Whether a command may fail, and its failure matters.
pub(super) fn matters(command: &ShellCommand) -> bool {
    let words = command.words.iter().skip_while(|word| assigns(word));
    !command.compound && words.map(String::as_str).next().is_some_and(|word| !TRIVIAL.contains(&word))
}

/// Whether a word sets a variable without running a command: `A=b`.
fn assigns(word: &str) -> bool {
    let name = |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    word.split_once('=').is_some_and(|(before, _)| name(before)) && !word.contains("$(") && !word.contains('`')
}

/// A command, in a few words.
fn shown(command: &ShellCommand) -> String {
    let words: Vec<&str> = command.words.iter().take(3).map(|word| word.lines().next().unwrap_or_default()).collect();
    let more = if command.words.len() > words.len() { " …" } else { "" };
    format!("{}{more}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::Value;

    use super::RULE;
    use crate::testing::{check, job};

    fn scripts(scripts: &[(&str, &str)]) -> Vec<String> {
        let command = |(shell, script): &(&str, &str)| format!("command: [{shell}, {}]", Value::from(*script));
        scripts.iter().map(|script| job(&[], &[], &[&command(script)])).collect()
    }

    #[test]
    fn scripts_that_hide_failures_are_found() {
        let found = scripts(&[
            ("sh, -c", "migrate up; notify"),
            ("/bin/bash, -c", "pg_dump -h db app | gzip > /backup/app.gz"),
            ("sh, -ec", "pg_dump app | gzip > /backup/app.gz"),
            ("sh, -c", "load || true"),
            ("sh, -c", "load; exit 0"),
            ("sh, -c", "a && b\nc"),
            ("bash, -c", "curl -f x | sh; done.sh"),
            ("sh, -c", "load || echo failed"),
            ("sh, -c", "set -e; load || true"),
            ("sh, -c", "X=$(curl -f x)\nsend $X"),
            ("bash, -ec", "load a & load b & wait"),
        ]);
        check(
            &RULE,
            &found.iter().map(String::as_str).collect::<Vec<_>>(),
            expect![[r#"
                0: 11:27 Warning spec.template.spec.containers[0].command[2]: if `migrate up` fails, the script goes on, and its last command decides whether the pod succeeds; begin the script with `set -e` (Write { value: "\"set -e; migrate up; notify\"" })
                1: 11:34 Warning spec.template.spec.containers[0].command[2]: if `pg_dump -h db …` fails, the pipe succeeds all the same: its last command decides; begin the script with `set -eo pipefail` (Write { value: "\"set -eo pipefail; pg_dump -h db app | gzip > /backup/app.gz\"" })
                2: 11:28 Warning spec.template.spec.containers[0].command[2]: if `pg_dump app` fails, the pipe succeeds all the same: its last command decides; run it with bash, and begin it with `set -eo pipefail`
                3: 11:27 Warning spec.template.spec.containers[0].command[2]: `|| true` at the end makes the pod succeed whatever has failed; remove it, so that the Job notices and retries
                4: 11:27 Warning spec.template.spec.containers[0].command[2]: `exit 0` at the end makes the pod succeed whatever has failed; remove it, so that the Job notices and retries
                5: 11:27 Warning spec.template.spec.containers[0].command[2]: if `b` fails, the script goes on, and its last command decides whether the pod succeeds; begin the script with `set -e`
                6: 11:29 Warning spec.template.spec.containers[0].command[2]: if `sh` fails, the script goes on, and its last command decides whether the pod succeeds; begin the script with `set -e`
                7: 11:27 Warning spec.template.spec.containers[0].command[2]: `|| echo failed` at the end makes the pod succeed whatever has failed; remove it, so that the Job notices and retries
                8: 11:27 Warning spec.template.spec.containers[0].command[2]: `|| true` at the end makes the pod succeed whatever has failed; remove it, so that the Job notices and retries
                9: 11:27 Warning spec.template.spec.containers[0].command[2]: if `X=$(curl -f x)` fails, the script goes on, and its last command decides whether the pod succeeds; begin the script with `set -e`
                10: 11:30 Warning spec.template.spec.containers[0].command[2]: if `load a` fails in the background, the script does not notice: `wait` without a process ID always succeeds; wait for each process by its ID: `command & pid=$!`, and then `wait $pid`
            "#]],
        );
    }

    #[test]
    fn the_line_of_a_block_that_masks_is_the_place() {
        let lines = "command:\n        - sh\n        - -c\n        - |\n          set -x\n\n          # all of it\n            dump | gzip\n          echo done";
        let folded = "command: [sh, -c]\n        args:\n        - >\n          migrate;\n          notify";
        check(
            &RULE,
            &[&job(&[], &[], &[lines]), &job(&[], &[], &[folded])],
            expect![[r#"
            0: 18:13 Warning spec.template.spec.containers[0].command[2]: if `gzip` fails, the script goes on, and its last command decides whether the pod succeeds; begin the script with `set -e`
            1: 13:11 Warning spec.template.spec.containers[0].args[0]: if `migrate` fails, the script goes on, and its last command decides whether the pod succeeds; begin the script with `set -e`
        "#]],
        );
    }

    #[test]
    fn scripts_that_fail_where_they_should_are_fine() {
        let fine = scripts(&[
            ("sh, -c", "date; echo Hello from the Kubernetes cluster"),
            ("sh, -c", "set -e; migrate up; notify"),
            ("sh, -ec", "migrate up; notify"),
            ("bash, -eo, pipefail, -c", "pg_dump app | gzip > /backup/app.gz"),
            ("bash, -c", "set -euo pipefail\npg_dump app | gzip > /backup/app.gz\necho done"),
            ("bash, -c", "echo \"Hello set!\" && sleep 5 && exit 42"),
            ("sh, -c", "load || exit 1; send"),
            ("sh, -c", "load; code=$?; send; exit $code"),
            ("bash, -c", "items=(foo bar baz qux xyz)\necho ${items[$JOB_COMPLETION_INDEX]} > /input/data.txt"),
            ("sh, -c", "set -e; load; exit 0"),
            ("sh, -c", "set -e; load; notify || true"),
            ("sh, -c", "load"),
            ("sh, -c", "dir=${TMPDIR:-/tmp}/letters\nload $dir"),
            ("sh, -c", "echo 'select 1' | psql"),
            ("bash, -ec", "load a & first=$!; load b & wait $first; wait $!"),
            ("sh, -c", "date & wait"),
            ("sh, -c", "case $x in a) b; c;; esac; d"),
        ]);
        check(&RULE, &fine.iter().map(String::as_str).collect::<Vec<_>>(), expect![[""]]);
    }
}
