//! Browser = program: what is seen of a session is the same on the page and in `jobsmith simulate`, byte for byte.
//!
//! Docs: `jobsmith simulate --why`. What the program says above what it found is compared in `stuck_dumps.rs`. The files of the page are played in one Node by `browser/traces.mjs`; steps are tested in `playing.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use core_tests::files::root;
use core_tests::scenarios;
use core_tests::summary::{grouped, print};
use serde_json::{Value, json};
use simulation::session;

use crate::program::Folder;

/// How many random sessions are played.
const SESSIONS: u64 = 500;

/// A session, and what the program prints about it.
struct Expected {
    /// What to report if something else is seen.
    name: String,
    /// As the page has it.
    session: Value,
    /// The trace with all that it has.
    lines: String,
}

#[test]
#[ignore = "needs Node: `cargo xtask test --all`"]
fn every_claim_and_random_sessions_are_seen_alike() {
    let generated = below_the_page();
    let expected: Vec<Expected> = claims().into_iter().chain((0..SESSIONS).map(random)).collect();
    let seen = played(&generated, &expected);
    assert_eq!(seen.len(), expected.len());
    let mut lines = 0;
    for (Expected { name, session, lines: expected }, seen) in expected.iter().zip(&seen) {
        assert!(!expected.is_empty() && seen == expected, "{name}\n{session:#}\nthe program:\n{expected}\nthe page:\n{seen}");
        lines += expected.lines().count() as u64;
    }
    print(&format!("browser = program: {} lines of {} sessions", grouped(lines), expected.len()));
}

/// The claims of all scenario files.
fn claims() -> Vec<Expected> {
    let mut claims = Vec::new();
    for file in scenarios::files() {
        for scenario in &file.scenarios {
            let script = scenario.script.as_ref().map_or("", |block| &block.text);
            claims.push(expected(format!("{}: {}", file.path, scenario.claim), scenario.own_manifest(), script));
        }
    }
    claims
}

fn random(seed: u64) -> Expected {
    let (manifests, script) = session(seed);
    expected(format!("seed {seed}"), &manifests.join("\n---\n"), &script.to_string())
}

/// The session, played by the program.
fn expected(name: String, manifest: &str, script: &str) -> Expected {
    let folder = Folder::new();
    folder.write("jobs.yaml", manifest);
    folder.write("script", script);
    let ended = folder.run(&["simulate", "jobs.yaml", "--script-file", "script", "--why", "--skip-past"]);
    assert!(ended.status != 2, "{name}: {}", ended.stderr);
    // How Jobs ended comes after an empty line, and why others did not on standard error.
    let lines = ended.stdout.split_once("\n\n").map_or(ended.stdout.clone(), |(lines, _)| format!("{lines}\n"));
    Expected { name, session: json!({"manifest": manifest, "script": script}), lines }
}

/// The folder with what runs below the playground's page.
fn below_the_page() -> PathBuf {
    let folder = root().join("web/src/generated");
    let built = folder.join("browser_bg.wasm").exists() && folder.join("controllers.core.wasm").exists();
    assert!(built, "nothing is built in {}: run `cargo xtask web`", folder.display());
    folder
}

/// What the page's files print about each session.
fn played(generated: &Path, sessions: &[Expected]) -> Vec<String> {
    let folder = Folder::new();
    folder.write("sessions.json", Value::from_iter(sessions.iter().map(|expected| expected.session.clone())).to_string());
    let script = root().join("tests/host/browser/traces.mjs");
    let output = Command::new("node").arg(script).arg(generated).arg(folder.path().join("sessions.json")).output().expect("there is Node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).expect("entries are text");
    shown.split_terminator("\0").map(str::to_owned).collect()
}
