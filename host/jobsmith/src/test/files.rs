//! The files that are tested: those that are named, and in folders those that have claims.
//!
//! Docs: `jobsmith test --help`. How a scenario file is read is in `scenario_file.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use play::scenario::{Scenario, has_claims};

use crate::folder;
use crate::input::{BadInput, InputFile};
use crate::scenario_file::{ScenarioFile, has_words};

/// A file with claims to test.
pub(super) struct TestFile {
    pub(super) file: ScenarioFile,
    /// The claims of the file that are tested.
    pub(super) claims: Vec<Scenario>,
}

/// Reads all files, each once, and whether all of them could be read; prints which could not. Of their claims, those are tested that have these words.
pub(super) fn read(paths: &[PathBuf], words: Option<&str>) -> (Vec<TestFile>, Result<(), BadInput>) {
    let (mut files, mut all) = (Vec::new(), Ok(()));
    let mut known = BTreeSet::new();
    let mut add = |file: ScenarioFile| {
        if !known.insert(file.path.canonicalize().unwrap_or_else(|_| file.path.clone())) {
            return;
        }
        let wanted = |claim: &&Scenario| words.is_none_or(|words| has_words(claim, words));
        let claims = file.claims.iter().filter(wanted).cloned().collect();
        files.push(TestFile { file, claims });
    };
    for path in paths {
        let read = if path.is_dir() {
            folder::walk(path, &["md"], |_| false, |path| in_folder(path)?.map(&mut add).map_or(Ok(()), Ok))
        } else {
            ScenarioFile::read(path).map(&mut add)
        };
        all = all.and(read);
    }
    (files, all)
}

/// Reads a file of a folder, if it has claims: folders have other texts, too.
fn in_folder(path: &Path) -> Result<Option<ScenarioFile>, BadInput> {
    let source = InputFile::read(path)?.without_dot();
    if has_claims(&source.text) { ScenarioFile::of(path, source).map(Some) } else { Ok(None) }
}
