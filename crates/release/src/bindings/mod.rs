//! Writes what follows from the WIT: the types of each language with their documentation, the component that tries their codecs, and the Rust by which
//! values cross the boundary.
//!
//! Docs: `host/bindings/README.md`. How the WIT is read is in `interface.rs`; each language has a file of its own.

mod echo;
mod go;
mod interface;
mod java;
mod python;
mod rust;
mod typescript;

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use interface::Interface;

use crate::workspace::{Workspace, print_line};

/// Writes every file that is not what the WIT says.
pub(crate) fn write(workspace: &Workspace) -> anyhow::Result<()> {
    for (path, text) in generated(workspace)? {
        if fs::read_to_string(&path).is_ok_and(|written| written == text) {
            continue;
        }
        fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
        fs::write(&path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
        print_line(&format!("{} has changed", path.display()));
    }
    Ok(())
}

/// All files that are written, and what is to be in them.
fn generated(workspace: &Workspace) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let path = workspace.root.join("crates/component/wit/controllers.wit");
    let wit = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    let interface = Interface::read(&path)?;
    let files = [
        ("host/bindings/go/types.go", go::types(&interface)),
        ("host/bindings/java/src/main/java/dev/jobsmith/Types.java", java::types(&interface)),
        ("host/bindings/node/src/types.ts", typescript::types(&interface)),
        ("host/bindings/python/jobsmith/types.py", python::types(&interface)),
        ("tests/plugins/echo/wit/echo.wit", echo::wit(&interface, &wit)),
    ];
    let rust = rust::files(&workspace.root, &path.to_string_lossy(), &wit)?;
    Ok(files.into_iter().chain(rust).map(|(path, text)| (workspace.root.join(path), text)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_checked_in_is_what_the_wit_says() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let workspace = Workspace { root: root.to_owned(), target: root.join("target") };
        for (path, text) in generated(&workspace).unwrap() {
            let written = fs::read_to_string(&path).unwrap_or_default();
            assert!(written == text, "{} does not match the WIT: run `cargo xtask bindings`", path.display());
        }
    }
}
