//! A scenario file as it is given on the command line, with the manifests that its claims name.
//!
//! Docs: `tests/scenarios/README.md`; the format is read in `play::scenario`. Claims are tested in `test/mod.rs`, and simulated by `simulate/session.rs`.

use std::path::{Component, Path, PathBuf};

use play::scenario::{Scenario, read};

use super::input::{BadInput, InputFile, UnreadFile};
use super::output;

/// A scenario file that was read.
pub(crate) struct ScenarioFile {
    pub(crate) path: PathBuf,
    pub(crate) source: InputFile,
    pub(crate) claims: Vec<Scenario>,
}

impl ScenarioFile {
    /// Reads a scenario file; what is wrong with it is printed.
    pub(crate) fn read(path: &Path) -> Result<Self, BadInput> {
        Self::of(path, InputFile::read(path)?.without_dot())
    }

    /// The same of a text that was read.
    pub(crate) fn of(path: &Path, source: InputFile) -> Result<Self, BadInput> {
        let claims = read(&source.text).map_err(|misshapen| {
            output::error(&format!("{}: {misshapen}", source.name));
            BadInput
        })?;
        Ok(Self { path: path.to_owned(), source, claims })
    }

    /// The files that a claim names, each with the line of its path, and where it is.
    pub(crate) fn manifests<'s>(&'s self, claim: &'s Scenario) -> impl Iterator<Item = (usize, PathBuf)> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        claim.paths().map(move |(line, path)| (line, folder.join(path)))
    }
}

/// Reads a manifest that a claim names; it has the shortest name that leads to it.
pub(crate) fn load_manifest(path: &Path) -> Result<InputFile, UnreadFile> {
    let name = shortest(path).display().to_string();
    let named = |file: InputFile| InputFile { name: name.clone(), ..file };
    InputFile::load(path).map(named).map_err(|unread| match unread {
        UnreadFile::Missing(reason) => UnreadFile::Missing(reason.replacen(&path.display().to_string(), &name, 1)),
        UnreadFile::NotText(file, problem) => UnreadFile::NotText(named(file), problem),
    })
}

/// A path without `.` and without folders that are left again.
pub(crate) fn shortest(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        match (part, short.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => _ = short.pop(),
            (part, _) => short.push(part),
        }
    }
    short
}

/// Whether a path names a scenario file.
pub(crate) fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Whether a claim has all of these words, in capital letters or not.
pub(crate) fn has_words(claim: &Scenario, words: &str) -> bool {
    let heading = claim.claim.to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| heading.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_short() {
        for (path, expected) in [("a/tests/../job.yaml", "a/job.yaml"), ("./a/./b.yaml", "a/b.yaml"), ("../../a.yaml", "../../a.yaml")] {
            assert_eq!(shortest(Path::new(path)), Path::new(expected));
        }
        assert_eq!(shortest(Path::new("/a/../b")), Path::new("/b"));
    }

    #[test]
    fn a_claim_is_chosen_by_words_of_its_heading() {
        let claims = read("## A failed Run is retried\n```yaml\n```\n").unwrap();
        let chosen = |words| has_words(&claims[0], words);
        assert!(chosen("failed run") && chosen("RETRIED") && chosen("") && !chosen("failed job"));
    }
}
