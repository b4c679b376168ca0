//! The bill of materials: what is compiled into the component and into the program, with versions and licences.
//!
//! Docs: CycloneDX 1.6. Which licences are allowed is in `deny.toml`.

use std::collections::BTreeSet;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::cargo;
use crate::rust::TARGET;
use crate::workspace::Workspace;

/// A crate that is compiled in.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    version: String,
    licence: String,
}

/// The bill of the component.
pub(super) fn component(workspace: &Workspace) -> anyhow::Result<Value> {
    bill(workspace, "component", &["--target", TARGET])
}

/// The bill of the program, without the component in it.
pub(super) fn program(workspace: &Workspace) -> anyhow::Result<Value> {
    bill(workspace, "jobsmith", &[])
}

fn bill(workspace: &Workspace, package: &str, target: &[&str]) -> anyhow::Result<Value> {
    let mut tree = cargo::cargo(workspace);
    tree.args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}", "--package", package]).args(target);
    let output = tree.output().context("cargo does not start")?;
    ensure!(output.status.success(), "cargo tree failed: {}", String::from_utf8_lossy(&output.stderr));
    let parts = String::from_utf8_lossy(&output.stdout).lines().map(part).collect::<anyhow::Result<BTreeSet<Part>>>()?;
    let components: Vec<Value> = parts.iter().map(entry).collect();
    let version = env!("CARGO_PKG_VERSION");
    let subject = json!({"type": "application", "name": package, "version": version, "bom-ref": format!("pkg:cargo/{package}@{version}")});
    Ok(json!({"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": subject}, "components": components}))
}

/// Reads a line such as `serde v1.0.200 (proc-macro)|MIT OR Apache-2.0`.
fn part(line: &str) -> anyhow::Result<Part> {
    let (package, licence) = line.trim_end_matches(" (*)").split_once('|').with_context(|| format!("no licence in {line:?}"))?;
    let mut words = package.split(' ');
    let name = words.next().unwrap_or_default().to_owned();
    let version = words.next().and_then(|version| version.strip_prefix('v')).with_context(|| format!("no version in {line:?}"))?;
    ensure!(!licence.is_empty(), "{name} {version} names no licence");
    Ok(Part { name, version: version.to_owned(), licence: licence.to_owned() })
}

fn entry(Part { name, version, licence }: &Part) -> Value {
    // Some crates still write `MIT/Apache-2.0`, which is no expression.
    let licence = licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ");
    let purl = format!("pkg:cargo/{name}@{version}");
    json!({"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl, "licenses": [{"expression": licence}]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_cargo_tree_becomes_an_entry() {
        let read = |line| part(line).map(|part| entry(&part)).map_err(|error| error.to_string());
        let entry = read("serde v1.0.200 (proc-macro)|MIT/Apache-2.0 (*)").unwrap();
        assert_eq!((&entry["purl"], &entry["licenses"][0]["expression"]), (&json!("pkg:cargo/serde@1.0.200"), &json!("MIT OR Apache-2.0")));
        assert_eq!(read("x v1.0.0|"), Err("x 1.0.0 names no licence".to_owned()));
    }
}
