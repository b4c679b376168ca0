//! Corrections: what has only one meaning is written so, in the file or as a diff.
//!
//! Docs: `jobsmith check --help`. What corrects a problem, and whether that is safe, is decided in `manifest`.

use api::Timestamp;
use manifest::{Diagnostic, Edit, Fix, Repair, Repairs};
use similar::TextDiff;

use super::files::{FileToCheck, findings};
use super::number;
use crate::input::BadInput;
use crate::output;

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
pub(super) fn make(files: &mut [FileToCheck], unsafe_ones: bool, diff: bool, now: Timestamp) -> Result<bool, BadInput> {
    let (mut count, mut changed, mut result) = (0, 0, Ok(()));
    for FileToCheck { file, path } in files {
        let corrected = corrected(&file.text, unsafe_ones, now);
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
fn corrected(text: &str, unsafe_ones: bool, now: Timestamp) -> Corrected {
    let mut corrected = Corrected { text: text.to_owned(), count: 0, unfinished: false };
    for round in 0..=ROUNDS {
        let found = findings(&corrected.text, now);
        if found.objects.is_empty() {
            break;
        }
        let (edits, count) = edits(&corrected.text, &found.diagnostics, unsafe_ones);
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
fn edits(text: &str, found: &[Diagnostic], unsafe_ones: bool) -> (Vec<Edit>, usize) {
    let repairs = Repairs::of(text);
    let (mut edits, mut count) = (Vec::<Edit>::new(), 0);
    for (at, problem) in found.iter().enumerate() {
        let wanted = unsafe_ones || problem.safe() && !contested(problem, found);
        let Some(repair) = Some(problem).filter(|_| wanted).and_then(|problem| repairs.repair(problem)) else { continue };
        let apart = |one: &Edit, other: &Edit| one.range.end < other.range.start || other.range.end < one.range.start;
        if found[..at].iter().all(|before| before.position != problem.position)
            && repair.edits.iter().all(|edit| edits.iter().all(|other| apart(edit, other)))
        {
            edits.extend(repair.edits);
            count += 1;
        }
    }
    (edits, count)
}

/// Whether several fields are to be moved to the same place: which of them is meant is for a person to say.
fn contested(problem: &Diagnostic, found: &[Diagnostic]) -> bool {
    let target =
        |problem: &Diagnostic| problem.fix.as_deref().and_then(|fix| if let Fix::Move { to } = fix { Some(to.clone()) } else { None });
    let own = target(problem);
    own.is_some() && found.iter().filter(|other| target(other) == own).count() > 1
}

fn unified(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
