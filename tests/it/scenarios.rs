//! Scenarios: each claim of `tests/scenarios` is played on the controllers in this process, and must be seen as it is written.
//!
//! Docs: `tests/scenarios/README.md`. `UPDATE_EXPECT=1` writes what is seen into the files. That the claims show every kind of decision is
//! checked in `decisions.rs`.

use std::fmt::Write as _;
use std::fs;

use contract::Manager;
use jobsmith::scenario::{Played, play};
use play::scenario::{Block, Scenario, read, rewrite};

use crate::native::Native;
use crate::summary::print;
use crate::tidy;

/// A scenario file.
pub(crate) struct File {
    /// Its path from the root of the workspace.
    pub(crate) path: String,
    source: String,
    /// Its claims.
    pub(crate) scenarios: Vec<Scenario>,
}

#[test]
fn every_claim_is_seen_as_it_is_written() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let (files, mut claims, mut differences) = (files(), 0, Vec::new());
    for file in &files {
        claims += file.scenarios.len();
        let mut texts = Vec::new();
        for scenario in &file.scenarios {
            let played = file.play(scenario, Native::default());
            let blocks = [("trace", &scenario.trace, &played.trace), ("status", &scenario.status, &played.status)];
            if blocks.iter().all(|(_, block, _)| block.is_none()) {
                differences
                    .push(file.message(scenario, "expects nothing: add an empty ```trace and an empty ```status, and set UPDATE_EXPECT=1"));
            }
            for (kind, block, seen) in blocks {
                let Some(Block { text, place, .. }) = block.as_ref().filter(|block| block.text != *seen) else { continue };
                match update {
                    true => texts.push((place.clone(), seen.clone())),
                    false => differences.push(file.message(scenario, &format!("the {kind} is another one\n{}", difference(text, seen)))),
                }
            }
        }
        if !texts.is_empty() {
            fs::write(tidy::root().join(&file.path), rewrite(&file.source, texts)).expect("a scenario file can be written");
        }
    }
    assert!(claims > 0, "there are no scenarios");
    assert!(differences.is_empty(), "{}\n(UPDATE_EXPECT=1 rewrites what is expected)", differences.join("\n"));
    print(&format!("scenarios: {claims} in {} files, all as written", files.len()));
}

/// All scenario files, by their paths.
pub(crate) fn files() -> Vec<File> {
    let mut files = tidy::files(&["md"]);
    files.retain(|file| file.path.starts_with("tests/scenarios/") && !file.path.ends_with("/README.md"));
    let read = |tidy::File { path, text }| {
        let scenarios = read(&text).unwrap_or_else(|misshapen| panic!("{path}: {misshapen}"));
        File { path, source: text, scenarios }
    };
    files.into_iter().map(read).collect()
}

impl File {
    /// Plays a claim of the file.
    pub(crate) fn play(&self, scenario: &Scenario, manager: impl Manager) -> Played {
        play(scenario, manager).unwrap_or_else(|diagnostics| {
            let lines = diagnostics.iter().map(|found| format!("{}:{}: {}", self.path, found.position.line, found.message));
            panic!("{}", lines.collect::<Vec<_>>().join("\n"))
        })
    }

    fn message(&self, scenario: &Scenario, what: &str) -> String {
        format!("{}:{}: {:?}: {what}", self.path, scenario.line, scenario.claim)
    }
}

/// The lines that differ, after those at the beginning and before those at the end that are alike.
fn difference(expected: &str, seen: &str) -> String {
    let (mut expected, mut seen): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), seen.lines().collect());
    let alike = expected.iter().zip(&seen).take_while(|(expected, seen)| expected == seen).count();
    let (mut expected, mut seen) = (expected.split_off(alike), seen.split_off(alike));
    while expected.last().is_some_and(|line| seen.last() == Some(line)) {
        expected.pop();
        seen.pop();
    }
    let mut lines = if alike > 0 { format!("      {alike} lines alike\n") } else { String::new() };
    for (sign, line) in expected.iter().map(|line| ('-', line)).chain(seen.iter().map(|line| ('+', line))) {
        writeln!(lines, "    {sign} {line}").expect("a string takes all");
    }
    lines
}

#[test]
fn what_differs_is_shown_line_by_line() {
    assert_eq!(difference("one\ntwo\nthree\n", "one\n2\n2½\nthree\n"), "      1 lines alike\n    - two\n    + 2\n    + 2½\n");
}
