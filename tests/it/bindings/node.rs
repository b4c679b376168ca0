//! The binding for Node and browsers.
//!
//! Docs: `host/bindings/node/README.md`, `tests/plugins/node/README.md`.

use std::process::Command;
use std::sync::LazyLock;

use super::driver::Driver;
use super::tools::{have, place, replaced, run};

const PLUGIN: &str = "tests/plugins/node";

/// Whether Node is there, and what its tests need is installed. `cargo xtask test` has built the binding.
static READY: LazyLock<bool> = LazyLock::new(|| {
    let ready = have("npm", "--version", "Node");
    if ready {
        run(PLUGIN, "npm", &["ci", "--silent"]);
    }
    ready
});

fn driver() -> Option<Driver> {
    READY.then(|| Driver { language: "Node", command: vec!["node".into(), place("tests/plugins/node/driver.mjs").into()] })
}

/// The README's program, on a cluster without authentication.
pub(super) fn sample(url: &str) -> Option<Command> {
    let code = replaced(&super::code("node", "Drive a cluster"), "http://127.0.0.1:8001", url);
    // Modules are found from the folder of a file.
    let file = place(PLUGIN).join("node_modules/sample.mjs");
    READY.then(|| {
        std::fs::write(&file, code).expect("the folder is there");
        let mut command = Command::new("node");
        command.arg(file);
        command
    })
}

held_against_the_core!(driver);

#[test]
fn its_own_tests_pass() {
    if *READY {
        run(PLUGIN, "npm", &["test"]);
    }
}

#[test]
fn jobs_run_in_webernetes() {
    if *READY {
        run(PLUGIN, "npm", &["run", "demo"]);
    }
}
