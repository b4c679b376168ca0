//! When sources were last written: what is made of them is made again only if they are newer.
//!
//! Docs: `cargo xtask help`. The page is compared in `web.rs`, the packages of bindings in `package/bindings.rs`.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use crate::workspace::written_at;

/// What the tools of the languages leave beside the sources.
const LEFTOVERS: [&str; 6] = ["__pycache__", ".mypy_cache", ".ruff_cache", "dist", "node_modules", "target"];

/// When the newest source below a folder was written.
pub(crate) fn newest(folder: &Path) -> anyhow::Result<Option<SystemTime>> {
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
