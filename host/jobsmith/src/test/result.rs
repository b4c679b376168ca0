//! The result of a claim: whether it went as expected, and what did not.
//!
//! Docs: `tests/scenarios/README.md`. What is seen of a claim is compared in `play::claim`; how results are printed is in `format.rs`.

use std::ops::Range;
use std::time::{Duration, Instant};

use host_embed::Guest;
use manifest::{Diagnostic, FileReading, ManifestObject, Severity};
use play::Bounds;
use play::claim::{Difference, Played, RefusedClaim, play};
use play::scenario::Scenario;

use super::difference::difference;
use super::files::TestFile;
use crate::input::{InputFile, UnreadFile};
use crate::scenario_file::load_manifest;

/// How a claim went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClaimStatus {
    /// As expected.
    Passed,
    /// Otherwise, and what it states was rewritten.
    Updated,
    /// Otherwise.
    Failed,
    /// It cannot be played, or expects nothing.
    Untestable,
}

/// How a claim went, and what did not go as expected.
pub(super) struct ClaimResult<'f> {
    /// The name of its file.
    pub(super) file: &'f str,
    pub(super) claim: &'f Scenario,
    pub(super) status: ClaimStatus,
    pub(super) failures: Vec<ClaimFailure>,
    /// What its blocks are to have instead, each with its place.
    pub(super) rewritten: Vec<(Range<usize>, String)>,
    pub(super) took: Duration,
    /// Whether there are CronJobs in it.
    pub(super) cron_jobs: bool,
}

/// One thing that did not go as expected.
pub(super) struct ClaimFailure {
    /// The file in which it is to be seen.
    pub(super) file: String,
    pub(super) line: usize,
    /// From 1; `None` for the whole line.
    pub(super) column: Option<usize>,
    /// What, in a sentence without its end.
    pub(super) message: String,
    /// How texts differ, as a unified diff; empty if there is none.
    pub(super) difference: String,
    /// Whether the claim goes as expected once its blocks are rewritten.
    mended_by_update: bool,
}

/// Plays a claim and compares.
pub(super) fn test<'f>(file: &'f TestFile, claim: &'f Scenario, guest: Guest, exact: bool) -> ClaimResult<'f> {
    let (begin, name) = (Instant::now(), &*file.file.source.name);
    let manifests = manifests(file, claim);
    let texts = manifests.iter().flatten().map(|file| &*file.text).chain(claim.manifest.as_ref().map(|own| &*own.text));
    let cron_jobs = texts
        .filter_map(|text| manifest::workloads_among_others(text).ok())
        .flatten()
        .any(|object| matches!(object, ManifestObject::CronJob(_)));
    let judged = manifests.and_then(|manifests| judge(file, claim, &manifests, guest, exact));
    let (status, failures, rewritten) = match judged {
        Ok((failures, rewritten)) => (if failures.is_empty() { ClaimStatus::Passed } else { ClaimStatus::Failed }, failures, rewritten),
        Err(failures) => (ClaimStatus::Untestable, failures, Vec::new()),
    };
    ClaimResult { file: name, claim, status, failures, rewritten, took: begin.elapsed(), cron_jobs }
}

type Judged = (Vec<ClaimFailure>, Vec<(Range<usize>, String)>);

/// What did not go as expected, and what the blocks are to have instead.
///
/// # Errors
/// Why the claim cannot be tested.
fn judge(file: &TestFile, claim: &Scenario, manifests: &[InputFile], guest: Guest, exact: bool) -> Result<Judged, Vec<ClaimFailure>> {
    let source = &file.file.source;
    if claim.expects_nothing() {
        let message = "the claim expects nothing: add a block ```expect with, for example, \"Complete within 10m\"; or an empty block ```trace or ```status, and \
                       pass --update";
        return Err(vec![ClaimFailure::at(&source.name, claim.line, message.to_owned())]);
    }
    let texts: Vec<&str> = manifests.iter().map(|file| &*file.text).collect();
    let played = play(claim, &texts, guest, Bounds::default()).map_err(|refused| refusals(source, manifests, refused))?;
    let differences = played.differences(claim, exact);
    let rewritten = differences.iter().map(|differs| (differs.block.place.clone(), differs.rewritten.clone())).collect();
    let mut failures = unmet(source, &played);
    failures.extend(differences.iter().map(|differs| differing(source, differs)));
    failures.extend(played.mishaps(claim, exact).map(|mishap| ClaimFailure::at(&source.name, claim.line, mishap)));
    failures.extend(played.idle_rules.iter().map(|rule| ClaimFailure::of(&source.name, rule)));
    failures.sort_by_key(|failure| failure.line);
    Ok((failures, rewritten))
}

