//! The scenario files, the pages of rules, which are such files too, and their claims played on any manager.
//!
//! Docs: `tests/scenarios/README.md`. That claims are seen as they are written is checked in `../scenarios.rs`.

use contract::Manager;
use play::Bounds;
use play::claim::{Played, play};
use play::scenario::{Scenario, read};

use crate::files;

/// A scenario file.
#[derive(Clone)]
pub struct File {
    /// Its path from the root of the workspace.
    pub path: String,
    /// Its text.
    pub source: String,
    /// Its claims.
    pub scenarios: Vec<Scenario>,
}

/// How far a claim may go: some go on for a year, and a controller with a bug might create pods for all of it.
pub const BOUNDS: Bounds = Bounds { pods: 2_000, steps: 20_000 };

/// The texts of the files that a claim names which names none.
const NO_FILES: [&str; 0] = [];

/// All scenario files, by their paths.
pub fn files() -> Vec<File> {
    below("tests/scenarios/")
}

/// The pages of the rules of `jobsmith check`, by their paths: what is bad and what is good are claims, some of which are played.
pub fn pages() -> Vec<File> {
    below("crates/advice/src/rules/")
}

/// The scenario files in a folder and below.
fn below(folder: &str) -> Vec<File> {
    let mut files = files::files(&["md"]);
    files.retain(|file| file.path.starts_with(folder) && !file.path.ends_with("/README.md"));
    let read = |files::File { path, text }| {
        let scenarios = read(&text).unwrap_or_else(|misshapen| panic!("{path}: {misshapen}"));
        File { path, source: text, scenarios }
    };
    files.into_iter().map(read).collect()
}

impl File {
    /// Plays a claim of the file, which has its manifests itself.
    pub fn play(&self, scenario: &Scenario, manager: impl Manager) -> Played {
        assert!(scenario.files.is_none(), "{}:{}: scenarios of this project have their manifests themselves", self.path, scenario.line);
        play(scenario, &NO_FILES, manager, BOUNDS).unwrap_or_else(|refused| {
            let lines = refused.here.iter().map(|found| format!("{}:{}: {}", self.path, found.position.line, found.message));
            panic!("{}", lines.collect::<Vec<_>>().join("\n"))
        })
    }
}
