//! Packs the playground's page for the program, which carries it.
//!
//! Docs: `host/src/playground/mod.rs` describes the pack and unpacks it. The page is built in `web.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::component;
use crate::workspace::{Workspace, written_at};

/// Packs the page, or nothing if it was not built.
pub(crate) fn write(workspace: &Workspace) -> anyhow::Result<()> {
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

/// All files in a folder and those below it, sorted; none if the folder does not exist.
pub(crate) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}
