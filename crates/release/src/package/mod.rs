//! Makes the packages of the component and the program, in `target/packages`. Nothing is published.
//!
//! Docs: `host/bindings/README.md`. The packages of each language are made in `bindings.rs`, the OCI artifact in `oci.rs`, the bills of materials in
//! `sbom.rs`, the licences of what is in them in `notices.rs`, the crates in `crates.rs`, the release archive and its krew manifest in `archive.rs`.

mod archive;
mod bindings;
mod crates;
#[cfg(test)]
mod licences;
mod notices;
mod oci;
mod sbom;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use sha2::{Digest as _, Sha256};
use wit_component::DecodedWasm;

pub(crate) use self::bindings::for_tests;
use crate::component;
use crate::program;
use crate::sources::files;
use crate::workspace::{Profile, Workspace, print_line};

const USAGE: &str = "\
cargo xtask package [PART…]

    Builds all packages in target/packages, or only the parts that you name:

    python     the wheel
    node       the tarball for npm
    java       the jar and its pom
    go         the folder of the Go module
    component  the component as a file and as an OCI image layout, with its bill of materials
    crates     the Rust crates, each compiled from its package; takes a few minutes
    program    the release archive for Linux, with its bill of materials and its krew manifest; takes a few minutes";

/// Makes one part.
type Make = fn(&Packages) -> anyhow::Result<()>;

const PARTS: [(&str, Make); 7] = [
    ("python", bindings::python),
    ("node", bindings::node),
    ("java", bindings::java),
    ("go", bindings::go),
    ("component", component_files),
    ("crates", crates::write),
    ("program", archive::write),
];

/// Where packages are made, and what they say of the component.
struct Packages<'a> {
    workspace: &'a Workspace,
    /// The folder that they are written to.
    folder: PathBuf,
    component: Vec<u8>,
    /// The bill of materials of the component.
    bill: serde_json::Value,
    /// The licences of what is in it.
    notices: String,
    version: &'static str,
    licence: &'static str,
    source: &'static str,
    revision: String,
    /// The interface that the component exports, with its version.
    interface: String,
}

/// Builds everything, then the parts that are named; all of them if none is.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> anyhow::Result<()> {
    let names: Vec<_> = arguments.iter().map(|name| name.to_string_lossy()).collect();
    if names.iter().any(|name| name == "--help" || name == "-h") {
        print_line(USAGE);
        return Ok(());
    }
    if let Some(unknown) = names.iter().find(|name| PARTS.iter().all(|(part, _)| part != *name)) {
        bail!("unknown part {unknown}\n\n{USAGE}");
    }
    program::build(workspace, Profile::Dist)?;
    let packages = Packages::new(workspace, workspace.packages())?;
    if names.is_empty() && packages.folder.exists() {
        fs::remove_dir_all(&packages.folder)?;
    }
    fs::create_dir_all(&packages.folder)?;
    for (part, make) in PARTS.iter().filter(|(part, _)| names.is_empty() || names.iter().any(|name| name == part)) {
        make(&packages).with_context(|| format!("cannot build the part {part}"))?;
    }
    packages.sums()
}

impl<'a> Packages<'a> {
    /// The packages of the component that was built last, which each binding now carries.
    fn new(workspace: &'a Workspace, folder: PathBuf) -> anyhow::Result<Self> {
        let component = fs::read(workspace.component())?;
        let parts = sbom::component(workspace)?;
        let packages = Self {
            workspace,
            folder,
            version: env!("CARGO_PKG_VERSION"),
            licence: env!("CARGO_PKG_LICENSE"),
            source: env!("CARGO_PKG_REPOSITORY"),
            revision: component::revision(workspace).unwrap_or_default(),
            interface: interface(&component)?,
            bill: sbom::bill("controllers.wasm", &component, &parts),
            notices: notices::text(workspace, &parts)?,
            component,
        };
        bindings::complete(&packages)?;
        Ok(packages)
    }

    /// Writes the SHA-256 of every file, as `sha256sum --check` reads it.
    fn sums(&self) -> anyhow::Result<()> {
        let path = self.folder.join("SHA256SUMS");
        let mut sums = String::new();
        for file in files(&self.folder)?.iter().filter(|file| **file != path) {
            sums += &format!("{}  {}\n", sha256(&fs::read(file)?), file.strip_prefix(&self.folder)?.display());
        }
        fs::write(&path, &sums)?;
        print_line(&format!("{}: {} files", self.folder.display(), sums.lines().count()));
        Ok(())
    }
}

/// The interface that a component exports, with its version.
fn interface(component: &[u8]) -> anyhow::Result<String> {
    let DecodedWasm::Component(resolve, world) = wit_component::decode(component)? else { bail!("this is not a component") };
    let key = resolve.worlds[world].exports.keys().next().context("the component exports nothing")?;
    Ok(resolve.name_world_key(key))
}

fn component_files(packages: &Packages) -> anyhow::Result<()> {
    oci::write(packages)?;
    fs::write(packages.folder.join("controllers.wasm"), &packages.component)?;
    write_json(&packages.folder.join("controllers.cdx.json"), &packages.bill)
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_json(path: &Path, value: &serde_json::Value) -> anyhow::Result<()> {
    Ok(fs::write(path, serde_json::to_string_pretty(value)? + "\n")?)
}

fn run_tool(command: &mut Command, needed: &str) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}; it needs {needed}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
