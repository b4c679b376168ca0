//! shell-swallows-term: a shell around one command, which does not pass TERM on to it.
//!
//! Docs: Pod Lifecycle, "Termination of Pods". Shells that hide how a command ended are in `exit_code_masked.rs`.

use manifest::{Fix, RuleName, Severity};
use serde_json::Value;

use super::exit_code_masked::matters;
use crate::container::{ShellScript, TemplateContainer};
use crate::finding::Finding;
use crate::image::ImageName;
use crate::object_set::ObjectSet;
use crate::rule::{AdviceRule, Finder};
use crate::shell::{Pipeline, pipelines};
use crate::workload::Advised;

pub(super) const RULE: AdviceRule = AdviceRule {
    name: RuleName::new(&"shell-swallows-term"),
    code: 703,
    severity: Severity::Note,
    summary: "A shell around a command does not pass TERM on to it",
    finder: Finder::Advice(find),
};

/// Shells that remain the parent of their last command: that of Debian and Ubuntu. Others become the command.
const PARENTS: [&str; 2] = ["dash", "sh"];
/// What is in the names and tags of images whose `sh` is another one.
const OTHER_SHELLS: [&str; 6] = ["alpine", "busybox", "centos", "fedora", "rhel", "ubi"];

fn find(workload: &Advised<'_>, _: &ObjectSet<'_>) -> Vec<Finding> {
    let containers = workload.containers();
    let finding = |container: &TemplateContainer<'_>| {
        let script = container.script()?;
        let swallows = PARENTS.contains(&script.shell) && !other_shell(container.image());
        let (program, line) = wrapped(&script).filter(|_| swallows)?;
        let message = format!(
            "in images based on Debian or Ubuntu, TERM reaches only the shell: {program} keeps running until it is killed after the grace period"
        );
        let simple = !script.text.contains('\n') && pipelines(script.text).is_some_and(|lines| lines.len() == 1);
        let fix = simple.then(|| Fix::Write { value: Value::from(format!("exec {}", script.text.trim_start())).to_string() });
        Some(Finding::at(&script.path, message, format!("put `exec` before {program}, or do without the shell")).line(line).fix(fix))
    };
    containers.iter().filter_map(finding).collect()
}

/// The program of the only command that matters in a script, which is also its last one, and its line.
fn wrapped(script: &ShellScript<'_>) -> Option<(String, usize)> {
    let lines = pipelines(script.text).filter(|_| !script.text.contains("trap "))?;
    let (Pipeline { commands, .. }, before) = lines.split_last()?;
    let [command] = &commands[..] else { return None };
    let alone = before.iter().all(|line| !line.commands.iter().any(|command| command.compound || matters(command)));
    let program = command.words.first().filter(|_| alone && matters(command))?;
    (program != "exec" && !program.contains(['=', '$', '<', '>', '('])).then(|| (program.clone(), command.line))
}

/// Whether the shell of an image is known to be another one.
fn other_shell(image: &str) -> bool {
    let image = ImageName::of(image);
    let named = |known: &&str| image.name().contains(*known) || image.tag.is_some_and(|tag| tag.contains(*known));
    image.ends_in("curlimages/curl") || OTHER_SHELLS.iter().any(named)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{check, job};

    fn scripts(scripts: &[(&str, &str)]) -> Vec<String> {
        let command = |(shell, script): &(&str, &str)| format!("command: [{shell}, -c, {}]", serde_json::Value::from(*script));
        scripts.iter().map(|script| job(&[], &[], &[&command(script)])).collect()
    }

    fn check_all(jobs: &[String], expected: expect_test::Expect) {
        check(&RULE, &jobs.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn shells_around_a_command_are_found() {
        check_all(
            &scripts(&[("sh", "python main.py"), ("/bin/sh", "set -e; cd /app; ./run --all")]),
            expect![[r#"
                0: 11:27 Note spec.template.spec.containers[0].command[2]: in images based on Debian or Ubuntu, TERM reaches only the shell: python keeps running until it is killed after the grace period; put `exec` before python, or do without the shell (Write { value: "\"exec python main.py\"" })
            "#]],
        );
        let mut fine = scripts(&[
            ("bash", "python main.py"),
            ("sh", "exec python main.py"),
            ("sh", "echo hello"),
            ("sh", "load; send"),
            ("sh", "dump | gzip > a.gz"),
            ("sh", "trap 'kill $!' TERM; serve"),
            ("sh", "$COMMAND"),
        ]);
        fine.extend(scripts(&[("sh", "python main.py")]).iter().map(|job| job.replace("image: i", "image: python:3-alpine")));
        check_all(&fine, expect![[""]]);
    }
}
