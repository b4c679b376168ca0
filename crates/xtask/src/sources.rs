//! The files in a folder, and when they were last written: what is made of sources is made again only if they are newer.
//!
//! Docs: `cargo xtask help`. The programs of `tests/upstream/` are compared in `upstream.rs`; the page and the packages of bindings in `crates/release/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::workspace::written_at;

/// What the tools of the languages leave beside the sources.
const LEFTOVERS: [&str; 6] = ["__pycache__", ".mypy_cache", ".ruff_cache", "dist", "node_modules", "target"];

/// All files in a folder and those below it, sorted; none if the folder does not exist.
pub fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
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

/// When the newest source below a folder was written.
pub fn newest(folder: &Path) -> anyhow::Result<Option<SystemTime>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| LEFTOVERS.iter().any(|leftover| name == *leftover)) {
            continue;
        }
        newest = newest.max(if path.is_dir() { self::newest(&path)? } else { written_at(&path) });
    }
    Ok(newest)
}
