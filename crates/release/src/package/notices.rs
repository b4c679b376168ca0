//! The licences of what is shipped: the texts that have to go along.
//!
//! Docs: the licences themselves. `LICENSE` has the text of Apache-2.0, so what may be used under that one needs no other text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::sbom::{PUBLIC_DOMAIN, SbomEntry};
use crate::cargo;
use crate::workspace::Workspace;

/// How the names of files with licences begin.
const NAMES: [&str; 5] = ["COPYING", "COPYRIGHT", "LICENCE", "LICENSE", "NOTICE"];
/// Where Debian has the licences of what it installs.
const DEBIAN: &str = "/usr/share/doc";
/// How the file begins.
const HEAD: &str = "Third-party code in this package whose licence requires its text to be included. Everything else may be used under the
Apache License 2.0.
";
/// A line between two texts.
const RULE: &str = "--------------------------------------------------------------------------------";

/// The texts, each after the parts that have it.
pub(super) fn text(workspace: &Workspace, parts: &BTreeSet<SbomEntry>) -> anyhow::Result<String> {
    let crates = crates(workspace)?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in parts.iter().filter(|part| !covered(&part.licence)) {
        let label = format!("{} {}", part.name, part.version);
        let folder = match part.kind {
            Some("npm") => workspace.web().join("node_modules").join(&part.name),
            Some("generic") => Path::new(DEBIAN).join(&part.name),
            _ => crates.get(&(part.name.clone(), part.version.clone())).with_context(|| format!("{label} is nowhere"))?.clone(),
        };
        let own = licences(&folder)?;
        ensure!(!own.is_empty(), "{label} is licensed under {}, but {} has no licence file", part.licence, folder.display());
        for text in own {
            texts.entry(text).or_default().push(format!("{label}: {}", part.licence));
        }
    }
    let mut notices = HEAD.to_owned();
    for (text, parts) in texts {
        notices += &format!("\n{RULE}\n{}\n{RULE}\n\n{}\n", parts.join("\n"), text.trim());
    }
    Ok(notices)
}

/// Whether something may be used under Apache-2.0 alone, or freely.
fn covered(licence: &str) -> bool {
    licence.split(" OR ").any(|choice| ["Apache-2.0", "Apache-2.0 WITH LLVM-exception", PUBLIC_DOMAIN].contains(&choice))
}

/// The texts in a package's folder.
fn licences(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("{} is missing; run `cargo xtask web`, and install musl-tools", folder.display()))?
    {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|beginning| name.starts_with(beginning)) {
            files.push(entry.path());
        }
    }
    files.sort();
    files.into_iter().map(|file| Ok(fs::read_to_string(file)?.replace("\r\n", "\n"))).collect()
}

/// Where the sources of each crate are, by name and version.
fn crates(workspace: &Workspace) -> anyhow::Result<BTreeMap<(String, String), PathBuf>> {
    let metadata: Value = serde_json::from_slice(&cargo::output(workspace, &["metadata", "--format-version=1", "--locked"])?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists packages")?;
    let place = |package: &Value| {
        let [name, version, manifest] = ["name", "version", "manifest_path"].map(|field| package[field].as_str().map(str::to_owned));
        Some(((name?, version?), Path::new(&manifest?).parent()?.to_owned()))
    };
    packages.iter().map(|package| place(package).context("a package has a name, a version and a place")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_used_under_apache_needs_no_other_text() {
        assert!(covered("MIT OR Apache-2.0") && covered("Apache-2.0 WITH LLVM-exception"));
        assert!(!covered("MIT") && !covered("Apache-2.0 AND ISC") && !covered("(MIT OR Apache-2.0) AND Unicode-3.0"));
    }
}
