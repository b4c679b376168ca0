//! Which crate may know which: the crates of the workspace depend on one another as the map says, and on nothing else.
//!
//! Docs: `crates/README.md`, "Who knows whom". The words of the map are checked in `map.rs`.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, files, none};

/// The crates that each crate may know, by the folder that it lies in. Tests may know all that come before them.
const LAYERS: [(&str, &[&str]); 28] = [
    ("crates/derive", &[]),
    ("crates/api", &["derive"]),
    ("crates/schedule", &["api"]),
    ("crates/admission", &["api", "schedule"]),
    ("crates/contract", &["api"]),
    ("crates/controllers", &["api", "contract", "schedule"]),
    ("crates/component", &["api", "contract", "controllers"]),
    ("crates/cluster", &["admission", "api", "contract"]),
    ("crates/script", &["api", "cluster", "manifest"]),
    ("crates/play", &["api", "cluster", "contract", "manifest", "script"]),
    ("crates/protocol", &["api", "cluster", "contract", "manifest", "play"]),
    ("crates/simulation", &["api", "cluster", "contract", "play", "script"]),
    ("crates/manifest", &["api"]),
    ("crates/kubectl", &["api"]),
    ("crates/browser", &["api", "cluster", "contract", "manifest", "play", "script"]),
    ("crates/xtask", &[]),
    ("crates/wrap", &["features"]),
    ("crates/release", &["xtask"]),
    ("crates/features", &[]),
    ("host/embed", &["api", "contract", "features", "play", "schedule", "script"]),
    ("host/node", &["api", "cluster", "features"]),
    ("host/serving", &["features"]),
    ("host/cluster", &["api", "contract", "features", "host_embed", "host_serving", "play", "schedule", "script"]),
    (
        "host/jobsmith",
        &[
            "api",
            "cluster",
            "contract",
            "features",
            "host_cluster",
            "host_embed",
            "host_node",
            "host_serving",
            "kubectl",
            "manifest",
            "play",
            "protocol",
            "schedule",
            "script",
        ],
    ),
    ("tests/plugins/echo", &[]),
    ("tests/plugins/pod_labeler", &[]),
    (
        "tests/core",
        &["admission", "api", "cluster", "contract", "controllers", "features", "manifest", "play", "schedule", "script", "simulation"],
    ),
    (
        "tests/host",
        &[
            "admission",
            "api",
            "browser",
            "cluster",
            "contract",
            "controllers",
            "core_tests",
            "features",
            "host_cluster",
            "host_embed",
            "kubectl",
            "manifest",
            "play",
            "protocol",
            "schedule",
            "script",
            "simulation",
        ],
    ),
];

#[test]
fn crates_know_no_more_than_they_may() {
    none(&trespasses(&manifests()));
}

fn manifests() -> Vec<File> {
    files(&["toml"]).into_iter().filter(|file| file.path.ends_with("/Cargo.toml")).collect()
}

/// The names of all crates of the workspace.
pub(super) fn crates() -> BTreeSet<String> {
    manifests().iter().map(|manifest| name(&manifest.text).to_owned()).collect()
}

fn trespasses(manifests: &[File]) -> Vec<String> {
    let allowed = BTreeMap::from(LAYERS);
    let names: BTreeSet<&str> = manifests.iter().map(|manifest| name(&manifest.text)).collect();
    let mut found = Vec::new();
    for manifest in manifests {
        let folder = manifest.path.trim_end_matches("/Cargo.toml");
        let Some(allowed) = allowed.get(folder) else {
            found.push(format!("{folder}: no layer: list in tests/core/tidy/layers.rs what it may know"));
            continue;
        };
        let known = dependencies(&manifest.text).into_iter().filter(|known| names.contains(known) && !allowed.contains(known));
        found.extend(known.map(|known| format!("{}: {folder} is not to know {known}", manifest.path)));
    }
    found
}

/// The name of a package.
fn name(manifest: &str) -> &str {
    manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).expect("a package has a name")
}

/// The names of all that a package depends on, for whatever purpose.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut within = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = line.ends_with("dependencies]");
        } else if within && let Some((name, _)) = line.split_once(['.', ' ', '=']) {
            names.extend(Some(name).filter(|name| !name.is_empty() && !name.starts_with('#')));
        }
    }
    names
}

#[test]
fn a_trespass_is_found() {
    let manifest = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let planted = [
        manifest("crates/controllers/Cargo.toml", "name = \"controllers\"\n[dependencies]\nserde.workspace = true\n"),
        manifest("crates/play/Cargo.toml", "name = \"play\"\n[dev-dependencies]\ncontrollers = { path = \"../controllers\" }\n"),
        manifest(
            "host/embed/Cargo.toml",
            "name = \"host_embed\"\n[target.'cfg(unix)'.dependencies]\n# why\ncontrollers.workspace = true\nplay = \"1\"\n",
        ),
        manifest("crates/more/Cargo.toml", "name = \"more\"\n"),
    ];
    let expected = [
        "crates/play/Cargo.toml: crates/play is not to know controllers",
        "host/embed/Cargo.toml: host/embed is not to know controllers",
        "crates/more: no layer: list in tests/core/tidy/layers.rs what it may know",
    ];
    assert_eq!(trespasses(&planted), expected);
}
