//! The Rust crates: the program and all of the workspace that it is made of, each compiled from its package.
//!
//! Docs: The Cargo Book, "cargo package". The component and the page go into the package of the program through the link `host/jobsmith/component`.

use std::fs;

use anyhow::Context as _;

use super::{Packages, run_tool, sbom};
use crate::cargo;
use crate::workspace::print_line;

/// What is published for its own sake. The crates of this workspace that these need are published with them.
const PUBLISHED: [&str; 6] = ["--package", "contract", "--package", "host_embed", "--package", "jobsmith"];

/// Makes and compiles the packages.
pub(super) fn write(packages: &Packages) -> anyhow::Result<()> {
    print_line("compiling the crates from their packages; this takes a few minutes");
    let needed = sbom::tree(packages.workspace, "normal", &PUBLISHED)?;
    let names: Vec<String> = needed.into_iter().filter(|part| part.kind.is_none()).map(|part| part.name).collect();
    let mut package = cargo::cargo(packages.workspace);
    package.args(["package", "--quiet", "--locked", "--allow-dirty", "--target-dir"]).arg(&packages.workspace.target);
    run_tool(package.args(names.iter().flat_map(|name| ["--package", name])), "Cargo")?;
    let folder = packages.folder.join("crates");
    fs::create_dir_all(&folder)?;
    for name in names {
        let file = format!("{name}-{}.crate", packages.version);
        fs::copy(packages.workspace.target.join("package").join(&file), folder.join(&file)).context(file)?;
    }
    Ok(())
}
