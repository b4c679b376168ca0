//! One style of modules: one that has files of its own is a folder with a `mod.rs`, and never a file beside that folder.
//!
//! Docs: `crates/README.md`, "Rules". What is in a file is checked in `source.rs`.

use std::collections::BTreeSet;

use core_tests::files::files;

use super::none;

#[test]
fn modules_with_files_of_their_own_are_folders() {
    let all = files(&["rs"]);
    none(&beside_their_folders(&all.iter().map(|file| file.path.as_str()).collect()));
}

/// The files whose modules have a folder too, in which there are sources.
fn beside_their_folders(paths: &BTreeSet<&str>) -> Vec<String> {
    let folders: BTreeSet<&str> = paths.iter().filter_map(|path| path.rsplit_once('/').map(|(folder, _)| folder)).collect();
    let modules = paths.iter().filter_map(|path| path.strip_suffix(".rs"));
    modules.filter(|module| folders.contains(module)).map(|module| format!("{module}.rs: move it to {module}/mod.rs")).collect()
}

#[test]
fn a_file_beside_its_folder_is_found() {
    let planted = ["a/src/b.rs", "a/src/b/c.rs", "a/src/d/mod.rs", "a/src/d/e.rs", "a/src/bc.rs"];
    assert_eq!(beside_their_folders(&planted.into()), ["a/src/b.rs: move it to a/src/b/mod.rs"]);
}
