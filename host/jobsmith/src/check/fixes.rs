//! Corrections: what has only one meaning is written so, in the file or as a diff.
//!
//! Docs: `jobsmith check --help`. What corrects a problem, and whether that is safe, is decided in `manifest`; one text is corrected in `check`.

use api::Timestamp;
use check::CheckDepth;
use similar::TextDiff;

use super::files::FileToCheck;
use crate::input::BadInput;
use crate::output::{self, number};

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
        let corrected = check::corrected(&file.text, unsafe_ones, depth, now);
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

fn unified(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
