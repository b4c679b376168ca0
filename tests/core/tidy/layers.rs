//! Which crate may know which: the crates of the workspace depend on one another as the map says, and on nothing else.
//!
//! Docs: `crates/README.md`, "Who knows whom". The words of the map are checked in `map.rs`.

use std::collections::{BTreeMap, BTreeSet};

use super::map::{chapter, map};
use super::{File, files, none};

/// The heading of the table on the map.
const HEADING: &str = "## Who knows whom";

#[test]
fn crates_know_whom_the_map_says() {
    none(&trespasses(&manifests(), &map()));
}

fn manifests() -> Vec<File> {
    files(&["toml"]).into_iter().filter(|file| file.path.ends_with("/Cargo.toml")).collect()
}

/// The names of all crates of the workspace.
pub(super) fn crates() -> BTreeSet<String> {
    manifests().iter().map(|manifest| name(&manifest.text).to_owned()).collect()
}

/// Crates that know more than the map says, or less, and rows that are missing from it or have no crate.
fn trespasses(manifests: &[File], map: &str) -> Vec<String> {
    let rows = rows(map);
    let names: BTreeSet<&str> = manifests.iter().map(|manifest| name(&manifest.text)).collect();
    let mut found = Vec::new();
    for manifest in manifests {
        let name = name(&manifest.text);
        let Some(allowed) = rows.get(name) else {
            found.push(format!("crates/README.md: \"Who knows whom\" has no row for {name}"));
            continue;
        };
        let known: BTreeSet<&str> = dependencies(&manifest.text).into_iter().filter(|known| names.contains(known)).collect();
        found.extend(known.difference(allowed).map(|known| format!("{}: {name} is not to know {known}", manifest.path)));
        found.extend(allowed.difference(&known).map(|known| format!("crates/README.md: {name} does not know {known}")));
    }
    found.extend(rows.keys().filter(|name| !names.contains(*name)).map(|name| format!("crates/README.md: there is no crate {name}")));
    found
}

/// Whom each crate knows, in tests too, by the table on the map.
fn rows(map: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut rows = BTreeMap::new();
    for line in chapter(map, HEADING).lines() {
        if let ["", crates, known, ""] = line.split('|').collect::<Vec<_>>()[..] {
            rows.extend(quoted(crates).map(|name| (name, quoted(known).collect())));
        }
    }
    rows
}

/// The names in a cell of the table.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
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
    let map = "## Who knows whom\n\n| crate | may know |\n|---|---|\n| `controllers`, `gone` | nobody |\n| `play` | nobody |\n\
               | `host_embed` | `play`, and in tests `more` |\n\n## More\n\n| `more` | nobody |\n";
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
        "crates/play/Cargo.toml: play is not to know controllers",
        "host/embed/Cargo.toml: host_embed is not to know controllers",
        "crates/README.md: host_embed does not know more",
        "crates/README.md: \"Who knows whom\" has no row for more",
        "crates/README.md: there is no crate gone",
    ];
    assert_eq!(trespasses(&planted, map), expected);
}
