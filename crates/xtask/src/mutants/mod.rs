//! Runs the mutants: bugs that are put into the controllers one by one; each must fail the test that its patch names.
//!
//! Docs: `tests/mutants/`; the patches are read in `patch.rs`, the copy that they are applied to is made in `scratch.rs`.

mod patch;
mod scratch;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, ensure};

use self::patch::{Killer, Mutant};
use self::scratch::{MutantResult, Scratch};
use crate::workspace::{Workspace, print_line};

/// Runs the mutants whose names contain one of the arguments, or all.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    let names: Vec<String> = arguments.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let chosen = |mutant: &Mutant| names.is_empty() || names.iter().any(|name| mutant.name.contains(name.as_str()));
    let mutants: Vec<Mutant> = read(workspace)?.into_iter().filter(chosen).collect();
    ensure!(!mutants.is_empty(), "there is no such mutant in tests/mutants");
    let scratch = Scratch::new(workspace)?;
    check_sound(&scratch, &mutants)?;
    let mut found = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let begin = Instant::now();
        let verdict = judge(&scratch, workspace, mutant)?;
        let Killer { binary, filter } = &mutant.killer;
        print_line(&format!("[{} of {}] {}: {} ({} s)", number + 1, mutants.len(), mutant.name, verdict.word(), begin.elapsed().as_secs()));
        if let Some(complaint) = verdict.complaint() {
            found.push(format!("{}: {complaint}\n    bug: {}\n    test: {binary} {filter}", mutant.name, mutant.bug));
        }
    }
    ensure!(found.is_empty(), "{} of {} mutants are not noticed\n{}", found.len(), mutants.len(), found.join("\n"));
    print_line(&format!("all {} mutants are noticed", mutants.len()));
    Ok(())
}

/// All mutants, by name.
fn read(workspace: &Workspace) -> anyhow::Result<Vec<Mutant>> {
    let folder = workspace.root.join("tests/mutants");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("{} does not exist", folder.display()))?;
    let paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    let mut patches: Vec<PathBuf> = paths.into_iter().filter(|path| path.extension().is_some_and(|found| found == "patch")).collect();
    patches.sort();
    patches.iter().map(|path| Mutant::read(path)).collect()
}

/// Checks that the tests pass without a bug: one that fails anyway notices nothing.
fn check_sound(scratch: &Scratch, mutants: &[Mutant]) -> anyhow::Result<()> {
    let killers: BTreeSet<&Killer> = mutants.iter().map(|mutant| &mutant.killer).collect();
    print_line(&format!("{} tests pass without a bug:", killers.len()));
    for killer in killers {
        let verdict = scratch.test(killer)?;
        ensure!(verdict == MutantResult::Passed, "{} {}: {} without a bug", killer.binary, killer.filter, verdict.word());
    }
    Ok(())
}

fn judge(scratch: &Scratch, workspace: &Workspace, mutant: &Mutant) -> anyhow::Result<MutantResult> {
    let files = match mutant.applied(&workspace.root) {
        Ok(files) => files,
        Err(error) => return Ok(MutantResult::Unapplied(error.to_string())),
    };
    for (path, text) in &files {
        scratch.write(path, text)?;
    }
    let verdict = scratch.test(&mutant.killer);
    for (path, _) in &files {
        scratch.write(path, &std::fs::read_to_string(workspace.root.join(path))?)?;
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_can_still_be_applied() {
        let workspace = Workspace::current().unwrap();
        let mutants = read(&workspace).unwrap();
        assert!(!mutants.is_empty(), "there are no mutants");
        let errors: Vec<String> = mutants
            .iter()
            .filter_map(|mutant| Some(format!("tests/mutants/{}.patch: {}", mutant.name, mutant.applied(&workspace.root).err()?)))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}
