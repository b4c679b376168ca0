//! The map and other Markdown: the map names every crate and nothing else, all paths and links are there, and every scenario is played.
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
fn all_paths_and_links_in_markdown_lead_somewhere() {
    let root = root();
    let exists = |path: &Path| root.join(path).exists();
    none(&files(&["md"]).iter().flat_map(|file| [dead_paths(file, &exists), dead_links(file, &exists)].concat()).collect::<Vec<_>>());
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

/// The paths of sources in a text that lead nowhere, neither from its folder nor from the root of the workspace.
fn dead_paths(file: &File, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let is_path = |word: &&str| {
        [".rs", ".wit", ".toml", ".txt", "/"].iter().any(|end| word.ends_with(end)) && word.trim_end_matches('/').contains('/')
    };
    let words = file.text.split('`').skip(1).step_by(2).filter(is_path);
    let dead = words.filter(|word| !exists(Path::new(word)) && !exists(&folder(file).join(word)));
    dead.map(|word| format!("{}: there is no `{word}`", file.path)).collect()
}

/// The links of a text into the workspace that lead nowhere.
fn dead_links(file: &File, exists: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let targets = file.text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let inside = targets.filter(|target| !target.starts_with("https://") && !target.starts_with('#'));
    let dead = inside.filter(|target| target.split('#').next().is_none_or(|path| !exists(&folder(file).join(path))));
    dead.map(|target| format!("{}: there is no {target}", file.path)).collect()
}

fn folder(file: &File) -> &Path {
    Path::new(&file.path).parent().expect("a path of a file has a parent")
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
fn wrong_maps_and_dead_ends_are_found() {
    let crates: BTreeSet<String> = ["api", "play"].map(str::to_owned).into();
    let map = "## The crates\n\n**`api`** knows nobody.\n\n**`util`** helps.\n\n## Else\n\n**`play`** is not here.\n";
    assert_eq!(
        misnamed(map, &crates),
        ["crates/README.md: no paragraph on the crate `play`", "crates/README.md: there is no crate `util`"]
    );
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let exists = |path: &Path| ["crates/api/src/lib.rs", "crates/b.rs"].iter().any(|known| path == Path::new(known));
    let text = "`api/src/lib.rs`, `crates/api/src/lib.rs`, `api/x.rs`, `api/`: [a](https://a.example) [b](b.rs#b), [c](c.rs), [d](#d)";
    assert_eq!(dead_paths(&file("crates/README.md", text), &exists), ["crates/README.md: there is no `api/x.rs`"]);
    assert_eq!(dead_links(&file("crates/README.md", text), &exists), ["crates/README.md: there is no c.rs"]);
    assert_eq!(dead_links(&file("README.md", "[b](b.rs)"), &exists), ["README.md: there is no b.rs"]);
    assert_eq!(unreachable(&file("tests/scenarios/job/a.md", "# Page\n## Claim\n```yaml\n```\n")), None);
    assert!(unreachable(&file("tests/scenarios/job/a.md", "# Page\n")).is_some());
    assert!(unreachable(&file("tests/scenarios/a.md", "# Page\n## Claim\n```yaml\n```\n")).is_some());
}
