//! Runs all tests, with what they need around them.
//!
//! Docs: `tests/`. The oracle answers what upstream Kubernetes does; it is built from Go modules.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, bail, ensure};

use crate::workspace::{Workspace, say, written_at};
use crate::{cargo, program};

/// Builds everything, then becomes `cargo test`.
pub(crate) fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    build_oracle(workspace)?;
    program::build(workspace)?;
    let mut tests = cargo::cargo(workspace);
    tests.args(["test", "--release", "--workspace", "--target-dir"]).arg(&workspace.target).args(arguments);
    Err(tests.exec()).context("cargo does not start")
}

/// Builds the oracle if its source is newer; without Go that is an error in CI, and elsewhere the tests that ask it are skipped.
pub(crate) fn build_oracle(workspace: &Workspace) -> anyhow::Result<()> {
    let sources = ["tests/upstream", "../shared/upstream"].map(|folder| workspace.root.join(folder));
    let source = sources.iter().find(|folder| folder.join("build").exists()).context("the oracle's source, tests/upstream, is missing")?;
    let folder = workspace.root.join("target/upstream");
    if written_at(&folder.join("oracle")) > newest(source)? {
        return Ok(());
    }
    if Command::new("go").arg("version").output().is_err() {
        let missing = "there is no Go, so the oracle cannot be built";
        if std::env::var_os("CI").is_some() {
            bail!("{missing}, and CI needs it");
        }
        say(&format!("SKIPPED: {missing}, and tests that ask it are skipped"));
        return Ok(());
    }
    say("building the oracle from Go modules; the first time this takes some minutes");
    let status = Command::new(source.join("build")).arg(&folder).arg("oracle").status().context("its script does not start")?;
    ensure!(status.success(), "the oracle cannot be built");
    Ok(())
}

/// When the last of a folder's files was written.
fn newest(folder: &Path) -> anyhow::Result<Option<SystemTime>> {
    let mut newest = None;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                newest = newest.max(written_at(&path));
            }
        }
    }
    Ok(newest)
}
