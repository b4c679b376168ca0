//! The map: it names every crate and nothing else, and every path in it is there; so do the scenarios' own list and files.
//!
//! Docs: `crates/README.md`; the format of scenario files is `play::scenario`.

use std::collections::BTreeSet;
use std::path::Path;

use super::layers::crates;
use super::{File, files, none, root};

/// The heading below which each crate has a paragraph.
const HEADING: &str = "## The crates";
/// Where scenarios lie.
const SCENARIOS: &str = "tests/scenarios/";

#[test]
fn the_map_names_every_crate_and_nothing_else() {
    let found = misnamed(&map(), &crates());
    none(&found);
}

#[test]
fn all_paths_on_the_map_are_there() {
    let found = dead_paths(&map(), &|path| root().join("crates").join(path).exists());
    none(&found);
}

#[test]
fn all_links_in_the_readme_lead_somewhere() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    none(&dead_links(&readme, &|path| root().join(path).exists()));
}

#[test]
fn every_scenario_file_is_one_and_is_played() {
    none(&files(&["md", "yaml", "txt"]).iter().filter(|file| file.path.starts_with(SCENARIOS)).flat_map(unreachable).collect::<Vec<_>>());
}

pub(super) fn map() -> String {
    let path = root().join("crates/README.md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What is below a heading of the map.
pub(super) fn chapter<'a>(map: &'a str, heading: &str) -> &'a str {
    map.split_once(heading).map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or_default())
}

/// Crates without a paragraph, and paragraphs without a crate.
fn misnamed(map: &str, crates: &BTreeSet<String>) -> Vec<String> {
    let named: BTreeSet<String> = chapter(map, HEADING)
        .lines()
        .filter_map(|line| line.strip_prefix("**`")?.split_once("`**"))
        .map(|(name, _)| name.to_owned())
        .collect();
    let missing = crates.difference(&named).map(|name| format!("crates/README.md: no paragraph on the crate `{name}`"));
    missing.chain(named.difference(crates).map(|name| format!("crates/README.md: there is no crate `{name}`"))).collect()
}

/// The paths of sources on the map that lead nowhere.
fn dead_paths<'a>(map: &'a str, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let is_path = |word: &&'a str| [".rs", ".wit", ".toml", ".txt", "/"].iter().any(|end| word.ends_with(end)) && word.contains('/');
    let words = map.split('`').skip(1).step_by(2).filter(is_path);
    words.filter(|word| !exists(Path::new(word))).map(|word| format!("crates/README.md: there is no `{word}`")).collect()
}

/// The links of the README into the workspace that lead nowhere.
fn dead_links(readme: &str, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let targets = readme.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let inside = targets.filter(|target| !target.starts_with("https://"));
    inside.filter(|target| !exists(target)).map(|target| format!("README.md: there is no {target}")).collect()
}

/// Why a file among the scenarios is never played.
fn unreachable(file: &File) -> Option<String> {
    let File { path, text } = file;
    if path.ends_with("/README.md") {
        return None;
    }
    let inside = path.strip_prefix(SCENARIOS)?;
    if inside.matches('/').count() != 1 || !path.ends_with(".md") {
        return Some(format!("{path}: scenarios are files `tests/scenarios/<kind>/<heading>.md`"));
    }
    play::scenario::read(text).err().map(|misshapen| format!("{path}: {misshapen}"))
}

#[test]
fn wrong_maps_are_found() {
    let crates: BTreeSet<String> = ["api", "play"].map(str::to_owned).into();
    let map = "## The crates\n\n**`api`** knows nobody.\n\n**`util`** helps.\n\n## Else\n\n**`play`**: see `api/src/lib.rs`, `api/x.rs`\n";
    assert_eq!(
        misnamed(map, &crates),
        ["crates/README.md: no paragraph on the crate `play`", "crates/README.md: there is no crate `util`"]
    );
    assert_eq!(dead_paths(map, &|path| path.ends_with("lib.rs")), ["crates/README.md: there is no `api/x.rs`"]);
    let readme = "[a](https://a.example) [b](b.rs), [c](c.rs)";
    assert_eq!(dead_links(readme, &|path| path == "b.rs"), ["README.md: there is no c.rs"]);
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    assert_eq!(unreachable(&file("tests/scenarios/job/a.md", "# Page\n## Claim\n```yaml\n```\n")), None);
    assert!(unreachable(&file("tests/scenarios/job/a.md", "# Page\n")).is_some());
    assert!(unreachable(&file("tests/scenarios/a.md", "# Page\n## Claim\n```yaml\n```\n")).is_some());
}
