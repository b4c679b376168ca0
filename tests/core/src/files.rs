//! The files of the workspace that people write.
//!
//! Docs: `crates/README.md`. What they must meet is in `tidy/`; the scenarios among them are read in `scenarios.rs`.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the workspace.
pub struct File {
    /// Its path from the root of the workspace, with slashes.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// The folders in which all that people write lies, but for what is at the root of the workspace.
const FOLDERS: [&str; 5] = [".github", "crates", "host", "tests", "web"];

/// The folders in them that the tools of other languages fill.
const INSTALLED: [&str; 4] = ["dist", "generated", "node_modules", "target"];

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the tests lie in the workspace").to_owned()
}

/// All files of the workspace with one of these extensions, sorted by path.
pub fn files(extensions: &[&str]) -> Vec<File> {
    let root = root();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).chain([root.clone()]).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let entry = entry.expect("a folder can be read on");
            let path = entry.path();
            // A link to a folder does not count as one: people do not write what it leads to.
            if entry.file_type().expect("it has a type").is_dir() {
                if folder != root && !INSTALLED.iter().any(|name| entry.file_name() == *name) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted)) {
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let path = path.strip_prefix(&root).expect("it lies in the workspace").to_str().expect("paths are text");
                files.push(File { path: path.replace('\\', "/"), text });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}
