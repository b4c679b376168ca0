//! Makes the packages of the component and the program, in `target/packages`. Nothing is published.
//!
//! Docs: `host/bindings/README.md`. Each language's package is built by that language's own tools; the OCI artefact is written in `oci.rs`, the bills of
//! materials in `sbom.rs`, the release archive and its krew manifest in `archive.rs`.

mod archive;
mod oci;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use sha2::{Digest as _, Sha256};

use crate::component;
use crate::program;
use crate::workspace::{Workspace, print_line};

/// What packages say of the component.
struct Facts {
    version: String,
    licence: String,
    source: String,
    revision: String,
    /// The interface that it exports, with its version.
    interface: String,
}

/// Builds everything, then every package.
pub(crate) fn write(workspace: &Workspace) -> anyhow::Result<()> {
    program::build(workspace)?;
    let packages = workspace.packages();
    if packages.exists() {
        fs::remove_dir_all(&packages)?;
    }
    fs::create_dir_all(&packages)?;
    complete_bindings(workspace)?;
    let component = fs::read(workspace.component())?;
    let facts = Facts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        licence: env!("CARGO_PKG_LICENSE").to_owned(),
        source: env!("CARGO_PKG_REPOSITORY").to_owned(),
        revision: component::revision(workspace).unwrap_or_default(),
        interface: component::interface(&component)?,
    };
    python(workspace, &packages)?;
    node(workspace, &packages)?;
    java(workspace, &packages)?;
    go(workspace, &packages)?;
    oci::write(&packages.join("oci"), &component, &facts)?;
    fs::write(packages.join("controllers.wasm"), &component)?;
    write_json(&packages.join("component.cdx.json"), &sbom::component(workspace)?)?;
    write_json(&packages.join("jobsmith.cdx.json"), &sbom::program(workspace)?)?;
    archive::write(workspace, &packages, &facts)?;
    sums(&packages)
}

/// Copies the component and the licence to where each binding carries them.
pub(crate) fn complete_bindings(workspace: &Workspace) -> anyhow::Result<()> {
    const PLACES: [(&str, &str); 4] = [
        ("go/controllers.wasm", "go/LICENSE"),
        ("java/src/main/resources/dev/jobsmith/controllers.wasm", "java/src/main/resources/META-INF/LICENSE"),
        ("node/controllers.wasm", "node/LICENSE"),
        ("python/jobsmith/controllers.wasm", "python/LICENSE"),
    ];
    let copy = |from: &Path, to: &str| -> anyhow::Result<()> {
        let path = workspace.bindings().join(to);
        fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
        fs::copy(from, &path).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(())
    };
    PLACES.into_iter().try_for_each(|(component, licence)| {
        copy(&workspace.component(), component)?;
        copy(&workspace.root.join("LICENSE"), licence)
    })
}

fn python(workspace: &Workspace, packages: &Path) -> anyhow::Result<()> {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]).arg(packages).arg(workspace.bindings().join("python"));
    run(&mut pip, "Python 3.10 with pip")
}

fn node(workspace: &Workspace, packages: &Path) -> anyhow::Result<()> {
    let folder = workspace.bindings().join("node");
    let npm = |arguments: &[&str]| run(Command::new("npm").args(arguments).current_dir(&folder), "Node 20 with npm");
    npm(&["ci", "--silent"])?;
    npm(&["run", "--silent", "build"])?;
    npm(&["pack", "--silent", "--pack-destination", &packages.to_string_lossy()])
}

fn java(workspace: &Workspace, packages: &Path) -> anyhow::Result<()> {
    let folder = workspace.bindings().join("java");
    run(Command::new("mvn").args(["-q", "-B", "clean", "package", "-DskipTests"]).current_dir(&folder), "Java 17 with Maven")?;
    let name = format!("controllers-{}", env!("CARGO_PKG_VERSION"));
    fs::copy(folder.join(format!("target/{name}.jar")), packages.join(format!("{name}.jar")))?;
    fs::copy(folder.join("pom.xml"), packages.join(format!("{name}.pom")))?;
    Ok(())
}

/// A Go module is its folder.
fn go(workspace: &Workspace, packages: &Path) -> anyhow::Result<()> {
    let (from, to) = (workspace.bindings().join("go"), packages.join("go"));
    for file in files_below(&from)? {
        let path = to.join(file.strip_prefix(&from)?);
        fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
        fs::copy(&file, path)?;
    }
    Ok(())
}

/// All files below a folder, except those that tell Git what to ignore.
fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else if path.file_name().is_some_and(|name| name != ".gitignore") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes the SHA-256 of every file, as `sha256sum --check` reads it.
fn sums(packages: &Path) -> anyhow::Result<()> {
    let mut sums = String::new();
    for file in files_below(packages)? {
        sums += &format!("{}  {}\n", sha256(&fs::read(&file)?), file.strip_prefix(packages)?.display());
    }
    fs::write(packages.join("SHA256SUMS"), &sums)?;
    print_line(&format!("{}: {} files", packages.display(), sums.lines().count()));
    Ok(())
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_json(path: &Path, value: &serde_json::Value) -> anyhow::Result<()> {
    Ok(fs::write(path, serde_json::to_string_pretty(value)? + "\n")?)
}

fn run(command: &mut Command, needed: &str) -> anyhow::Result<()> {
    let status = command.status().with_context(|| format!("{command:?} does not start; it takes {needed}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}
