//! Corrections: what has only one meaning is written so, in the file or as a diff.
//!
//! Docs: `jobsmith check --help`. What corrects a problem is decided where it is found, in `manifest`; a correction of an error is safe, since the API
//! server refuses the file without it, one of a warning is not.

use api::Timestamp;
use manifest::{Diagnostic, Repairs, Severity};
use similar::TextDiff;

use super::files::FileToCheck;
use crate::input::BadInput;
use crate::output;

/// How many corrections a file gets.
const MOST: usize = 1000;

/// Corrects all files; `diff`: prints what would change, and changes nothing. Whether anything changes.
pub(super) fn make(files: &mut [FileToCheck], unsafe_ones: bool, diff: bool, now: Timestamp) -> Result<bool, BadInput> {
    let (mut differ, mut bad) = (false, false);
    for FileToCheck { file, path } in files {
        let corrected = corrected(&file.text, unsafe_ones, now);
        let changed = corrected != file.text;
        differ |= changed;
        match path {
            _ if diff => output::text(&unified(&file.name, &file.text, &corrected)),
            None => output::text(&corrected),
            Some(path) if changed => {
                if let Err(error) = std::fs::write(&*path, &corrected) {
                    output::error(&format!("cannot write {}: {error}", path.display()));
                    bad = true;
                }
            }
            Some(_) => {}
        }
        file.text = corrected;
    }
    if bad { Err(BadInput) } else { Ok(differ) }
}

/// The text after all corrections, one after the other.
fn corrected(text: &str, unsafe_ones: bool, now: Timestamp) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST {
        let found = check::check(&text, now).diagnostics;
        let wanted = |found: &&Diagnostic| unsafe_ones || found.severity == Severity::Error;
        let repairs = Repairs::of(&text);
        let corrected = found.iter().filter(wanted).find_map(|found| repairs.repair(found)?.apply(&text));
        match corrected {
            Some(corrected) => text = corrected,
            None => break,
        }
    }
    text
}

fn unified(name: &str, before: &str, after: &str) -> String {
    let name = name.trim_start_matches("./");
    TextDiff::from_lines(before, after).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
