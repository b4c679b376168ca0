//! What may be compiled into the component, the page and the program: under which licences, from where, and that nothing is in it twice.
//!
//! Docs: the SPDX specification, "SPDX license expressions"; The Cargo Book, "cargo metadata". What is shipped is listed in `sbom.rs`, the texts of its
//! licences are in `notices.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use super::sbom::CLARIFIED;
use super::{archive, sha256};
use crate::cargo;
use crate::rust::TARGET;
use crate::workspace::Workspace;

/// What is shipped; all that these are compiled with is checked.
const SHIPPED: [&str; 3] = ["browser", "component", "jobsmith"];
/// What it is compiled for.
const TARGETS: [&str; 3] = ["x86_64-unknown-linux-gnu", archive::TARGET, TARGET];
/// The licences that all of it may have.
const ALLOWED: [&str; 8] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    // The certificate authorities of Mozilla, which are data.
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];
/// The one source of crates.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";
/// Crates that are compiled in two versions, and why.
const TWICE: [(&str, &str); 7] = [
    ("allocator-api2", "wasmtime's compiler has an older one than the component"),
    ("base64", "k8s-openapi and tower-http have an older one"),
    ("embedded-io", "wasmtime's serialisation supports two"),
    ("hashbrown", "wasmtime reads debugging information with an older one"),
    ("syn", "wasmtime's macros have an older one"),
    ("wasm-encoder", "wasmtime has the WebAssembly tools of its release"),
    ("wasmparser", "wasmtime has the WebAssembly tools of its release"),
];

