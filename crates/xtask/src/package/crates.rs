//! The Rust crates: the program and all of the workspace that it is made of, each compiled from its package.
//!
//! Docs: The Cargo Book, "cargo package". The component and the page go into the package of the program through the link `host/component`.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::{Packages, run_tool};
use crate::cargo;
use crate::workspace::{Workspace, print_line};

/// What is published for its own sake; the other crates are, because these are made of them.
const PUBLISHED: [&str; 2] = ["contract", "jobsmith"];

/// Makes and compiles the packages.
pub(super) fn write(packages: &Packages) -> anyhow::Result<()> {
    print_line("compiling the crates from their packages; this takes a few minutes");
    let names = needed(packages.workspace)?;
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

/// The crates of this workspace that the published ones are made of, and these.
fn needed(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let output = cargo::cargo(workspace).args(["metadata", "--format-version=1", "--no-deps", "--locked"]).output()?;
    ensure!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let crates = metadata["packages"].as_array().context("cargo metadata lists packages")?;
    let own: BTreeMap<&str, &Value> = crates.iter().filter_map(|package| Some((package["name"].as_str()?, package))).collect();
    let mut needed: Vec<&str> = PUBLISHED.to_vec();
    let mut next = 0;
    while let Some(name) = needed.get(next) {
        let dependencies = own[name]["dependencies"].as_array().into_iter().flatten();
        let normal = dependencies.filter(|dependency| dependency["kind"].is_null()).filter_map(|dependency| dependency["name"].as_str());
        let new: Vec<&str> = normal.filter(|name| own.contains_key(name) && !needed.contains(name)).collect();
        needed.extend(new);
        next += 1;
    }
    Ok(needed.into_iter().map(str::to_owned).collect())
}
