//! Runs all tests, with what they need around them.
//!
//! Docs: `tests/`. What tests need of upstream Kubernetes is built in `upstream.rs`; tests at length are in `soak.rs`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::workspace::{Profile, Workspace};
use crate::{cargo, component, program, release, upstream};

/// What is tested as the program is built, so that all that both need is compiled once: neither the components, which are built for WebAssembly, nor the
/// tools, whose tests come first.
const PACKAGES: [&str; 6] =
    ["--workspace", "--exclude=component", "--exclude=echo", "--exclude=pod_labeler", "--exclude=release", "--exclude=wrap"];

/// The packages with tools that are compiled on their own.
const TOOLS: [&str; 2] = ["--package=release", "--package=wrap"];

/// Builds everything, then becomes `cargo test`.
pub(crate) fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    upstream::build_for_tests(workspace)?;
    program::build(workspace, Profile::Release)?;
    component::build_plugins(workspace)?;
    release::run(workspace, &["package-for-tests".into()])?;
    if arguments.is_empty() {
        let status = tests(workspace).args(TOOLS).status().context("cargo does not start")?;
        ensure!(status.success(), "tests failed");
    }
    Err(command(workspace).args(arguments).exec()).context("cargo does not start")
}

/// `cargo test`, for tests that are built as the program is.
pub(crate) fn command(workspace: &Workspace) -> Command {
    let mut tests = tests(workspace);
    tests.args(PACKAGES);
    tests
}

fn tests(workspace: &Workspace) -> Command {
    let mut tests = cargo::cargo(workspace);
    tests.args(["test", "--release", "--target-dir"]).arg(&workspace.target);
    tests
}
