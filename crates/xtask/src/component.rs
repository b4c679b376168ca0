//! Builds the component: the crate `component` as a core module, wrapped, checked and written to `target/component`.
//!
//! Docs: `crates/component/wit/controllers.wit`. `crates/wrap` wraps it. The program that carries the component is built in `program.rs`.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::cargo;
use crate::rust::{self, TARGET, rustc};
use crate::workspace::{Profile, Workspace, print_line};

/// The largest component that is shipped, in bytes after gzip: every platform loads it.
const LIMIT: usize = 510_000;

/// What the component exports.
const WIT: &str = "crates/component/wit/controllers.wit";

/// What the component is made of, and what wraps it.
const SOURCES: [&str; 9] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates/api",
    "crates/component",
    "crates/contract",
    "crates/controllers",
    "crates/derive",
    "crates/schedule",
    "crates/wrap",
];

/// Builds the component, and prints its size if it has changed.
pub fn build(workspace: &Workspace) -> anyhow::Result<()> {
    build_package(workspace, "component", &workspace.component(), true)
}

/// Builds the components of `tests/plugins`, which tests run under the same hosts.
pub fn build_plugins(workspace: &Workspace) -> anyhow::Result<()> {
    let build = |name: &str| build_package(workspace, name, &workspace.component().with_file_name(format!("{name}.wasm")), false);
    ["pod_labeler", "echo"].into_iter().try_for_each(build)
}

/// Builds the component that a package becomes, and writes it where it changed.
fn build_package(workspace: &Workspace, package: &str, path: &Path, shipped: bool) -> anyhow::Result<()> {
    rust::add_target()?;
    let flags = [("CARGO_ENCODED_RUSTFLAGS", neutral_paths(workspace)?.join("\x1f"))];
    cargo::build(workspace, &["--package", package, "--profile=component", "--target", TARGET], &flags)?;
    let module = workspace.target.join(TARGET).join(format!("component/{package}.wasm"));
    // Authors of plugins have a macro, which puts the WIT into the module.
    let (wit, labels) = if shipped { (WIT, labels(workspace)) } else { ("-", Vec::new()) };
    let component = wrap(workspace, &module, wit, &labels)?;

    if fs::read(path).is_ok_and(|before| before == component) {
        return Ok(());
    }
    let size = if shipped { checked(&component)? } else { 0 };
    fs::create_dir_all(path.parent().expect("it lies in a folder"))?;
    fs::write(path, &component).with_context(|| format!("{} cannot be written", path.display()))?;
    if shipped {
        print_line(&format!("the component: {} bytes, {size} after gzip, no imports", component.len()));
    }
    Ok(())
}

/// Compiler flags that keep the paths of this machine out of the messages of panics, so that the component is the same wherever it is built.
pub fn neutral_paths(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let home = std::env::home_dir().context("there is no home directory")?;
    let registries = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from).join("registry/src");
    let without = |path: PathBuf| format!("--remap-path-prefix={}/=", path.display());
    let mut flags = vec![without(workspace.root.clone())];
    for registry in fs::read_dir(&registries).with_context(|| format!("{} does not exist", registries.display()))? {
        flags.push(without(registry?.path()));
    }
    // Where the source of the standard library is installed, the compiler records its place instead of the one that it has without.
    let commit = rustc(&["-vV"])?.lines().find_map(|line| line.strip_prefix("commit-hash: ").map(str::to_owned)).unwrap_or_default();
    flags.push(format!("--remap-path-prefix={}=/rustc/{commit}", rust::source()?));
    Ok(flags)
}

/// The component's licence, source, revision and version, where registries and `jobsmith component inspect` look for them.
fn labels(workspace: &Workspace) -> Vec<String> {
    let mut labels = vec![format!("licenses={}", env!("CARGO_PKG_LICENSE")), format!("source={}", env!("CARGO_PKG_REPOSITORY"))];
    labels.extend(revision(workspace).map(|revision| format!("revision={revision}")));
    labels.push(format!("version={}", env!("CARGO_PKG_VERSION")));
    labels
}

/// The last commit that changed what the component is made of: with any later one it is the same. `None` outside of a Git checkout.
pub fn revision(workspace: &Workspace) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(&workspace.root).args(arguments).arg("--").args(SOURCES).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["log", "-1", "--format=%H"]).filter(|commit| !commit.is_empty())?;
    let changes = git(&["status", "--porcelain"])?;
    Some(if changes.is_empty() { commit } else { format!("{commit}-dirty") })
}

/// A core module as a component of this WIT with these labels, which imports nothing.
fn wrap(workspace: &Workspace, module: &Path, wit: &str, labels: &[String]) -> anyhow::Result<Vec<u8>> {
    cargo::build(workspace, &["--release", "--package=wrap"], &[])?;
    let output = Command::new(workspace.program(Profile::Release, "wrap"))
        .current_dir(&workspace.root)
        .arg(module)
        .arg(wit)
        .args(labels)
        .output()?;
    ensure!(output.status.success(), "{}: {}", module.display(), String::from_utf8_lossy(&output.stderr).trim());
    Ok(output.stdout)
}

/// The component's size after gzip, if it is one that may be shipped.
fn checked(component: &[u8]) -> anyhow::Result<usize> {
    let size = gzip(component)?.len();
    ensure!(size <= LIMIT, "the component is {size} bytes after gzip; the limit is {LIMIT}");
    Ok(size)
}

/// A file as it is sent to browsers.
pub fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    gzip.finish()
}
