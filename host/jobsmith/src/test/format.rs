//! The forms in which verdicts are printed: for people, for programs, and for the services that show them.
//!
//! Docs: `jobsmith test --help`. Annotations and JUnit, which other commands have too, are in `annotation.rs` and `junit.rs`.

use std::time::Duration;

use serde_json::{Value, json};

use super::difference::coloured;
use super::files::TestFile;
use super::verdict::{Fault, Outcome, Verdict};
use crate::annotation::annotation;
use crate::junit::{self, TestCase, TestSuite};
use crate::output;

/// From when on it is printed how long a claim took.
const LONG: Duration = Duration::from_secs(1);

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TestFormat {
    /// One line per claim; below those that fail, what differs; last, a summary
    Full,
    /// One line per failure
    Concise,
    /// One JSON object
    Json,
    /// JUnit XML: a suite for each file, and a test for each claim
    Junit,
    /// Workflow commands of GitHub Actions: annotations on the lines of a pull request
    Github,
}

impl TestFormat {
    /// What is printed of a claim as soon as it was played.
    pub(super) fn line(self, verdict: &Verdict<'_>) -> String {
        match self {
            Self::Full => full(verdict),
            Self::Concise => verdict.faults.iter().map(|fault| format!("{}\n", fault.line())).collect(),
            Self::Github => verdict.faults.iter().map(|fault| github(verdict, fault)).collect(),
            Self::Json | Self::Junit => String::new(),
        }
    }

    /// What is printed once all claims were played.
    pub(super) fn report(self, files: &[TestFile], verdicts: &[Verdict<'_>]) -> String {
        match self {
            Self::Full | Self::Concise | Self::Github => String::new(),
            Self::Json => json(verdicts),
            Self::Junit => junit::report(&suites(files, verdicts)),
        }
    }
}

fn full(verdict: &Verdict<'_>) -> String {
    let colour = output::colour(&std::io::stdout());
    let (word, number) = match verdict.outcome {
        Outcome::Passed => ("ok     ", "32"),
        Outcome::Updated => ("updated", "33"),
        Outcome::Failed | Outcome::Untestable => ("FAILED ", "31"),
    };
    let word = if colour { format!("\x1b[{number}m{word}\x1b[0m") } else { word.to_owned() };
    let took = if verdict.took < LONG { String::new() } else { format!(" ({:.1} s)", verdict.took.as_secs_f64()) };
    let mut text = format!("{word} {}:{}: {}{took}\n", verdict.file, verdict.claim.line, verdict.claim.claim);
    for fault in &verdict.faults {
        let difference = if colour { coloured(&fault.difference) } else { fault.difference.clone() };
        text += &format!("  {}\n", fault.line());
        text.extend(difference.lines().map(|line| format!("    {line}\n")));
    }
    if verdict.outcome == Outcome::Failed {
        text += &format!("  everything that happens: {}\n", simulation(verdict));
    }
    text
}

/// The command that shows everything that happens in a claim.
fn simulation(verdict: &Verdict<'_>) -> String {
    format!("jobsmith simulate {} --claim {}", quoted(verdict.file), quoted(&verdict.claim.claim))
}

/// A word for a shell, in quotation marks if it needs them.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn github(verdict: &Verdict<'_>, Fault { file, line, column, message, difference, .. }: &Fault) -> String {
    let column = column.map(|column| format!(",col={column}")).unwrap_or_default();
    let text = if difference.is_empty() { message.clone() } else { format!("{message}\n{}", difference.trim_end()) };
    annotation("error", file, &format!("line={line}{column}"), &verdict.claim.claim, &text) + "\n"
}

fn json(verdicts: &[Verdict<'_>]) -> String {
    let fault = |Fault { file, line, column, message, difference, .. }: &Fault| {
        let difference = Some(difference).filter(|difference| !difference.is_empty());
        json!({"file": file, "line": line, "column": column, "message": message, "difference": difference})
    };
    let claim = |verdict: &Verdict<'_>| {
        let outcome = match verdict.outcome {
            Outcome::Passed => "passed",
            Outcome::Updated => "updated",
            Outcome::Failed => "failed",
            Outcome::Untestable => "untestable",
        };
        json!({
            "file": verdict.file, "line": verdict.claim.line, "claim": verdict.claim.claim, "outcome": outcome,
            "seconds": verdict.took.as_secs_f64(), "failures": verdict.faults.iter().map(fault).collect::<Vec<_>>(),
        })
    };
    let count = |passed| verdicts.iter().filter(|verdict| verdict.passed() == passed).count();
    let report: Value = json!({"claims": verdicts.iter().map(claim).collect::<Vec<_>>(), "passed": count(true), "failed": count(false)});
    serde_json::to_string_pretty(&report).expect("its keys are text") + "\n"
}

/// A suite for each file that has claims to test.
fn suites(files: &[TestFile], verdicts: &[Verdict<'_>]) -> Vec<TestSuite> {
    let case = |verdict: &Verdict<'_>| {
        let fault = |fault: &Fault| format!("{}\n{}", fault.line(), fault.difference);
        TestCase {
            class: verdict.file.to_owned(),
            name: verdict.claim.claim.clone(),
            took: Some(verdict.took),
            failure: verdict.faults.iter().map(fault).collect(),
            output: String::new(),
        }
    };
    let suite = |file: &TestFile| {
        let name = file.file.source.name.clone();
        let cases = verdicts.iter().filter(|verdict| verdict.file == name).map(case).collect();
        TestSuite { name, cases }
    };
    files.iter().filter(|file| !file.claims.is_empty()).map(suite).collect()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn commands_can_be_copied_into_a_shell() {
        assert_eq!(quoted("k8s/a.md"), "k8s/a.md");
        assert_eq!(quoted("The Job's pods"), r"'The Job'\''s pods'");
        assert_eq!(quoted(""), "''");
    }
}
