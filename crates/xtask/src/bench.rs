//! Measures what jobsmith costs.
//!
//! Docs: `README.md`. What is measured is in `tests/bench/`; what is built before is in `program.rs`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;

use anyhow::Context as _;

use crate::workspace::{Profile, Workspace};
use crate::{cargo, program, upstream};

/// Builds everything, then becomes the program that measures the rows that the arguments name.
pub(crate) fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    upstream::build_for_bench(workspace)?;
    program::build(workspace, Profile::Dist)?;
    let mut bench = cargo::cargo(workspace);
    bench.args(["bench", "--quiet", "--profile=dist", "--package=host_tests", "--bench=bench", "--target-dir"]).arg(&workspace.target);
    bench.arg("--").args(arguments);
    Err(bench.exec()).context("cannot start cargo")
}
