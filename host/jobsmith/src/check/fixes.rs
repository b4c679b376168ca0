//! Corrections: what has only one meaning is written so, in the file or as a diff.
//!
//! Docs: `jobsmith check --help`. What corrects a problem, and whether that is safe, is decided in `manifest`.

use std::collections::BTreeSet;

use api::Timestamp;
use check::{CheckDepth, Findings};
use manifest::{Diagnostic, Edit, Fix, Repair, Repairs};
use similar::TextDiff;

use super::files::{FileToCheck, findings};
use crate::input::BadInput;
use crate::output::{self, number};

/// How often a file is read again: a correction may be what another one waited for.
const ROUNDS: usize = 20;

/// A text with its corrections.
struct Corrected {
    text: String,
    /// How many there are.
    count: usize,
    /// Whether there could be more.
    unfinished: bool,
}

/// Corrects all files; `diff`: prints what would change, and changes nothing. Whether anything changes.
pub(super) fn make(
    files: &mut [FileToCheck],
    unsafe_ones: bool,
    diff: bool,
    depth: CheckDepth<'_>,
    now: Timestamp,
) -> Result<bool, BadInput> {
    let (mut count, mut changed, mut result) = (0, 0, Ok(()));
    for FileToCheck { file, path, .. } in files.iter_mut().filter(|file| file.no_text.is_none()) {
        let corrected = corrected(&file.text, unsafe_ones, depth, now);
        if corrected.unfinished {
            output::complain(&format!("note: {} may have more to correct: run this again\n", file.name));
        }
        match path {
            _ if diff => output::text(&unified(&file.name, &file.text, &corrected.text)),
            None => output::text(&corrected.text),
            Some(_) if corrected.count == 0 => {}
            Some(path) => {
                if let Err(error) = file.replace(path, &corrected.text) {
                    output::error(&format!("cannot write {}: {error}", file.name));
                    result = Err(BadInput);
                    continue;
                }
            }
        }
        count += corrected.count;
        changed += usize::from(corrected.count > 0);
        file.text = corrected.text;
    }
    if count > 0 && !diff {
        output::complain(&format!("corrected {} in {}\n", number(count, "problem"), number(changed, "file")));
    }
    result.map(|()| count > 0)
}

/// The text after all corrections. In a text without Jobs and CronJobs, nothing is corrected.
fn corrected(text: &str, unsafe_ones: bool, depth: CheckDepth<'_>, now: Timestamp) -> Corrected {
    let mut corrected = Corrected { text: text.to_owned(), count: 0, unfinished: false };
    for round in 0..=ROUNDS {
        let found = findings(&corrected.text, depth, now);
        if found.objects.is_empty() {
            break;
        }
        let (edits, count) = edits(&corrected.text, &found, unsafe_ones);
        if count == 0 {
            break;
        }
        let Some(text) = (Repair { label: String::new(), edits }).apply(&corrected.text) else { break };
        if round == ROUNDS {
            corrected.unfinished = true;
            break;
        }
        corrected.text = text;
        corrected.count += count;
    }
    corrected
}

/// The changes that correct as many problems as can be corrected side by side, and how many those are.
fn edits(text: &str, found: &Findings, unsafe_ones: bool) -> (Vec<Edit>, usize) {
    let repairs = Repairs::of(text);
    let contested = contested(found);
    let (mut edits, mut count, mut last) = (Vec::<Edit>::new(), 0, None);
    for problem in &found.diagnostics {
        let certain = problem.safe() && !target(problem, found).is_some_and(|target| contested.contains(&target));
        // An anchor's problem is found at each of its aliases.
        let again = last.replace(problem.position) == Some(problem.position);
        if again || !(unsafe_ones || certain) {
            continue;
        }
        let Some(repair) = repairs.repair(problem) else { continue };
        let apart = |one: &Edit, other: &Edit| one.range.end < other.range.start || other.range.end < one.range.start;
        if repair.edits.iter().all(|edit| edits.iter().all(|other| apart(edit, other))) {
            edits.extend(repair.edits);
            count += 1;
        }
    }
    (edits, count)
}

/// The places to which several fields are to be moved: which of them is meant is for a person to say.
fn contested(found: &Findings) -> BTreeSet<(usize, &str)> {
    let mut seen = BTreeSet::new();
    found.diagnostics.iter().filter_map(|problem| target(problem, found)).filter(|target| !seen.insert(*target)).collect()
}

/// Where a field is to be moved: the number of its object, and the path there.
fn target<'f>(problem: &'f Diagnostic, found: &'f Findings) -> Option<(usize, &'f str)> {
    let Fix::Move { to } = problem.fix.as_deref()? else { return None };
    let object = found.objects.partition_point(|object| object.document().position("") <= problem.position);
    Some((object, to))
}

fn unified(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
