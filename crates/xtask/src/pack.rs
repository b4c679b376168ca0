//! Packs the playground's page for the program, which carries it.
//!
//! Docs: `host/jobsmith/src/playground/page.rs` describes the pack and unpacks it. The page is built in `crates/release/src/web.rs`.

use std::fs;

use anyhow::Context as _;

use crate::component;
use crate::sources::files;
use crate::workspace::{Workspace, written_at};

/// Packs the page, or nothing if it was not built.
pub fn write(workspace: &Workspace) -> anyhow::Result<()> {
    let files = files(&workspace.page())?;
    if !files.is_empty() && files.iter().all(|file| written_at(file) < written_at(&workspace.pack())) {
        return Ok(());
    }
    let mut pack = Vec::new();
    for path in files {
        let name = path.strip_prefix(workspace.page())?.to_str().context("a file of the page has a name that is no text")?;
        for part in [name.as_bytes(), &component::gzip(&fs::read(&path)?)?] {
            pack.extend(u32::try_from(part.len())?.to_le_bytes());
            pack.extend(part);
        }
    }
    // Writing it again would rebuild the program.
    if fs::read(workspace.pack()).is_ok_and(|before| before == pack) {
        return Ok(());
    }
    fs::write(workspace.pack(), pack).with_context(|| format!("{} cannot be written", workspace.pack().display()))
}
