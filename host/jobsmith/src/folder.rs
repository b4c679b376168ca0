//! The files in a folder and below that have one of some extensions.
//!
//! Docs: `jobsmith check --help`, `jobsmith test --help`. Which of them matter is decided in `check/files.rs` and `test/files.rs`.

use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use crate::input::BadInput;
use crate::output;

/// Visits the files in a folder and below in the order of their names; hidden ones and those that are excluded are left out. What cannot be read is
/// printed.
pub(crate) fn walk(
    folder: &Path,
    extensions: &[&str],
    excluded: impl Fn(&Path) -> bool,
    mut visit: impl FnMut(&Path) -> Result<(), BadInput>,
) -> Result<(), BadInput> {
    let hidden = |entry: &DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
    let shown = |entry: &DirEntry| !hidden(entry) && !excluded(entry.path());
    let mut result = Ok(());
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(shown) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(folder).display();
                let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                output::error(&format!("cannot read {path}: {reason}"));
                result = Err(BadInput);
                continue;
            }
        };
        if ends_in(entry.path(), extensions) && entry.file_type().is_file() {
            result = result.and(visit(entry.path()));
        }
    }
    result
}

/// Whether the name of a file has one of these extensions.
pub(crate) fn ends_in(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}
