//! Builds the program `jobsmith` around the component, and runs it.
//!
//! Docs: `README.md`. The component comes from `component.rs`; what the program does with it is in `host/embed/src/component.rs`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::workspace::{Profile, Workspace, print_line, written_at};
use crate::{cargo, component, pack};

/// Features of `cargo build` for a program with all commands: those of `host/jobsmith/Cargo.toml`.
const WHOLE: &[&str] = &["--all-features"];
/// The same for one that has only what every user runs: it compiles in half the time.
const LIGHT: &[&str] = &["--no-default-features"];

/// Builds everything that a user runs.
pub fn build(workspace: &Workspace, profile: Profile) -> anyhow::Result<()> {
    build_with(workspace, profile, WHOLE)
}

/// Builds, then becomes `jobsmith run`, so that signals and the exit status are its own.
pub fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    let program = workspace.program(Profile::Release, "jobsmith");
    // A whole program that is there already stays whole.
    build_with(workspace, Profile::Release, if whole(&program) { WHOLE } else { LIGHT })?;
    Err(Command::new(&program).arg("run").args(arguments).exec()).with_context(|| format!("cannot start {}", program.display()))
}

/// Returns whether a program is there, with all commands.
fn whole(program: &Path) -> bool {
    Command::new(program).args(["controller", "--help"]).output().is_ok_and(|output| output.status.success())
}

fn build_with(workspace: &Workspace, profile: Profile, features: &[&str]) -> anyhow::Result<()> {
    component::build(workspace)?;
    pack::write(workspace)?;
    if !workspace.program(profile, "precompile").exists() {
        print_line("building the program; with an empty target directory this takes some minutes");
    }
    build_binary(workspace, profile, "precompile", features)?;
    precompile(workspace, profile)?;
    build_binary(workspace, profile, "jobsmith", features)
}

/// Builds one of the two programs with the features that both enable: with others, all of wasmtime would be compiled once for each.
fn build_binary(workspace: &Workspace, profile: Profile, name: &str, features: &[&str]) -> anyhow::Result<()> {
    let both = ["--profile", profile.name(), "--package=host_embed", "--package=jobsmith", "--bin", name];
    cargo::build(workspace, &[&both, features].concat(), &[])
}

/// Compiles the component for this kind of machine, if it or the compiler is newer than the last result.
fn precompile(workspace: &Workspace, profile: Profile) -> anyhow::Result<()> {
    let (component, precompiled, compiler) = (workspace.component(), workspace.precompiled(), workspace.program(profile, "precompile"));
    if written_at(&precompiled) > written_at(&component).max(written_at(&compiler)) {
        return Ok(());
    }
    let status = Command::new(compiler).arg(&component).arg(&precompiled).status()?;
    ensure!(status.success(), "the component cannot be compiled for this machine");
    Ok(())
}