/// The manifests that a claim names.
fn manifests(file: &TestFile, claim: &Scenario) -> Result<Vec<InputFile>, Vec<ClaimFailure>> {
    let (mut manifests, mut failures) = (Vec::new(), Vec::new());
    for (line, path) in file.file.manifests(claim) {
        match load_manifest(&path) {
            Ok(manifest) => manifests.push(manifest),
            Err(UnreadFile::Missing(reason)) => {
                failures.push(ClaimFailure::at(&file.file.source.name, line, format!("{reason}; paths begin at the folder of this file")));
            }
            Err(UnreadFile::NotText(manifest, problem)) => failures.push(ClaimFailure::of(&manifest.name, &problem)),
        }
    }
    if failures.is_empty() { Ok(manifests) } else { Err(failures) }
}

/// Why a claim cannot be played.
fn refusals(source: &InputFile, manifests: &[InputFile], RefusedClaim { here, files }: RefusedClaim) -> Vec<ClaimFailure> {
    let mut failures: Vec<ClaimFailure> = here.iter().map(|found| ClaimFailure::of(&source.name, found)).collect();
    for (place, found) in files {
        let manifest = &manifests[place];
        let all = check::with_refusals(&FileReading::of(&manifest.text), found);
        failures.extend(all.iter().filter(|found| found.severity == Severity::Error).map(|found| ClaimFailure::of(&manifest.name, found)));
    }
    failures
}

fn unmet(source: &InputFile, played: &Played) -> Vec<ClaimFailure> {
    let failure = |unmet: &play::UnmetAssertion| {
        let (line, column) = unmet.place;
        let message = format!("expected {:?}, but {}", unmet.expected, unmet.seen);
        ClaimFailure { column: Some(column), ..ClaimFailure::at(&source.name, line, message) }
    };
    played.unmet.iter().map(failure).collect()
}

fn differing(source: &InputFile, differs: &Difference<'_>) -> ClaimFailure {
    let Difference { kind, block, expected, seen, note, .. } = differs;
    let message = match note {
        Some(note) => format!("{kind}: {note}"),
        None => format!("the {kind} differs"),
    };
    let difference = if expected.is_empty() { String::new() } else { difference(expected, seen) };
    // The lines of an exact block are compared as they stand there.
    let alike = expected.lines().zip(seen.lines()).take_while(|(expected, seen)| expected == seen).count();
    let line = block.line + if *expected == block.text { alike } else { 0 };
    ClaimFailure { difference, mended_by_update: true, ..ClaimFailure::at(&source.name, line, message) }
}

impl ClaimResult<'_> {
    pub(super) fn passed(&self) -> bool {
        matches!(self.status, ClaimStatus::Passed | ClaimStatus::Updated)
    }

    /// The result once the blocks are rewritten.
    pub(super) fn updated(mut self) -> Self {
        self.failures.retain(|failure| !failure.mended_by_update);
        if self.status == ClaimStatus::Failed && self.failures.is_empty() {
            self.status = ClaimStatus::Updated;
        }
        self
    }
}

impl ClaimFailure {
    fn at(file: &str, line: usize, message: String) -> Self {
        Self { file: file.to_owned(), line, column: None, message, difference: String::new(), mended_by_update: false }
    }

    fn of(file: &str, found: &Diagnostic) -> Self {
        let Diagnostic { message, path, position, remedy, .. } = found;
        let at = if path.is_empty() { String::new() } else { format!("{path}: ") };
        let remedy = remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        Self { column: Some(position.column), ..Self::at(file, position.line, format!("{at}{message}{remedy}")) }
    }

    /// The failure with its place, on a line: `a.md:3:1: …`.
    pub(super) fn line(&self) -> String {
        let column = self.column.map(|column| format!("{column}:")).unwrap_or_default();
        format!("{}:{}:{column} {}", self.file, self.line, self.message)
    }
}