#[test]
fn all_that_is_shipped_may_be() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies two folders below");
    let workspace = Workspace { root: root.to_owned(), target: root.join("target") };
    let mut packages = BTreeMap::new();
    for target in TARGETS {
        let printed = cargo::output(&workspace, &["metadata", "--locked", "--format-version=1", "--filter-platform", target]).unwrap();
        packages.append(&mut needed(&serde_json::from_slice(&printed).unwrap()).unwrap());
    }
    let complaints: Vec<String> = packages.values().flat_map(wrong).chain(doubled(&packages)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The packages that what is shipped is compiled with, by their IDs.
fn needed(metadata: &Value) -> anyhow::Result<BTreeMap<String, Value>> {
    let list = |value: &'static str, of: &Value| of[value].as_array().cloned().with_context(|| format!("there are no {value}"));
    let packages: BTreeMap<String, Value> =
        list("packages", metadata)?.into_iter().map(|package| (text(&package, "id"), package)).collect();
    let nodes: BTreeMap<String, Value> = list("nodes", &metadata["resolve"])?.into_iter().map(|node| (text(&node, "id"), node)).collect();
    let is_shipped = |package: &&Value| package["source"].is_null() && SHIPPED.contains(&&*text(package, "name"));
    let mut open: Vec<String> = packages.values().filter(is_shipped).map(|package| text(package, "id")).collect();
    let mut found = BTreeMap::new();
    while let Some(id) = open.pop() {
        if found.contains_key(&id) {
            continue;
        }
        for dependency in list("deps", &nodes[&id])? {
            if list("dep_kinds", &dependency)?.iter().any(|kind| kind["kind"] != "dev") {
                open.push(text(&dependency, "pkg"));
            }
        }
        found.insert(id.clone(), packages[&id].clone());
    }
    Ok(found)
}

fn text(of: &Value, field: &str) -> String {
    of[field].as_str().unwrap_or_default().to_owned()
}

/// What is wrong with a package by itself.
fn wrong(package: &Value) -> Vec<String> {
    let label = format!("{} {}", text(package, "name"), text(package, "version"));
    let mut complaints = Vec::new();
    let licence = match CLARIFIED.iter().find(|clarified| clarified.name == text(package, "name")) {
        Some(clarified) => {
            let file = Path::new(&text(package, "manifest_path")).with_file_name(clarified.file);
            if std::fs::read(&file).map(|text| sha256(&text)).ok().as_deref() != Some(clarified.sha256) {
                complaints.push(format!("{label}: {} has changed: read it", file.display()));
            }
            clarified.licence.to_owned()
        }
        None => text(package, "license"),
    };
    if !is_allowed(&licence) {
        complaints.push(format!("{label}: its licence is {licence:?}, which is not among those that are allowed"));
    }
    if !package["source"].is_null() && text(package, "source") != REGISTRY {
        complaints.push(format!("{label}: it comes from {}", text(package, "source")));
    }
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    let any = dependencies.filter(|dependency| package["source"].is_null() && dependency["req"] == "*" && dependency["path"].is_null());
    complaints.extend(any.map(|dependency| format!("{label}: it takes any version of {}", text(dependency, "name"))));
    complaints
}

/// The crates that are compiled in several versions without a reason, and reasons without such a crate.
fn doubled(packages: &BTreeMap<String, Value>) -> Vec<String> {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages.values() {
        versions.entry(text(package, "name")).or_default().insert(text(package, "version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let known = |name: &str| TWICE.iter().any(|(twice, _)| *twice == name);
    let unknown = versions.iter().filter(|(name, versions)| !known(name) || versions.len() > 2);
    let unknown = unknown.map(|(name, versions)| format!("{name}: it is compiled in the versions {versions:?}"));
    let gone = TWICE.iter().filter(|(name, _)| !versions.contains_key(*name));
    unknown.chain(gone.map(|(name, reason)| format!("{name}: it is compiled once; remove its reason: {reason}"))).collect()
}

/// Returns whether an expression of SPDX allows a choice of licences that are allowed.
fn is_allowed(expression: &str) -> bool {
    // Some crates still write `MIT/Apache-2.0`.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    any(&mut words) == Some(true) && words.is_empty()
}

/// Alternatives; one is enough. `None`: this is not an expression.
fn any(words: &mut Vec<&str>) -> Option<bool> {
    let mut allowed = all(words)?;
    while words.pop_if(|word| *word == "OR").is_some() {
        allowed |= all(words)?;
    }
    Some(allowed)
}

/// Licences that hold together.
fn all(words: &mut Vec<&str>) -> Option<bool> {
    let mut allowed = one(words)?;
    while words.pop_if(|word| *word == "AND").is_some() {
        allowed &= one(words)?;
    }
    Some(allowed)
}

/// A licence, with its exception, or an expression in parentheses.
fn one(words: &mut Vec<&str>) -> Option<bool> {
    let first = words.pop()?;
    if first == "(" {
        let allowed = any(words)?;
        return (words.pop()? == ")").then_some(allowed);
    }
    if words.pop_if(|word| *word == "WITH").is_none() {
        return Some(ALLOWED.contains(&first));
    }
    let exception = words.pop()?;
    Some(ALLOWED.contains(&&*format!("{first} WITH {exception}")))
}

#[test]
fn expressions_are_understood() {
    for expression in ["MIT", "GPL-3.0 OR MIT", "MIT/Apache-2.0", "(MIT OR GPL-3.0) AND Unicode-3.0", "Apache-2.0 WITH LLVM-exception"] {
        assert!(is_allowed(expression), "{expression}");
    }
    for expression in
        ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT WITH LLVM-exception", "GPL-3.0 OR (MIT AND AGPL-3.0)", "MIT)", "(MIT", "MIT OR"]
    {
        assert!(!is_allowed(expression), "{expression}");
    }
}

#[test]
fn what_may_not_be_shipped_is_found() {
    let planted = serde_json::json!({
        "packages": [
            {"id": "1", "name": "jobsmith", "version": "1.0.0", "license": "MIT", "source": null, "dependencies": [{"name": "a", "req": "*", "path": null}]},
            {"id": "2", "name": "a", "version": "1.0.0", "license": "GPL-3.0", "source": REGISTRY, "dependencies": []},
            {"id": "3", "name": "a", "version": "2.0.0", "license": "MIT", "source": "git+https://example.com", "dependencies": []},
            {"id": "4", "name": "b", "version": "1.0.0", "license": "GPL-3.0", "source": REGISTRY, "dependencies": []},
        ],
        "resolve": {"nodes": [
            {"id": "1", "deps": [{"pkg": "2", "dep_kinds": [{"kind": null}]}, {"pkg": "4", "dep_kinds": [{"kind": "dev"}]}]},
            {"id": "2", "deps": [{"pkg": "3", "dep_kinds": [{"kind": "build"}]}]},
            {"id": "3", "deps": []},
        ]},
    });
    let packages = needed(&planted).unwrap();
    let found: Vec<String> = packages.values().flat_map(wrong).chain(doubled(&packages).into_iter().take(1)).collect();
    assert_eq!(
        found,
        [
            "jobsmith 1.0.0: it takes any version of a",
            "a 1.0.0: its licence is \"GPL-3.0\", which is not among those that are allowed",
            "a 2.0.0: it comes from git+https://example.com",
            "a: it is compiled in the versions {\"1.0.0\", \"2.0.0\"}",
        ]
    );
}
