//! The forms in which what was found is printed: for people, for programs, and for the services that show it on the line.
//!
//! Docs: GitLab, "Code Quality report format". SARIF is in `sarif.rs`, Markdown in `markdown.rs`; annotations and JUnit, which other commands have too, in `annotation.rs` and
//! `junit.rs`.

use api::Timestamp;
use console::Term;
use manifest::{Diagnostic, Severity};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::files::CheckedFile;
use super::predictions::here;
use super::{Total, markdown, sarif};
use crate::annotation::annotation;
use crate::junit::{self, TestCase, TestSuite};
use crate::output;

/// The name of all tests together, in a report of tests.
const SUITE: &str = "jobsmith check";

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CheckFormat {
    /// Each problem with its line and how to fix it
    Full,
    /// One line per problem
    Concise,
    /// One JSON object
    Json,
    /// Workflow commands of GitHub Actions: annotations on the lines of a pull request
    Github,
    /// A Code Quality report for GitLab
    Gitlab,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML: a test for each file
    Junit,
    /// Tables for a comment on a pull request, with what the objects will do
    Markdown,
}

impl CheckFormat {
    /// What was found, in this form. `strict`: warnings fail, too.
    pub(super) fn text(self, checked: &[CheckedFile], strict: bool, now: Timestamp) -> String {
        match self {
            Self::Full => full(checked, now),
            Self::Concise => each(checked, concise),
            Self::Json => pretty(&json(checked, now)),
            Self::Github => each(checked, github),
            Self::Gitlab => pretty(&gitlab(checked)),
            Self::Sarif => pretty(&sarif::log(checked)),
            Self::Junit => junit::report(&[suite(checked, strict)]),
            Self::Markdown => markdown::comment(checked, now),
        }
    }
}

/// Errors and warnings as compilers show them; below those of a file a line for each note, and what its objects will do.
fn full(checked: &[CheckedFile], now: Timestamp) -> String {
    let colour = output::colour(&std::io::stdout());
    let (reader, width) = (here(now), Term::stdout().size_checked().map(|(_, width)| usize::from(width)));
    let blocks = checked.iter().flat_map(|CheckedFile { file, report, predictions }| {
        let (notes, problems): (Vec<Diagnostic>, Vec<Diagnostic>) =
            report.diagnostics.iter().cloned().partition(|found| found.severity == Severity::Note);
        let rendered = manifest::render_with_rules(&problems, &file.name, &file.text, colour);
        let note = |found: &Diagnostic| format!("note[{}]: {}:{found}\n", found.rule.as_str(), file.name);
        let paragraphs = predictions.iter().map(|predicted| predicted.paragraph(reader.as_ref(), width, now));
        let parts = [rendered, notes.iter().map(note).collect()].into_iter().chain(paragraphs);
        parts.filter(|part| !part.is_empty()).map(|part| part + "\n").collect::<Vec<_>>()
    });
    blocks.collect()
}

/// A line for each problem.
fn each(checked: &[CheckedFile], line: fn(&str, &Diagnostic) -> String) -> String {
    let lines = |checked: &CheckedFile| {
        let line = |found| line(&checked.file.name, found) + "\n";
        checked.report.diagnostics.iter().map(line).collect::<String>()
    };
    checked.iter().map(lines).collect()
}

fn concise(file: &str, found: &Diagnostic) -> String {
    format!("{file}:{found} [{}]", found.rule.as_str())
}

fn github(file: &str, found: &Diagnostic) -> String {
    let Diagnostic { position, rule, .. } = found;
    let end = position.column + position.length.max(1) - 1;
    let place = format!("line={},col={},endColumn={end}", position.line, position.column);
    let level = if found.severity == Severity::Note { "notice" } else { level(found.severity) };
    annotation(level, file, &place, rule.as_str(), &sentence(found))
}

/// Each file is a test, which fails if the API server would refuse something in it, or by warnings if these fail, too; all else is in its output.
fn suite(checked: &[CheckedFile], strict: bool) -> TestSuite {
    let fails = |found: &&Diagnostic| found.severity == Severity::Error || strict && found.severity == Severity::Warning;
    let case = |CheckedFile { file, report, .. }: &CheckedFile| {
        let lines = |failures: bool| -> String {
            let found = report.diagnostics.iter().filter(|found| fails(found) == failures);
            found
                .map(|found| format!("{}:{}: {} [{}]\n", found.position.line, found.position.column, sentence(found), found.rule.as_str()))
                .collect()
        };
        let (failure, output) = (lines(true), lines(false));
        TestCase { class: SUITE.to_owned(), name: file.name.clone(), failure, output, ..TestCase::default() }
    };
    TestSuite { name: SUITE.to_owned(), cases: checked.iter().map(case).collect() }
}

/// What is wrong and what to do, without the place.
pub(super) fn sentence(found: &Diagnostic) -> String {
    let mut sentence = if found.path.is_empty() { found.message.clone() } else { format!("{}: {}", found.path, found.message) };
    sentence.extend(found.remedy.iter().map(|remedy| format!("; {remedy}")));
    sentence
}

/// How bad it is, as most formats have it.
pub(crate) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn json(checked: &[CheckedFile], now: Timestamp) -> Value {
    let found = checked.iter().flat_map(|checked| checked.report.diagnostics.iter().map(|found| (&checked.file.name, found)));
    let diagnostic = |(file, Diagnostic { severity, rule, message, path, position, remedy, .. }): (&String, &Diagnostic)| {
        json!({
            "file": file, "line": position.line, "column": position.column, "length": position.length,
            "severity": level(*severity), "rule": rule.as_str(), "path": path, "message": message, "remedy": remedy,
        })
    };
    let reader = here(now);
    let predicted = checked.iter().flat_map(|checked| checked.predictions.iter().map(|predicted| (&*checked.file.name, predicted)));
    let predictions: Vec<Value> = predicted.map(|(file, predicted)| predicted.json(file, reader.as_ref(), now)).collect();
    let Total { files, cron_jobs, jobs, others, errors, warnings, notes, silenced } = Total::of(checked);
    json!({
        "diagnostics": found.map(diagnostic).collect::<Vec<_>>(), "predictions": predictions,
        "files": files, "cronJobs": cron_jobs, "jobs": jobs, "otherObjects": others,
        "errors": errors, "warnings": warnings, "notes": notes, "silenced": silenced,
    })
}

fn gitlab(checked: &[CheckedFile]) -> Value {
    let issue = |checked: &CheckedFile, at: usize| {
        let (file, found) = (&checked.file.name, &checked.report.diagnostics[at]);
        let alike = |other: &&Diagnostic| (other.rule, &other.path, &other.message) == (found.rule, &found.path, &found.message);
        let number = checked.report.diagnostics[..at].iter().filter(alike).count();
        let severity = match found.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        };
        json!({
            "description": sentence(found), "check_name": found.rule.as_str(), "fingerprint": fingerprint(file, found, number), "severity": severity,
            "location": {"path": file, "lines": {"begin": found.position.line}},
        })
    };
    checked.iter().flat_map(|checked| (0..checked.report.diagnostics.len()).map(|at| issue(checked, at))).collect()
}

/// What tells a problem from others, wherever its line moves: also from those alike in its file, by its number among them.
fn fingerprint(file: &str, found: &Diagnostic, number: usize) -> String {
    let digest = Sha256::digest(format!("{file}\0{}\0{}\0{}\0{number}", found.rule.as_str(), found.path, found.message));
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("its keys are text") + "\n"
}
