//! The verdict on a claim: whether it went as expected, and what did not.
//!
//! Docs: `tests/scenarios/README.md`. What is seen of a claim is compared in `play::claim`; how verdicts are printed is in `format.rs`.

use std::ops::Range;
use std::time::{Duration, Instant};

use host_embed::Guest;
use manifest::{Diagnostic, Severity};
use play::Bounds;
use play::claim::{Difference, Played, Refused, play};
use play::scenario::Scenario;

use super::difference::difference;
use super::files::TestFile;
use crate::input::{InputFile, UnreadFile};
use crate::scenario_file::load_manifest;

/// How a claim went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// As expected.
    Passed,
    /// Otherwise, and what it states was written anew.
    Updated,
    /// Otherwise.
    Failed,
    /// It cannot be played, or expects nothing.
    Untestable,
}

/// How a claim went, and what did not go as expected.
pub(super) struct Verdict<'f> {
    /// The name of its file.
    pub(super) file: &'f str,
    pub(super) claim: &'f Scenario,
    pub(super) outcome: Outcome,
    pub(super) faults: Vec<Fault>,
    /// What its blocks are to have instead, each with its place.
    pub(super) rewritten: Vec<(Range<usize>, String)>,
    pub(super) took: Duration,
}

/// One thing that did not go as expected.
pub(super) struct Fault {
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
pub(super) fn verdict<'f>(file: &'f TestFile, claim: &'f Scenario, guest: Guest, exact: bool) -> Verdict<'f> {
    let (begin, name) = (Instant::now(), &*file.file.source.name);
    let judged = judge(file, claim, guest, exact);
    let (outcome, faults, rewritten) = match judged {
        Ok((faults, rewritten)) => (if faults.is_empty() { Outcome::Passed } else { Outcome::Failed }, faults, rewritten),
        Err(faults) => (Outcome::Untestable, faults, Vec::new()),
    };
    Verdict { file: name, claim, outcome, faults, rewritten, took: begin.elapsed() }
}

type Judged = (Vec<Fault>, Vec<(Range<usize>, String)>);

/// What did not go as expected, and what the blocks are to have instead.
///
/// # Errors
/// Why the claim cannot be tested.
fn judge(file: &TestFile, claim: &Scenario, guest: Guest, exact: bool) -> Result<Judged, Vec<Fault>> {
    let source = &file.file.source;
    let manifests = manifests(file, claim)?;
    if claim.expects_nothing() {
        let message = "the claim expects nothing: add a block ```expect with, for example, \"Complete within 10m\"; or an empty block ```trace or ```status, and \
                       pass --update";
        return Err(vec![Fault::at(&source.name, claim.line, message.to_owned())]);
    }
    let texts: Vec<&str> = manifests.iter().map(|file| &*file.text).collect();
    let played = play(claim, &texts, guest, Bounds::default()).map_err(|refused| refusals(source, &manifests, refused))?;
    let differences = played.differences(claim, exact);
    let rewritten = differences.iter().map(|differs| (differs.block.place.clone(), differs.seen.clone())).collect();
    let mut faults = unmet(source, &played);
    faults.extend(differences.iter().map(|differs| differing(source, differs)));
    faults.extend(played.mishaps(claim, exact).map(|mishap| Fault::at(&source.name, claim.line, mishap)));
    faults.extend(played.idle_rules.iter().map(|rule| Fault::of(&source.name, rule)));
    Ok((faults, rewritten))
}

/// The manifests that a claim names.
fn manifests(file: &TestFile, claim: &Scenario) -> Result<Vec<InputFile>, Vec<Fault>> {
    let (mut manifests, mut faults) = (Vec::new(), Vec::new());
    for (line, path) in file.file.manifests(claim) {
        match load_manifest(&path) {
            Ok(manifest) => manifests.push(manifest),
            Err(UnreadFile::Missing(reason)) => {
                faults.push(Fault::at(&file.file.source.name, line, format!("{reason}; paths begin at the folder of this file")));
            }
            Err(UnreadFile::NotText(manifest, problem)) => faults.push(Fault::of(&manifest.name, &problem)),
        }
    }
    if faults.is_empty() { Ok(manifests) } else { Err(faults) }
}

/// Why a claim cannot be played.
fn refusals(source: &InputFile, manifests: &[InputFile], Refused { here, files }: Refused) -> Vec<Fault> {
    let mut faults: Vec<Fault> = here.iter().map(|found| Fault::of(&source.name, found)).collect();
    for (place, found) in files {
        let manifest = &manifests[place];
        let all = check::with_refusals(&manifest.text, found);
        faults.extend(all.iter().filter(|found| found.severity == Severity::Error).map(|found| Fault::of(&manifest.name, found)));
    }
    faults
}

fn unmet(source: &InputFile, played: &Played) -> Vec<Fault> {
    let fault = |unmet: &play::UnmetExpectation| {
        let (line, column) = unmet.place;
        let message = format!("expected {:?}, but {}", unmet.expected, unmet.seen);
        Fault { column: Some(column), ..Fault::at(&source.name, line, message) }
    };
    played.unmet.iter().map(fault).collect()
}

fn differing(source: &InputFile, differs: &Difference<'_>) -> Fault {
    let Difference { kind, block, expected, seen, note } = differs;
    let message = match note {
        Some(note) => format!("{kind}: {note}"),
        None => format!("the {kind} differs"),
    };
    let difference = if expected.is_empty() { String::new() } else { difference(expected, seen) };
    Fault { difference, mended_by_update: true, ..Fault::at(&source.name, block.line, message) }
}

impl Verdict<'_> {
    pub(super) fn passed(&self) -> bool {
        matches!(self.outcome, Outcome::Passed | Outcome::Updated)
    }

    /// The verdict once the blocks are rewritten.
    pub(super) fn updated(mut self) -> Self {
        self.faults.retain(|fault| !fault.mended_by_update);
        if self.outcome == Outcome::Failed && self.faults.is_empty() {
            self.outcome = Outcome::Updated;
        }
        self
    }
}

impl Fault {
    fn at(file: &str, line: usize, message: String) -> Self {
        Self { file: file.to_owned(), line, column: None, message, difference: String::new(), mended_by_update: false }
    }

    fn of(file: &str, found: &Diagnostic) -> Self {
        let Diagnostic { message, path, position, remedy, .. } = found;
        let at = if path.is_empty() { String::new() } else { format!("{path}: ") };
        let remedy = remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        Self { column: Some(position.column), ..Self::at(file, position.line, format!("{at}{message}{remedy}")) }
    }

    /// The fault with its place, on a line: `a.md:3:1: …`.
    pub(super) fn line(&self) -> String {
        let column = self.column.map(|column| format!("{column}:")).unwrap_or_default();
        format!("{}:{}:{column} {}", self.file, self.line, self.message)
    }
}
