//! Runs all tests, with what they need around them.
//!
//! Docs: `tests/`. What tests ask of upstream Kubernetes is built in `upstream.rs`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;

use anyhow::Context as _;

use crate::workspace::Workspace;
use crate::{cargo, program, upstream};

/// Builds everything, then becomes `cargo test`.
pub(crate) fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    upstream::build_for_tests(workspace)?;
    program::build(workspace)?;
    let mut tests = cargo::cargo(workspace);
    tests.args(["test", "--release", "--workspace", "--target-dir"]).arg(&workspace.target).args(arguments);
    Err(tests.exec()).context("cargo does not start")
}
