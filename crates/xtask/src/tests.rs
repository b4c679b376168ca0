//! Runs all tests, with what they need around them.
//!
//! Docs: `tests/`. What tests need of upstream Kubernetes is built in `upstream.rs`; tests at length are in `soak.rs`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::Context as _;

use crate::workspace::Workspace;
use crate::{cargo, component, package, program, upstream};

/// Builds everything, then becomes `cargo test`.
pub(crate) fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    upstream::build_for_tests(workspace)?;
    program::build(workspace)?;
    component::build_plugins(workspace)?;
    package::for_tests(workspace)?;
    Err(command(workspace).arg("--workspace").args(arguments).exec()).context("cargo does not start")
}

/// `cargo test`, for tests that are built as the program is.
pub(crate) fn command(workspace: &Workspace) -> Command {
    let mut tests = cargo::cargo(workspace);
    tests.args(["test", "--release", "--target-dir"]).arg(&workspace.target);
    tests
}
