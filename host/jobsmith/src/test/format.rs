//! The forms in which results are printed: for people, for programs, and for the services that show them.
//!
//! Docs: `jobsmith test --help`. Annotations and JUnit, which other commands have too, are in `annotation.rs` and `junit.rs`.

use std::time::Duration;

use serde_json::{Value, json};

use super::difference::coloured;
use super::files::TestFile;
use super::result::{ClaimFailure, ClaimResult, ClaimStatus};
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
    pub(super) fn line(self, result: &ClaimResult<'_>) -> String {
        match self {
            Self::Full => full(result),
            Self::Concise => result.failures.iter().map(|failure| format!("{}\n", failure.line())).collect(),
            Self::Github => result.failures.iter().map(|failure| github(result, failure)).collect(),
            Self::Json | Self::Junit => String::new(),
        }
    }

    /// What is printed once all claims were played.
    pub(super) fn report(self, files: &[TestFile], results: &[ClaimResult<'_>]) -> String {
        match self {
            Self::Full | Self::Concise | Self::Github => String::new(),
            Self::Json => json(results),
            Self::Junit => junit::report(&suites(files, results)),
        }
    }
}

fn full(result: &ClaimResult<'_>) -> String {
    let colour = output::colour(&std::io::stdout());
    let (word, number) = match result.status {
        ClaimStatus::Passed => ("ok     ", "32"),
        ClaimStatus::Updated => ("updated", "33"),
        ClaimStatus::Failed | ClaimStatus::Untestable => ("FAILED ", "31"),
    };
    let word = if colour { format!("\x1b[{number}m{word}\x1b[0m") } else { word.to_owned() };
    let took = if result.took < LONG { String::new() } else { format!(" ({:.1} s)", result.took.as_secs_f64()) };
    let mut text = format!("{word} {}:{}: {}{took}\n", result.file, result.claim.line, result.claim.claim);
    for failure in &result.failures {
        let difference = if colour { coloured(&failure.difference) } else { failure.difference.clone() };
        text += &format!("  {}\n", failure.line());
        text.extend(difference.lines().map(|line| format!("    {line}\n")));
    }
    if result.status == ClaimStatus::Failed {
        text += &format!("  everything that happens: {}\n", simulation(result));
    }
    text
}

/// The command that shows everything that happens in a claim.
fn simulation(result: &ClaimResult<'_>) -> String {
    // Of a CronJob, not even its Jobs are shown otherwise.
    let why = if result.cron_jobs { " --why" } else { "" };
    format!("jobsmith simulate {} --claim {}{why}", quoted(result.file), quoted(&result.claim.claim))
}

/// A word for a shell, in quotation marks if it needs them.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn github(result: &ClaimResult<'_>, ClaimFailure { file, line, column, message, difference, .. }: &ClaimFailure) -> String {
    let column = column.map(|column| format!(",col={column}")).unwrap_or_default();
    let text = if difference.is_empty() { message.clone() } else { format!("{message}\n{}", difference.trim_end()) };
    annotation("error", file, &format!("line={line}{column}"), &result.claim.claim, &text) + "\n"
}

fn json(results: &[ClaimResult<'_>]) -> String {
    let failure = |ClaimFailure { file, line, column, message, difference, .. }: &ClaimFailure| {
        let difference = Some(difference).filter(|difference| !difference.is_empty());
        json!({"file": file, "line": line, "column": column, "message": message, "difference": difference})
    };
    let claim = |result: &ClaimResult<'_>| {
        let status = match result.status {
            ClaimStatus::Passed => "passed",
            ClaimStatus::Updated => "updated",
            ClaimStatus::Failed => "failed",
            ClaimStatus::Untestable => "untestable",
        };
        json!({
            "file": result.file, "line": result.claim.line, "claim": result.claim.claim, "outcome": status,
            "seconds": result.took.as_secs_f64(), "failures": result.failures.iter().map(failure).collect::<Vec<_>>(),
        })
    };
    let count = |passed| results.iter().filter(|result| result.passed() == passed).count();
    let report: Value = json!({"claims": results.iter().map(claim).collect::<Vec<_>>(), "passed": count(true), "failed": count(false)});
    serde_json::to_string_pretty(&report).expect("its keys are text") + "\n"
}

/// A suite for each file that has claims to test.
fn suites(files: &[TestFile], results: &[ClaimResult<'_>]) -> Vec<TestSuite> {
    let case = |result: &ClaimResult<'_>| {
        let failure = |failure: &ClaimFailure| format!("{}\n{}", failure.line(), failure.difference);
        TestCase {
            class: result.file.to_owned(),
            name: result.claim.claim.clone(),
            took: Some(result.took),
            failure: result.failures.iter().map(failure).collect(),
            output: String::new(),
        }
    };
    let suite = |file: &TestFile| {
        let name = file.file.source.name.clone();
        let cases = results.iter().filter(|result| result.file == name).map(case).collect();
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
