//! A mutant as a file: which bug it is, which test must fail with it, and the lines that it changes.
//!
//! Docs: GNU diffutils, "Unified Format". Line numbers are not read: old lines are looked for, so a patch outlives changes above them. Mutants are run in
//! `mod.rs`.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};

/// A bug that some test must notice.
pub(super) struct Mutant {
    /// The file's name without its extension.
    pub(super) name: String,
    /// The bug, in words.
    pub(super) bug: String,
    pub(super) killer: Killer,
    /// The lines of each place that it changes.
    hunks: Vec<Hunk>,
}

/// The tests that must fail.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Killer {
    /// The binary: `it` for the tests of `core_tests`, or a crate's name for its own.
    pub(super) binary: String,
    /// What their names begin with.
    pub(super) filter: String,
}

struct Hunk {
    file: String,
    old: String,
    new: String,
}

/// What runs tests: those of `core_tests`, and crates' own.
const BINARIES: [&str; 3] = ["it", "controllers", "schedule"];

impl Mutant {
    /// Reads a patch.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path)?;
        Self::parse(name, &text).with_context(|| format!("{} is not a mutant", path.display()))
    }

    fn parse(name: String, text: &str) -> anyhow::Result<Self> {
        let mut lines = text.lines();
        let bug = lines.next().and_then(|line| line.strip_prefix("# ")).context("the first line is `# ` and the bug in words")?;
        let killer = lines.next().and_then(|line| line.strip_prefix("# kills: ")?.split_once(' '));
        let (binary, filter) =
            killer.context("the second line is `# kills: ` with a binary, such as `it` or `controllers`, and the name of a test")?;
        ensure!(BINARIES.contains(&binary), "there is no binary {binary}; name one of {BINARIES:?}");
        let (mut hunks, mut file) = (Vec::<Hunk>::new(), None);
        for line in lines {
            if let Some(path) = line.strip_prefix("+++ b/") {
                file = Some(path.to_owned());
            } else if line.starts_with("@@") {
                let file = file.clone().context("a hunk stands before the file that it changes")?;
                hunks.push(Hunk { file, old: String::new(), new: String::new() });
            } else if let (Some(hunk), false) = (hunks.last_mut(), line.starts_with("--- ")) {
                hunk.add(line)?;
            }
        }
        ensure!(!hunks.is_empty(), "it changes nothing");
        let killer = Killer { binary: binary.to_owned(), filter: filter.to_owned() };
        Ok(Self { name, bug: bug.to_owned(), killer, hunks })
    }

    /// The files that it changes, each with its path in the workspace at `root` and its text with the bug in it.
    pub(super) fn applied(&self, root: &Path) -> anyhow::Result<Vec<(String, String)>> {
        let mut files: Vec<(String, String)> = Vec::new();
        for Hunk { file, old, new } in &self.hunks {
            let at = match files.iter().position(|(path, _)| path == file) {
                Some(at) => at,
                None => {
                    let text = std::fs::read_to_string(root.join(file)).with_context(|| format!("there is no {file}"))?;
                    files.push((file.clone(), text));
                    files.len() - 1
                }
            };
            let text = &mut files[at].1;
            match text.matches(old.as_str()).count() {
                1 => *text = text.replacen(old, new, 1),
                0 => bail!("{file} has no such lines:\n{old}"),
                places => bail!("{file} has these lines at {places} places; give it more of them:\n{old}"),
            }
        }
        Ok(files)
    }
}

impl Hunk {
    fn add(&mut self, line: &str) -> anyhow::Result<()> {
        let (sign, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
        match sign {
            " " => [&mut self.old, &mut self.new].into_iter().for_each(|text| *text += &format!("{rest}\n")),
            "-" => self.old += &format!("{rest}\n"),
            "+" => self.new += &format!("{rest}\n"),
            _ => bail!("a line of a patch begins with a space, `-` or `+`: {line}"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "# It never ends.\n# kills: it scenarios\n--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n one\n-two\n+2\n";

    #[test]
    fn old_lines_are_replaced_wherever_they_are() {
        let folder = std::env::temp_dir().join(format!("jobsmith-mutants-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let applied = |text: &str| {
            std::fs::write(folder.join("a.rs"), text).unwrap();
            Mutant::parse("a".to_owned(), PATCH).unwrap().applied(&folder).map_err(|error| error.to_string())
        };
        assert_eq!(applied("zero\none\ntwo\n"), Ok(vec![("a.rs".to_owned(), "zero\none\n2\n".to_owned())]));
        assert_eq!(applied("one\n2\n"), Err("a.rs has no such lines:\none\ntwo\n".to_owned()));
        assert!(applied("one\ntwo\none\ntwo\n").unwrap_err().contains("at 2 places"));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_patch_names_its_bug_and_the_test_that_notices() {
        let mutant = Mutant::parse("a".to_owned(), PATCH).unwrap();
        assert_eq!((mutant.bug, mutant.killer.binary, mutant.killer.filter), ("It never ends.".into(), "it".into(), "scenarios".into()));
        for (wrong, reason) in [
            (PATCH.replace("# It", "It"), "the first line is"),
            (PATCH.replace("# kills: it scenarios\n", ""), "the second line is"),
            (PATCH.replace("it scenarios", "nobody x"), "there is no binary nobody"),
            (PATCH[..PATCH.find("---").unwrap()].to_owned(), "it changes nothing"),
        ] {
            let error = Mutant::parse("a".to_owned(), &wrong).err().unwrap().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
