//! Measures what jobsmith costs.
//!
//! Docs: `README.md`. Nothing is measured yet; what is built before is in `program.rs`.

use std::ffi::OsString;

use crate::program;
use crate::workspace::Workspace;

/// Builds everything, then measures.
pub(crate) fn run(workspace: &Workspace, arguments: Vec<OsString>) -> anyhow::Result<()> {
    program::build(workspace)?;
    anyhow::bail!("there is no benchmark {arguments:?}")
}
