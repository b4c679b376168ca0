//! Starts the package `release`, which makes what is checked in or shipped: no everyday command compiles it.
//!
//! Docs: `crates/release/src/main.rs`. What it is started for is in `USAGE` of `main.rs`.

use std::ffi::OsString;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::cargo;
use crate::workspace::{Profile, Workspace};

/// Builds it and runs one of its commands.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    cargo::build(workspace, &["--release", "--package=release"], &[])?;
    let mut release = Command::new(workspace.program(Profile::Release, "release"));
    release.args(arguments).env("CARGO_MANIFEST_DIR", workspace.root.join("crates/release"));
    let status = release.status().context("cannot start the program `release`")?;
    ensure!(status.success(), "`cargo xtask {}` failed", arguments.first().map(|command| command.to_string_lossy()).unwrap_or_default());
    Ok(())
}
